"""Which reader to choose: what it takes, where it runs, what it costs and how good it was."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Choice:
    """A kind of reader, for somebody who has `have`.

    `name` is what `readers add` is given, `where` the texts go, `can` what a licence may allow it.
    `costs` are of 1,000 statements, `measured` the shares that `note` tells; empty where none was
    at hand.
    """

    have: str
    take: str
    name: str
    where: str
    can: str
    costs: str = ""
    measured: str = ""

    def told(self) -> Iterator[str]:
        """Yield lines that tell of it."""
        if self.name:
            yield f"groundrules readers add {self.name}"
        yield f"texts go {self.where}; it may {self.can or 'do what rules do'}"
        yield f"costs {self.costs or 'nothing'}; measured: {self.measured or 'not, none was here'}"


_STRONG = ("123,000 tokens sent", "0.87, 0.00, 0.96 with a strong one")
_ALL = "support, refute, doubt"
CHOICES = (
    Choice("nothing", "the rules alone", "", "nowhere", "", "", "0.01, 0.00, 0.00"),
    Choice("a laptop", "a cross-encoder for inference (extra `sbert`)",
           "cross-encoder/nli-deberta-v3-base", "nowhere, once it is loaded", _ALL,
           "10 minutes of one core, as one of its size took"),
    Choice("a laptop", "a checker of facts (extra `sbert`)",
           "lytang/MiniCheck-RoBERTa-Large", "nowhere, once it is loaded", "support, doubt",
           "twice as long, by its size"),
    Choice("a GPU", "a language model behind vLLM or llama.cpp's server (extra `llm`)",
           "http://127.0.0.1:8000/v1#MODEL", "to that server", _ALL, *_STRONG),
    Choice("an API key", "a language model (extra `llm`)",
           "https://api.openai.com/v1#MODEL --key-env OPENAI_API_KEY", "to that API", _ALL,
           *_STRONG),
    Choice("a key or a GPU, and want reasons", "grades that quote: `--llm --llm-jobs grades`", "",
           "to that server", "support, refute, warn",
           "323,000 tokens sent", "0.87, 0.00, 0.96 with a strong one"),
)  # fmt: skip
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
