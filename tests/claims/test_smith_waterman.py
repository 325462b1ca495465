from __future__ import annotations

import bisect
import random
import sys
from functools import cache
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from groundrules.claims.evidence import smith_waterman
from groundrules.claims.evidence.smith_waterman import THRESHOLD, Alignment, align
from groundrules.errors import ConfigError
from tests.claims.rows import rows
from tests.strategies import ODDITIES, examples, texts

LEASE = (Path(__file__).parents[2] / "examples" / "lease" / "lease.txt").read_text("utf-8")
CLAUSE = (
    "The Tenant shall pay the Landlord a monthly rent of $1,850 on the first day of each month."
)
DOCUMENT = f"LEASE. The parties agree as follows. {CLAUSE} Notices are given in writing. SIGNED."

#: Few letters, so that good places are many; case and white space fold.
SMALL = st.text("abAB \n", max_size=7)
#: What a text may hold at its worst, lone surrogates and NUL among it.
WILD = st.one_of(
    texts(), st.text(), st.text(st.characters(categories=["Cs", "Lu", "Ll", "Mn", "Zs"]))
)


#: Biopython takes no lone surrogates; these stand for them.
SURROGATES = {point: point + 0xF0000 - 0xD800 for point in range(0xD800, 0xE000)}


def fold(text: str) -> str:
    """The same text to all who compare letter by letter."""
    return "".join(smith_waterman._fold(character) for character in text).translate(SURROGATES)


def score(context: str, document: str) -> int:
    """The optimum of Biopython's local aligner with our counting."""
    from Bio.Align import PairwiseAligner

    if not context or not document:
        return 0
    aligner = PairwiseAligner(
        mode="local", match_score=2, mismatch_score=-1, open_gap_score=-2, extend_gap_score=-1
    )
    return int(aligner.score(context, document))


def local(context: str, document: str) -> Alignment | None:
    """The best local alignment, before a copy that leaves a part out is looked for."""
    with mock.patch.object(smith_waterman, "_ELIDING", smith_waterman._COUNTING):
        return align(context, document)


def check_by_biopython(context: str, document: str) -> None:
    """The optimum is Biopython's; its span ends first in both texts and is the shortest there."""
    found = local(context, document)
    context, document = fold(context), fold(document)
    best = score(context, document) if context.strip() else 0
    assert (found.optimum if found else 0) == best
    if found:
        start, end = found.start, found.end
        assert score(context, document[: end - 1]) < best
        lengths = range(len(context) + 1)
        last = bisect.bisect_left(lengths, best, key=lambda j: score(context[:j], document[:end]))
        assert score(context[:last], document[start:end]) == best
        assert score(context[:last], document[start + 1 : end]) < best


def find_by_trying(context: str, document: str) -> Alignment | None:
    """Of all pairs of substrings the one that the rule of ties takes, each aligned by recursion."""
    context, document = fold(context), fold(document)

    @cache
    def best(i: int, j: int, k: int, m: int, gap: str) -> tuple[int, int, int]:
        # (score, matches, -gap columns) of context[i:j] and document[k:m] after such a gap
        if i == j and k == m:
            return 0, 0, 0
        ways = []
        if i < j and k < m:
            same = context[i] == document[k]
            rest = best(i + 1, j, k + 1, m, "")
            ways.append((rest[0] + (2 if same else -1), rest[1] + same, rest[2]))
        if i < j:
            rest = best(i + 1, j, k, m, "context")
            ways.append((rest[0] - (1 if gap == "context" else 2), rest[1], rest[2] - 1))
        if k < m:
            rest = best(i, j, k + 1, m, "document")
            ways.append((rest[0] - (1 if gap == "document" else 2), rest[1], rest[2] - 1))
        return max(ways)

    n, size = len(document), len(context)
    places = [
        (best(i, j, k, m, "")[0], -m, -j, k, i)
        for i in range(size)
        for j in range(i + 1, size + 1)
        for k in range(n)
        for m in range(k + 1, n + 1)
    ]
    if not places or not context.strip() or max(places)[0] <= 0:
        return None
    optimum, m, j, k, i = max(places)
    _, matches, gaps = best(i, -j, k, -m, "")
    skipped = (-gaps + (-m - k) - (-j - i)) // 2
    length = size + skipped
    return Alignment(k, -m, matches / length, matches, length, optimum)


