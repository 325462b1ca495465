"""What endpoints and language models answered while a text was checked, kept for its replay.

Each response of an endpoint is kept once, however many texts rest on it; a text has their hashes.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from groundrules.audit import canonical
from groundrules.audit.kept import Kept
from groundrules.config import Config
from groundrules.errors import SourceError
from groundrules.kb.sources.responses import Cache, Response, write_snapshot
from groundrules.reserved import path_of

_MOST_BYTES = 2**30  # of the body of a response


@dataclass(frozen=True, slots=True)
class Answered:
    """What was answered for a text, as hashes of what is kept.

    `responses` are those of endpoints and `day` that of their snapshot (ISO 8601), empty where none
    was asked; `replies` are the lines that a language model's client recorded.
    """

    day: str = ""
    responses: tuple[str, ...] = ()
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
    """Keep what a snapshot and a file of recorded replies have, as far as they are there."""
    day, names = "", []
    if snapshot.exists():
        cache = Cache(snapshot, "read")
        day = cache.day.isoformat() if cache.day else ""
        names = [kept.keep(_packed(one)) for one in cache.responses()]
    # in which order they came depends on who answered first
    lines = sorted(replies.read_bytes().splitlines(keepends=True)) if replies.exists() else []
    return Answered(day, tuple(names), kept.keep(b"".join(lines)) if lines else "")


def write_answers(kept: Kept, day: str, responses: Sequence[str], path: Path) -> None:
    """Write kept responses as a snapshot; SourceError where one was erased or changed."""
    write_snapshot([_unpacked(kept.get(one)) for one in responses], path, date.fromisoformat(day))


def _packed(response: Response) -> bytes:
    return canonical.dumps(
        {
            "endpoint": response.endpoint,
            "query": response.query,
            "fetched": response.fetched,
            "outcome": response.outcome,
            "sha256": response.digest,
            "body": base64.b64encode(zlib.compress(response.body)).decode(),
        }
    )


def _unpacked(data: bytes) -> Response:
    try:
        found = json.loads(data)
        packed = base64.b64decode(found["body"], validate=True)
        body = zlib.decompressobj().decompress(packed, _MOST_BYTES)
        return Response(
            found["endpoint"],
            found["query"],
            found["fetched"],
            outcome=found["outcome"],
            body=body,
            digest=found["sha256"],
        )
    except (ValueError, TypeError, KeyError, zlib.error) as error:
        raise SourceError(f"is no kept response: {error}") from None
