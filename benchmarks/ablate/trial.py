"""Texts checked with every function watched, and with one left out at a time."""

from __future__ import annotations

import functools
import importlib
import pkgutil
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import groundrules
from benchmarks.ablate.names import needing, things
from benchmarks.ablate.targets import CONTRASTS, MODELS, PLACED, READERS, Target, functions
from benchmarks.lock.lines import Line, lines_from, lines_of
from benchmarks.lock.sets import Unit
from groundrules import cache as kept
from groundrules.align import statements
from groundrules.align.limits import WARNING
from groundrules.checks import documents, report, verdicts
from groundrules.checks.plan import Plan
from groundrules.models.logistic import logit

_LRU = type(functools.lru_cache(len))
_ROOMS = ("groundrules.align.", "groundrules.checks.", "groundrules.claims.")
#: What was read of documents, on which nothing that is left out has a say.
_READ = "groundrules.checks.extractions"


class Unchanged(Exception):  # noqa: N818 - it tells of no error
    """What is left out changes nothing of what the rules are given."""


class Board:
    """The functions that may find nothing, each watched, and left out where it is named `off`."""

    def __init__(self, *, reads: bool = False) -> None:
        self.off: frozenset[str] = frozenset()
        #: Whether each text is read anew, so that what reads it is watched.
        self._reads = reads
        #: By name: calls, calls that found something, seconds of those not within another.
        self.seen: dict[str, list[float]] = defaultdict(lambda: [0, 0, 0.0])
        self._inside: dict[str, int] = defaultdict(int)
        #: What some functions gave of the text that is tried, where what is off has no say in it.
        self._known: dict[Any, Any] = {}
        self._above: frozenset[str] = frozenset()
        self.caches: dict[str, Any] = {}
        _import_all()
        found = {}
        for module in _modules(_ROOMS):
            for name, value in list(vars(module).items()):
                if isinstance(value, _LRU) and value.__module__ == module.__name__:
                    self.caches[f"{module.__name__.removeprefix('groundrules.')}.{name}"] = value
        for name, make in functions().items():
            module, _, short = name.rpartition(".")
            value = getattr(sys.modules[f"groundrules.{module}"], short)
            found[id(value)] = self._watched(name, value, make)
        self._undo = _exchange(found)
        if reads:
            self._undo.append(functools.partial(setattr, kept, "read", kept.read))
            vars(kept)["read"] = lambda *_: None
        for module, name, key in (
            (documents, "ground", lambda *_, **__: ()),
            (documents, "resolve", lambda *_: ()),
            (statements, "account", lambda said, _, before: (said, before)),
            (statements, "index_figures", lambda texts, _: texts),
        ):
            function = getattr(module, name)
            self._undo.append(functools.partial(setattr, module, name, function))
            full = f"{function.__module__.removeprefix('groundrules.')}.{name}"
            setattr(module, name, self._kept(full, function, key))

        self._aligned: Any = None
        self._stops = False
        align = statements.align_statements
        self._undo.append(functools.partial(setattr, documents, "align_statements", align))

        @functools.wraps(align)
        def align_statements(*arguments: Any, **named: Any) -> Any:
            found = align(*arguments, **named)
            if not self._above:
                self._aligned = found
            elif self._stops and found == self._aligned:
                raise Unchanged
            return found

        vars(documents)["align_statements"] = align_statements

    def _kept(
        self, name: str, function: Callable[..., Any], key: Callable[..., Any]
    ) -> Callable[..., Any]:
        """Return a function that is asked once of a text, but where what is off has a say."""

        @functools.wraps(function)
        def kept(*arguments: Any, **named: Any) -> Any:
            if name in self._above:
                return function(*arguments, **named)
            place = (name, key(*arguments, **named))
            if place not in self._known:
                self._known[place] = function(*arguments, **named)
            return self._known[place]

        return kept

    def _watched(
        self, name: str, function: Callable[..., Any], make: Callable[..., Any]
    ) -> Callable[..., Any]:
        finds = (
            _sure if name in CONTRASTS else _is_placed(name) if name in PLACED else _is_something
        )
        lazy = things()[name].returns.startswith(("Iterator", "Iterable"))

        finder = name in CONTRASTS

        @functools.wraps(function)
        def watched(*arguments: Any, **named: Any) -> Any:
            if name in self.off:
                return make(*arguments, **named)
            if finder and name not in self._above:
                (pairs,) = arguments
                said = pairs[0].mine.text if pairs else ""
                place = (name, said, *(one.theirs.text for one in pairs))
                if place not in self._known:
                    self._known[place] = tuple(counted(*arguments, **named))
                return iter(self._known[place])
            return counted(*arguments, **named)

        def counted(*arguments: Any, **named: Any) -> Any:
            seen = self.seen[name]
            seen[0] += 1
            outer = not self._inside[name]
            self._inside[name] += 1
            began = time.thread_time() if outer else 0.0
            try:
                found = function(*arguments, **named)
                if lazy:
                    found = list(found)
            finally:
                self._inside[name] -= 1
                if outer:
                    seen[2] += time.thread_time() - began
            seen[1] += finds(found, arguments, named)
            return iter(found) if lazy else found

        return watched

    def close(self) -> None:
        """Put all functions back."""
        for undo in self._undo:
            undo()

    def forget(self) -> None:
        """Forget what was found of texts, so that each function is asked again."""
        for cache in self.caches.values():
            if (self._reads or cache.__module__ != _READ) and cache.cache_parameters()["maxsize"]:
                cache.cache_clear()
        self._known.clear()
        self._aligned = None

    @contextmanager
    def without(self, names: Iterable[str], *, stops: bool = False) -> Iterator[None]:
        """Leave some functions out, and forget before and after what rests on them.

        With `stops` a check ends by `Unchanged` where its statements are those of the last with
        all: what comes then has no need of the functions.
        """
        above = frozenset().union(*(needing(name) for name in names))
        if any(map(READERS.match, names)):
            # what is read goes to all
            above = frozenset(things())
        caches = [cache for name, cache in self.caches.items() if name in above]
        self.off, self._above = frozenset(names), above
        # what is grounded goes to the rules besides
        self._stops = stops and "align.grounding.ground" not in above
        for cache in caches:
            cache.cache_clear()
        try:
            yield
        finally:
            self.off = self._above = frozenset()
            for cache in caches:
                cache.cache_clear()


