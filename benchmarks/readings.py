"""What a language model reads, and what comes of it: propositions, and assertions in given terms.

    python -m benchmarks.readings --data ../shared/data --export FOLDER

Writes the questions of three sets whose halves are open, one JSON a line: {"id", "system",
"prompt"}. Whoever records an answer writes {"id", "reply"} and sees nothing but the question.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from groundrules.checks.extractions import extraction_of
from groundrules.claims import llm_assertions, llm_propositions
from groundrules.claims.controls import controls
from groundrules.claims.document import from_text
from groundrules.config import Config
from groundrules.kb.connect import connect
from groundrules.kb.propertylist import listed as properties_of
from groundrules.llm.prompt import Prompt, write_messages
from groundrules.ontology.load import load
from groundrules.ontology.termlist import listed as terms_of

#: The marks around texts are drawn from this, so that the questions are the same in each run.
_MARKS = b"readings"
_NOW = datetime(2026, 11, 1, tzinfo=UTC)


def rows_of(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a packed file of JSON lines."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def passages_of(source: str) -> list[str]:
    """Return the sentences of a source as a check of it reads them."""
    found = extraction_of(from_text(source, "source"), Config().model)
    return [source[one.start : one.end] for one in found.sentences]


def sound(data: Path) -> Iterator[tuple[str, Prompt]]:
    """Yield the questions on the pairs of a statement and its source."""
    for row in rows_of(data / "cases/sound.jsonl.gz"):
        passages = passages_of(row["source"])
        yield row["id"], llm_propositions.question_on(row["statement"], passages, [row["source"]])


def sound_controls(data: Path) -> Iterator[tuple[str, Prompt]]:
    """Yield the questions on the controls of each source of these pairs."""
    firsts = {
        row["source"]: row["id"] for row in reversed([*rows_of(data / "cases/sound.jsonl.gz")])
    }
    for source, name in firsts.items():
        passages = passages_of(source)
        for number, one in enumerate(controls(passages, ())):
            question = llm_propositions.question_on(one.text, passages, [source])
            yield f"{name}/control-{number}", question


def legal_faults(data: Path) -> Iterator[tuple[str, Prompt]]:
    """Yield the questions on texts in the terms of the legal ontology."""
    classes, properties = terms_of(load("legal"))
    for row in rows_of(data / "cases/legal_faults.jsonl.gz"):
        question = llm_assertions.question_on(row["text"], classes, properties, "legal")
        yield row["id"], question


def kb_claims(data: Path) -> Iterator[tuple[str, Prompt]]:
    """Yield the questions on sentences in the properties of a knowledge base."""
    source = connect(str(data / "cases/kb/graph.ttl.gz"), now=_NOW).source
    known = source.properties().values()
    for number, row in enumerate(rows_of(data / "cases/kb/claims.jsonl.gz")):
        properties = properties_of(known, row["text"])
        question = llm_assertions.question_on(row["text"], (), properties, "cases/kb")
        yield f"{row['set']}-{number}", question


SETS = {
    "sound": sound,
    "sound-controls": sound_controls,
    "legal_faults": legal_faults,
    "kb-claims": kb_claims,
}


def written(name: str, prompt: Prompt) -> Mapping[str, str]:
    """Return a question as who records its answer sees it."""
    system, user = (part["content"] for part in write_messages(prompt, _MARKS))
    return {"id": name, "system": system, "prompt": user}


def main() -> None:
    """Write the questions of the sets."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.readings", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the data")
    parser.add_argument("--export", type=Path, required=True, help="folder for the questions")
    args = parser.parse_args()
    for name, questions in SETS.items():
        path = args.export / f"{name}-prompts.jsonl"
        lines = [json.dumps(written(*one), ensure_ascii=False) for one in questions(args.data)]
        path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
        print(f"{path}: {len(lines)} questions")


if __name__ == "__main__":
    main()
