"""Which reader to choose: what it takes, where it runs, what it costs and how good it was."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Choice:
    """A kind of reader, for somebody who has `have`.

    `name` is what `readers add` is given, `where` the texts go, `can` what a licence may allow it.
    `costs` are of 1,000 statements, `measured` the shares that `note` tells; empty where none was
    at hand.
    """

    have: str
    take: str
    where: str
    name: str = ""
    can: str = ""
    costs: str = ""
    measured: str = ""

    def told(self) -> Iterator[str]:
        """Yield lines that tell of it."""
        if self.name:
            yield f"groundrules readers add {self.name}"
        yield f"texts go {self.where}; it may {self.can or 'do what rules do'}"
        yield f"costs {self.costs or 'nothing'}; measured: {self.measured or 'not, none was here'}"


_DATA = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
CHOICES = tuple(Choice(**one) for one in _DATA["choices"])
HEADS = ("you have", "take", "`groundrules readers add`", "where the texts go", "it may",
         "1,000 statements cost", "measured")  # fmt: skip


def rows() -> list[tuple[str, ...]]:
    """Return the cells of the table, code between backticks; a dash where there is nothing."""
    found = []
    for one in CHOICES:
        name = f"`{one.name}`" if one.name else ""
        cells = (one.have, one.take, name, one.where, one.can, one.costs, one.measured)
        found.append(tuple(cell or "–" for cell in cells))
    return found


def note() -> str:
    """Return what the table has to be read with."""
    return (
        "Measured: of true statements found supported, of wrong ones passed as supported, of wrong "
        "ones with an error, on prose/unseen-2, by `python -m benchmarks.readers` and "
        "`python -m benchmarks.prose`; – where none was at hand. Strong is a language model whose "
        "answers were recorded. Tokens are those that `python -m benchmarks.cost` counts."
    )


def markdown() -> str:
    """Return the table of choices in Markdown."""
    lines = [HEADS, ("---",) * len(HEADS), *rows()]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + f"\n\n{note()}"
