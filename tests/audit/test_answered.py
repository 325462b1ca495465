"""Laws of what is kept of endpoints and language models: as it was, and each thing once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from groundrules.audit.answered import keep_answers, write_answers
from groundrules.audit.kept import Kept
from groundrules.errors import SourceError
from groundrules.kb.sources.responses import Response, write_snapshot
from tests.kb.test_responses import NOW, response


def test_answers_come_back_as_they_were_to_the_byte(tmp_path: Path) -> None:
    kept, path = Kept(tmp_path / "kept"), tmp_path / "run.sqlite"
    faulty = Response("http://e/", "SELECT ?f", response(1).fetched, outcome="error BANNED no")
    write_snapshot(
        [response(1, os.urandom(3000)), response(2, "ø".encode()), faulty], path, NOW.date()
    )
    replies = tmp_path / "replies.jsonl"
    replies.write_bytes(b'{"b": 1}\n{"a": 1}\n')
    found = keep_answers(kept, path, replies)
    assert kept.get(found.replies) == b'{"a": 1}\n{"b": 1}\n'
    again = tmp_path / "again.sqlite"
    write_answers(kept, found.day, found.responses, again)
    assert again.read_bytes() == path.read_bytes()
    kept.erase(found.responses[1])
    with pytest.raises(SourceError, match="is lost: it was kept, and not erased"):
        write_answers(kept, found.day, found.responses, again)
    assert keep_answers(kept, tmp_path / "none", tmp_path / "none").responses == ()
