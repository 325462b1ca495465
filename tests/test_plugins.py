"""Plugins that cannot be used, or fail at work, are told in one line that names them."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from groundrules import domain, plugins
from groundrules.checks.extractions import parsed
from groundrules.claims.values.value_reader import find_values
from groundrules.errors import ConfigError
from tests.installed import register
from tests.rows import each
from tests.test_domains import GUEST, answers, said


@pytest.fixture
def guest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    forget()
    yield tmp_path
    sys.modules.pop("guest", None)
    forget()


def forget() -> None:
    """Let a module that is called as the one before it be read anew."""
    for cached in (find_values, parsed, domain._loaded):
        cached.cache_clear()


@each("value code message")
def test_a_domain_that_cannot_be_used_is_told_in_one_line(
    value: str, code: str, message: str, guest: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head = (
        "from pathlib import Path\nfrom groundrules.domain import Domain\nFILE = Path(__file__)\n"
    )
    (guest / "guest.py").write_text(head + code)
    register(guest, {plugins.DOMAINS: {"guest": value}})

    done, out, err = said(capsys, "check", *answers("Rex barks."), "--context", "answer.txt")

    assert (done, out) == (2, "")
    assert re.fullmatch(r"groundrules: domain 'guest': [^\n]+\n", err)
    assert message in err


def test_a_name_that_two_packages_give_is_told(guest: Path) -> None:
    register(guest, {plugins.PACKS: {"house": "a"}}, "one")
    register(guest, {plugins.PACKS: {"house": "b"}}, "two")

    with pytest.raises(ConfigError, match=r"pack 'house' is registered twice, as [ab] and as [ab]"):
        plugins.registered(plugins.PACKS)


def test_a_guest_takes_no_name_that_is_built_in(guest: Path) -> None:
    register(guest, {plugins.DOMAINS: {"legal": "guest:DOMAIN"}})

    with pytest.raises(ConfigError, match="domain 'legal' is registered twice"):
        domain.names()


@pytest.mark.parametrize(
    ("group", "what", "arguments"),
    [
        (plugins.RECORD_FORMATS, "record format", "kb build x.guest -o store"),
        (plugins.FORMATS, "format", "check x.txt --context x.txt --output-format guest"),
        (plugins.SOURCES, "source", "check x.txt --kb guest:x"),
    ],
)
def test_a_guest_at_another_door_is_of_the_kind_that_it_takes(
    group: str, what: str, arguments: str, guest: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (guest / "guest.py").write_text("THING = 'no such thing'")
    register(guest, {group: {"guest": "guest:THING"}})
    Path("x.txt").write_text("Rex barks.")
    Path("x.guest").write_text("Rex barks.")

    code, out, err = said(capsys, *arguments.split())

    assert (code, out) == (2, "")
    assert re.fullmatch(
        rf"groundrules: {what} 'guest': guest:THING is a str; expected a \w+\n", err
    )


@pytest.mark.parametrize("path", [[], [str(GUEST)]])
def test_an_installation_without_what_is_built_in_is_told(
    path: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", path)

    with pytest.raises(
        ConfigError,
        match=r"nothing of groundrules is registered under .*; install groundrules again",
    ):
        domain.names()


# ---------------------------------------------------------------- plugins that fail at work

CHECK = "check x.txt --context x.txt"
SPLIT = """
from groundrules.kb.records.formats import RecordFormat
def split(stream):
    {}
