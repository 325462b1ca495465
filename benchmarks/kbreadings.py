"""What a language model reads of claims over a graph, and what comes of it.

    python -m benchmarks.kbreadings --data ../shared/data --export FOLDER [--only open]
    python -m benchmarks.kbreadings --data ../shared/data --replies FOLDER
    python -m benchmarks.kbreadings --data ../shared/data [--show] [--write PAGE]

The first writes the questions (`recorded.write_questions`). The second keeps their answers in
benchmarks/kbreadings, sentence by sentence. The third checks the claims with the answers in the
place of a model.
"""

from __future__ import annotations

import argparse
import gzip
import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch

from benchmarks.marks import put_between
from benchmarks.recorded import StandIn, packed, read_replies, unpacked, write_questions
from groundrules import api
from groundrules.checks.extractions import extraction_of
from groundrules.checks.kb import Opened, open_sources
from groundrules.checks.kbreading import Handful, handfuls, read_claims
from groundrules.checks.plan import make_plan
from groundrules.claims.documents.document import from_text
from groundrules.config import Config, LLMConfig
from groundrules.errors import LLMError
from groundrules.kb.read.described import spots
from groundrules.kb.read.llm_claims import SCHEMA
from groundrules.llm import client as llm
from groundrules.llm.prompt import Prompt, digest, key
from groundrules.terms import Outcome

KEPT = Path(__file__).parent / "kbreadings"
CLAIMS = Path(__file__).parent / "kb_claims"
#: How many digits of a key name a question.
_KEY = 16
_GROUPS = {
    "open": "looked at",
    "seen": "looked at, by a stranger",
    "unseen": "unseen, by a stranger",
}
BEGIN, END = "<!-- kb readings: begin -->", "<!-- kb readings: end -->"


@contextmanager
def graph(data: Path) -> Iterator[Path]:
    """Give the graph of the claims as a file of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "graph.ttl"
        path.write_bytes(gzip.decompress((data / "cases/kb/graph.ttl.gz").read_bytes()))
        yield path


def sets(data: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the claims by the name of their set: those looked at, and two of strangers."""
    with gzip.open(data / "cases/kb/claims.jsonl.gz", "rt", encoding="utf-8") as lines:
        found = {"open": [*map(json.loads, lines)]}
    for name in ("seen", "unseen"):
        lines = (CLAIMS / f"{name}.jsonl").read_text("utf-8").splitlines()
        found[name] = [*map(json.loads, lines)]
    return found


def opened(path: Path) -> Opened:
    """Return the graph as a knowledge base."""
    return open_sources(Config(kb=(str(path),)), datetime.now(UTC))[0]


def questions(rows: Sequence[Mapping[str, Any]], base: Opened) -> Iterator[Handful]:
    """Yield the questions on all sentences of claims."""
    for row in rows:
        text = extraction_of(from_text(row["text"], "text"), Config().model)
        places = spots(text, base.connection.spot)
        yield from handfuls(text, range(len(text.sentences)), base, places)


def asked(data: Path, only: str = "") -> dict[str, Prompt]:
    """Return the questions on the sets by their keys."""
    with graph(data) as path:
        base = opened(path)
        return {
            key(one.prompt)[:_KEY]: one.prompt
            for name, rows in sets(data).items()
            if name == (only or name)
            for one in questions(rows, base)
        }


# --- answers ----------------------------------------------------------------------------------


def items(prompt: Prompt) -> list[str]:
    """Return what an answer to each sentence of a question is kept under, in its order."""
    pairs = zip(prompt.about[::2], prompt.about[1::2], strict=True)
    return [digest(pair)[:_KEY] for pair in pairs]


def keep(data: Path, folder: Path) -> None:
    """Keep the answers of a folder, sentence by sentence."""
    for name in sets(data):
        prompts = asked(data, name)
        kept = {}
        for own, answer in read_replies(folder, prompts).items():
            by_number = {row["number"]: row for row in answer["sentences"]}
            for number, item in enumerate(items(prompts[own]), 1):
                if number in by_number:
                    row = {"key": item, "answer": packed(by_number[number], _ROW)}
                    kept[item] = json.dumps(row, ensure_ascii=False, separators=(",", ":"))
        if kept:
            out = KEPT / f"{name}.jsonl"
            out.write_text("".join(f"{kept[one]}\n" for one in sorted(kept)), "utf-8")


#: A row of an answer, of one sentence.
_ROW = SCHEMA["properties"]["sentences"]["items"]


