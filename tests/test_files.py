"""Laws of files: read to a limit, written whole or not at all, private where they are ours."""

from __future__ import annotations

import os
import stat
import threading
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from groundrules import files


def test_no_more_is_read_than_the_limit_and_a_byte(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * 50)

    assert files.read_bounded(tmp_path / "a", 10) == b"x" * 11
    assert files.read_bounded(tmp_path / "a", 50) == b"x" * 50


def test_a_folder_is_no_file_and_leaves_no_handle_open(tmp_path: Path) -> None:
    first = os.open(os.devnull, os.O_RDONLY)
    os.close(first)

    with pytest.raises(IsADirectoryError):
        files.read_bounded(tmp_path, 10)

    again = os.open(os.devnull, os.O_RDONLY)
    os.close(again)
    assert again == first, "the lowest free handle is what it was"


@pytest.mark.parametrize("written_to", [True, False])
@pytest.mark.parametrize("read", [files.read_whole, lambda path: files.read_bounded(path, 10)])
def test_a_named_pipe_is_refused_at_once_whoever_holds_its_other_end(
    written_to: bool, read: Callable[[Path], bytes], tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "pipe")
    other = os.open(tmp_path / "pipe", os.O_RDWR) if written_to else None  # and says nothing

    try:
        with pytest.raises(OSError, match="it is a named pipe; expected a regular file"):
            read(tmp_path / "pipe")
    finally:
        if other is not None:
            os.close(other)


def test_neither_a_device_nor_a_link_to_an_open_handle_is_read(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    (tmp_path / "link").symlink_to(f"/dev/fd/{reader}")

    try:
        with pytest.raises(OSError, match="it is a device; expected a regular file"):
            files.read_bounded(Path("/dev/zero"), 1000)
        with pytest.raises(OSError, match="it is a named pipe; expected a regular file"):
            files.read_bounded(tmp_path / "link", 1000)
    finally:
        os.close(reader)
        os.close(writer)


def test_a_pipe_that_a_shell_passes_is_read_to_its_end() -> None:
    reader, writer = os.pipe()

    def write() -> None:
        os.write(writer, b"first ")
        os.write(writer, b"second")
        os.close(writer)

    thread = threading.Timer(0.05, write)
    thread.start()
    try:
        assert files.read_bounded(Path(f"/dev/fd/{reader}"), 100) == b"first second"
    finally:
        thread.join()
        os.close(reader)


def test_a_file_that_fails_to_be_written_leaves_the_old_one_and_nothing_else(
    tmp_path: Path,
) -> None:
    (tmp_path / "a").write_bytes(b"old")

    def fails() -> None:
        with files.beside(tmp_path / "a") as part:
            part.write_bytes(b"ne")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fails()
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == {"a": b"old"}


def test_what_is_written_is_on_the_disk_before_it_takes_the_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    sync, put = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda handle: (done.append("fsync"), sync(handle))[1])
    monkeypatch.setattr(os, "replace", lambda a, b: (done.append("replace"), put(a, b))[1])

    files.write_atomically(tmp_path / "a", b"new")

    assert done == ["fsync", "replace"]
    assert (tmp_path / "a").read_bytes() == b"new"


def test_what_is_for_the_user_alone_is_readable_by_no_other(tmp_path: Path) -> None:
    path = tmp_path / "one" / "two" / "file"

    files.own_file(path)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [stat.S_IMODE(p.stat().st_mode) for p in (path.parent, path.parent.parent)] == [
        0o700,
        0o700,
    ]


@pytest.mark.parametrize("part", ["a", "1", '"a b"', "'.'", "a-b_c"])
def test_a_key_is_read_iff_it_has_no_more_parts_than_are_bounded(part: str) -> None:
    table = files.parse_toml(".".join([part] * files.MOST_PARTS) + " = 1")
    for _ in range(files.MOST_PARTS - 1):
        (table,) = table.values()
    assert list(table.values()) == [1]
    with pytest.raises(
        tomllib.TOMLDecodeError, match=r"more than 64 parts \(at line 2, column 3\)"
    ):
        files.parse_toml("\n  " + ".".join([part] * (files.MOST_PARTS + 1)) + " = 1")


def test_a_number_of_too_many_digits_is_told_with_its_line() -> None:
    with pytest.raises(tomllib.TOMLDecodeError, match=r"4,300 digits \(at line 2, column 5\)"):
        files.parse_toml("a = 1\nb = " + "9" * 5_000)


def test_a_text_with_many_full_stops_is_no_key_of_many_parts() -> None:
    said = "A. B. C. " * 10 + "..." * 100 + "\n" + "1.5, 2.5; " * 100
    assert files.parse_toml(f'why = """{said}"""') == {"why": said}
