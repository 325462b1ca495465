"""Hostile and odd input, from the command line to the last rule: one clear line, or a report."""

from __future__ import annotations

import io
import json
import os
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from groundrules.explain.formats import json as json_format
from tests.cli.conftest import Outcome
from tests.rows import each

Cli = Callable[..., Outcome]

LEASE = """\
This Lease is made between Alpine Holdings LLC (the "Landlord") and Harbor Books, Inc. (the
"Tenant"). The term of this Lease commences on May 1, 2021. The Tenant shall pay the Landlord a
base rent of $4,850 per month.
"""
ANSWER = "The term of the Lease commences on June 1, 2021.\n"


@pytest.fixture(autouse=True)
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a lease and an answer that has one date wrong."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GROUNDRULES_CACHE", "off")
    monkeypatch.delenv("GROUNDRULES_OUTPUT_FORMAT", raising=False)
    write(tmp_path / "lease.txt", LEASE)
    write(tmp_path / "answer.txt", ANSWER)
    return tmp_path


def write(path: Path, content: str | bytes) -> None:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


def refused(found: Outcome) -> str:
    """Return the one line that says what is wrong."""
    assert (found.code, found.out) == (2, "")
    assert found.err.startswith("groundrules: ")
    assert found.err.endswith("\n")
    assert found.err.count("\n") == 1
    assert "internal error" not in found.err
    assert "Traceback" not in found.err
    return found.err.removeprefix("groundrules: ").rstrip("\n")


def packed(members: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


@pytest.mark.parametrize("place", ["text", "context"])
@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.txt", b"", "no text"),
        ("blank.txt", b" \n\t\r\n \x0c", "no text"),
        ("program.txt", b"\x7fELF\x02\x01\x01" + bytes(range(256)) * 8, "binary"),
        ("bad.txt", b"The rent is \xff\xfe\xfa due.\xc3(", "utf-8"),
        ("page.html", b"<html><script>rent()</script></html>", "no text"),
        ("not.pdf", b"%PDF-1.7\n%%EOF", "pdf"),
        ("text.docx", b"The rent is due.", "is not a docx"),
        ("other.docx", packed({"a.txt": b"The rent is due."}), "no docx"),
        ("bomb.docx", packed({"word/document.xml": b" " * (8 * 2**20)}), "zip bomb"),
        ("notes.xyz", b"\x00\x01\x02\x03" * 400, "binary"),
    ],
    ids=lambda value: value if isinstance(value, str) and "." in value else " ",
)
def test_what_is_no_text_is_one_line_that_names_it(
    name: str, content: bytes, said: str, place: str, cli: Cli, texts: Path
) -> None:
    write(texts / name, content)
    files = [name, "--context", "lease.txt"]
    if place == "context":
        files = ["answer.txt", "--context", name]

    found = cli("check", *files, "--isolated")
    if place == "text" and not content.strip():  # a text that says nothing, as one of a model may
        assert (found.code, found.err) == (2, "")
        assert f"nothing was checked in {name}\n" in found.out
        return
    line = refused(found)

    assert line.startswith(f"{name}:")
    assert said in line.casefold()


@pytest.mark.parametrize("place", ["text", "context"])
def test_a_folder_is_no_file(place: str, cli: Cli, texts: Path) -> None:
    (texts / "papers").mkdir()
    files = ["papers"] if place == "text" else ["answer.txt", "--context", "papers"]

    assert refused(cli("check", *files, "--isolated")).startswith("papers: is a folder")


@pytest.mark.parametrize("place", ["text", "context"])
def test_a_missing_file_is_named_and_the_nearest_is_offered(place: str, cli: Cli) -> None:
    files = ["leese.txt"] if place == "text" else ["answer.txt", "--context", "leese.txt"]

    line = refused(cli("check", *files, "--isolated"))

    assert line.startswith("leese.txt: ")
    assert "did you mean 'lease.txt'?" in line


BROKEN_RULE = """\
id = "XX101"
name = "broken"
summary = "A rule whose query is broken"
message = "{s}"
select = '''
SELECT ?claim ?s WHERE {
  ?claim a gr:Claim ; rdf:subject ?s ;;; FILTER (
}
'''
"""


