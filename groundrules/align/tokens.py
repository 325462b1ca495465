"""The tokens of a parse as plain data: spaCy makes an object anew whenever one is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


class Token:
    """A token by the names of spaCy: its words, its labels, where it stands, what depends on it."""

    __slots__ = (
        "children", "dep_", "doc", "head", "i", "idx", "is_alpha", "is_punct", "is_sent_start",
        "is_space", "is_stop", "lemma_", "lower_", "pos_", "sent", "tag_", "text", "whitespace_",
    )  # fmt: skip

    doc: tuple[Token, ...]
    sent: Sentence
    head: Token
    children: tuple[Token, ...]

    def __init__(self, token: Any) -> None:
        self.i: int = token.i
        self.idx: int = token.idx
        self.text: str = token.text
        self.lower_: str = token.lower_
        self.lemma_: str = token.lemma_
        self.pos_: str = token.pos_
        self.tag_: str = token.tag_
        self.dep_: str = token.dep_
        self.whitespace_: str = token.whitespace_
        self.is_alpha: bool = token.is_alpha
        self.is_punct: bool = token.is_punct
        self.is_space: bool = token.is_space
        self.is_stop: bool = token.is_stop
        self.is_sent_start: bool | None = token.is_sent_start

    def __len__(self) -> int:
        """Return the number of code points."""
        return len(self.text)

    def __bool__(self) -> bool:
        """Return true: a token is there."""
        return True

    def __repr__(self) -> str:
        return self.text

    def nbor(self, by: int = 1) -> Token:
        """Return the token so many places on; IndexError where none is."""
        if self.i + by < 0:
            raise IndexError("no token stands before the first")
        return self.doc[self.i + by]

    @property
    def subtree(self) -> Iterator[Token]:
        """Yield in order the token and all that depends on it."""
        left = [(self, False)]
        while left:
            token, opened = left.pop()
            if opened or not token.children:
                yield token
                continue
            left += ((one, False) for one in reversed(token.children) if one.i > token.i)
            left.append((token, True))
            left += ((one, False) for one in reversed(token.children) if one.i < token.i)


class Sentence(tuple[Token, ...]):
    """The tokens of a sentence; half-open, `start` to `end` in the parse."""

    __slots__ = ()

    @property
    def start(self) -> int:
        """Return the place of its first token."""
        return self[0].i

    @property
    def end(self) -> int:
        """Return the place after its last token."""
        return self[-1].i + 1


def copy_tokens(doc: Any) -> tuple[Token, ...]:
    """Return the tokens of a spaCy Doc that is parsed, in order."""
    parsed = list(doc)
    out = tuple(map(Token, parsed))
    below: list[list[Token]] = [[] for _ in out]
    for token, known in zip(out, parsed, strict=True):
        token.doc = out
        token.head = out[known.head.i]
        if token.head is not token:
            below[token.head.i].append(token)
    for token, children in zip(out, below, strict=True):
        token.children = tuple(children)
    for span in doc.sents:
        sentence = Sentence(out[span.start : span.end])
        for token in sentence:
            token.sent = sentence
    return out
