"""Laws of what is kept of endpoints and language models: as it was, to the byte."""

from __future__ import annotations

from pathlib import Path

from groundrules.audit.answered import Answered, keep_answers
from groundrules.audit.kept import Kept


def test_answers_come_back_as_they_were_to_the_byte(tmp_path: Path) -> None:
    kept, path = Kept(tmp_path / "kept"), tmp_path / "run.sqlite"
    path.write_bytes(b"a snapshot")
    replies = tmp_path / "replies.jsonl"
    replies.write_bytes(b'{"b": 1}\n{"a": 1}\n')
    found = keep_answers(kept, path, replies)
    assert kept.get(found.replies) == b'{"a": 1}\n{"b": 1}\n'
    assert kept.get(found.snapshot) == b"a snapshot"
    assert keep_answers(kept, tmp_path / "none", tmp_path / "none") == Answered()
