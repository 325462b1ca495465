"""Hypothesis strategies shared by the rooms: texts as people and programs really write them."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st

#: On so many of a hundred examples a law is tried unless HYPOTHESIS_PROFILE is full.
SHORT = 30


def examples(most: int) -> settings:
    """Return settings that try a law on a number of examples, or in short on a part of them."""
    return settings(max_examples=max(1, most * settings.default.max_examples // 100))


def every(several: int) -> int:
    """Return the step at which cases are tried: each where HYPOTHESIS_PROFILE is full."""
    return several if settings.default.max_examples < 100 else 1


#: What shifts offsets: astral characters, joiners, combining marks, right-to-left, line ends.
ODDITIES = (
    "😀", "👩‍👩‍👧", "🇫🇷", "中文", "日本語、", "한국어", "e\u0301", "n\u0303", "שלום", "مرحبا",
    "\r\n", "\n", "\r", "\u2028", "\u00a0", "\u200b", "\ufeff", "\t", "\u0000", "\U0010ffff",
    "İ", "ß", "ﬁ", "“", "—", "…",
)  # fmt: skip

WORDS = (
    "the", "Tenant", "shall", "pay", "rent", "Alpine", "Holdings", "LLC", "not", "Merkel", "was",
    "born", "in", "of", "under", "notice", "agreement", "said", "may", "March", "one", "Section",
)  # fmt: skip


def oddities() -> st.SearchStrategy[str]:
    """Short runs of characters that break naive offset arithmetic."""
    return st.lists(st.sampled_from(ODDITIES), max_size=4).map("".join)


def sentences() -> st.SearchStrategy[str]:
    """Words, oddities and marks that read a little like prose."""
    word = st.one_of(st.sampled_from(WORDS), st.sampled_from(ODDITIES), st.text(max_size=4))
    return st.lists(word, min_size=1, max_size=12).map(lambda words: " ".join(words) + ". ")


def texts() -> st.SearchStrategy[str]:
    """Whole texts: sentences, some said twice, any line ends; no lone surrogates."""
    return st.lists(sentences(), max_size=6).flatmap(
        lambda said: st.permutations(said + said[:2]).map("".join)
    )


#: Markup of Markdown around a word, by the name of what it does; none of it is shown.
INLINE = (
    ("*", "*"), ("**", "**"), ("_", "_"), ("__", "__"), ("***", "***"), ("`", "`"), ("<b>", "</b>"),
    ("<span class='a b'>", "</span>"), ("[", "](https://example.org/a_(b) 'a title')"),
    ("<!-- a note -->", ""), ("", "[^1]"), ("", "<!-- * -->"), ("[", "][place]"),
    ("<ins>", "</ins>"),
)  # fmt: skip


@st.composite
def marked_up(draw: st.DrawFn, sentence: str) -> str:
    """Return a sentence with markup around some of its words, its stop left as it is."""
    words = sentence.removesuffix(".").split()
    for place in draw(st.sets(st.integers(0, len(words) - 1), max_size=4)):
        before, after = draw(st.sampled_from(INLINE))
        words[place] = f"{before}{words[place]}{after}"
    return " ".join(words) + "."
