"""What a check asks of a language model, by its job, for twelve statements: tokens by reckoning.

    python -m benchmarks.cost [--write benchmarks/reports/language-models.md]

Nobody is asked: the questions of `prose/tuning` are counted, three bytes a token, as a budget
counts them, and have no answer. A reader is asked for letters, with the controls. Of an indexed
context the triples are asked once and kept with it, so a check beside it asks for those of the text
alone.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.marks import put_between
from benchmarks.recorded import StandIn
from groundrules import api
from groundrules.align.premises import indexed, premise
from groundrules.claims.documents.document import from_text
from groundrules.claims.models.token_reader import handfuls, question
from groundrules.config import GRADES, TRIPLES, Config, LLMConfig
from groundrules.errors import LLMError
from groundrules.evaluate.rows import read_rows
from groundrules.llm.prompt import Prompt, write_messages
from groundrules.llm.transport import BYTES_A_TOKEN, size
from groundrules.models.readers import Asked

SET = Path(__file__).with_name("prose") / "tuning.jsonl"
STATEMENTS = 12
BEGIN, END = "<!-- cost: begin -->", "<!-- cost: end -->"


class Counting(StandIn):
    """Counts questions and their tokens, and answers none; `kept` is what is of an index."""

    def __init__(self, kept: str = "") -> None:
        super().__init__()
        self.questions, self.tokens = Counter[str](), Counter[str]()
        self._index = kept

    def has(self, prompt: Prompt) -> bool:
        """Return whether a prompt is about the index."""
        return bool(self._index) and prompt.texts[-1][1] in self._index

    def ask_all(self, prompts: Sequence[Prompt]) -> tuple[Any, ...]:
        """Count what is asked."""
        for one in prompts:
            if self.has(one):
                continue
            text = "".join(part["content"] for part in write_messages(one))
            self.questions[one.job] += 1
            self.tokens[one.job] += size(text) // BYTES_A_TOKEN
        return tuple(LLMError("not asked", "refused") for _ in prompts)


def measured() -> list[tuple[str, float, float]]:
    """Return what is asked for, with the questions and the tokens of twelve statements."""
    ways = {
        "grades (`--llm-jobs grades`)": ((GRADES,), False),
        "triples": ((TRIPLES,), False),
        "triples, beside an indexed context": ((TRIPLES,), True),
    }
    rows, out = read_rows(SET), []
    statements = sum(len(row.fields["answer"]) for row in rows)
    for name, (jobs, beside) in ways.items():
        questions = tokens = 0
        for row in rows:
            text = " ".join(item["s"] for item in row.fields["answer"])
            source = from_text(row.fields["doc"], "source")
            client = Counting(source.text if beside else "")
            config = Config(llm=LLMConfig(model="counted", jobs=jobs))
            api.check(from_text(text, "text"), context=source, config=config, client=client,
                      verify=False)  # fmt: skip
            questions += client.questions.total()
            tokens += client.tokens.total()
        share = STATEMENTS / statements
        out.append((name, questions * share, tokens * share))
    return out


def letters() -> tuple[str, float, float]:
    """Return the questions and the tokens by which a reader is asked for twelve letters."""
    rows, prompts = read_rows(SET), []
    for row in rows:
        index = indexed((row.fields["doc"],))
        shown = premise(range(len(index.units)), index)
        asked = [Asked(item["s"], shown) for item in row.fields["answer"]]
        prompts += [question(one) for one in handfuls(asked)]
    sent = sum(size(part["content"]) for one in prompts for part in write_messages(one))
    share = STATEMENTS / sum(len(row.fields["answer"]) for row in rows)
    return "letters (`readers add`)", len(prompts) * share, sent / BYTES_A_TOKEN * share


def main() -> None:
    """Print the table, or write it into a page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", type=Path, metavar="PAGE")
    args = parser.parse_args()
    lines = ["| asked for | questions | tokens sent |", "|---|--:|--:|"]
    lines += [
        f"| {name} | {asked:.1f} | {sent:,.0f} |" for name, asked, sent in (letters(), *measured())
    ]
    table = "\n".join(lines)
    if args.write:
        put_between(args.write, table, BEGIN, END)
    else:
        print(table)


if __name__ == "__main__":
    main()
