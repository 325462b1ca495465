"""Read the twins written for the scorer (`written/BRIEF.md` says how they are written)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ERRORS = frozenset(
    "number date unit entity role negation modality certainty quantifier comparison cause "
    "condition attribution coreference conflation invented scope temporal predicate order".split()
)
HOW = frozenset(("paraphrase", "synthesis", "inference"))
#: Every tenth passage of a file is kept out of training.
KEPT_OUT = 10
_PLACE = re.compile(r"\{([^{}|]*)\|([^{}|]*)\}")


@dataclass(frozen=True)
class Twin:
    """A sentence with its true and its false words.

    Attributes:
        error: The kind of error of the false side.
        said: Whether the passage says otherwise; if not, it says nothing of it.
        how: How the true side follows: paraphrase, synthesis or inference.
        before, true, false, after: The sentence around the place, and the place's two readings.
    """

    error: str
    said: bool
    how: str
    before: str
    true: str
    false: str
    after: str

    def read(self, side: bool) -> tuple[str, int, int]:
        """Return the true (or false) sentence, and where its deciding words start and end."""
        words = self.true if side else self.false
        start = len(self.before)
        return self.before + words + self.after, start, start + len(words)


@dataclass(frozen=True)
class Passage:
    """A passage with its twins; `kept_out` ones are never trained on."""

    genre: str
    text: str
    twins: tuple[Twin, ...]
    place: str
    kept_out: bool


def _twin(line: str) -> Twin:
    head, bar, sentence = line.partition(" | ")
    kind = head.split()
    if not bar or len(kind) != 3:
        raise ValueError("a twin is 'error no|unsaid how | sentence'")
    if kind[0] not in ERRORS or kind[1] not in ("no", "unsaid") or kind[2] not in HOW:
        raise ValueError(f"unknown words in {head!r}")
    places = list(_PLACE.finditer(sentence))
    if len(places) != 1 or sentence.count("{") != 1 or sentence.count("}") != 1:
        raise ValueError("a twin has one place {true|false}")
    true, false = places[0].groups()
    if true.split() == false.split():
        raise ValueError("both sides are the same")
    before, after = sentence[: places[0].start()], sentence[places[0].end() :].rstrip()
    return Twin(kind[0], kind[1] == "no", kind[2], before, true, false, after)


def read(path: Path) -> Iterator[Passage]:
    """Yield the passages of a file; a mistake is a ValueError that names its line."""
    genre, lines, twins, start = "", list[str](), list[Twin](), 0
    inside = 0
    number = 0

    def done() -> Passage:
        if not twins:
            raise ValueError(f"{path}:{start}: a passage without twins")
        text = "\n".join(lines).strip()
        if not 6 <= len(text.split()) <= 450:
            raise ValueError(f"{path}:{start}: a passage of {len(text.split())} words")
        kept = number % KEPT_OUT == 0
        return Passage(genre, text, tuple(twins), f"{path.name}:{start}", kept)

    for at, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("== "):
            if genre:
                number += 1
                yield done()
            genre, lines, twins, start, inside = line[3:].strip(), [], [], at, 1
        elif line.strip() == "--" and inside == 1:
            inside = 2
        elif inside == 1:
            lines.append(line)
        elif inside == 2 and line.strip():
            try:
                twins.append(_twin(line.strip()))
            except ValueError as mistake:
                raise ValueError(f"{path}:{at}: {mistake}") from None
        elif line.strip():
            raise ValueError(f"{path}:{at}: text before '== genre'")
    if genre:
        number += 1
        yield done()