def _is_something(found: Any, *_: Any) -> bool:
    return bool(len(found)) if hasattr(found, "__len__") else bool(found)


def _is_placed(name: str) -> Callable[..., bool]:
    """Return what tells whether a function gave another value than what stands in its place."""
    return lambda found, given, named: bool(found != PLACED[name](*given, **named))


def _sure(found: Any, *_: Any) -> bool:
    """Return whether a contrast may be sure enough for a rule; one less sure decides nothing."""
    return any(one.sure >= WARNING for one in found)


def _import_all() -> None:
    for one in pkgutil.walk_packages(groundrules.__path__, "groundrules."):
        if one.name.startswith((*_ROOMS, "groundrules.explain.", "groundrules.claims.")):
            importlib.import_module(one.name)


def _modules(rooms: tuple[str, ...]) -> list[Any]:
    return [m for name, m in sorted(sys.modules.items()) if name.startswith(rooms) and m]


def _exchange(found: Mapping[int, Any]) -> list[Callable[[], None]]:
    """Put others in the places of some functions, in every module that has them.

    Return what undoes it.
    """
    undo: list[Callable[[], None]] = []
    for module in _modules(("groundrules.",)):
        for name, value in list(vars(module).items()):
            other: Any = None
            if id(value) in found:
                other = found[id(value)]
            elif isinstance(value, tuple | list) and any(id(one) in found for one in value):
                other = type(value)(found.get(id(one), one) for one in value)
            elif isinstance(value, dict) and any(id(one) in found for one in value.values()):
                other = {key: found.get(id(one), one) for key, one in value.items()}
            if other is not None:
                undo.append(functools.partial(setattr, module, name, value))
                setattr(module, name, other)
    return undo


# --- models -----------------------------------------------------------------------------------


