"""How good the verdicts are on prose that a language model writes, sentence by sentence, as tables.

    python -m benchmarks.prose --data ../shared/data --out build/prose [--write PAGE]
                               [--readme README.md] [--rules docs/reference/rules/precision.json]
                               [--grades GRADES.jsonl] [--ask QUESTIONS.jsonl]
                               [--take ANSWERS.jsonl] [--only SET]

One shipped configuration for all sets. Each set's figures are what `groundrules eval FILE
--output-format json` prints; they are kept in the folder and taken from there if they are there.
`--readme` writes the short table, where the page has the two marks; `--rules` counts by rule, from
which `python -m tools.docs` makes the figures on the pages of the rules. A sample of
train/twins, a true and a wrong answer for each passage, stands beside the documents.

`--grades` measures the sets but the twins once more with a language model that grades, whose
grades are recorded (`benchmarks.recorded`). `--ask FOLDER` measures nothing and writes the
questions with a statement that is not recorded, so that a language model can answer them once;
`--take FOLDER` adds its answers to the grades. `--only` leaves the other sets out.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks import folder_of_code
from benchmarks.marks import put_between
from benchmarks.recorded import (
    Recorded,
    lines,
    read,
    read_replies,
    replayed,
    taken,
    write_questions,
)
from benchmarks.recorded import write as write_rows
from groundrules.claims.models.grades import Grades
from groundrules.cli.terminal import encode
from groundrules.config import Config
from groundrules.evaluate.documents import check_row, evaluate
from groundrules.evaluate.rows import read_rows
from groundrules.llm.prompt import Prompt

BEGIN = "<!-- prose: begin -->"
END = "<!-- prose: end -->"
_HERE = Path(__file__).parent / "prose"
#: Heading and figure of the columns of the table of sets, and those of the short one.
COLUMNS = (
    ("wrong with an error", "wrong_error"),
    ("wrong, error or warning", "wrong_any"),
    ("true with an error", "true_error"),
    ("true, error or warning", "true_any"),
    ("precision of errors", "precision_error"),
    ("wrong passed as supported", "wrong_supported"),
    ("true found supported", "true_supported"),
    ("figures and logic caught", "figures_caught"),
    ("at the wrong words", "span_hit"),
)
SHORT = COLUMNS[:7]
#: Every so many passages of a file of twins no scorer was trained on (training/scorer).
KEPT_OUT = 10
#: The sets that the short table tells of.
TOLD = ("field/dev", "prose/unseen-2", "prose/near-2")

#: The sets that are measured with recorded grades too, and how their rows are named.
GRADED = ("field/dev", "prose/tuning", "prose/unseen", "prose/unseen-2")
WITH = ", with a language model"
#: The rules that read grades.
OF_GRADES = ("GR104", "GR105")

Found = Mapping[str, Any]


def sets(data: Path, out: Path) -> dict[str, Path]:
    """Return the files by the names of the sets; that of the twins is written."""
    return {
        "train/twins": twins(data / "train/twins", out / "twins.jsonl"),
        "field/dev": data / "field/dev.jsonl.gz",
        "prose/tuning": _HERE / "tuning.jsonl",
        "prose/tuning-2": _HERE / "tuning-2.jsonl",
        "prose/unseen": _HERE / "unseen.jsonl",
        "prose/unseen-2": _HERE / "unseen-2.jsonl",
        "prose/near": _HERE / "near.jsonl",
        "prose/near-2": _HERE / "near-2.jsonl",
    }


def twins(folder: Path, path: Path) -> Path:
    """Write every fifth passage of the twins with an answer of true and one of wrong claims.

    Nothing where the folder is not there.
    """
    lines = []
    for file in sorted(folder.glob("t*.jsonl.gz")):
        with gzip.open(file, "rt", encoding="utf-8") as rows:
            lines += list(rows)
    if lines:
        path.write_text("".join(map(_twin_answers, lines[::5])), encoding="utf-8")
    return path


def kept_out(folder: Path, path: Path) -> Path:
    """Write the twins that no scorer was trained on: of each passage the wrong, the true answer.

    Nothing where the folder is not there.
    """
    lines = []
    for file in sorted(folder.glob("t*.jsonl.gz")):
        with gzip.open(file, "rt", encoding="utf-8") as rows:
            lines += [line for number, line in enumerate(rows) if number % KEPT_OUT == 0]
    if lines:
        path.write_text("".join(map(_twin_answers, lines)), encoding="utf-8")
    return path


def _twin_answers(line: str) -> str:
    row = json.loads(line)
    out = ""
    for label, side in enumerate(("false", "true")):
        answer = [
            {"s": twin[side], "label": label, "error": None if label else twin["error"]}
            for twin in row["twins"]
        ]
        out += json.dumps({"id": f"{row['id']}-{side}", "doc": row["passage"],
                           "genre": row["genre"], "answer": answer}) + "\n"  # fmt: skip
    return out


def by_rule(figures: Mapping[str, Found]) -> dict[str, dict[str, dict[str, int]]]:
    """Return by rule and set how many wrong and how many true statements it accused.

    With a language model only the rules are counted that read its grades.
    """
    found: dict[str, dict[str, dict[str, int]]] = {}
    for name, one in figures.items():
        for rule, counts in one["by_rule"].items():
            kept = {side: counts[side] for side in ("wrong", "true")}
            if any(kept.values()) and (rule in OF_GRADES or not name.endswith(WITH)):
                found.setdefault(rule, {})[name] = kept
    return dict(sorted(found.items()))


def measured(path: Path, kept: Path, config: Config) -> dict[str, Any]:
    """Return the figures of a file, from the folder if this code has measured them."""
    if not kept.exists():
        figures = encode(evaluate(path, config=config))
        kept.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    found: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8"))
    return found


def graded(path: Path, kept: Path, answers: Path, plain: Config) -> dict[str, Any]:
    """Return the figures of a file with recorded grades, and what was not graded, as `measured`.

    `figures` is None where no statement has a grade; `controls` counts those that were asked when
    the grades were recorded, and those that were not.
    """
    if not kept.exists():
        client, told = Recorded(answers), list[Grades]()
        with replayed(client, told, plain) as config:
            figures = encode(evaluate(path, config=config))
        missed = Counter(why for one in told for why in one.missed.values())
        found = {
            "figures": figures if any(one.by_number for one in told) else None,
            "statements": sum(one.asked for one in told),
            "missed": dict(sorted(missed.items())),
            "controls": [client.tried, client.untried],
        }
        kept.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    result: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8"))
    return result


def missing(paths: Sequence[Path], answers: Path) -> dict[str, tuple[str, Prompt]]:
    """Return by key the questions about some files with a statement not recorded, with sources."""
    client = Recorded(answers)
    with replayed(client, [], Config()) as config:
        for path in paths:
            for row in read_rows(path):
                check_row(row, config)
    return client.missing


def page(figures: Mapping[str, Found]) -> str:
    """Return the tables of all sets: the whole, then by kind of error, by rule."""
    heads = ["set", "answers", "sentences", "wrong", *(head for head, _ in COLUMNS), "s/answer"]
    lines = [_row(heads), "|---|" + "--:|" * (len(heads) - 1)]
    for name, found in figures.items():
        cells = [str(found[key]) for key in ("documents", "statements", "wrong")]
        cells += [_with_interval(found, key) for _, key in COLUMNS]
        lines.append(_row([name, *cells, f"{found['seconds_per_row']:.2f}"]))
    lines += ["", "By kind of error, the share of the wrong sentences with an error, with an error "
              "or warning, and passed as supported:", "", *_by_error(figures)]  # fmt: skip
    lines += ["", "By rule, how many wrong and true sentences it gave an error or warning:", "",
              *_by_rule(figures)]  # fmt: skip
    return "\n".join(lines)


def short(figures: Mapping[str, Found]) -> str:
    """Return the few figures that matter, a line a set of documents that no rule was fitted on."""
    heads = ["answers", *(head for head, _ in SHORT)]
    lines = [_row(heads), "|---|" + "--:|" * len(SHORT)]
    for name, found in figures.items():
        if name.startswith(TOLD):
            lines.append(_row([name, *(_percent(found[key]) for _, key in SHORT)]))
    return "\n".join(lines)


def _by_error(figures: Mapping[str, Found]) -> Iterator[str]:
    yield _row(["error", *figures])
    yield "|---|" + "---|" * len(figures)
    for kind in sorted({kind for found in figures.values() for kind in found["by"]["error"]}):
        cells = []
        for found in figures.values():
            part = found["by"]["error"].get(kind)
            keys = ("wrong_error", "wrong_any", "wrong_supported")
            cells.append(
                f"{', '.join(_percent(part[key]) for key in keys)} of {part['wrong']}"
                if part
                else "–"
            )
        yield _row([kind, *cells])


def _by_rule(figures: Mapping[str, Found]) -> Iterator[str]:
    yield _row(["rule", *figures])
    yield "|---|" + "---|" * len(figures)
    rules = {
        rule: one["name"] for found in figures.values() for rule, one in found["by_rule"].items()
    }
    for rule, name in sorted(rules.items()):
        cells = []
        for found in figures.values():
            one = found["by_rule"].get(rule)
            cells.append(f"{one['wrong']} wrong, {one['true']} true" if one else "–")
        yield _row([f"{rule} {name}", *cells])


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _with_interval(found: Found, key: str) -> str:
    low, high = found["ci"].get(key, (None, None))
    told = "" if low is None else f" ({low:.2f} to {high:.2f})"
    return _share(found[key]) + told


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{value:.0%}"


def with_grades(name: str, path: Path, out: Path, answers: Path, plain: Config) -> dict[str, Any]:
    """Return what `graded` does, kept in a folder; say what was not graded, and why."""
    digest = hashlib.sha256(answers.read_bytes()).hexdigest()[:12]
    kept = out / f"{name.replace('/', '-')}-graded-{digest}.json"
    found = graded(path, kept, answers, plain)
    for why, count in found["missed"].items():
        print(f"{name}{WITH}: {count} of {found['statements']} not graded: {why}", file=sys.stderr)
    if found["figures"] is None:
        print(f"left out {name}{WITH}: no statement has a recorded grade", file=sys.stderr)
    return found


def told_of_grades(found: Mapping[str, Mapping[str, Any]]) -> str:
    """Return a line on what of the questions with recorded grades was asked of the model."""
    asked, untried = (sum(one["controls"][n] for one in found.values()) for n in (0, 1))
    statements = sum(one["statements"] for one in found.values())
    missed = sum(sum(one["missed"].values()) for one in found.values())
    return (
        f"\n\nIn the rows with a language model {missed:,} of {statements:,} statements have no "
        f"grade that counts. Of the {asked + untried:,} controls in their questions the model was "
        f"asked {asked:,}; the others are made of passages as they are cut now, and are taken as "
        "answered rightly."
    )


def main() -> None:
    """Measure what is there, print the tables, write them into the pages if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--write", type=Path)
    parser.add_argument("--readme", type=Path)
    parser.add_argument("--rules", type=Path)
    parser.add_argument("--grades", type=Path, help="recorded answers of a language model")
    parser.add_argument("--ask", type=Path, help="write the questions that have none")
    parser.add_argument("--take", type=Path, help="add the answers to those questions")
    parser.add_argument("--only", action="append", metavar="SET", help="leave other sets out")
    arguments = parser.parse_args()
    out = folder_of_code(arguments.out)
    there = {}
    for name, path in sets(arguments.data, out).items():
        if arguments.only and name not in arguments.only:
            continue
        if path.exists():
            there[name] = path
        else:
            print(f"skipped {name}: no {path}", file=sys.stderr)
    folder = arguments.ask or arguments.take
    if folder:
        if not arguments.grades:
            parser.error("--ask and --take need the file of recorded grades (--grades)")
        found = missing([p for name, p in there.items() if name in GRADED], arguments.grades)
        asked = {name: prompt for name, (_, prompt) in found.items()}
        if arguments.ask:
            write_questions(folder, asked)
            return
        rows = read(arguments.grades)
        for name, answer in read_replies(folder, asked).items():
            rows |= taken(found[name][0], lines(asked[name])[0], answer)
        write_rows(arguments.grades, rows)
        return
    figures: dict[str, Found] = {}
    with_model: dict[str, dict[str, Any]] = {}
    config = Config()
    for name, path in there.items():
        store = out / f"{name.replace('/', '-')}.json"
        figures[name] = measured(path, store, config)
        if name in GRADED and arguments.grades:
            found = with_grades(name, path, out, arguments.grades, config)
            if found["figures"] is not None:
                figures[name + WITH], with_model[name] = found["figures"], found
    if not arguments.grades:
        print("the rows with a language model are left out: no --grades", file=sys.stderr)
    if not figures:
        raise SystemExit("no set is there")
    whole = page(figures) + (told_of_grades(with_model) if with_model else "")
    print(whole)
    if arguments.rules:
        text = json.dumps(by_rule(figures), indent=1) + "\n"
        arguments.rules.write_text(text, encoding="utf-8")
    for target, text in ((arguments.write, whole), (arguments.readme, short(figures))):
        if target:
            put_between(target, text, BEGIN, END)


if __name__ == "__main__":
    main()
