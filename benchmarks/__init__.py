"""Measurements: cost, and ratios against named peers; `python -m benchmarks` runs them all."""

from __future__ import annotations

import hashlib
from pathlib import Path

import groundrules

__all__ = ["folder_of_code"]


def folder_of_code(out: Path, package: Path = Path(groundrules.__file__).parent) -> Path:
    """Return the folder, made if need be, of what this code measures: another code has another."""
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*")):
        if path.is_file() and path.suffix != ".pyc":
            digest.update(f"{path.relative_to(package).as_posix()}\0".encode())
            digest.update(path.read_bytes())
    folder = out / digest.hexdigest()[:12]
    folder.mkdir(parents=True, exist_ok=True)
    return folder