@contextmanager
def _covered_words() -> Iterator[None]:
    """Take the share of content words found for the support of a sentence."""
    from groundrules.align.support import Model

    def covered(self: Model, values: Mapping[str, float]) -> float:
        return logit(min(0.98, max(0.02, values["coverage"])))

    with patch.object(Model, "logit", covered):
        yield


@contextmanager
def _no_pieces() -> Iterator[None]:
    """Have no vector of a word piece in the support of sentences."""
    from groundrules.align import grounding
    from groundrules.align.support import Vectors
    from groundrules.models.embed import encode_tokens

    rows = encode_tokens(["a"])[0].vectors[:0]

    def none(text: Any, near: Any, index: Any) -> dict[str, Any]:
        said = {text.document.text[s.start : s.end] for s in text.sentences}
        said |= {index.passages.texts[n] for found in near for n in found}
        return dict.fromkeys(said, Vectors((), rows))

    with patch.object(grounding, "_vectors", none):
        yield


@contextmanager
def _no_labels() -> Iterator[None]:
    """Have labels alike only where they are the same."""
    import hashlib

    import numpy as np

    from groundrules.align import cluster, kea, select
    from groundrules.checks import kb

    def vector(text: str) -> Any:
        seed = int.from_bytes(hashlib.sha256(text.casefold().encode()).digest()[:4], "big")
        found = np.random.default_rng(seed).standard_normal(384).astype(np.float32)
        return found / np.linalg.norm(found)

    def encode(labels: Any, **_: Any) -> Any:
        return np.stack([vector(one) for one in labels]) if len(labels) else np.zeros((0, 384))

    with ExitStack() as stack:
        for module in (cluster, kea, select, kb):
            stack.enter_context(patch.object(module, "encode", encode))
        yield


#: What stands in the place of a model, by its name.
_IN_PLACE: dict[str, Any] = dict(zip(MODELS, (_covered_words, _no_pieces, _no_labels), strict=True))


class Judged:
    """What the last text was judged by: its statements, and what was found in them."""

    def __init__(self) -> None:
        self.arguments: tuple[Any, Any, dict[str, Any]] | None = None
        judge = verdicts.judge_statements

        def judge_statements(statements: Any, violations: Any, **named: Any) -> Any:
            self.arguments = statements, violations, named
            return judge(statements, violations, **named)

        self._judge = judge
        self._patch = patch.object(report, "judge_statements", judge_statements)
        self._patch.start()

    def close(self) -> None:
        """Judge as before."""
        self._patch.stop()

    def without(self, unit: Unit, rule: str) -> list[Line]:
        """Return the lines of the last text where a rule is silent that supersedes no other."""
        assert self.arguments is not None
        statements, violations, named = self.arguments
        kept = tuple(one for one in violations if one.rule != rule)
        return lines_from(unit, self._judge(statements, kept, **named), kept)

    def rules(self) -> frozenset[str]:
        """Return the rules that found something in the last text."""
        return frozenset(one.rule for one in self.arguments[1]) if self.arguments else frozenset()


def left_out(unit: Unit, place: Path, board: Board, target: Target, base: list[Line]) -> list[Line]:
    """Return the lines of a text with a target left out; `base` are those with all, made last."""
    if target.kind == "rule":
        return lines_of(unit, place, lambda plan: _without_rule(plan, target.name))
    if target.kind == "model":
        board.forget()
        try:
            with _IN_PLACE[target.name]():
                return lines_of(unit, place)
        finally:
            board.forget()
    # what finds a contrast or a figure is asked for by the statements alone
    stops = target.kind in ("finder", "derivation")
    try:
        with board.without(target.functions, stops=stops):
            return lines_of(unit, place)
    except Unchanged:
        return base


def _without_rule(plan: Plan, rule: str) -> Plan:
    packs = (
        replace(pack, rules=tuple(one for one in pack.rules if one.id != rule))
        for pack in plan.packs
    )
    rules = {name: table for name, table in plan.config.rules.items() if name != rule}
    return replace(plan, packs=tuple(packs), config=replace(plan.config, rules=rules))
