"""An audit without the words of texts and sources: its results written anew, named by number.

The audit itself needs the texts, to go on where it was ended: they are in a folder beside, which
only this user may read, and which goes once the redacted one is there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from groundrules.audit.results import (
    Ledger,
    Rest,
    Result,
    read_report,
    result_of,
    sorted_results,
    write_report,
    write_source,
)
from groundrules.audit.runner import MANIFEST, Done
from groundrules.audit.tasks import Fault, Task, Text
from groundrules.claims.document import Document
from groundrules.errors import ConfigError
from groundrules.explain.redact import is_plain, redact
from groundrules.files import own_file, write_atomically

_KEPT_OUT = "kept out"
#: A file of a folder that a redacted audit has made, and takes away.
_MARK = "until-redacted"
#: What is said of a text by whoever watches the workers: it has no words of it.
_LIMITS = re.compile(
    r"it took (?:longer than the [\d.e+]+ seconds that|more memory than) a text may take, twice"
)


def folder_of_texts(out: Path) -> Path:
    """Return where a redacted audit has its texts until it is done, which is made if need be.

    ConfigError where the folder of the results is there already, with something in it, or that of
    the texts is something else.
    """
    if out.is_dir() and any(out.iterdir()):
        raise ConfigError(
            "is not empty; expected a new folder, as nothing of a redacted audit is kept to go "
            "on with",
            path=str(out),
        )
    folder = out.with_name(f"{out.name}.texts")
    try:
        if folder.exists() and not (folder / _MARK).is_file():
            raise ConfigError("is there already; a redacted audit has its texts there until it is "
                              "done: expected another folder for -o", path=str(folder))  # fmt: skip
        own_file(folder / _MARK)
    except OSError as error:
        raise ConfigError(f"cannot be written: {error.strerror}", path=str(folder)) from None
    return folder


@dataclass(slots=True)
class _Numbered:
    """Names by the order in which things occur, and what each stands for."""

    kind: str
    names: dict[object, str] = field(default_factory=dict)
    key: dict[str, str] = field(default_factory=dict)

    def name(self, thing: object, words: str) -> str:
        if thing not in self.names:
            name = self.names[thing] = f"{self.kind}-{len(self.names) + 1}"
            self.key[name] = words
        return self.names[thing]


def write_redacted(texts: Path, out: Path, done: Done) -> tuple[Done, dict[str, Any]]:
    """Write the results of an audit anew without words; return what it has, and the key.

    SourceError where a report has changed.
    """
    ids, sources = _Numbered("text"), _Numbered("source")
    inputs, places = _Numbered("input"), _Numbered("place")
    words: dict[str, Mapping[str, str]] = {}
    found: list[Result] = []
    with Ledger(out) as ledger:
        for result in sorted_results(texts, done.keys):
            name = ids.name(result.id, result.id)
            task = Task(name, name, "", Text(name, ""), given=result.given and ids.name(
                result.given, result.given))  # fmt: skip
            if result.error:
                why = result.error if _LIMITS.fullmatch(result.error) else "it could not be read"
                made = Result(name, name, "", "", error=why, given=task.given)
            else:
                closed, words[name] = redact(read_report(texts, result), name)
                kept = {
                    one: write_source(out, Document(one, text))
                    for one, text in closed.sources.items()
                    if one != name
                }
                digest = write_report(out, name, closed, kept)
                rests = tuple(
                    Rest(sources.name((one.name, one.key), one.name) if one.name else "", "",
                         one.outcomes)
                    for one in result.sources
                )  # fmt: skip
                made = replace(result_of(task, closed, kept, digest), sources=rests)
            found.append(made)
        ledger.append(found)
    faults = [Fault(places.name(str(one), str(one)), "could not be read") for one in done.faults]
    manifest = {
        **done.manifest,
        "redacted": True,
        "asked": {},
        "environment": {},
        "inputs": [inputs.name(one, one) for one in done.manifest["inputs"]],
        "contexts": [inputs.name(one, one) for one in done.manifest["contexts"]],
        "settings": {
            key: value if is_plain(value) else _KEPT_OUT
            for key, value in done.manifest["settings"].items()
        },
        "knowledge": [
            {"name": inputs.name(one["name"], one["name"]), "role": one["role"], "sha256": ""}
            for one in done.manifest["knowledge"]
        ],
    }
    write_atomically(out / MANIFEST, (json.dumps(manifest, indent=1) + "\n").encode())
    key = {
        "texts": {name: {"id": told, **words.get(name, {})} for name, told in ids.key.items()},
        "sources": sources.key,
        "inputs": inputs.key,
        "places": places.key,
    }
    return Done({one.key for one in found}, faults, done.tally, manifest), key
