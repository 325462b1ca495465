"""What a language model reads of a statement and its source, and what comes of it.

    python -m benchmarks.readings --data ../shared/data --export FOLDER
    python -m benchmarks.readings --data ../shared/data --replies FOLDER
    python -m benchmarks.readings --data ../shared/data [--show] [--write docs/llm.md]
    python -m benchmarks.readings --data ../shared/data --guards [--write docs/llm.md]

The first writes the questions of four sets that have no answer yet, one JSON a line: {"id",
"system", "prompt"}: first questions, and once these are answered, second ones on what the answers
leave open. Whoever records an answer writes {"id", "reply"} into NAME-replies*.jsonl and sees
nothing but the question. The second keeps these answers in benchmarks/readings, each under the key
of its question, which its statement and source make, and for a second one the first answer. The
third checks the sets with the answers in the place of a model. All were looked at with their
answers, `cases/sound` in halves drawn by a hash of the ids, but for the pairs of a sixth writer, in
benchmarks/deductions/unseen.jsonl, of which no row was read. A set without answers is checked by
the rules alone. The fourth leaves out one guard of ours at a time and
says what the readings of the sets looked at come to without it, and what they come to when the
answers are made worse in one way at a time.
"""

from __future__ import annotations

import argparse
import copy
import gzip
import hashlib
import itertools
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from benchmarks.deductions.__main__ import HERE as DEDUCTIONS
from benchmarks.marks import put_between
from benchmarks.recorded import StandIn, required
from groundrules import api
from groundrules.align import counterparts, readings, reckoned_parts
from groundrules.align.projection import Relation
from groundrules.align.readings import weigh
from groundrules.align.snippets import figures
from groundrules.checks import modelreading as asking
from groundrules.checks.extractions import extraction_of
from groundrules.claims import llm_propositions
from groundrules.claims.controls import Control, controls_of_any
from groundrules.claims.copied import find_all
from groundrules.claims.document import from_text
from groundrules.claims.english.logic import FORCES
from groundrules.claims.llm_propositions import propositions_of
from groundrules.config import Config, LLMConfig
from groundrules.errors import LLMError
from groundrules.llm import client as llm
from groundrules.llm.prompt import Prompt, key, write_messages
from groundrules.llm.structured import MalformedError, read_answer, validator
from groundrules.terms import Outcome, Severity

#: Where the answers are kept, and how many digits of a key name one.
KEPT, _KEY = Path(__file__).parent / "readings", 16
MENDED, ONCE = "sound, the half looked at first", "sound, the half looked at last"
SEEN, UNSEEN = "looked at, by a fifth writer", "unseen, by a sixth writer"
NEXT = "looked at, by a seventh writer"
#: The sets whose rows and answers were read, and that which decides.
OPEN, CLOSED = ("sound", "seen-4", "seen-5"), "unseen"
ALONE, READ = "rules alone", "with the readings"
BEGIN, END = "<!-- readings: begin -->", "<!-- readings: end -->"
OF_GUARDS = "<!-- guards of readings: begin -->", "<!-- guards of readings: end -->"

#: The marks around texts are drawn from this, so that the questions are the same in each run.
_MARKS = b"readings"