class Answers(StandIn):
    """Answers that a language model gave once, in its place, sentence by sentence.

    `lost` counts the questions that have no answer to one of their sentences or controls, `amiss`
    the controls that were read amiss.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        path = KEPT / f"{name}.jsonl"
        lines = path.read_text("utf-8").splitlines() if path.exists() else []
        self.rows = {row["key"]: row["answer"] for row in map(json.loads, lines)}
        self.asked = self.lost = self.amiss = 0

    def ask(self, prompt: Prompt) -> Any:
        """Return the recorded answers to the sentences of a question."""
        if prompt.job != "claims":
            raise LLMError("claims alone are recorded", "unreachable")
        keys = items(prompt)
        self.asked += 1
        self.lost += any(one not in self.rows for one in keys)
        return {
            "sentences": [
                {**unpacked(self.rows[one], _ROW), "number": number}
                for number, one in enumerate(keys, 1)
                if one in self.rows
            ]
        }


# --- figures ----------------------------------------------------------------------------------

_WORST = ("refuted", "conflicting", "unverifiable", "not_enough_info", "supported")


def worst(outcomes: Iterable[str]) -> str:
    """Return the worst outcome of the sentences of a claim, as the claims are labelled."""
    told = {*outcomes}
    found = next((one for one in _WORST if one in told), "none")
    return {"not_enough_info": "nei"}.get(found, found)


@contextmanager
def answering(client: Answers, path: Path) -> Iterator[Config]:
    """Give a configuration whose checks are read by `client` in the place of a language model."""
    with patch.object(llm, "connect", lambda *_: client):
        yield Config(kb=(str(path),), llm=LLMConfig(model="recorded", jobs=("terms",)))


def alone(row: Mapping[str, Any], config: Config, client: Answers) -> str:
    """Return what the readings of a model come to where nothing else is read."""
    document = from_text(row["text"], "text")
    plan = make_plan(document, (), config)
    text = extraction_of(document, config.model)
    found = read_claims(text, range(len(text.sentences)), plan, client)
    client.amiss += sum(note.startswith("a control was read amiss") for note in found.notes)
    numbers = range(len(text.sentences))
    return worst(found.outcomes.get(n, Outcome.NOT_ENOUGH_INFO).value for n in numbers)


def line(group: str, by: str, rows: Sequence[Mapping[str, Any]], found: Sequence[str]) -> str:
    """Return the line of a set in the table."""
    pairs = [({row["label"], *row.get("also", ())}, row["label"], got)
             for row, got in zip(rows, found, strict=True)]  # fmt: skip
    settled = [got == label for _, label, got in pairs if label in ("supported", "refuted")]
    cells = [f"{sum(settled)} of {len(settled)} ({sum(settled) / len(settled):.3f})"]
    cells += [
        str(sum(got == outcome not in allowed for allowed, _, got in pairs))
        for outcome in ("supported", "refuted")
    ]
    return f"| {group} | {by} | {' | '.join(cells)} |"


def measured(data: Path, *, only: str, show: bool) -> str:
    """Return the table of figures; `show` names the claims looked at that come out wrong."""
    lines = [
        "| claims | read by | settled, of what the graph settles | wrongly supported "
        "| wrongly refuted |",
        "|---|---|--:|--:|--:|",
    ]
    with graph(data) as path:
        for name, rows in sets(data).items():
            client = Answers(name)
            if not client.rows or name != (only or name):
                continue
            plain = Config(kb=(str(path),))
            by_rules = [_checked(row, plain) for row in rows]
            lines.append(line(_GROUPS[name], "rules alone", rows, by_rules))
            with answering(client, path) as config:
                by_model = [alone(row, config, client) for row in rows]
                lines.append(line(_GROUPS[name], "the readings alone", rows, by_model))
                both = [_checked(row, config) for row in rows]
            lines.append(line(_GROUPS[name], "rules, then the readings", rows, both))
            print(f"{name}: of {client.asked} questions {client.lost} with no whole answer, "
                  f"{client.amiss} controls read amiss")  # fmt: skip
            for row, *got in zip(rows, by_rules, by_model, both, strict=True) if show else ():
                if name != "unseen" and got[1:] != [row["label"]] * 2:
                    print(row["label"], row.get("also", ""), got, "|", row["text"])
    return "\n".join(lines)


def _checked(row: Mapping[str, Any], config: Config) -> str:
    return worst(one.outcome.value for one in api.check(row["text"], config=config).statements)


def main() -> None:
    """Write the questions of the sets, keep answers, or check the sets with them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kbreadings", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the data")
    parser.add_argument("--export", type=Path, help="folder for the questions")
    parser.add_argument("--replies", type=Path, help="folder of answers that are to be kept")
    parser.add_argument("--only", default="", choices=["", *_GROUPS], help="one set")
    parser.add_argument("--show", action="store_true", help="name the claims that come out wrong")
    parser.add_argument("--write", type=Path, help="page for the figures")
    args = parser.parse_args()
    if args.export:
        write_questions(args.export, asked(args.data, args.only))
    if args.replies:
        keep(args.data, args.replies)
    if not (args.export or args.replies):
        table = measured(args.data, only=args.only, show=args.show)
        print(table)
        if args.write:
            put_between(args.write, table, BEGIN, END)


if __name__ == "__main__":
    main()
