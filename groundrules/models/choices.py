"""Which reader to choose: what it takes, where it runs, what it costs and how good it was."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Choice:
    """A kind of reader, for somebody who has `have`.

    `name` is what `--reader` is given, `where` the texts go, `can` what a licence may allow it.
    `tokens` are those of 1,000 statements beside sources of 370 words, empty where it takes none.
    `measured` are, on `SET`, the shares of true statements found supported, of wrong ones passed as
    supported and of wrong ones with an error; empty where none was at hand.
    """

    have: str
    take: str
    name: str
    where: str
    can: str
    tokens: str = ""
    measured: str = ""


#: What `measured` is of, and what wrote it.
SET = "prose/unseen-2"
COMMAND = "python -m benchmarks.cascade"
CHOICES = (
    Choice("nothing", "the rules alone", "", "nowhere", "", "", "0.02, 0.00, 0.10"),
    Choice(
        "a laptop",
        "a cross-encoder for inference (extra `sbert`)",
        "cross-encoder/nli-deberta-v3-base",
        "nowhere, once it is loaded",
        "support, refute, doubt",
    ),
    Choice(
        "a laptop",
        "a checker of facts (extra `sbert`)",
        "lytang/MiniCheck-RoBERTa-Large",
        "nowhere, once it is loaded",
        "support, doubt",
    ),
    Choice(
        "a GPU",
        "a language model behind vLLM or llama.cpp's server (extra `llm`)",
        "http://127.0.0.1:8000/v1#MODEL",
        "to that server",
        "support, refute, doubt",
        "122,000, or 108,000 where it keeps the prefix",
        "0.90, 0.00, 0.94 with a strong one",
    ),
    Choice(
        "an API key",
        "a language model (extra `llm`)",
        "https://api.openai.com/v1#MODEL",
        "to that API",
        "support, refute, doubt",
        "122,000, or 108,000 where it keeps the prefix",
        "0.90, 0.00, 0.94 with a strong one",
    ),
    Choice(
        "an API key or a GPU, and want reasons",
        "the grades of a language model, which quote",
        "--llm --llm-jobs grades in place of --reader",
        "to that server",
        "support, refute, warn",
        "409,000; after a language model as reader 14,000 more",
        "0.89, 0.00, 0.96 with a strong one",
    ),
)


HEADS = ("you have", "take", "`--reader`", "where the texts go", "it can",
         "tokens of 1,000 statements", "measured")  # fmt: skip


def rows() -> list[tuple[str, ...]]:
    """Return the cells of the table, code between backticks; a dash where there is nothing."""
    found = []
    for one in CHOICES:
        name = f"`{one.name}`" if one.name else ""
        cells = (one.have, one.take, name, one.where, one.can, one.tokens, one.measured)
        found.append(tuple(cell or "–" for cell in cells))
    return found


def note() -> str:
    """Return what the table has to be read with."""
    return (
        "Measured: of true statements found supported, of wrong ones passed as supported, of wrong "
        f"ones with an error, on {SET}, by `{COMMAND}`; – where none was at hand. Strong is a "
        "language model whose answers were recorded."
    )


def markdown() -> str:
    """Return the table of choices in Markdown."""
    lines = [HEADS, ("---",) * len(HEADS), *rows()]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + f"\n\n{note()}"