def rows_of(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a packed file of JSON lines."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def passages_of(source: str) -> list[str]:
    """Return the sentences of a source as a check of it reads them."""
    found = extraction_of(from_text(source, "source"), Config().model)
    return [source[one.start : one.end] for one in found.sentences]


def sets(data: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the pairs of a statement and its source, by the name of the set."""

    def pairs(name: str) -> list[dict[str, Any]]:
        lines = (DEDUCTIONS / f"{name}.jsonl").read_text("utf-8").splitlines()
        return [*map(json.loads, lines)]

    return {
        "sound": [*rows_of(data / "cases/sound.jsonl.gz")],
        **{name: pairs(name) for name in (*OPEN[1:], CLOSED)},
    }


def questions(
    rows: Sequence[Mapping[str, Any]], kept: Mapping[str, Any]
) -> Iterator[tuple[str, list[Prompt]]]:
    """Yield the questions on pairs of a statement and its source, each list with its id.

    There is a further one where the last has an answer among those `kept` that is read again.
    """
    for row in rows:
        statement, source = row["statement"], row["source"]
        asked = [llm_propositions.question_on(statement, passages_of(source), [source])]
        before = Relation.OPEN
        while len(asked) < len(asking.TIMES) and not before.refutes:
            row_kept = kept.get(key(asked[-1])[:_KEY])
            if row_kept is None:
                break
            answer = unpacked(row_kept, asked[-1].schema)
            before = weigh(propositions_of(answer, statement, source), statement, source).relation
            twice = len(asked) > 1
            again = asking.asked_again(asked[0], answer, statement, source, twice=twice)
            if again is None:
                break
            asked.append(again)
        yield row["id"], asked


def written(name: str, prompt: Prompt) -> Mapping[str, str]:
    """Return a question as who records its answer sees it."""
    system, user = (part["content"] for part in write_messages(prompt, _MARKS))
    return {"id": name, "system": system, "prompt": user}


def export(data: Path, folder: Path) -> None:
    """Write the questions of the sets that have no answer yet."""
    for name, rows in sets(data).items():
        path = folder / f"{name}-prompts.jsonl"
        kept = Readings(name).rows
        lines = [
            json.dumps(written(one, prompt), ensure_ascii=False)
            for one, prompts in questions(rows, kept)
            for prompt in prompts[-1:]
            if key(prompt)[:_KEY] not in kept
        ]
        path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
        print(f"{path}: {len(lines)} questions")


# --- answers ----------------------------------------------------------------------------------


def packed(value: Any, schema: Mapping[str, Any]) -> Any:
    """Return an answer with each object as the list of its values, in the order of the schema."""
    if "items" in schema:
        return [packed(one, schema["items"]) for one in value]
    if "properties" in schema:
        return [packed(value[name], schema["properties"][name]) for name in schema["required"]]
    return value


def unpacked(value: Any, schema: Mapping[str, Any]) -> Any:
    """Return what was `packed`."""
    if "items" in schema:
        return [unpacked(one, schema["items"]) for one in value]
    if "properties" in schema:
        names = schema["required"]
        pairs = zip(names, value, strict=True)
        return {name: unpacked(one, schema["properties"][name]) for name, one in pairs}
    return value


def keep(data: Path, folder: Path) -> None:
    """Keep the answers of a folder, each by the key of its question; what is no answer is named."""
    for name, rows in sets(data).items():
        kept = Readings(name).rows
        replies: dict[str, Any] = {}
        for path in sorted(folder.glob(f"{name}-replies*.jsonl")):
            for line in filter(str.strip, path.read_text("utf-8").splitlines()):
                row = json.loads(line)
                replies[row["id"]] = row["reply"]
        if not replies:
            continue
        lines = []
        for one, prompts in questions(rows, kept):
            reply = replies.get(one)
            for prompt in prompts:
                answer = kept.get(key(prompt)[:_KEY])
                if answer is None and reply is not None:
                    text = reply if isinstance(reply, str) else json.dumps(reply)
                    try:
                        read, _ = read_answer(text, validator(prompt.schema))
                    except MalformedError as error:
                        print(f"{name}: {one} has no answer: {error}")
                    else:
                        answer = packed(read, prompt.schema)
                if answer is not None:
                    row = {"id": one, "key": key(prompt)[:_KEY], "answer": answer}
                    lines.append(json.dumps(row, ensure_ascii=False, separators=(",", ":")))
        path = KEPT / f"{name}.jsonl"
        KEPT.mkdir(exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
        print(f"{path}: {len(lines)} answers")


class Readings(StandIn):
    """Answers that a language model gave once, in its place; of triples it finds none.

    A control that it was never asked is answered rightly. `untried` counts these, `missing` the
    questions to which nothing was recorded.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        path = KEPT / f"{name}.jsonl"
        rows = path.read_text("utf-8").splitlines() if path.exists() else []
        self.rows = {row["key"]: row["answer"] for row in map(json.loads, rows)}
        self.controls: dict[str, str] = {}  # the passage that each is made of, by its words
        self.untried = self.missing = 0

    def ask(self, prompt: Prompt) -> Any:
        """Return the recorded answer to a question; LLMError where there is none."""
        if prompt.job == "triples":
            return {name: [] for name in required(prompt)}
        row = self.rows.get(key(prompt)[:_KEY])
        if row is not None:
            return unpacked(row, prompt.schema)
        if prompt.about and prompt.about[0] in self.controls:
            self.untried += 1
            return _found_there(prompt.about[0], self.controls[prompt.about[0]])
        self.missing += 1
        raise LLMError("no reading is recorded", "unreachable")


def _found_there(control: str, passage: str) -> Mapping[str, Any]:
    """Return that a control is told of in a passage, and nothing of what follows."""
    sides = [{"words": words, "not": False, "force": "fact"} for words in (control, passage)]
    return {"clauses": [{"statement": sides[0], "source": sides[1], "parts": []}]}


@contextmanager
def answering(client: Readings) -> Iterator[Config]:
    """Give a configuration whose checks are read by `client` in the place of a language model."""

    def made(passages: Sequence[str]) -> tuple[Control, ...]:
        found = controls_of_any(passages)
        client.controls |= {
            one.text: "" if one.passage is None else passages[one.passage] for one in found
        }
        return found

    with (
        patch.object(llm, "connect", lambda _: client),
        patch.object(asking, "controls_of_any", made),
    ):
        yield Config(llm=LLMConfig(model="recorded", reads=True))


# --- figures ----------------------------------------------------------------------------------


def groups(data: Path) -> Iterator[tuple[str, str, list[dict[str, Any]]]]:
    """Yield the pairs that are told of apart: how they were looked at, their set, and they."""
    pairs = sets(data)
    for name, odd in ((MENDED, 1), (ONCE, 0)):
        yield name, "sound", [row for row in pairs["sound"] if _draw(row["id"]) == odd]
    yield SEEN, "seen-4", pairs["seen-4"]
    yield NEXT, "seen-5", pairs["seen-5"]
    yield UNSEEN, "unseen", pairs["unseen"]


def _draw(name: str) -> int:
    return hashlib.sha256(name.encode()).digest()[0] % 2


def sound_row(row: Mapping[str, Any], config: Config) -> tuple[bool, bool]:
    """Return whether the statement of a row comes out as supported, and whether with an error."""
    report = api.check(row["statement"], context=row["source"], config=config)
    supported = {one.outcome for one in report.statements} == {Outcome.SUPPORTED}
    return supported, any(one.severity is Severity.ERROR for one in report.violations)


def measured(data: Path, *, show: bool) -> str:
    """Return the table of figures; `show` names the rows looked at that come out wrong."""
    lines = [
        "| pairs | read by | may not pass and passes | true and supported | true with an error "
        "| refuted with an error |",
        "|---|---|--:|--:|--:|--:|",
    ]
    for group, name, rows in groups(data):
        alone = [sound_row(row, Config()) for row in rows]
        lines.append(_line(group, rows, alone, ALONE))
        client = Readings(name)
        if not client.rows:
            print(f"{group}: no answers are recorded")
            continue
        with answering(client) as config:
            read = [sound_row(row, config) for row in rows]
        lines.append(_line(group, rows, read, READ))
        print(f"{group}: {client.untried} controls never asked, {client.missing} missing")
        for row, before, got in zip(rows, alone, read, strict=True) if show else ():
            if group != UNSEEN and got != (row["label"] == "supported", row["label"] == "refuted"):
                told = f"{row['label']}: supported, error = {before} -> {got}"
                print(row["id"], told, "|", row["statement"], "<<", row["source"])
    return "\n".join(lines)


def _line(
    group: str, rows: Sequence[Mapping[str, Any]], found: Sequence[tuple[bool, bool]], by: str
) -> str:
    pairs = [(row["label"], *one) for row, one in zip(rows, found, strict=True)]
    columns = (
        [supported for label, supported, _ in pairs if label != "supported"],
        [supported for label, supported, _ in pairs if label == "supported"],
        [error for label, _, error in pairs if label == "supported"],
        [error for label, _, error in pairs if label == "refuted"],
    )
    cells = [f"{sum(one)} of {len(one)} ({sum(one) / len(one):.3f})" for one in columns]
    return f"| {group} | {by} | {' | '.join(cells)} |"


# --- guards -----------------------------------------------------------------------------------

_ANY_FORCE = frozenset(itertools.product(FORCES, FORCES))
#: What each guard is patched with to be left out.
_GUARDS: Mapping[str, tuple[Any, str, Any]] = {
    "figures, dates, how often": (counterparts, "_figures_follow", lambda *_, **__: True),
    "how many of all": (counterparts, "_quantities_follow", lambda *_, **__: True),
    "names": (counterparts, "_names_follow", lambda *_: True),
    "days of the week, sides of a time": (counterparts, "_days_follow", lambda *_: True),
    "comparisons with figures": (counterparts, "_is_compared", lambda *_: True),
    "what is so of some, of all": (counterparts, "is_of_all", lambda *_: False),
    "what binds the source": (readings, "_left_out", lambda *_, **__: ""),
    "the same by our own reading": (readings, "_binding", lambda *_: ""),
    "forces": (readings, "_FORCES", _ANY_FORCE),
    "denials as we read them": (readings, "_misread", lambda *_: ""),
    "tense": (readings, "_time", lambda *_: ""),
    "verbs that are only meant": (readings, "_is_meant", lambda *_: True),
    "what comes out of figures": (reckoned_parts, "_is_borne_out", lambda *_: True),
    "what a range limits": (reckoned_parts, "_is_limited", lambda *_: True),
    "every word in a part": (readings, "_lost", lambda *_: ()),
}


def _alike(clause: dict[str, Any], _: str) -> None:
    for part in clause["parts"]:
        if part["statement"] and part["source"]:
            part["relation"] = "same"


def _affirmed(clause: dict[str, Any], _: str) -> None:
    for side in (clause["statement"], clause["source"]):
        side["not"] = False


def _factual(clause: dict[str, Any], _: str) -> None:
    for side in (clause["statement"], clause["source"]):
        side["force"] = "fact"


def _unbound(clause: dict[str, Any], _: str) -> None:
    clause["parts"] = [part for part in clause["parts"] if part["statement"]]


def _misplaced(clause: dict[str, Any], source: str) -> None:
    for part in clause["parts"]:
        mine = [one.number.text for one in figures(part["statement"])]
        if mine and part["source"] and find_all(" … ".join(mine), source, [(0, len(source))]):
            part |= {"source": " … ".join(mine), "relation": "same"}


Worse = Callable[[dict[str, Any], str], None]
#: What careless models do to each clause of an answer, beside its source.
_CARELESS: Mapping[str, Worse] = {
    "calls the same all that it sets side by side": _alike,
    "calls nothing denied": _affirmed,
    "takes all for facts": _factual,
    "leaves out what the source has besides": _unbound,
    "sets each figure beside any equal one": _misplaced,
}


def _worse(answer: Mapping[str, Any], by: Worse, source: str) -> dict[str, Any]:
    worse = copy.deepcopy({**answer})
    for clause in worse["clauses"]:
        by(clause, source)
    return worse


def guards(data: Path) -> str:
    """Return what readings come to without each guard, in pairs of the sets looked at."""
    found = sets(data)
    pairs = [
        (row, list(answers))
        for name in OPEN
        for row, answers in zip(found[name], _answers(found[name], name), strict=True)
    ]

    def outcome(row: Mapping[str, Any], answers: Sequence[Mapping[str, Any]]) -> Relation:
        texts = row["statement"], row["source"]
        for answer in answers:
            relation = weigh(propositions_of(answer, *texts), *texts).relation
            if relation.supports or relation.refutes:
                return relation
        return Relation.OPEN

    def outcomes(by: Worse | None = None) -> list[tuple[str, Relation]]:
        return [
            (
                row["label"],
                outcome(row, [_worse(one, by, row["source"]) if by else one for one in answers]),
            )
            for row, answers in pairs
        ]

    def counted(rows: Sequence[tuple[str, Relation]]) -> list[int]:
        return [
            sum(r.supports for label, r in rows if label == "supported"),
            sum(r.supports for label, r in rows if label != "supported"),
            sum(r.refutes for label, r in rows if label != "refuted"),
        ]

    lines = [
        "| without the guard of | true and supported | may not pass and passes | wrongly refuted |",
        "|---|--:|--:|--:|",
        f"| none | {' | '.join(map(str, counted(outcomes())))} |",
    ]
    for name, (module, attribute, value) in _GUARDS.items():
        with patch.object(module, attribute, value):
            lines.append(f"| {name} | {' | '.join(map(str, counted(outcomes())))} |")
    for told, by in _CARELESS.items():
        counts = " | ".join(map(str, counted(outcomes(by))))
        lines.append(f"| none, by a model that {told} | {counts} |")
    return "\n".join(lines)


def _answers(rows: Sequence[Mapping[str, Any]], name: str) -> Iterator[Iterator[Mapping[str, Any]]]:
    """Yield the answers to the first question on each pair and to the second, as far as kept."""
    kept = Readings(name).rows
    for _, prompts in questions(rows, kept):
        yield (
            unpacked(row, prompt.schema)
            for prompt in prompts
            if (row := kept.get(key(prompt)[:_KEY])) is not None
        )


def main() -> None:
    """Write the questions of the sets, keep answers, or check the sets with them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.readings", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the data")
    parser.add_argument("--export", type=Path, help="folder for the questions")
    parser.add_argument("--replies", type=Path, help="folder of answers that are to be kept")
    parser.add_argument("--show", action="store_true", help="name the rows that come out wrong")
    parser.add_argument("--guards", action="store_true", help="leave out one guard at a time")
    parser.add_argument("--write", type=Path, help="page for the figures")
    args = parser.parse_args()
    if args.export:
        export(args.data, args.export)
    if args.replies:
        keep(args.data, args.replies)
    if args.guards:
        told = guards(args.data)
        print(told)
        if args.write:
            put_between(args.write, told, *OF_GUARDS)
    if not (args.export or args.replies or args.guards):
        table = measured(args.data, show=args.show)
        print(table)
        if args.write:
            put_between(args.write, table, BEGIN, END)


if __name__ == "__main__":
    main()
