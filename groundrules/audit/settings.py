"""The settings of a run with the files that they name: kept, and laid out again to be used."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

from groundrules import domain
from groundrules.audit.kept import Kept, hash_of
from groundrules.claims.documents.document import MAX_BYTES, Document
from groundrules.config import Config, from_settings
from groundrules.errors import SourceError
from groundrules.files import read_bounded
from groundrules.kb.sources.triplestore import STATE
from groundrules.ontology import load
from groundrules.reserved import path_of
from groundrules.rules.packs import built_in, find_pack

#: The most bytes and files of one thing that the settings name, such as a knowledge base.
MOST_BYTES = 256 * 2**20
MOST_FILES = 1_000

#: By setting and value: the name of a file or folder, and its files, hashes by name.
Files = dict[str, dict[str, dict[str, Any]]]


def keep_file(kept: Kept, document: Document) -> bool:
    """Keep the bytes of a document's file, and return whether it is still as it was read."""
    if not document.sha256:
        return False
    if kept.has(document.sha256):
        return True
    try:
        path = Path(document.name)
        if not path.is_file() or hash_of(path) != document.sha256:
            return False
        data = read_bounded(path, MAX_BYTES)
    except (OSError, ValueError):
        return False
    return kept.keep(data) == document.sha256


def keep_files(kept: Kept, config: Config) -> tuple[Files, list[str]]:
    """Keep the files that settings name; return their hashes, and what could not be kept."""
    files: Files = {}
    left: list[str] = []
    for key, spec, root, paths in _named(config):
        whole = (
            paths
            and len(paths) <= MOST_FILES
            and sum(one.stat().st_size for one in paths) <= MOST_BYTES
        )
        if not whole or any(path.name == STATE for path in paths):
            left.append(f"{key} {spec}")
            continue
        table = {}
        for path in paths:
            name = path.relative_to(root).as_posix()
            try:
                table[name] = kept.keep(path.read_bytes())
            except OSError as error:
                raise SourceError(f"cannot be read: {error.strerror}", path=str(path)) from None
        named = paths[0].relative_to(root).parts[0]
        files.setdefault(key, {})[spec] = {"name": named, "files": table}
    return files, left


def _named(config: Config) -> Iterable[tuple[str, str, Path, list[Path]]]:
    """Yield what settings name: the setting, its value, the folder it is in, and its files."""
    for name in config.packs:
        if name not in built_in():
            folder = find_pack(name, config.base).resolve()
            yield "packs", name, folder.parent, _files(folder)
    for spec in dict.fromkeys(config.kb):
        if (place := path_of("kb", spec, config.base)) and place.exists():
            path = Path(os.path.abspath(place))  # noqa: PTH100 - a link keeps its name
            yield "kb", spec, path.parent, _files(path)
    if config.ontology and config.ontology not in domain.names():
        path = load.place(config.ontology, config.base)
        found = list(load.files_of(path))
        yield "ontology", config.ontology, path.parent, found
    names = path_of("names", config.names, config.base)
    if names and names.is_file():
        yield "names", config.names, names.parent, [names]


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = (Path(folder, name) for folder, _, names in os.walk(path) for name in names)
    return sorted(one for one in found if one.is_file())[: MOST_FILES + 1]


def files_in(data: bytes) -> Iterator[str]:
    """Yield the hashes of the files that kept settings name; ValueError where they are none."""
    try:
        for found in json.loads(data)["files"].values():
            for thing in found.values():
                yield from map(str, thing["files"].values())
    except (TypeError, KeyError, AttributeError, RecursionError):
        raise ValueError("is no settings of a run") from None


def lay_out(data: Mapping[str, Any], kept: Kept, folder: Path) -> Config:
    """Return the settings that were kept, whose files are laid out in a folder.

    SourceError where something was erased or changed, ConfigError where a setting is wrong.
    """
    config = from_settings(data["settings"], folder, "the settings of the run")
    places = {
        key: {
            spec: _write(thing, spec, kept, folder / f"{key}-{number}")
            for number, (spec, thing) in enumerate(found.items())
        }
        for key, found in data["files"].items()
    }
    packs, kb = places.get("packs", {}), places.get("kb", {})
    for spec in config.kb:
        if spec not in kb and path_of("kb", spec) is not None:
            raise SourceError("this knowledge base was not kept", path=spec)
    own = {key: places.get(key, {}) for key in ("ontology", "names")}
    return replace(
        config,
        packs=tuple(packs.get(one, one) for one in config.packs),
        kb=tuple(kb.get(one, one) for one in config.kb),
        authoritative=tuple(kb.get(one, one) for one in config.authoritative),
        **{
            key: found.get(getattr(config, key), getattr(config, key)) for key, found in own.items()
        },
    )


def _write(thing: Mapping[str, Any], spec: str, kept: Kept, folder: Path) -> str:
    """Write files where they stood to each other, and return what now stands for a setting."""
    for name, digest in thing["files"].items():
        path = _within(folder, name, spec)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(kept.get(digest))
    return str(_within(folder, thing["name"], spec))


def _within(folder: Path, name: str, spec: str) -> Path:
    """Return a path in a folder; SourceError where a name leads out of it."""
    path = PurePosixPath(name)
    if not path.parts or ".." in path.parts or path.is_absolute() or "\0" in name:
        raise SourceError(f"{name!r} is no name of a file in a folder", path=spec)
    return folder.joinpath(*path.parts)
