"""Packages as pip leaves them: what registers plugins without an installation."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def register(folder: Path, groups: Mapping[str, Mapping[str, str]], name: str = "guest") -> None:
    """Write the metadata of a package that registers some objects; the folder goes on sys.path."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = []
    for group, entries in groups.items():
        lines += [f"[{group}]", *(f"{key} = {value}" for key, value in entries.items()), ""]
    (info / "entry_points.txt").write_text("\n".join(lines))
