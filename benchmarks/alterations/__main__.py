"""How many of a source's own sentences, altered by machine in one place, pass as supported.

    python -m benchmarks.alterations --data ../shared/data [--count 10000] [--documents N]
        [--seed 1] [--show 3] [--list N] [--only OPERATOR] [--jobs 2] [--out FILE.json]
        [--yes] [--write benchmarks/reports/alterations.md] [--readme README.md]

Without `--data` the documents of three sets of prose and parts of four contracts are taken. Each
altered sentence is checked alone, beside the document it stands in, or a part of whole paragraphs
of it, of at most `WORDS` words. With `--yes` a reader finds all entailed that is left open: what is
supported then is what nothing holds back from a reader.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.alterations.documents import Document, read_documents, sentences_of
from benchmarks.alterations.operators import kinds, operators, surroundings
from benchmarks.marks import put_between
from benchmarks.readers import reading
from groundrules import api
from groundrules.config import Config
from groundrules.models.licences import Bound, Licence
from groundrules.models.readers import Entailment, Reader
from groundrules.terms import Outcome, Severity

BEGIN, END = "<!-- alterations: begin -->", "<!-- alterations: end -->"
#: The name under which a document's own sentences, unaltered, are counted.
OWN = "own sentence"


@dataclass(frozen=True, slots=True)
class Altered:
    """A sentence of a document and what an operator made of it."""

    operator: str
    document: int
    sentence: str
    altered: str


@dataclass(frozen=True, slots=True)
class Judged:
    """What a check made of an altered sentence; `refuted` says that it has an error."""

    one: Altered
    supported: bool
    refuted: bool
    rules: tuple[str, ...]


def altered(documents: Sequence[Document], only: Iterable[str] = ()) -> dict[str, list[Altered]]:
    """Return by operator what the operators make of the sentences of the documents.

    What the document says elsewhere is left out.
    """
    found: dict[str, list[Altered]] = defaultdict(list)
    chosen = set(only)
    for number, document in enumerate(documents):
        around = surroundings(document.text, document.kind)
        said = _plain(document.text)
        for sentence in sentences_of(document.text):
            if not chosen or OWN in chosen:
                found[OWN].append(Altered(OWN, number, sentence, sentence))
            for name, operator in operators().items():
                if chosen and name not in chosen:
                    continue
                for text in operator(sentence, around):
                    if operator.keeps or _plain(text) not in said:
                        found[name].append(Altered(name, number, sentence, text))
    return found


def sample(found: Mapping[str, Sequence[Altered]], count: int, seed: int) -> list[Altered]:
    """Return a number of alterations, as many of each operator as there are, by document.

    Of a sentence no operator gives a second one before each sentence gave one.
    """
    queues = []
    for name in sorted(found):
        rows = list(found[name])
        random.Random(f"{seed} {name}").shuffle(rows)
        turns: dict[tuple[int, str], int] = defaultdict(int)
        ranked = []
        for row in rows:
            key = (row.document, row.sentence)
            ranked.append((turns[key], len(ranked), row))
            turns[key] += 1
        queues.append([row for _, _, row in sorted(ranked, key=lambda one: one[:2])])
    out: list[Altered] = []
    while len(out) < count and any(queues):
        queues = [queue for queue in queues if queue]
        share = max(1, (count - len(out)) // len(queues))
        for queue in queues:
            out += queue[: min(share, count - len(out))]
            del queue[:share]
    return sorted(out, key=lambda one: (one.document, one.operator, one.sentence, one.altered))


def judge(
    document: Document, rows: Iterable[Altered], config: Config | None = None
) -> Iterator[Judged]:
    """Yield what a check of each altered sentence alone beside its document says."""
    for row in rows:
        report = api.check(row.altered, context=document.text, config=config, verify=False)
        outcomes = {one.outcome for one in report.statements}
        errors = {one.rule for one in report.violations if one.severity is Severity.ERROR}
        yield Judged(row, outcomes == {Outcome.SUPPORTED}, bool(errors), tuple(sorted(errors)))


def judge_all(
    documents: Sequence[Document], rows: Sequence[Altered], jobs: int = 1, *, yes: bool = False
) -> list[Judged]:
    """Return what the checks say, a document after another, in some processes."""
    by: dict[int, list[Altered]] = defaultdict(list)
    for row in rows:
        by[row.document].append(row)
    tasks = [(documents[number], own, yes) for number, own in sorted(by.items())]
    if jobs == 1:
        return [one for task in tasks for one in _judged(task)]
    with multiprocessing.get_context("fork").Pool(jobs) as pool:  # spawn imports no __main__
        return [one for part in pool.imap(_judged, tasks) for one in part]


def _judged(task: tuple[Document, list[Altered], bool]) -> list[Judged]:
    document, rows, yes = task
    if not yes:
        return list(judge(document, rows))
    reader = Reader("yes", lambda asked: [Entailment(1.0, 0.0, 0.0) for _ in asked])
    licence = Licence("yes", reader.digest, "", 1, 0, Bound(0.5, 1.0, 1))
    with reading(reader, licence) as config:
        return list(judge(document, rows, config))


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip().lower()


# --- tables -----------------------------------------------------------------------------------


def figures(judged: Iterable[Judged]) -> dict[str, dict[str, int | bool]]:
    """Return by operator, then of all that change and all that keep the meaning, the counts."""
    found: dict[str, dict[str, int | bool]] = {}
    for row in judged:
        name = row.one.operator
        keeps = name == OWN or operators()[name].keeps
        whole = OWN if name == OWN else "all, meaning kept" if keeps else "all, meaning changed"
        for key in dict.fromkeys((name, whole)):
            counts = found.setdefault(
                key, {"keeps": keeps, "n": 0, "supported": 0, "refuted": 0, "open": 0}
            )
            counts["n"] += 1
            counts["supported"] += row.supported
            counts["refuted"] += row.refuted
            counts["open"] += not (row.supported or row.refuted)
    return dict(sorted(found.items(), key=lambda item: (item[1]["keeps"], item[0])))


def table(found: Mapping[str, Mapping[str, int | bool]]) -> str:
    """Return the counts as a table a side: what changes the meaning, and what keeps it."""
    lines = []
    for keeps, head in ((False, "meaning changed"), (True, "meaning kept")):
        lines += [f"| {head} | n | supported | refuted | open |", "|---|--:|--:|--:|--:|"]
        for name, counts in found.items():
            if counts["keeps"] is keeps:
                shares = (counts[key] / counts["n"] for key in ("supported", "refuted", "open"))
                told = " | ".join(f"{share:.3f}" for share in shares)
                lines.append(f"| {name} | {counts['n']:,} | {told} |")
        lines.append("")
    return "\n".join(lines)


def short_table(found: Mapping[str, Mapping[str, int | bool]]) -> str:
    """Return the table of README.md, a row a kind of what is altered."""
    rows = {name: [found[one] for one in own if one in found] for name, own in kinds().items()}
    rows["nothing but the wording or the layout"] = [found["all, meaning kept"]]
    rows["nothing: a sentence of the source’s own"] = [found[OWN]]
    lines = [
        "| changed in a sentence of the source | sentences | found wrong | left open | passed |",
        "|---|--:|--:|--:|--:|",
    ]
    for name, own in rows.items():
        counts = [sum(one[key] for one in own) for key in ("n", "refuted", "open", "supported")]
        told = " | ".join(f"{count / counts[0]:.0%}" for count in counts[1:])
        lines.append(f"| {name} | {counts[0]:,} | {told} |")
    return "\n".join(lines)


def shown(judged: Iterable[Judged], most: int) -> str:
    """Return some faults of each operator: what passed though changed, what failed though kept."""
    lines, seen = [], defaultdict[str, int](int)
    for row in sorted(judged, key=lambda one: one.one.operator):
        name = row.one.operator
        keeps = name == OWN or operators()[name].keeps
        wrong = "refuted" if row.refuted else "not supported" if name == OWN else ""
        fault = (wrong if not row.supported else "") if keeps else "supported" * row.supported
        if fault and seen[name] < most:
            seen[name] += 1
            told = f"{fault} {' '.join(row.rules)}".strip()
            lines += [f"{name}: {told}", f"  {row.one.sentence}", f"  {row.one.altered}"]
    return "\n".join(lines)


def main() -> None:
    """Measure, print the table and some faults, write what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--documents", type=int, metavar="N", help="no more than N of them")
    parser.add_argument("--show", type=int, default=0, metavar="N")
    parser.add_argument("--only", action="append", default=[], metavar="OPERATOR")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--yes", action="store_true", help="with a reader that always says yes")
    parser.add_argument("--list", type=int, metavar="N", help="print N of each, and check none")
    parser.add_argument("--out", type=Path, metavar="FILE.json")
    parser.add_argument("--write", type=Path, metavar="PAGE")
    parser.add_argument("--readme", type=Path, metavar="README.md")
    options = parser.parse_args()
    unknown = {*options.only} - {*operators(), OWN}
    if unknown:
        parser.error(
            f"no operator {', '.join(sorted(unknown))}; there are {', '.join(operators())}"
        )
    documents = read_documents(options.data, options.seed)
    if options.documents and options.documents < len(documents):
        documents = random.Random(options.seed).sample(documents, options.documents)
    found = altered(documents, options.only)
    if options.list is not None:
        for name in found:
            print(f"== {name}: {len(found[name]):,}")
            for row in sample({name: found[name]}, options.list, options.seed):
                print(f"  {row.sentence}\n    > {row.altered}")
        return
    rows = sample(found, options.count, options.seed)
    judged = judge_all(documents, rows, options.jobs, yes=options.yes)
    counts = figures(judged)
    told = len({row.document for row in rows})
    head = f"{len(rows):,} sentences of {told:,} documents, seed {options.seed}:"
    text = f"{head}\n\n{table(counts)}"
    print(text)
    print(shown(judged, options.show))
    if options.out:
        data = {"seed": options.seed, "documents": told, "operators": counts,
                "rows": [asdict(one) for one in judged]}  # fmt: skip
        options.out.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", "utf-8")
    if options.write:
        put_between(options.write, text, BEGIN, END)
    if options.readme:
        put_between(options.readme, short_table(counts), BEGIN, END)


if __name__ == "__main__":
    main()