@given(SMALL, SMALL)
@examples(400)
@example("ab", "ba ab ab")
@example("abba", "ab ab")
@example("aabb", "ab aab b")
def test_the_place_and_its_counts_are_those_of_trying_them_all(context: str, document: str) -> None:
    assert local(context, document) == find_by_trying(context, document)


@given(WILD, WILD)
@examples(300)
def test_optimum_and_span_of_any_texts_are_biopythons(context: str, document: str) -> None:
    check_by_biopython(context, document)


def test_optimum_and_span_of_five_hundred_real_pairs_are_biopythons() -> None:
    dice = random.Random(0)
    for _ in range(500):
        start = dice.randrange(len(LEASE) - 200)
        words = LEASE[start : start + dice.randint(20, 200)].split(" ")
        words = dice.sample(words[:3], len(words[:3])) + words[3:]
        del words[dice.randrange(len(words))]
        words.insert(dice.randrange(len(words) + 1), dice.choice(["the", "…", "quarterly "]))
        place = dice.randrange(len(LEASE) - 1000)
        check_by_biopython(" ".join(words), LEASE[place : place + dice.randint(1, 1000)])


def test_of_an_alphabet_beyond_bytes_the_commonest_letters_are_told_apart() -> None:
    letters = [chr(0x4E00 + number) for number in range(600)]
    context = "".join(letters)
    assert align(context, f"x{context}") == Alignment(1, 601, 1.0, 600, 600, 1200)
    found = align("a" * 200 + "#" + context, "a" * 200 + context)
    assert found is not None
    assert (found.start, found.end) == (0, 200 + smith_waterman._LETTERS - 1)


def test_counts_beyond_32_bits_are_those_of_biopythons_alignment() -> None:
    from Bio.Align import PairwiseAligner

    context = (LEASE[:1500] + "#" + LEASE[1502:2400]).replace("\n", " ")
    found = align(context, LEASE)
    assert found is not None
    aligner = PairwiseAligner(
        mode="local", match_score=2, mismatch_score=-1, open_gap_score=-2, extend_gap_score=-1
    )
    best = aligner.align(fold(context), fold(LEASE))[0]
    counts = best.counts()
    assert found.optimum == best.score
    assert found.matches == counts.identities
    assert found.length == len(context) + counts.insertions


@given(texts().filter(str.strip), texts(), texts())
def test_a_copy_scores_one_at_its_first_occurrence(context: str, before: str, after: str) -> None:
    document = before + context + after
    start = fold(document).find(fold(context))
    assert align(context, document) == Alignment(
        start, start + len(context), 1.0, len(context), len(context), 2 * len(context)
    )


@given(WILD, WILD)
def test_a_score_is_a_share_of_the_context_and_the_span_lies_in_the_document(
    context: str, document: str
) -> None:
    found = align(context, document)
    if found is not None:
        assert 0 <= found.start < found.end <= len(document)
        assert 0 < found.matches <= min(len(context), found.end - found.start)
        assert found.length >= max(len(context), found.end - found.start)
        assert found.score == found.matches / found.length


# What a faithful copy may change (SafePassage, Table 2): the same passage is found, above 0.6.
@pytest.mark.parametrize(
    "context",
    [
        CLAUSE,
        CLAUSE.upper(),
        CLAUSE.lower(),
        "The Ten ant sh all pay the Land lord a month ly rent of $ 1,850 on the fi rst of each "
        "month.",
        "TheTenantshallpaytheLandlordamonthlyrentof$1,850onthefirstofeachmonth.",
        "The  Tenant\r\nshall pay\tthe Landlord a monthly\u00a0rent of $1,850 on the first day of "
        "each month.",
        "The Tenant sha11 pay tbe Landlord a rnonthly rent of $1,85O on the flrst of each month.",
        "The Tenant shall pay a monthly rent of $1,850 on the first of each month.",
        "The Tenant shall pay ... a monthly rent of $1,850 ... each month.",
        "The above Tenant shall duly pay the said Landlord a monthly rent of exactly $1,850 on the "
        "first of each month.",
        "“The Tenant shall pay the Landlord a monthly rent of $1,850 on the first of each month”",
    ],
    ids="copy capitals small ocr-spaces lost-spaces white-space ocr-letters dropped elided "
    "inserted quoted".split(),
)
def test_a_faithful_copy_is_in_the_document(context: str) -> None:
    found = align(context, DOCUMENT)
    assert found is not None
    assert found.score >= THRESHOLD
    assert DOCUMENT[found.start : found.end] in (CLAUSE, CLAUSE[2:], CLAUSE[:-1])


