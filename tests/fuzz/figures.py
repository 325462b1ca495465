"""Figures that are changed in a text, by kind: none of them may pass beside its source.

`python -m tests.fuzz.figures` counts what was tried and what passed, and writes it to
security.md; with `--before` it keeps the counts of the package that is imported as the old
ones.
"""

from __future__ import annotations

import argparse
import itertools
import json
import re
from collections.abc import Iterator
from pathlib import Path

from hypothesis import strategies as st

HERE, PAGE = Path(__file__).parent, Path("docs/reference/security.md")
MARKS = ("<!-- altered: begin -->", "<!-- altered: end -->")
#: What a source says, the figure between bars.
SAID = (
    "The monthly rent is |$5,100|.",
    "The dose is |5 mg| daily.",
    "The term is |24| months.",
    "The deposit is |€3,000|.",
    "The plant supplies |5 MW| of power.",
    "The loss was |40| euros.",
    "The share is |12|%.",
    "The tower is |48| metres high.",
)
#: By kind, what stands in place of a figure F with digits D.
CHANGES = {
    "signs": "-F −F <F >F +/-F ≠F ¥D £D €D case".split(),
    "brackets": "(D0)|[D0]|{D0}|\\(D0\\)|(9)D|D(0)|D[0]|<D0>|“D0”|(not) F".split("|"),
    "insertions": (
        "F to 9D|F or 9D|F×9|D^9|F–9D|F/9|F, or 9D,|9D (F)|not F|F⁹|F½|D,000|D.9|9.D|D e9|D\u200b9"
        "|nearly 9D, F,|F times 9|F and 9D|F minus 9"
    ).split("|"),
}
#: Short lines that say another figure N of a thing T.
LINES = (
    "* T N;- T N;# T N;T:\nN;T: N;T\tN;| T |\n| --- |\n| N |;**T** N;1. T N;> T N;T = N;T – N;"
    "T\n\nN;[T]: N;```\nT N\n```;~~~\nT: N\n~~~"
).split(";")


def altered() -> Iterator[tuple[str, str, str]]:
    """Yield a kind, a source, and a text that says another figure than it."""
    for said in SAID:
        before, figure, after = said.split("|")
        source = said.replace("|", "")
        digits = re.sub(r"[^\d,.]", "", figure)
        for kind, changes in CHANGES.items():
            for change in changes:
                new = change.replace("F", figure).replace("D", digits)
                if change == "case":
                    new = figure.replace("MW", "mW").replace("mg", "Mg")
                if new != figure:
                    yield kind, source, before + new + after
        thing = re.sub(r"^The | (?:is|was|supplies) $", "", before).capitalize()
        number = figure.replace(digits, "9" + digits[1:])
        for line in LINES:
            told = line.replace("T", thing).replace("N", number)
            yield "short lines", source, f"{source}\n\n{told}\n"


def passes(source: str, text: str) -> bool:
    """Return whether a text passes beside a source."""
    import groundrules
    from groundrules import Document

    named = Document("answer.md", text, "md")
    return groundrules.check(named, context=[Document("source.txt", source)]).conforms is True


def hold_altered(case: tuple[str, str, str]) -> None:
    """Fail where a text with another figure passes."""
    kind, source, text = case
    assert not passes(source, text), f"{kind}: {text!r} passes beside {source!r}"


def cases() -> st.SearchStrategy[tuple[str, str, str]]:
    """Draw what may be altered."""
    return st.sampled_from([*altered()])


def main() -> None:
    """Count what passes, and write it."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--before", action="store_true")
    args = options.parse_args()
    counts: dict[str, list[int]] = {}
    for kind, group in itertools.groupby(sorted(altered()), lambda case: case[0]):
        found = [(text, passes(source, text)) for _, source, text in group]
        counts[kind] = [len(found), sum(passed for _, passed in found)]
        print(kind, *counts[kind], *(repr(text) for text, passed in found if passed), sep="\n  ")
    kept = HERE / "altered.json"
    if args.before:
        kept.write_text(json.dumps(counts) + "\n", encoding="utf-8")
        return
    old = json.loads(kept.read_text("utf-8"))
    rows = [f"| {kind} | {n} | {old[kind][1]} | {failed} |" for kind, (n, failed) in counts.items()]
    table = [
        "| figures changed by | tried | passed at c827dac6 | pass |",
        "|---|--:|--:|--:|",
        *rows,
    ]
    first, rest = PAGE.read_text("utf-8").split(MARKS[0])
    told = "\n".join((first + MARKS[0], *table, MARKS[1])) + rest.split(MARKS[1])[1]
    PAGE.write_text(told, encoding="utf-8")


if __name__ == "__main__":
    main()
