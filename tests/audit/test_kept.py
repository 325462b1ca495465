"""Laws of what is kept beside a log: named by its hash, found changed, erased alone."""

from __future__ import annotations

import hashlib
import os
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.audit.kept import Kept, beside, hash_of
from groundrules.audit.log import verify
from groundrules.errors import SourceError


@given(data=st.lists(st.binary(max_size=50), min_size=1, max_size=5))
def test_what_is_put_is_got_by_its_hash(
    tmp_path_factory: pytest.TempPathFactory, data: list[bytes]
) -> None:
    kept = Kept(tmp_path_factory.mktemp("kept"))
    names = [kept.keep(one) for one in data]
    assert names == [hashlib.sha256(one).hexdigest() for one in data]
    assert [Kept(kept.folder).get(name) for name in names] == data
    assert not list(kept.damaged())


def test_a_flipped_bit_is_found_wherever_it_is(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "log.kept")
    data = random.Random(7).randbytes(64)
    name = kept.keep(data)
    path = kept.folder / name[:2] / name[2:]
    for bit in range(8 * len(data)):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        path.write_bytes(changed)
        assert list(kept.damaged()) == [path]
        with pytest.raises(SourceError, match="was changed"):
            kept.get(name)
    assert Kept(kept.folder).keep(data) == name  # and is mended by what it was
    assert kept.get(name) == data


def test_what_is_erased_is_told_and_the_rest_stays(tmp_path: Path) -> None:
    kept = beside(tmp_path / "audit.log")
    assert kept.folder == tmp_path / "audit.log.kept"
    one, other = kept.keep(b"one"), kept.keep(b"other")
    assert kept.erase(one)
    assert not kept.erase(one)
    assert (kept.has(one), kept.has(other)) == (False, True)
    with pytest.raises(SourceError, match="is lost: it was kept, and not erased"):
        kept.get(one)
    assert kept.keep(b"one") == one
    assert kept.get(one) == b"one"


def test_only_its_user_may_read_it(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "log.kept")
    kept.keep(b"one")
    assert kept.folder.stat().st_mode & 0o077 == 0


def test_what_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "log.kept").write_text("a file")
    with pytest.raises(SourceError, match="cannot be written"):
        Kept(tmp_path / "log.kept").keep(b"one")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_in_place_of_a_log_or_of_a_kept_file_is_refused_and_not_waited_for(
    tmp_path: Path,
) -> None:
    kept = Kept(tmp_path / "kept")
    place = kept.place(kept.keep(b"words"))
    place.unlink()
    for path in (place, tmp_path / "log.jsonl"):
        os.mkfifo(path)
    assert hash_of(place) == ""
    with pytest.raises(SourceError, match="named pipe"):
        kept.get(hashlib.sha256(b"words").hexdigest())
    with pytest.raises(SourceError, match="named pipe"):
        verify(tmp_path / "log.jsonl")
