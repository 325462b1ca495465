"""What a service was started with: its settings, what clients may name, and the limits."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from groundrules.claims.documents.document import Document
from groundrules.config import Config
from groundrules.llm.budget import Totals

#: Words of a text that are checked in a second, by a machine that does nothing else.
_WORDS = 150

#: What the proxy may do with an answer that does not pass.
ProxyOnFail = Literal["report", "fix", "filter", "reask", "refrain"]


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class Settings:
    """What a service was started with.

    `bases`, `ontologies` and `schemas` map the names that clients may use to what they stand for;
    `records` is the store that questions are put to. `keys` are the keys of clients, none: all may
    ask; `hosts` are the names under which it may be asked, none: any. `config` is that of every
    check but for knowledge bases and ontology.

    `upstream` is the endpoint that the proxy asks, empty: there is no proxy; `upstream_model` the
    one model of it that may be asked, empty: all of them, `upstream_key` the key for it, and
    `upstream_seconds` what it may take until something comes. `context` is what its answers are
    checked against where a request names nothing, and `on_fail` what is done with one that does not
    pass, whatever a request says; None: a request may say.

    The limits: `workers` processes, each with `memory` bytes for one check, which may take
    `seconds`, and have a text of `words`; `queue` checks may wait; `body` bytes of a request,
    `index` of the contexts that are kept; `tokens_hour` and `tokens_day` of a language model, of
    all requests together, 0: no limit.
    `totals` counts them, once the service is there. `keep` lets the caches on the disk keep what
    they are given.
    """

    config: Config = field(default_factory=Config)
    bases: Mapping[str, str] = field(default_factory=dict)
    ontologies: Mapping[str, str] = field(default_factory=dict)
    schemas: Mapping[str, Path] = field(default_factory=dict)
    records: str = ""
    upstream: str = ""
    upstream_model: str = ""
    upstream_key: str = field(default="", repr=False)
    upstream_seconds: float = 120.0
    context: tuple[Document, ...] = ()
    on_fail: ProxyOnFail | None = None
    keys: tuple[str, ...] = field(default=(), repr=False)
    hosts: tuple[str, ...] = ()
    workers: int = field(default_factory=_cores)
    queue: int = 32
    seconds: float = 30.0
    memory: int = 2 * 2**30
    body: int = 16 * 2**20
    index: int = 64 * 2**20
    tokens_hour: int = 0
    tokens_day: int = 0
    totals: Totals | None = None
    keep: bool = False

    @property
    def words(self) -> int:
        """The most words of a text that may be checked in the time there is."""
        return int(self.seconds * _WORDS)
