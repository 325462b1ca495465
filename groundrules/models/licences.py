"""What a reader may do, as far as it was measured: a licence, which is a file of TOML.

`groundrules readers add` writes it into the folder of the user or of the project. It names the
model too, so that it alone puts a reader in force.

A bound holds where of what the reader finds beyond it at least so many of a hundred are as it says:
of the statements measured, and of as many right ones as wrong ones, so that a set in which nearly
all is right licenses nobody. Both are lower ends of Wilson's interval (1927), at a level that holds
for all `TRIED` bounds together.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from jinja2 import Environment
from pydantic import TypeAdapter

from groundrules.config import Config, reader_folder
from groundrules.errors import ConfigError, did_you_mean
from groundrules.files import parse_toml, read_bounded
from groundrules.models.readers import Entailment, Reader

_BROKEN = (
    "no licence of a reader, or a broken one; `groundrules readers remove {0}` takes it away, "
    "`groundrules readers add` writes it anew, --no-reader leaves it out"
)
#: Of a hundred that a reader may support so many are right, that it may doubt or refute are wrong.
RIGHT, WRONG = 0.95, 0.90
#: The bounds that are tried for each power, by the share that lies beyond, of the hits that were
#: found, and the normal quantile of 0.025 for all of them together: of 0.005, one-sided.
TRIED, QUANTILE = (1.0, 0.99, 0.95, 0.8, 0.5), 2.576
_MOST_BYTES = 1_000_000
_POWERS = ("supports", "refutes", "doubts")

#: The language of a licence that names none, and the sentences that it takes in each language.
ENGLISH = "English"
OF_A_LANGUAGE = 100

Power = Literal["supports", "refutes", "doubts", ""]


@dataclass(frozen=True, slots=True)
class Bound:
    """From where on a reader may do something; `share` is the least of what it is right in.

    `at` is the share that it finds entailed or contradicted, `sentences` how many lie beyond.
    """

    at: float
    share: float
    sentences: int


@dataclass(frozen=True, slots=True)
class Own:
    """What was measured in one language: how many sentences, and how many of them are wrong.

    `alone` is the least share of right ones of what it supports that these alone would tell.
    """

    sentences: int
    wrong: int
    alone: float


@dataclass(frozen=True, slots=True)
class Licence:
    """What a reader may do, and by which measurement.

    `reader` is its name and `digest` that of its name and question, `data` the hash of the file,
    `sentences` how many were read, and `wrong` how many of them are wrong. It holds for some
    `languages` and no other: the bounds are those of all their sentences together. It `supports`
    from a share entailed on, `doubts` up to one, and `refutes` from a share contradicted on: each
    None where no bound holds. `model` is
    what is opened: a hub name, a folder or `URL#model`, whose key is in the variable `key_env`;
    `seconds` are those that it took a statement. `figures` are shares by the rules alone and with
    the reader, each document judged by a licence of the others.
    """

    reader: str
    digest: str
    data: str
    sentences: int
    wrong: int
    supports: Bound | None = None
    refutes: Bound | None = None
    doubts: Bound | None = None
    languages: Mapping[str, Own] = field(default_factory=dict)
    model: str = ""
    key_env: str = ""
    seconds: float = 0.0
    figures: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    @property
    def at_endpoint(self) -> bool:
        """Whether the texts go to an endpoint."""
        return "://" in self.model

    @property
    def order(self) -> tuple[bool, float]:
        """By what readers are asked in turn: the cheapest first, endpoints last."""
        return self.at_endpoint, self.seconds

    @property
    def decides(self) -> bool:
        """Whether it may do anything."""
        return bool(self._bounds())

    def holds_for(self, language: str) -> bool:
        """Return whether it was measured in a language; of old ones that was English."""
        return language in (self.languages or (ENGLISH,))

    def power(self, found: Entailment) -> Power:
        """Return what a reading may do, empty where it may do nothing."""
        if self.refutes and contradicts(found) and found.contradicted >= self.refutes.at:
            return "refutes"
        if self.supports and entails(found) and found.entailed >= self.supports.at:
            return "supports"
        if self.doubts and found.entailed <= self.doubts.at:
            return "doubts"
        return ""

    def told(self) -> str:
        """Return on how much it rests and what it allows: "licensed on 1,404 sentences: …"."""
        may = [
            f"{name} {'up to' if name == 'doubts' else 'from'} {bound.at:.2f} ({bound.share:.2f})"
            for name, bound in self._bounds()
        ]
        others = [
            f"{own.sentences:,} in {name}, which alone would tell {own.alone:.2f}"
            for name, own in self.languages.items()
            if name != ENGLISH
        ]
        of = f" ({'; '.join(others)})" if others else ""
        if len(self.languages) == 1 and others:
            of = f" in {next(iter(self.languages))}"
        return (
            f"licensed on {self.sentences:,} sentences{of}: {', '.join(may) or 'decides nothing'}"
        )

    def _bounds(self) -> list[tuple[str, Bound]]:
        found = [(name, getattr(self, name)) for name in _POWERS]
        return [(name, bound) for name, bound in found if bound is not None]

    def dumps(self) -> str:
        """Return the licence as TOML, with what a person wants to know beside the figures."""
        made = Environment(trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)  # noqa: S701 - of TOML
        made.filters["toml"] = _quoted
        text = Path(__file__).with_name("licence.jinja").read_text(encoding="utf-8")
        return made.from_string(text).render(licence=self, bounds=self._bounds())


@dataclass(frozen=True, slots=True)
class Licensed:
    """A reader and what it may do."""

    reader: Reader
    licence: Licence


def entails(found: Entailment) -> bool:
    """Return whether a reader finds a statement entailed rather than contradicted."""
    return found.entailed > found.contradicted


def _support(found: Entailment, held: bool) -> float:
    """Return the score by which a reader supports, below zero where it does not."""
    return found.entailed if entails(found) and not held else -1.0


def contradicts(found: Entailment) -> bool:
    """Return whether a reader finds a statement contradicted rather than anything else."""
    return found.contradicted > max(found.entailed, found.neither)


def bounds(
    found: Sequence[Entailment], labels: Sequence[int], held: Collection[int] = ()
) -> tuple[Bound | None, Bound | None, Bound | None]:
    """Return from where on a reader may support, refute and doubt; `labels` are 1 for right.

    Those whose places are `held` no reader supports, whatever it says.
    """
    supports = _bound([_support(one, n in held) for n, one in enumerate(found)], labels, RIGHT)
    against = [1 - label for label in labels]
    refutes = _bound(
        [one.contradicted if contradicts(one) else -1.0 for one in found], against, WRONG
    )
    doubts = _bound([1 - one.entailed for one in found], against, WRONG)
    if doubts:
        doubts = Bound(1 - doubts.at, doubts.share, doubts.sentences)
    return supports, refutes, doubts


def _bound(scores: Sequence[float], hits: Sequence[int], least: float) -> Bound | None:
    """Return the lowest of the bounds tried that holds, None where none does.

    `hits` are 1 for what shall lie beyond it; what scores below zero was not found.
    """
    wanted = [score for score, hit in zip(scores, hits, strict=True) if hit]
    others = [score for score, hit in zip(scores, hits, strict=True) if not hit]
    found = sorted((score for score in wanted if score >= 0), reverse=True)
    if not found or not others:
        return None
    for beyond in TRIED:
        at = found[math.ceil(beyond * len(found)) - 1]
        share = share_beyond(at, wanted, others)
        if share >= least:
            return Bound(at, round(share, 4), sum(score >= at for score in scores))
    return None


def share_beyond(at: float, wanted: Sequence[float], others: Sequence[float]) -> float:
    """Return the least share of the wanted ones of what scores at least so much.

    That is of those measured, and of as many wanted ones as others.
    """
    right, wrong = (sum(score >= at for score in some) for some in (wanted, others))
    if not right or not others:
        return 0.0
    low, high = wilson(right, len(wanted))[0], wilson(wrong, len(others))[1]
    return min(wilson(right, right + wrong)[0], low / (low + high))


def own_of(
    read: Sequence[tuple[Entailment, int]],
    held: Collection[int],
    supports: Bound | None,
    refutes: Bound | None,
) -> Own | None:
    """Return what sentences of one language tell, with their labels; None where against a bound.

    So it is where of those beyond it fewer are right, or wrong, than it says at least. Those whose
    places are `held` no reader supports.
    """
    scores = [(_support(one, n in held), label) for n, (one, label) in enumerate(read)]
    right, wrong = ([score for score, label in scores if label == n] for n in (1, 0))
    beyond = [label for score, label in scores if supports and score >= supports.at]
    against = [
        label
        for one, label in read
        if refutes and contradicts(one) and one.contradicted >= refutes.at
    ]
    if sum(beyond) < RIGHT * len(beyond) or sum(against) > (1 - WRONG) * len(against):
        return None
    at = supports.at if supports else min((one for one in right if one >= 0), default=1.0)
    return Own(len(read), len(wrong), round(share_beyond(at, right, wrong), 4))


def wilson(hits: int, total: int, z: float = QUANTILE) -> tuple[float, float]:
    """Return the ends of Wilson's interval of a share, `z` the normal quantile.

    Source: Wilson 1927, "Probable inference, the law of succession, and statistical inference".
    """
    share, square = hits / total, z * z / total
    middle = (share + square / 2) / (1 + square)
    half = z * math.sqrt(share * (1 - share) / total + square / (4 * total)) / (1 + square)
    return max(0.0, middle - half), min(1.0, middle + half)


def read_licence(path: Path) -> Licence:
    """Return the licence of a file; ConfigError where it is none."""
    try:
        data = parse_toml(read_bounded(path, _MOST_BYTES)[:_MOST_BYTES].decode("utf-8"))
        found = TypeAdapter(Licence).validate_python({**data, "model": data["model"]})
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", path=str(path)) from None
    except (LookupError, ValueError, RecursionError):  # pydantic's own is a ValueError
        raise ConfigError(_BROKEN.format(path.stem), path=str(path)) from None
    right = math.isfinite(found.seconds) and 0 <= found.wrong <= found.sentences
    for own in found.languages.values():
        right &= 0 <= own.wrong <= own.sentences and 0 <= own.alone <= 1
    for name, bound in found._bounds():
        least = RIGHT if name == "supports" else WRONG
        right &= 0 <= bound.at <= 1 and least <= bound.share <= 1 and bound.sentences > 0
    if not right:
        raise ConfigError(_BROKEN.format(path.stem), path=str(path))
    return found


def _quoted(text: str) -> str:
    """Return a text as a basic string of TOML."""
    whole = text.encode("utf-8", "replace").decode()
    return json.dumps(whole, ensure_ascii=False).replace("\x7f", "\\u007f")


def file_of(name: str, config: Config) -> Path:
    """Return the licence of a reader by its name, or a file from the folder of a configuration.

    ConfigError where no such reader was added.
    """
    if name.endswith(".toml"):
        return config.base / name
    folders = [reader_folder(), reader_folder(config.base)]
    for folder in folders:
        if folder and (path := folder / f"{called(name)}.toml").is_file():
            return path
    there = [one.stem for folder in folders if folder for one in sorted(folder.glob("*.toml"))]
    raise ConfigError(
        f"no reader {name!r} was added; expected a licence (NAME.toml), or first "
        f"`groundrules readers add {name}`{did_you_mean(called(name), there)}"
    )


def called(name: str) -> str:
    """Return the name of the file of a reader: letters, digits, dots and hyphens of its own."""
    return re.sub(r"[^\w.-]+", "-", name.partition("://")[2] or name).strip("-.")[-100:]