THING = RecordFormat(name='guest', endings=('.guest',), split=split)
"""
DOMAIN = """
from pathlib import Path
from groundrules.domain import Domain
THING = Domain(name='guest', ontology=Path(__file__).with_name('guest.ttl'), {}=(work,))
"""
#: At each door, what a plugin is called, the command that asks for it, and what makes it.
DOORS = {
    "DOMAINS": ("domain", f"{CHECK} --ontology guest", DOMAIN),
    "FORMATS": ("format", f"{CHECK} --output-format guest", "THING = work"),
    "RECORD_FORMATS": ("record format", "kb build x.guest -o store", SPLIT),
    "SOURCES": ("source", f"{CHECK} --kb guest:x", "THING = work"),
}


#: A source of which a part is replaced: `{method}` of the source, or `select` of its graph.
SOURCE = """
from pyoxigraph import RdfFormat, parse
from groundrules.dataset import TripleStore
from groundrules.kb.sources.connect import Connection
from groundrules.kb.sources.rdf import RdfSource
from groundrules.kb.sources.source import Entity
from groundrules.kb.sources.triplestore import StoreGraph
from groundrules.terms import ENTITY

ANN = (
    '@prefix : <http://ex/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .'
    ':ann rdfs:label "Ann Smith" ; :born :paris . :paris rdfs:label "Paris" .'
    ':born rdfs:label "place of birth" .'
)

class Source:
    def __init__(self, made):
        self.made = made
    def __getattr__(self, name):
        return getattr(self.made, name)
    {kind}
    def {method}(self, *_):
        {code}

def work(spec, *, axioms, **_):
    store = TripleStore()
    store.load(parse(ANN, format=RdfFormat.TURTLE))
    graph = StoreGraph(store, "guest", "0" * 64)
    {end}
THING = work
"""


@each("method code message")
def test_a_source_that_fails_when_it_is_asked_is_told_in_one_line(
    method: str, code: str, message: str, guest: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    end = "return Connection(Source(RdfSource(graph, None, axioms)), graph)"
    if method == "select":
        end = "graph = Source(graph); return Connection(RdfSource(graph, None, axioms), graph)"
    kind = "@property" if method == "name" else ""
    (guest / "guest.py").write_text(SOURCE.format(method=method, code=code, end=end, kind=kind))
    register(guest, {plugins.SOURCES: {"guest": "guest:THING"}}, "acme")
    Path("x.txt").write_text("Ann Smith was born in Paris in 1970.")

    done, out, err = said(capsys, *CHECK.split(), "--kb", "guest:x")

    assert (done, out) == (2, "")
    assert re.fullmatch(r"groundrules: [^\n]+\n", err)
    assert f"source 'guest' of package 'acme' failed: {message}" in err


@each("door code message part")
def test_a_plugin_that_fails_at_work_is_told_in_one_line_and_where_with_traceback(
    door: str, code: str, message: str, part: str, guest: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("x.txt", "x.guest"):
        Path(name).write_text("Rex barks.")
    function = f"def work(*_, **__):\n    {code}\n"
    what, option, made = DOORS[door]
    if door == "DOMAINS":
        Path("guest.ttl").write_text("")
    function = made.format(code) if door == "RECORD_FORMATS" else function + made.format(part)
    (guest / "guest.py").write_text(function)
    register(guest, {getattr(plugins, door): {"guest": "guest:THING"}}, "acme")

    done, out, err = said(capsys, *option.split())

    assert (done, out) == (2, "")
    assert re.fullmatch(r"groundrules: [^\n]+\n", err)
    told = f"{what} 'guest' of package 'acme' failed: {message}"
    assert told in err
    if "raise" in code and door != "RECORD_FORMATS":
        *trace, last = said(capsys, *option.split(), "--traceback")[2].splitlines()
        assert [line for line in trace if "guest.py" in line and line.endswith("in work")]
        assert told in last


def test_an_error_that_a_plugin_words_for_the_user_passes_as_it_is(
    guest: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("x.txt").write_text("Rex barks.")
    (guest / "guest.py").write_text(
        "from groundrules.errors import SourceError\n"
        "def work(*_, **__):\n    raise SourceError('is empty', path='x')\n"
    )
    register(guest, {plugins.SOURCES: {"guest": "guest:work"}})

    assert said(capsys, *CHECK.split(), "--kb", "guest:x") == (2, "", "groundrules: x: is empty\n")
