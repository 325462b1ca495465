"""A sign-off: a person says in the log that they have read an audit, and the dossier has it.

The log has the hash of `report.json` and of the sample, so that what was signed is that state and
no other; with a key the line is signed at once.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from groundrules.audit.kept import hash_of
from groundrules.audit.log import Event, Log, read
from groundrules.audit.results import as_written
from groundrules.audit.sampling import SAMPLE
from groundrules.audit.summary import REPORT_JSON, audited
from groundrules.errors import SourceError
from groundrules.files import write_atomically

SIGNED = "sign-off.json"
_NOTED = ("by", "at", "why", "report", "sample", "log", "head", "key", "public_key")


def sign_off(log: Log, out: Path, *, by: str, why: str, public_key: str = "") -> str:
    """Log that a person has read an audit, note it in its folder, and return the hash of the line.

    `public_key` is the file by which the signature is verified. SourceError where the folder is no
    audit, or the log has not all of its texts.
    """
    keys = set(audited(out))
    there = {event.get("key") for event in read(log.path)}
    if missing := keys - there:
        raise SourceError(
            f"has {len(keys) - len(missing):,} of the {len(keys):,} texts of {out}; expected the "
            "log of that audit",
            path=str(log.path),
        )
    at = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
    told = {"by": by, "why": why, "audit": out.name, **_state(out)}
    head = log.append("", [Event("signed-off", fields=told)])
    note = {**told, "at": at, "log": str(log.path), "head": head, "key": log.signer,
            "public_key": public_key}  # fmt: skip
    write_atomically(out / SIGNED, (json.dumps(note, indent=1) + "\n").encode())
    return head


def read_sign_off(out: Path) -> Mapping[str, Any]:
    """Return the sign-off of an audit with its `state`: "holds", or "stale" where it has changed.

    Empty where nobody has signed it off; SourceError where the note is damaged.
    """
    path = out / SIGNED
    if not path.exists():
        return {}
    with as_written(path):
        note = json.loads(path.read_bytes())
        same = {name: note[name] for name in ("report", "sample")} == _state(out)
        known = {name: str(note[name]) for name in _NOTED}
    return {**known, "state": "holds" if same else "stale"}


def _state(out: Path) -> dict[str, str]:
    """Return the hashes of what is signed: the report, and the sample where one was drawn."""
    return {"report": hash_of(out / REPORT_JSON), "sample": hash_of(out / SAMPLE)}
