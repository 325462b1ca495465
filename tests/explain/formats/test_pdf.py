"""The pdf format: the page of html on paper, made without asking for anything."""

from __future__ import annotations

import builtins
import io
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from groundrules.cli import terminal
from groundrules.errors import ConfigError
from groundrules.explain.formats import Look, load, pdf
from groundrules.terms import Report
from tests.explain import cases
from tests.explain.rewritten import rewritten


@pytest.fixture(scope="module")
def made() -> bytes:
    pytest.importorskip("weasyprint", reason="the extra pdf is not installed")
    data = load("pdf")([cases.policy()], Look())
    assert isinstance(data, bytes)
    return data


def told(data: bytes) -> str:
    pages = (page.extract_text() for page in PdfReader(io.BytesIO(data)).pages)
    return " ".join(" ".join(pages).split())


def test_it_has_what_the_page_has(made: bytes) -> None:
    text = told(made)

    assert made.startswith(b"%PDF-")
    assert text.index("What could not be checked") < text.index("Does not pass")
    for words in ("£14,100", "£11,400", "GR306", "10. Limits", "policy.txt: page 3 has no text"):
        assert words in text


def test_the_same_report_gives_the_same_bytes(made: bytes) -> None:
    assert load("pdf")([cases.policy()], Look()) == made


def test_all_cards_are_lefton_paper(made: bytes) -> None:
    text = told(made)

    for one in cases.policy().statements:
        assert one.fingerprint in text


@pytest.mark.parametrize("make", [cases.lease, cases.policy])
def test_paper_is_short_and_has_what_a_verdict_rests_on(make: Callable[[], Report]) -> None:
    pytest.importorskip("weasyprint")
    report = make()
    data = load("pdf")([report], Look())
    assert isinstance(data, bytes)
    text = told(data)

    # two pages of the text, its cards and its record, and one for every three statements
    assert len(PdfReader(io.BytesIO(data)).pages) <= 2 + -(-len(report.statements) // 3)
    for one in report.violations:
        assert f"{one.rule} {one.name}" in text
        assert one.fingerprint in text
    for one in report.statements:
        assert one.fingerprint in text
    for given in report.run.inputs:
        assert given.sha256 is None or given.sha256 in text


def test_no_address_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    urls = pytest.importorskip("weasyprint").urls
    asked: list[str] = []
    refused: list[str] = []
    fetch = urls.URLFetcher.fetch

    def watched(self: Any, url: str, headers: Any = None) -> Any:
        asked.append(url)
        try:
            return fetch(self, url, headers)
        except ValueError:
            refused.append(url)
            raise

    monkeypatch.setattr(urls.URLFetcher, "fetch", watched)
    hostile = "<img src='https://example.org/x.png'><link rel=stylesheet href='file:///etc/passwd'>"
    load("pdf")([rewritten(cases.policy(), lambda text: text + hostile, str)], Look())
    assert asked == []

    # and where an error of ours would let it in, it is refused
    monkeypatch.setattr(pdf.html, "render", lambda *_, **__: hostile)
    load("pdf")([cases.empty()], Look())
    assert asked == refused
    assert sorted(asked) == ["file:///etc/passwd", "https://example.org/x.png"]


def test_no_word_is_on_paper_that_was_kept_out() -> None:
    pytest.importorskip("weasyprint")
    data = load("pdf")([cases.policy()], Look(redact=True))
    assert isinstance(data, bytes)

    assert not re.search("Quakers|14,100|insured|policy.txt", told(data))


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (ImportError("no module"), r"pip install 'groundrules\[pdf\]'"),
        (OSError("cannot load library 'libpango-1.0-0'"), "apt-get install libpango"),
    ],
)
def test_what_is_missing_is_one_line(
    fault: Exception, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = builtins.__import__

    def missing(name: str, *rest: Any, **more: Any) -> Any:
        if name == "weasyprint":
            raise fault
        return whole(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(ConfigError, match=said) as caught:
        load("pdf")([cases.empty()], Look())
    assert "\n" not in str(caught.value)


class _Stream(io.StringIO):
    def __init__(self, *, terminal: bool) -> None:
        super().__init__()
        self.buffer = io.BytesIO()
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


def test_a_terminal_refuses_bytes_and_a_pipe_takes_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", _Stream(terminal=True))
    with pytest.raises(ConfigError, match="expected -o FILE or a pipe"):
        terminal.write(b"%PDF", None)

    pipe = _Stream(terminal=False)
    monkeypatch.setattr(sys, "stdout", pipe)
    terminal.write(b"%PDF\xff", None)
    assert pipe.buffer.getvalue() == b"%PDF\xff"


def test_bytes_are_written_to_a_file_as_they_are(tmp_path: Path) -> None:
    terminal.write(b"%PDF\xff\r\n", str(tmp_path / "report.pdf"))

    assert (tmp_path / "report.pdf").read_bytes() == b"%PDF\xff\r\n"


def test_a_format_may_give_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    def give(reports: Sequence[Report], look: Look) -> bytes:
        return b"\x00"

    monkeypatch.setattr(pdf, "render", give)
    assert load("pdf")([], Look()) == b"\x00"
