"""What this installation holds: its packs and its models, with their digests."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from groundrules.models import shipped

_DIGITS = 12


def digest(paths: Iterable[Path], root: Path) -> str:
    """Return the first digits of the SHA-256 over the names and contents of some files."""
    total = hashlib.sha256()
    for path in sorted(paths):
        total.update(path.relative_to(root).as_posix().encode() + b"\0")
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()[:_DIGITS]


def models() -> list[tuple[str, str]]:
    """Return the name and digest of each embedded model."""
    folders = ((name, shipped.folder(name)) for name in shipped.names())
    return [
        (name, digest((path for path in folder.rglob("*") if path.is_file()), folder))
        for name, folder in folders
    ]


def packs() -> list[tuple[str, str]]:
    """Return the name and digest of each pack in force by default."""
    from groundrules.cli import settings
    from groundrules.config import Config

    return [(pack.name, pack.digest[:_DIGITS]) for pack in settings.packs(Config())]
