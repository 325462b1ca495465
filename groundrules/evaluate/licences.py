"""Licences: a reader measured on what the rules leave open in labelled answers, which ship."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from groundrules.align.premises import indexed, readings
from groundrules.checks.clock import Clock
from groundrules.checks.plan import make_plan
from groundrules.checks.reading import is_held_back
from groundrules.checks.report import by_rules
from groundrules.claims.document import from_text
from groundrules.config import Config, LLMConfig
from groundrules.errors import ConfigError
from groundrules.evaluate.documents import join, overlaps
from groundrules.evaluate.rows import Progress, Row, read_rows
from groundrules.files import write_atomically
from groundrules.models.licences import (
    ENGLISH,
    OF_A_LANGUAGE,
    Licence,
    bounds,
    called,
    file_of,
    own_of,
    read_licence,
)
from groundrules.models.readers import Entailment, Reader
from groundrules.terms import Outcome

#: Answers beside their sources that no rule was made on (`benchmarks/measured.py`).
MEASURED = Path(__file__).parent / "measured.jsonl.gz"
#: Parts of the documents, each judged by a licence that the others gave.
_PARTS = 5

#: A share by the rules alone, and with a reader.
Pair = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Told:
    """A labelled sentence, what the rules make of it, and a reader where they leave it open.

    `found` is None where no reader was asked, and says in words why it was not read. What is `held`
    back no reader supports.
    """

    label: int
    outcome: Outcome
    found: Entailment | str | None = None
    held: bool = False
    language: str = ENGLISH

    @property
    def read(self) -> bool:
        """Whether a reader has read it."""
        return isinstance(self.found, Entailment)


class OfRow(NamedTuple):
    """What is told of the sentences of an answer, and the seconds that the reader took for them."""

    told: list[Told]
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Measured:
    """What a reader was measured to be, what was told of each sentence, and the file of both."""

    licence: Licence
    told: tuple[Told, ...]
    path: Path | None = None

    @property
    def unread(self) -> dict[str, int]:
        """How many sentences were not read, by the cause."""
        return dict(Counter(one.found for one in self.told if isinstance(one.found, str)))


def add_reader(
    reader: Reader,
    model: str,
    folder: Path,
    *,
    config: Config,
    answers: Path | None = None,
    progress: Progress | None = None,
) -> Measured:
    """Measure a reader, and write its licence into a folder where that lets it do anything.

    What an endpoint has answered is in the cache. Raises as `measure_reader`.
    """
    stem = called(model) + (f"-{called(answers.name.partition('.')[0])}" if answers else "")
    path = folder / f"{stem}.toml"
    found = measure_reader(reader, model, answers or MEASURED, config=config, progress=progress)
    licence = replace(found.licence, key_env=config.llm.key_env)
    try:
        if licence.decides:
            folder.mkdir(parents=True, exist_ok=True)
            write_atomically(path, licence.dumps().encode())
    except OSError as error:
        raise ConfigError(f"cannot be written: {error.strerror}", path=str(path)) from None
    return replace(found, licence=licence, path=path)


def measure_reader(
    reader: Reader,
    model: str,
    path: Path = MEASURED,
    *,
    config: Config | None = None,
    progress: Progress | None = None,
) -> Measured:
    """Measure a reader, which is opened as `model`, on the answers of a file.

    It reads what the rules leave open, beside the passages that a check would show it. A sentence
    with several statements counts by the one that it finds least entailed. The licence is of the
    languages of which the file has enough sentences, all of them together.

    Raises:
        SourceError: the file cannot be read, or a row lacks what it needs (file:line).
        ConfigError: nothing was read.
    """
    rules = replace(config or Config(), llm=LLMConfig(), readers=())
    data = digest_of(path)
    rows = read_rows(path)
    by_row: list[OfRow] = []
    for row in progress(rows, len(rows)) if progress else rows:
        found = read_row(row, reader, rules)
        asked = [one for one in found.told if one.found is not None]
        by_row.append(found)
        if asked and not any(one.read for row in by_row for one in row.told):
            raise ConfigError(f"the reader {model!r} has read no statement: {asked[0].found}")
    told = [one for row in by_row for one in row.told]
    licence = measure(told, reader, reader.name if "://" in model else Path(model).name, data)
    if not licence.sentences:
        raise ConfigError("the rules leave nothing open in it", path=str(path))
    seconds = sum(row.seconds for row in by_row) / sum(one.read for one in told)
    figures = _figures(by_row, reader)
    licence = replace(licence, model=model, seconds=round(seconds, 4), figures=figures)
    return Measured(licence, tuple(told))


def measure(told: Sequence[Told], reader: Reader, name: str, data: str = "") -> Licence:
    """Return the licence of a reader, of what it makes of sentences.

    What is in a language in which there is too little, or which tells against the bounds, is no
    part of the licence.
    """
    by_language: dict[str, list[Told]] = {}
    for one in told:
        if one.read:
            by_language.setdefault(one.language, []).append(one)
    most = max(map(len, by_language.values()), default=0)
    by_language = {
        one: own for one, own in by_language.items() if len(own) >= min(OF_A_LANGUAGE, most)
    }
    whole = [one for own in by_language.values() for one in own]
    pairs, held = _pairs(whole)
    found, labels = [one for one, _ in pairs], [label for _, label in pairs]
    supports, refutes, doubts = bounds(found, labels, held)
    own = {one: own_of(*_pairs(some), supports, refutes) for one, some in by_language.items()}
    measured = {one: alone for one, alone in own.items() if alone}
    if not measured:  # each language tells against a bound of all of them
        supports = refutes = doubts = None
    return Licence(
        name,
        reader.digest,
        data,
        len(whole),
        labels.count(0),
        supports,
        refutes,
        doubts,
        measured,
    )


def _pairs(told: Sequence[Told]) -> tuple[list[tuple[Entailment, int]], frozenset[int]]:
    """Return readings with their labels, and the places of those that are held back."""
    found = [(o.found, o.label, o.held) for o in told if isinstance(o.found, Entailment)]
    return [pair[:2] for pair in found], frozenset(n for n, one in enumerate(found) if one[2])


def _figures(by_row: Sequence[OfRow], reader: Reader) -> dict[str, Pair]:
    """Return shares by the rules alone and with a reader, licensed on other documents."""
    ends: list[tuple[int, Outcome, Outcome]] = []
    for part in range(_PARTS):
        others = [one for n, row in enumerate(by_row) if n % _PARTS != part for one in row.told]
        licence = measure(others, reader, "")
        own = [one for row in by_row[part::_PARTS] for one in row.told]
        ends += [(one.label, one.outcome, outcome(one, licence)) for one in own]
    return {
        f"{name}_{said}": _share(ends, label, outcome)
        for label, name in ((1, "true"), (0, "wrong"))
        for outcome, said in ((Outcome.SUPPORTED, "supported"), (Outcome.REFUTED, "refuted"))
        if any(end[0] == label for end in ends)
    }


def _share(ends: Sequence[tuple[int, Outcome, Outcome]], label: int, at: Outcome) -> Pair:
    own = [(before is at, after is at) for one, before, after in ends if one == label]
    before, after = (round(sum(side) / len(own), 4) for side in zip(*own, strict=True))
    return before, after


def outcome(one: Told, licence: Licence) -> Outcome:
    """Return what becomes of a sentence under a licence."""
    power = licence.power(one.found) if isinstance(one.found, Entailment) else ""
    if power == "supports" and not one.held:
        return Outcome.SUPPORTED
    return Outcome.REFUTED if power == "refutes" else one.outcome


def read_row(row: Row, reader: Reader, config: Config) -> OfRow:
    """Return what a reader makes of an answer, and what the rules make of it."""
    answer = row.fields["answer"]
    text, places = join(item["s"] for item in answer)
    document, context = from_text(text, "answer"), from_text(row.fields["doc"], "doc")
    plan = make_plan(document, [context], config, now=datetime.now(UTC))
    by = by_rules(document, plan, Clock())
    began = time.perf_counter()
    index = indexed((context.text,))
    found = readings(by.open, index, reader) if by.open else {}
    seconds = time.perf_counter() - began
    told = []
    for item, place in zip(answer, places, strict=True):
        label = int(item["label"])
        beside = [
            [one for one in some if overlaps((one.span.start, one.span.end), place)] for some in by
        ]
        own, refuted, supported = beside
        if own:
            least = _least([found[one.number] for one in own])
            held = any(is_held_back(one, index) for one in own)
            said = Outcome.REFUTED if refuted else Outcome.NOT_ENOUGH_INFO
            told.append(Told(label, said, least, held, own[0].tongue or ENGLISH))
        elif refuted or supported:
            told.append(Told(label, Outcome.REFUTED if refuted else Outcome.SUPPORTED))
    return OfRow(told, seconds)


def _least(found: Sequence[Entailment | str]) -> Entailment | str:
    """Return the reading that is least entailed; a reason before all, as it was not read whole."""
    told = [one for one in found if isinstance(one, str)]
    read = [one for one in found if isinstance(one, Entailment)]
    return told[0] if told else min(read, key=lambda one: one.entailed)


def digest_of(path: str | Path) -> str:
    """Return the hash of a file of labelled answers; ConfigError where it cannot be read."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", path=str(path)) from None


def refuse_own_data(path: str | Path, config: Config) -> None:
    """Raise ConfigError where a licence in force was measured on the file that it is to be told of.

    Figures on the data that a bound was chosen on say nothing of others.
    """
    for name in config.readers:
        licence = file_of(name, config)
        if read_licence(licence).data == digest_of(path):
            raise ConfigError(
                f"this licence was measured on {path}; expected other answers to measure it on",
                path=str(licence),
            )