@pytest.mark.parametrize(
    "context",
    rows("smith_waterman.translation"),
    ids="French German Spanish Chinese paraphrase invented half".split(),
)
def test_a_translation_paraphrase_or_invention_is_not_in_the_document(context: str) -> None:
    found = align(context, DOCUMENT)
    assert found is None or found.score < THRESHOLD


def test_a_fragment_scores_its_share_of_the_context() -> None:
    found = align("Tenant" + "#" * 18, DOCUMENT)
    assert found is not None
    assert DOCUMENT[found.start : found.end] == "Tenant"
    assert (found.matches, found.length, found.score) == (6, 24, 0.25)


def test_the_best_of_repeated_passages_is_taken_and_the_first_of_equals() -> None:
    document = "rent of $1,700 is due; rent of $1,850 is due; rent of $1,850 is due"
    second = document.index("rent of $1,850")
    for context in ("rent of $1,850 is due", "rent of $1,850 was due"):
        found = align(context, document)
        assert found is not None
        assert document[found.start : found.end] == "rent of $1,850 is due"
        assert found.start == second


@pytest.mark.parametrize("context", ["", " ", "\r\n\t\u00a0"])
def test_a_context_without_text_stands_nowhere(context: str) -> None:
    assert align(context, "a  b\r\n\t\u00a0c") is None


@pytest.mark.parametrize(("context", "document"), [("a", ""), ("abc", "xyz"), ("中", "😀")])
def test_where_nothing_matches_there_is_no_place(context: str, document: str) -> None:
    assert align(context, document) is None


@pytest.mark.parametrize("odd", [*ODDITIES, "\ud800", "\udfff\ud800", "*", "\x00\x01"])
def test_any_character_is_found_where_it_stands(odd: str) -> None:
    found = align(f"x{odd}y #", f"..x{odd}y..")
    assert found is not None
    assert (found.start, found.matches) == (2, len(odd) + 2)


def test_a_context_longer_than_the_document_scores_what_the_document_has() -> None:
    found = align(CLAUSE + " and more of the kind, which nobody wrote", CLAUSE)
    assert found is not None
    assert (found.start, found.end) == (0, len(CLAUSE))
    assert found.matches == len(CLAUSE)


def test_a_long_context_is_aligned_by_its_beginning_and_counted_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(smith_waterman, "MAX_CONTEXT", 500)
    copy = align(LEASE[:1000], LEASE)
    assert copy is not None
    assert copy.score == 1.0
    changed = LEASE[:100] + "#" + LEASE[101:1000]
    found = align(changed, LEASE)
    assert found is not None
    assert (found.start, found.end) == (0, 500)
    assert (found.matches, found.length) == (499, 1000)


def test_without_parasail_it_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "parasail", None)
    assert align(CLAUSE, DOCUMENT) is not None  # as it stands
    with pytest.raises(ConfigError, match=r"groundrules\[llm\]"):
        align(CLAUSE.replace("rent", "fee"), DOCUMENT)


ELIDED = rows("smith_waterman.ELIDED")


@pytest.mark.parametrize(("context", "place"), ELIDED)
def test_a_copy_that_leaves_a_part_out_stands_where_all_its_letters_do(
    context: str, place: str
) -> None:
    found = align(context, f"Heard before one member. {place} The panel gives its reasons below.")
    assert found is not None
    assert found.matches == len(context)
    assert found.length == len(place)
    assert (found.start, found.end) == (25, 25 + len(place))


def test_a_place_that_leaves_out_more_than_the_threshold_allows_is_not_stretched() -> None:
    text = "The rent is $1,850. It is paid each month in advance. It may rise to $1,950."
    found = align("The rent is $1,950", text)
    assert found is not None
    assert text[found.start : found.end] == "The rent is $1,850"