def test_a_broken_rule_is_placed_to_the_column(cli: Cli, texts: Path) -> None:
    (texts / "house").mkdir()
    write(texts / "house" / "broken.toml", BROKEN_RULE)
    write(texts / "groundrules.toml", 'packs = ["core", "./house"]\n')

    line = refused(cli("check", "answer.txt", "--context", "lease.txt"))

    path, row, column, _ = line.split(":", 3)
    assert path.endswith("broken.toml")
    assert int(row) in range(6, 10)
    assert int(column) >= 1


@each("text place")
def test_a_rule_that_is_no_rule_is_placed(text: str, place: str, cli: Cli, texts: Path) -> None:
    (texts / "house").mkdir()
    write(texts / "house" / "broken.toml", text)
    write(texts / "groundrules.toml", 'packs = ["./house"]\n')

    assert f"broken.toml{place}" in refused(cli("check", "answer.txt"))


def test_an_embedding_that_needs_an_extra_names_it(
    cli: Cli, texts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    monkeypatch.setenv("GROUNDRULES_NETWORK", "on")
    write(texts / "groundrules.toml", 'embedding = "some/model"\n')

    line = refused(cli("check", "answer.txt", "--context", "lease.txt"))

    assert "'some/model'" in line
    assert "pip install 'groundrules[sbert]'" in line


MIB = 2**20
LINES = {
    "one word": "x" * MIB,
    "digits": "7" * MIB,
    "brackets": "(" * (MIB // 256),
    "marks": "e" + "\u0301" * (MIB // 8),
    "zero width": "\u200b" * (MIB // 8) + "rent",
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", LINES)
@pytest.mark.parametrize("place", ["text", "context"])
def test_a_line_without_an_end_is_checked(kind: str, place: str, cli: Cli, texts: Path) -> None:
    write(texts / "line.txt", LINES[kind])
    files = ["line.txt", "--context", "lease.txt"]
    if place == "context":
        files = ["answer.txt", "--context", "line.txt"]

    found = cli("check", *files, "--isolated", "--exit-zero", "--output-format", "json")

    assert (found.code, found.err) == (0, "")
    assert json.loads(found.out)["source"] == files[0]


def test_a_long_line_of_words_is_read_to_its_end(cli: Cli, texts: Path) -> None:
    write(texts / "line.txt", "The parties signed the annex. " * 600 + " ".join(LEASE.split()))

    found = cli("check", "answer.txt", "--context", "line.txt", "--isolated")

    assert (found.code, found.err) == (1, "")
    assert "error[GR301] date-mismatch" in found.out


@each("text")
def test_odd_characters_do_not_move_a_span(text: str, cli: Cli, texts: Path) -> None:
    write(texts / "odd.txt", text)

    found = cli("check", "odd.txt", "--context", "lease.txt", "--isolated", "--output-format=json")

    assert found.code in (1, 2)  # beside other words another date only warns
    assert found.err == ""
    report = json_format.loads(found.out)
    dates = [v.claim.parts[2] for v in report.violations if v.rule == "GR301" and v.claim]
    assert dates
    for span in dates:
        assert span is not None
        assert report.text[span.start : span.end].split() == ["June", "1,", "2021"]


@each("line")
def test_a_pipe_without_an_end_and_a_file_without_one_are_one_line(
    line: list[str], cli: Cli, texts: Path
) -> None:
    for name in ("pipe", "pipe.ttl"):
        os.mkfifo(texts / name)
    (texts / "pack").mkdir()
    os.mkfifo(texts / "pack" / "a.toml")
    write(texts / "s.json", '{"type": "object", "properties": {"a": {"type": "string"}}}')
    write(texts / "a.csv", "a,b\n1,2\n")
    silent = [os.open(one, os.O_RDWR) for one in (texts / "pipe", texts / "pack" / "a.toml")]

    try:
        refused(cli(*line))
    finally:
        for handle in silent:
            os.close(handle)
