"""Answers of a language model that obey the schema and lie: none makes a statement supported."""

from __future__ import annotations

import functools
import json
import re
from typing import Any

from hypothesis import strategies as st

from groundrules.terms import Modality, Outcome
from tests.claims.test_grades import numbers, of_controls
from tests.fuzz.readers import LEASE, SAID, checked

Forged = dict[str, Any]
_PIECES = (*SAID.split(". "), *LEASE.split(". "), "Northgate insures the roof", "", "the",
           "2027", "rent \u202e", "\ud800", "The garden is paid for by the Landlord", "$",
           "9" * 50)  # fmt: skip


def is_there(quote: str) -> bool:
    """Return whether the words of a quotation stand in the source, whatever marks are between."""
    words = re.findall(r"\w+", quote.casefold())
    return not words or " ".join(words) in " ".join(re.findall(r"\w+", LEASE.casefold()))


def texts() -> st.SearchStrategy[str]:
    """Pieces of both texts, cut anywhere, joined to others, and words of neither."""
    piece = st.sampled_from(_PIECES)
    cut = st.builds(lambda text, a, b: text[a:b], piece, st.integers(0, 60), st.integers(0, 200))
    return cut | piece | st.builds("{} {}".format, cut, cut) | st.text(max_size=20)


def lies() -> st.SearchStrategy[str]:
    """Words that the source has nowhere in a row."""
    return texts().map(lambda quote: f"{quote} never said" if is_there(quote) else quote)


def forged_answers() -> st.SearchStrategy[Forged]:
    """What a model answers to each job; the quotes of all are in no source."""
    numbers = st.integers(-2, 9) | st.sampled_from((10**30, 1, 1, 2, 3))
    grade = st.fixed_dictionaries({
        "statement": numbers, "quote": lies(), "reason": texts(),
        "grade": st.sampled_from(("entailed", "entailed", "contradicted", "neither")),
        "wrong": st.just("") | texts(),
    })  # fmt: skip
    triple = st.fixed_dictionaries({
        "subject": texts(), "relation": texts(), "object": texts(), "evidence": lies(),
        "polarity": st.sampled_from(("positive", "negative")),
        "modality": st.sampled_from([mode.value for mode in Modality]),
        "attribution": st.none() | texts(), "time": st.none() | texts(),
    })  # fmt: skip
    triples = st.lists(triple, max_size=5)
    return st.fixed_dictionaries({
        "grades": st.fixed_dictionaries({"grades": st.lists(grade, max_size=8)}),
        "triples": st.fixed_dictionaries({"text1": triples, "text2": triples}),
        "": st.fixed_dictionaries({"explanation": texts()}),
    })  # fmt: skip


def said(answers: Forged, body: dict[str, Any]) -> bytes:
    """Return the response of a server that has an answer to each job.

    The controls are graded right, and the statements of the text counted without them: else no
    grade would hold, and none of the laws could fail.
    """
    job = body["response_format"]["json_schema"]["name"]
    answer = answers.get(job, answers[""])
    if job == "grades":
        prompt = body["messages"][-1]["content"]
        asked = numbers(prompt)
        real = [words for words in asked if words in SAID]
        rows = [
            {**row, "statement": asked[real[row["statement"] - 1]]}
            if 1 <= row["statement"] <= len(real)
            else row
            for row in answer["grades"]
        ]
        answer = {"grades": rows + of_controls(prompt, real)}
    content = json.dumps(answer)
    return json.dumps({"choices": [{"message": {"content": content}}]}).encode()


@functools.cache
def supported() -> frozenset[int]:
    """Return the statements that are supported without a word of a model."""
    report = checked(lambda *_: b'{"choices": []}')
    return frozenset(s.number for s in report.statements if s.outcome is Outcome.SUPPORTED)


def hold_forged(answers: Forged) -> None:
    """Fail where a statement is supported that is not without the model's invented quotes."""
    report = checked(lambda body, _: said(answers, body))
    found = {s.number for s in report.statements if s.outcome is Outcome.SUPPORTED}
    assert found <= supported(), sorted(found - supported())
    for one in report.statements:
        for place in one.passages:
            text = report.text if place.source == report.source else report.sources[place.source]
            assert 0 <= place.start <= place.end <= len(text)
