"""Laws of wrapping: how wide a page is changes nothing that is read."""

from __future__ import annotations

import textwrap
from dataclasses import replace
from pathlib import Path

import pytest

from groundrules import Config, check
from groundrules.claims.documents.document import Document, from_text, read
from groundrules.claims.documents.shown import shown
from groundrules.claims.facts.offline import extract
from tests.claims.rows import rows

EXAMPLES = Path(__file__).parents[2] / "examples"
PAIRS = [
    ("lease/answer.txt", "lease/lease.txt"),
    ("policy/answer.txt", "policy/policy.md"),
    ("museum/answer.txt", "museum/visit.txt"),
]
MINUTES = """\
Minutes of the Board

In Smith v. Jones Holdings Ltd. the court of appeal held that Acme Inc. had paid the price \
of 12,000 euros to Birch Ltd. in May 2019. The chair, Mr. Arnold Lind, opened the meeting at \
9.30 a.m. on 12 March 2021, and the treasurer Anna Berg read the accounts. The cost of the \
well-known pre- and post-war buildings rose by 14 per cent; the board took note of it: no \
decision was needed. Alder Light Company Limited was founded in Birchfield, North County, by \
Maria van der Berg.

Attendance
The following members were present at the meeting:
- Anna Berg, who has been the treasurer of the society since spring 2015 and represents the county
- Arnold Lind
- Maria van der Berg, by telephone, from the second item of the agenda onwards

Population: 12,000
Area: 40 km²

1. The rent is due on the first day of each month and must be paid by bank transfer.
2. The tenant may keep two cats, provided that the landlord has agreed to it in writing beforehand.
"""
WIDTHS = (30, 50, 66, 80, 120)


def wrapped(document: Document, width: int) -> Document:
    """Return a document with its lines broken at a width; tables and headings stay."""
    lines = (
        line
        if line.lstrip().startswith(("|", "#"))
        else textwrap.fill(line, width, break_long_words=False)
        for line in document.text.split("\n")
    )
    return replace(document, text="\n".join(lines))


def sentences(document: Document) -> list[str]:
    found = extract(shown(document).document)
    text = found.document.text
    return [" ".join(text[span.start : span.end].split()) for span in found.sentences]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", [*(name for pair in PAIRS for name in pair), "minutes"])
def test_a_text_of_any_width_has_the_same_sentences(name: str, width: int) -> None:
    document = from_text(MINUTES) if name == "minutes" else read(EXAMPLES / name)
    assert sentences(wrapped(document, width)) == sentences(document)


@pytest.mark.parametrize("width", [40, 72])
@pytest.mark.parametrize(("answer", "source"), PAIRS)
def test_a_text_and_a_source_of_any_width_have_the_same_verdicts(
    answer: str, source: str, width: int
) -> None:
    text, context = read(EXAMPLES / answer), read(EXAMPLES / source)

    def verdicts(one: Document, other: Document) -> list[tuple[str, str, str]]:
        found = check(one, context=other, config=Config(), verify=False)
        return [(" ".join(s.text.split()), s.outcome, s.reason) for s in found.statements]

    expected = verdicts(text, context)
    assert verdicts(wrapped(text, width), context) == expected
    assert verdicts(text, wrapped(context, width)) == expected


@pytest.mark.parametrize("width", WIDTHS)
def test_a_text_carries_itself_at_any_width_as_far_as_at_none(width: int) -> None:
    page = replace(wrapped(from_text(MINUTES, "minutes.pdf"), width), format="pdf")
    whole = check(from_text(MINUTES), context=from_text(MINUTES, "minutes.txt"), verify=False)
    found = check(from_text(MINUTES), context=page, verify=False)
    outcomes = [(s.text, s.outcome) for s in found.statements]
    assert outcomes == [(s.text, s.outcome) for s in whole.statements]
    assert {outcome for _, outcome in outcomes} == {"supported"}
    assert not [one.rule for one in found.violations if one.severity == "error"]


@pytest.mark.parametrize("text", rows("wrapping.writer"))
def test_what_a_writer_put_on_lines_of_its_own_stays_there(text: str) -> None:
    assert shown(from_text(text)).document.text.count("\n") == text.count("\n")
