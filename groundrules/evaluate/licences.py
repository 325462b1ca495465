"""Licences: a reader measured on labelled answers, on what the rules leave open in them."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from groundrules.align.weighing import indexed, readings
from groundrules.checks.clock import Clock
from groundrules.checks.plan import Plan, make_plan, open_named
from groundrules.checks.report import by_rules
from groundrules.claims.document import from_text
from groundrules.config import Config, LLMConfig
from groundrules.errors import ConfigError
from groundrules.evaluate.documents import join, overlaps
from groundrules.evaluate.figures import fit_calibration
from groundrules.evaluate.rows import Progress, Row, read_rows
from groundrules.files import write_atomically
from groundrules.models.calibration import Calibration
from groundrules.models.licences import (
    ENGLISH,
    OF_A_LANGUAGE,
    Licence,
    bounds,
    own_of,
    read_licence,
)
from groundrules.models.metrics import auc, scikit_learn
from groundrules.models.readers import Entailment, Reader


@dataclass(frozen=True, slots=True)
class Measured:
    """What a reader was measured to be: its licence, and how well it orders.

    `open` statements were asked about, `unread` of them without an answer, for the `causes`.
    """

    licence: Licence
    auc: float | None
    open: int
    unread: int
    causes: tuple[str, ...] = ()


def license_reader(
    path: str | Path,
    name: str,
    target: str | Path,
    *,
    config: Config | None = None,
    progress: Progress | None = None,
) -> Measured:
    """Measure a reader on the answers of a file, and write what it may do.

    It reads what the rules leave open, beside the passages that a check would show it. A sentence
    with several statements counts by the one that it finds least entailed. The licence is of the
    languages of which the file has enough sentences, all of them together.

    Raises:
        SourceError: the file cannot be read, or a row lacks what it needs (file:line).
        ConfigError: the reader cannot be opened, nothing was read, or the extra [sklearn] is
            missing.
    """
    scikit_learn("linear_model")  # before the long work
    chosen = config or Config()
    reader = open_named(name, chosen)
    rules = replace(chosen, llm=LLMConfig(), readers=(), licensed=(), scorer="")
    rows = read_rows(path)
    found: list[tuple[Entailment | str, int, str]] = []
    refuted: list[int] = []
    for row in progress(rows, len(rows)) if progress else rows:
        of_row = read_row(row, reader, rules)
        found += [(*pair, name) for pair, name in zip(of_row.read, of_row.languages, strict=True)]
        refuted += of_row.refuted
    read = [(one, label) for one, label, _ in found if isinstance(one, Entailment)]
    languages = [name for one, _, name in found if isinstance(one, Entailment)]
    causes = tuple(dict.fromkeys(one for one, _, _ in found if isinstance(one, str)))
    if not read:
        why = causes[0] if causes else "the rules leave nothing open in it"
        raise ConfigError(f"the reader {name!r} has read no statement: {why}", path=str(path))
    called = reader.name if "://" in name else Path(name).name
    licence = measure(read, reader, called, digest_of(path), refuted, languages)
    try:
        write_atomically(Path(target), licence.dumps().encode())
    except OSError as error:
        raise ConfigError(f"cannot be written: {error.strerror}", path=str(target)) from None
    import numpy as np

    shares = np.array([one.entailed for one, _ in read])
    area = auc(shares, np.array([label for _, label in read]))
    return Measured(licence, area, len(found), len(found) - len(read), causes)


class OfRow(NamedTuple):
    """What a reader makes of sentences that rules leave open, and labels; those of refuted ones.

    Where it has not read a sentence, why. `languages` are those of the sentences that it read.
    """

    read: list[tuple[Entailment | str, int]]
    refuted: list[int]
    languages: list[str]


def measure(
    read: Sequence[tuple[Entailment, int]],
    reader: Reader,
    name: str,
    data: str = "",
    refuted: Sequence[int] = (),
    languages: Sequence[str] = (),
) -> Licence:
    """Return the licence of a reader, of what it reads and the labels, 1 for what is right.

    `refuted` are the labels of what the rules refute, whose share is that of one right one and one
    wrong one more. `languages` are those of what was read, English by default: what is in one of
    which there is too little, or which tells against the bounds, is no part of the licence.
    """
    by_language: dict[str, list[tuple[Entailment, int]]] = {}
    for name_of, pair in zip(languages or [ENGLISH] * len(read), read, strict=True):
        by_language.setdefault(name_of, []).append(pair)
    most = max(map(len, by_language.values()), default=0)
    by_language = {
        one: own for one, own in by_language.items() if len(own) >= min(OF_A_LANGUAGE, most)
    }
    read = [pair for own in by_language.values() for pair in own]
    found, labels = [one for one, _ in read], [label for _, label in read]
    supports, refutes, doubts = bounds(found, labels)
    own = {one: own_of(some, supports, refutes) for one, some in by_language.items()}
    measured = {one: told for one, told in own.items() if told}
    if not measured:  # each language tells against a bound of all of them
        supports = refutes = doubts = None
    return Licence(
        name,
        reader.digest,
        data,
        len(read),
        labels.count(0),
        supports,
        refutes,
        doubts,
        _scale(found, labels),
        round((sum(refuted) + 1) / (len(refuted) + 2), 4) if refuted else None,
        measured,
    )


def read_row(row: Row, reader: Reader, config: Config) -> OfRow:
    """Return what a reader makes of an answer, and what the rules make of it."""
    answer = row.fields["answer"]
    text, places = join(item["s"] for item in answer)
    document, context = from_text(text, "answer"), from_text(row.fields["doc"], "doc")
    plan: Plan = make_plan(document, [context], config, now=datetime.now(UTC))
    statements, refuted = by_rules(document, plan, Clock())
    found = readings(statements, indexed((context.text,)), reader) if statements else {}
    out = OfRow([], [], [])
    for item, place in zip(answer, places, strict=True):
        own = [one for one in statements if overlaps((one.span.start, one.span.end), place)]
        if own:
            least = _least([found[one.number] for one in own])
            out.read.append((least, int(item["label"])))
            out.languages.append(own[0].tongue or ENGLISH)
        if any(overlaps((one.span.start, one.span.end), place) for one in refuted):
            out.refuted.append(int(item["label"]))
    return out


def _least(found: Sequence[Entailment | str]) -> Entailment | str:
    """Return the reading that is least entailed; a reason before all, as it was not read whole."""
    told = [one for one in found if isinstance(one, str)]
    read = [one for one in found if isinstance(one, Entailment)]
    return told[0] if told else min(read, key=lambda one: one.entailed)


def _scale(found: Sequence[Entailment], labels: Sequence[int]) -> Calibration:
    """Return how a share entailed becomes a probability; the share of right ones if it tells none.

    That is where the shares do not rise with being right, or are too few.
    """
    import numpy as np

    try:
        fitted = fit_calibration(np.array([one.entailed for one in found]), np.array(labels))
    except ConfigError:
        right = labels.count(1)
        return Calibration(0.0, math.log((right + 1) / (len(labels) - right + 1)))
    return Calibration(fitted.slope, fitted.intercept)


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
    for name in config.licensed:
        if read_licence(config.base / name).data == digest_of(path):
            raise ConfigError(
                f"this licence was measured on {path}; expected other answers to measure it on",
                path=name,
            )
