"""What endpoints and language models answered while a text was checked, kept for its replay."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from groundrules.audit.kept import Kept
from groundrules.config import Config
from groundrules.reserved import path_of


@dataclass(frozen=True, slots=True)
class Answered:
    """What was answered for a text, as hashes of what is kept, empty where nobody was asked.

    `snapshot` has what endpoints answered, and `replies` the lines that a language model's client
    recorded.
    """

    snapshot: str = ""
    replies: str = ""


def asks(config: Config) -> bool:
    """Return whether endpoints are asked, or the cache of what they answered."""
    paths = (path_of("kb", spec) for spec in config.bases)
    return None in paths and not is_snapshot(config)


def is_snapshot(config: Config) -> bool:
    """Return whether a snapshot answers in place of the endpoints."""
    snapshot = path_of("offline", config.offline)
    return snapshot is not None and snapshot.is_file()


def keep_answers(kept: Kept, snapshot: Path, replies: Path) -> Answered:
    """Keep a snapshot and a file of recorded replies, as far as they are there."""
    # in which order they came depends on who answered first
    lines = sorted(replies.read_bytes().splitlines(keepends=True)) if replies.exists() else []
    return Answered(
        kept.keep(snapshot.read_bytes()) if snapshot.exists() else "",
        kept.keep(b"".join(lines)) if lines else "",
    )
