"""Count the odds of verdicts: by how much each one changes the odds that a statement is right.

    python training/verdicts/fit.py benchmarks/prose/tuning.jsonl

The rows are labelled answers beside their documents (`groundrules/evaluate/documents.py`). Every
answer is checked, and each labelled sentence counts under the worst category of its statements
(`groundrules.checks.verdicts.category`); what could not be read is left out. The ratio of a
category is P(category | right) / P(category | wrong), one added to each count. The prior is set,
not counted: in labelled answers there are more faults than elsewhere.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from groundrules.config import Config
from groundrules.evaluate.documents import check_row, read_rows

PRIOR = 0.95
CATEGORIES = ("supported", "unsettled", "doubted", "refuted")
_FOLDER = Path(__file__).parents[2] / "groundrules" / "models" / "verdicts"

#: How many sentences there are of a category and label (1 right, 0 wrong).
Counts = Mapping[tuple[str, int], int]


def ratios(counts: Counts) -> dict[str, float]:
    """Return P(category | right) / P(category | wrong), one added to each count."""
    right, wrong = (
        sum(counts[name, label] for name in CATEGORIES) + len(CATEGORIES) for label in (1, 0)
    )
    return {
        name: round((counts[name, 1] + 1) / right / ((counts[name, 0] + 1) / wrong), 4)
        for name in CATEGORIES
    }


def main() -> None:
    """Check the answers of a file, count, write the odds and the card."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path, metavar="FILE", help="a .jsonl or .jsonl.gz file")
    parser.add_argument("--out", type=Path, default=_FOLDER)
    arguments = parser.parse_args()
    if not (_FOLDER / "odds.json").exists():  # without any a check cannot run
        _FOLDER.mkdir(parents=True, exist_ok=True)
        _write(_FOLDER, {"prior": PRIOR, "ratios": dict.fromkeys(CATEGORIES, 1.0)})
    rows = read_rows(arguments.file)
    counts = Counter(
        (one.category, one.label) for row in rows for one in check_row(row, Config()).sentences
    )
    digest = hashlib.sha256(arguments.file.read_bytes()).hexdigest()
    text = _write(
        arguments.out,
        {
            "schema": 1,
            "prior": PRIOR,
            "ratios": ratios(counts),
            "fitted_on": {"file": arguments.file.name, "sha256": digest},
            "rows": len(rows),
        },
    )
    card = _card(text, counts, arguments.file, digest, len(rows))
    (arguments.out / "CARD.md").write_text(card, encoding="utf-8")
    print(text, dict(counts))


def _write(folder: Path, data: Mapping[str, object]) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(data, indent=1) + "\n"
    (folder / "odds.json").write_text(text, encoding="utf-8")
    return text


def _card(text: str, counts: Counts, file: Path, source: str, rows: int) -> str:
    digest = hashlib.sha256(text.encode()).hexdigest()
    shown = "\n".join(
        f"| {name} | {counts[name, 1]} | {counts[name, 0]} | {ratio:.4f} |"
        for name, ratio in ratios(counts).items()
    )
    left_out = sum(count for (name, _), count in counts.items() if name not in CATEGORIES)
    return f"""# The odds of verdicts

By how much the verdict on a statement changes the odds that it is right; the probability of a
text is made of them (`groundrules/checks/verdicts.py`). Counted on {rows} labelled answers of
`{file.name}` (SHA-256 `{source}`):

| category | right | wrong | ratio |
| --- | --: | --: | --: |
{shown}

A ratio is P(category | right) / P(category | wrong), one added to each count. What is neither
supported nor refuted is `doubted` if it has an error or a warning, else `unsettled`; {left_out}
sentences that could not be read are left out. The prior, {PRIOR}, is set: the answers were written
with more faults than others have.

Made by `python training/verdicts/fit.py {file}`; SHA-256 of `odds.json`: `{digest}`.
The counts hold for the rules and models of the day they were made: fit again when those change. The
rules were made with these answers in view, so `refuted` is surer here than elsewhere.
The answers and the odds are our own, Apache-2.0.
"""


if __name__ == "__main__":
    main()
