"""False alarms: 40 and 111 whole contracts, each checked against itself with the legal ontology.

    python -m benchmarks.alarms --data ../shared/data [--only BNC] [--json FILE]
                                [--write benchmarks/reports/contracts.md]

Whatever is found is the contract's own: its text and its source say the same. Extraction, readers,
dataset and the packs owl and legal run as in a check; the alignment and pack core, which find
nothing between equal texts, do not. Each error and warning is looked up in alarms.toml, where a
reader of the contract says whether the slip is real; one that nobody has judged is shown as such.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.marks import put_between
from groundrules.align.grounding import Grounding
from groundrules.checks.documents import case_of
from groundrules.checks.judge import Rules, judge
from groundrules.claims.documents.document import from_text
from groundrules.claims.facts.offline import extract
from groundrules.claims.names.resolve import resolve
from groundrules.ontology.load import Ontology, load
from groundrules.ontology.read.reader import read_terms
from groundrules.rules.packs import load_packs
from groundrules.rules.rule import Rule
from groundrules.terms import Severity, Violation

BEGIN = "<!-- figures: written by python -m benchmarks.alarms -->"
END = "<!-- end of figures -->"
JUDGED = Path(__file__).with_name("alarms.toml")
#: How much of the words at fault is shown, and how much on either side tells two places apart.
LONGEST = 80
AROUND = 60

Judgements = Mapping[tuple[str, str, str], tuple[str, str]]


def contracts(data: Path) -> Iterator[tuple[str, str, str]]:
    """Yield set, name and text of each whole contract of the data folder, in a fixed order."""
    for path in sorted((data / "legal/contracts").glob("*.txt.gz")):
        body = gzip.decompress(path.read_bytes()).decode("utf-8")
        yield "CUAD", path.name.removesuffix(".txt.gz"), body
    path = data / "legal/contract_nli.jsonl.gz"
    if path.exists():
        rows = map(json.loads, gzip.decompress(path.read_bytes()).decode("utf-8").splitlines())
        documents = {row["doc_id"]: row["doc"] for row in rows}
        for number, body in sorted(documents.items()):
            yield "ContractNLI", f"NDA {number}", body


def found(name: str, body: str, ontology: Ontology, rules: Sequence[Rule]) -> tuple[Violation, ...]:
    """Return what the rules find in a contract beside itself."""
    text, source = resolve([extract(from_text(body, "text")), extract(from_text(body, name))])
    reading = read_terms(text, [source], ontology)
    grounding = Grounding(
        name="text",
        claims=text.claims,
        references={name: source.claims},
        labels={**source.labels, **text.labels},
        kinds={},
        matches={},
        entities={},
        named={},
        sentences=(),
        similarity=None,
        sparse=False,
    )
    case = case_of(grounding, reading, ontology)
    return judge(case, Rules(tuple(rules)), edits=False).violations


def alarms(
    name: str, body: str, ontology: Ontology, rules: Sequence[Rule]
) -> Iterator[dict[str, Any]]:
    """Yield what the rules find in a contract beside itself, as rows."""
    for violation in found(name, body, ontology, rules):
        span = violation.claim.span if violation.claim else None
        start, end = (span.start, span.end) if span else (0, 0)
        yield {
            "contract": name,
            "rule": violation.rule,
            "severity": str(violation.severity),
            "words": shown(body[start:end]),
            "message": violation.message,
            "around": shown(body[max(0, start - AROUND) : end + AROUND], end - start + 2 * AROUND),
        }


def shown(words: str, most: int = LONGEST) -> str:
    """Return words on one line, cut to a length."""
    line = " ".join(words.split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


def read_judgements(path: Path = JUDGED) -> Judgements:
    """Return what was judged: by contract, rule and words, "real", "false" or "doubtful" and why.

    `contract` is the beginning of the name of a file.
    """
    out = {}
    for row in tomllib.loads(path.read_text(encoding="utf-8"))["judged"]:
        if row["verdict"] not in ("real", "false", "doubtful"):
            raise SystemExit(f"{path}: verdict {row['verdict']!r}; expected real, false, doubtful")
        out[row["contract"], row["rule"], row["words"]] = (row["verdict"], row["why"])
    return out


def is_named(contract: str, short: str) -> bool:
    """Return whether a contract bears a name, or begins with it: "NDA 7" is not "NDA 75"."""
    return contract.startswith(short) and not contract[len(short) : len(short) + 1].isalnum()


def judged(alarm: Mapping[str, Any], judgements: Judgements) -> tuple[str, str]:
    """Return the verdict on an alarm and its reason, "not judged" where there is none."""
    for (contract, rule, words), verdict in judgements.items():
        same = rule == alarm["rule"] and words == alarm["words"]
        if same and is_named(alarm["contract"], contract):
            return verdict
    return "not judged", ""


def summary(rows: Sequence[Mapping[str, Any]], judgements: Judgements) -> str:
    """Return how many errors and warnings there are, and how many of them were judged how."""
    out = []
    for severity in (Severity.ERROR, Severity.WARNING):
        verdicts = [judged(row, judgements)[0] for row in rows if row["severity"] == severity]
        parts = ", ".join(f"{n} {name}" for name, n in sorted(Counter(verdicts).items()))
        out.append(f"{len(verdicts)} {severity}s" + (f" ({parts})" if parts else ""))
    return ", ".join(out)


def page(found: Mapping[str, Any], judgements: Judgements) -> str:
    """Return the alarms as Markdown: for each set the counts, by rule, and what was judged."""
    lines = []
    for name, part in found["sets"].items():
        rows = [row for row in found["alarms"] if row["set"] == name]
        counts = Counter((row["rule"], row["severity"]) for row in rows)
        by_rule = ", ".join(f"{n} {rule} ({kind})" for (rule, kind), n in sorted(counts.items()))
        lines += [
            f"## {name}: {part['contracts']} contracts, {part['words']:,} words",
            "",
            f"{summary(rows, judgements)}. By rule: {by_rule or 'none'}.",
            "",
            "| contract | rule | severity | words | real | why |",
            "|---|---|---|---|---|---|",
        ]
        for row in rows:
            if row["severity"] == Severity.INFO:
                continue
            verdict, why = judged(row, judgements)
            short = row["contract"].partition("_")[0]
            cells = (short, row["rule"], row["severity"], row["words"], verdict, why)
            lines.append(f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |")
        lines.append("")
    return "\n".join(lines)


def measure(data: Path, only: str = "") -> dict[str, Any]:
    """Return what is found in the contracts whose names begin so."""
    ontology = load("legal")
    rules = [rule for pack in load_packs(("owl", "legal")) for rule in pack.rules]
    found: list[dict[str, Any]] = []
    sets: dict[str, dict[str, int]] = {}
    start = time.perf_counter()
    for kind, name, body in contracts(data):
        if not name.startswith(only):
            continue
        part = sets.setdefault(kind, {"contracts": 0, "words": 0})
        part["contracts"] += 1
        part["words"] += len(body.split())
        rows = [{"set": kind, **row} for row in alarms(name, body, ontology, rules)]
        counts = Counter(row["severity"] for row in rows)
        print(name, ", ".join(f"{n} {what}" for what, n in sorted(counts.items())), flush=True)
        found += rows
    return {"sets": sets, "seconds": time.perf_counter() - start, "alarms": found}


def main() -> int:
    """Run over the contracts and print, keep and write what is found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--only", default="", help="contracts whose names begin so")
    parser.add_argument("--json", type=Path, help="write what is found to this file")
    parser.add_argument("--write", type=Path, help="put the tables into this page")
    options = parser.parse_args()
    if not (options.data / "legal/contracts").is_dir():
        print(f"skipped: no legal/contracts under {options.data}; name the folder with --data")
        return 0
    found = measure(options.data, options.only)
    judgements = read_judgements()
    for name, part in found["sets"].items():
        part["found"] = summary([r for r in found["alarms"] if r["set"] == name], judgements)
    text = page(found, judgements)
    print(text, end="")
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    if options.write:
        put_between(options.write, text, BEGIN, END)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
