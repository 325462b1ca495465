"""Plugins that cannot be used, or fail at work, are told in one line that names them."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from groundrules import domain, plugins
from groundrules.checks.extractions import parsed
from groundrules.claims.literals import find_values
from groundrules.errors import ConfigError
from tests.installed import register
from tests.test_domains import GUEST, answers, said

FAULTS = {
    "no module": ("gone:DOMAIN", "", "gone:DOMAIN cannot be loaded: ModuleNotFoundError"),
    "no such name": ("guest:DOMAIN", "", "guest:DOMAIN cannot be loaded: AttributeError"),
    "broken": ("guest:DOMAIN", "1 / 0", "cannot be loaded: ZeroDivisionError: division by zero"),
    "exits": ("guest:DOMAIN", "raise SystemExit('bye')", "cannot be loaded: SystemExit: bye"),
    "not Python": ("guest:DOMAIN", "DOMAIN = (", "guest:DOMAIN cannot be loaded: SyntaxError"),
    "no domain": ("guest:DOMAIN", "DOMAIN = 1", "guest:DOMAIN is an int; expected a Domain"),
    "other name": (
        "guest:DOMAIN",
        "DOMAIN = Domain(name='gast', ontology=FILE)",
        "is called 'gast'; expected the name that it is registered under",
    ),
    "no ontology": (
        "guest:DOMAIN",
        "DOMAIN = Domain(name='guest', ontology=FILE / 'gone.ttl')",
        "gone.ttl for its ontology; expected the Path of a file",
    ),
    "no reader": (
        "guest:DOMAIN",
        "DOMAIN = Domain(name='guest', ontology=FILE, readers=('read',))",
        "has 'read' among its readers; expected a function",
    ),
    "no pack": (
        "guest:DOMAIN",
        "DOMAIN = Domain(name='guest', ontology=FILE, pack='legl')",
        "has no pack 'legl'; expected core, kb, legal, owl, passages, values or a folder; did you "
        "mean 'legal'?",
    ),
    "no tuple": (
        "guest:DOMAIN",
        "DOMAIN = Domain(name='guest', ontology=FILE, readers=print)",
        "has a builtin_function_or_method for its readers; expected a tuple of functions",
    ),
}


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


@pytest.mark.parametrize("fault", FAULTS)
def test_a_domain_that_cannot_be_used_is_told_in_one_line(
    fault: str, guest: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    value, code, message = FAULTS[fault]
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
#: At which door, what stands there, what is done, and what is said of it.
AT_WORK = {
    "a format raises": (plugins.FORMATS, "raise ValueError('boom')", "ValueError: boom"),
    "a format exits": (plugins.FORMATS, "raise SystemExit(0)", "SystemExit: 0"),
    "a format returns nothing": (
        plugins.FORMATS, "return None", "TypeError: returned None; expected a str",
    ),
    "a format returns junk": (
        plugins.FORMATS, "return 1", "TypeError: returned an int; expected a str",
    ),
    "a source raises": (plugins.SOURCES, "raise OSError('no route')", "OSError: no route"),
    "a source returns junk": (
        plugins.SOURCES, "return 'x'", "TypeError: returned a str; expected a Connection",
    ),
    "records raise": (plugins.RECORD_FORMATS, "raise OSError('gone')", "OSError: gone"),
    "records are junk": (plugins.RECORD_FORMATS, "yield 1", "TypeError: cannot unpack"),
    "a record is junk": (
        plugins.RECORD_FORMATS, "yield b'', lambda: 1", "TypeError: cannot unpack",
    ),
    "values": (plugins.DOMAINS, "raise KeyError('boom')", "KeyError: 'boom'"),
    "values are junk": (
        plugins.DOMAINS, "yield 1", "TypeError: yielded an int among its values; expected a Value",
        "values",
    ),
    "no values": (plugins.DOMAINS, "return None", "TypeError: 'NoneType' object is not", "values"),
    "readers": (plugins.DOMAINS, "raise SystemExit", "SystemExit", "readers"),
    "names": (plugins.DOMAINS, "raise ValueError('boom')", "ValueError: boom", "names"),
    "too few names": (plugins.DOMAINS, "return []", "TypeError: names of 0 texts", "names"),
    "names are junk": (
        plugins.DOMAINS, "return [1, 1]", "TypeError: names gave an int; expected a", "names",
    ),
    "term_readers": (plugins.DOMAINS, "raise ValueError('boom')", "ValueError: boom",
                     "term_readers"),
    "names of no nodes": (
        plugins.DOMAINS, "return [{'Rex': 1} for _ in _[0]]", "TypeError: gave a str; expected a",
        "names",
    ),
    "a value without places": (
        plugins.DOMAINS, "from groundrules.claims.literals import Value; yield Value(0, 'x', 1, 2)",
        "TypeError: gave a str; expected an int", "values",
    ),
    "a value beyond the text": (
        plugins.DOMAINS, "from groundrules.claims.literals import Value; "
        "from rdflib import Literal; yield Value(0, 999, 'DATE', Literal(1))",
        "ValueError: yielded a value at 0:999", "values",
    ),
    "a claim is junk": (
        plugins.DOMAINS, "_[1].claims.append('Rex barks')",
        "TypeError: gave a str; expected a Claim", "readers",
    ),
    "claims are gone": (plugins.DOMAINS, "_[1].claims = None", "TypeError: 'NoneType'", "readers"),
    "a part of a claim is junk": (
        plugins.DOMAINS, "from dataclasses import replace; "
        "_[1].claims.append(replace(_[1].claims[0], triple=('Rex', 'barks', 1)))",
        "TypeError: gave a tuple; expected a Triple", "readers",
    ),
    "a node is junk": (
        plugins.DOMAINS, "from dataclasses import replace; first = _[1].claims[0]; "
        "_[1].claims.append(replace(first, triple=replace(first.triple, object='it')))",
        "TypeError: gave a str; expected a Node", "readers",
    ),
    "a claim beyond the text": (
        plugins.DOMAINS, "from dataclasses import replace; first = _[1].claims[0]; "
        "_[1].claims.append(replace(first, span=replace(first.span, end=999)))",
        "ValueError: gave 999 for an end; the text has ", "readers",
    ),
    "a claim of no sentence": (
        plugins.DOMAINS, "from dataclasses import replace; "
        "_[1].claims.append(replace(_[1].claims[0], sentence=99))",
        "ValueError: gave a claim of a sentence that is not there", "readers",
    ),
    "a label is junk": (
        plugins.DOMAINS, "_[1].labels['Rex'] = 1", "TypeError: gave a str; expected a", "readers",
    ),
    "an assertion is junk": (
        plugins.DOMAINS, "_[0].state('Rex', 'is', 1, _[0].span(0, 3))",
        "TypeError: gave a str; expected a Node", "term_readers",
    ),
    "an assertion beyond the text": (
        plugins.DOMAINS, "_[0].state(_[0].part(), _[0].part(), _[0].part(), _[0].span(0, 999))",
        "ValueError: gave 999 for an end; the text has ", "last_readers",
    ),
    "what is known is junk": (
        plugins.DOMAINS, "_[0].background['work'] = 1", "TypeError: gave an int; expected a dict",
        "term_readers",
    ),
    "statements are junk": (
        plugins.RECORD_FORMATS, "yield b'', lambda: ('x', [1])",
        "TypeError: gave a str; expected a Node",
    ),
    "last_readers": (plugins.DOMAINS, "return 1 / 0", "ZeroDivisionError: division",
                     "last_readers"),
}  # fmt: skip


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
#: What is asked of a source later, and what comes of it.
ASKED = {
    "named raises": ("named", "raise OSError('no route')", "OSError: no route"),
    "named exits": ("named", "raise SystemExit(3)", "SystemExit: 3"),
    "named returns nothing": ("named", "return None", "TypeError: gave None; expected a Mapping"),
    "names are junk": (
        "named", "return dict.fromkeys(_[0], 1)", "TypeError: gave an int; expected a tuple or a "
    ),
    "bearers are junk": (
        "named", "return dict.fromkeys(_[0], ('Rex',))", "TypeError: gave a str; expected an Entity"
    ),
    "an entity is junk": (
        "named", "return dict.fromkeys(_[0], (Entity(ENTITY.a, label=2),))",
        "TypeError: gave an int; expected a str",
    ),
    "properties raise": ("properties", "raise KeyError('x')", "KeyError: 'x'"),
    "properties are junk": ("properties", "return []", "TypeError: gave a list; expected a Map"),
    "its name": ("name", "return 1", "TypeError: gave an int; expected a str"),
    "its name raises": ("name", "return 1 / 0", "ZeroDivisionError: division by zero"),
    "select raises": ("select", "raise OSError('no route')", "OSError: no route"),
    "select is junk": ("select", "return 1", "AttributeError: 'int' object has"),
}  # fmt: skip


@pytest.mark.parametrize("fault", ASKED)
def test_a_source_that_fails_when_it_is_asked_is_told_in_one_line(
    fault: str, guest: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    method, code, message = ASKED[fault]
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


def at_work(guest: Path, fault: str) -> tuple[str, list[str]]:
    """Install a plugin that fails at work; return what it is and the command that asks for it."""
    group, code, _, *part = AT_WORK[fault]
    Path("x.txt").write_text("Rex barks.")
    Path("x.guest").write_text("Rex barks.")
    function = f"def work(*_, **__):\n    {code}\n"
    if group == plugins.DOMAINS:
        Path("guest.ttl").write_text("")
        function += (
            "from pathlib import Path\nfrom groundrules.domain import Domain\n"
            "THING = Domain(name='guest', ontology=Path(__file__).with_name('guest.ttl'), "
            f"{part[0] if part else 'values'}=(work,))\n"
        )
        what, command = "domain", f"{CHECK} --ontology guest"
    elif group == plugins.RECORD_FORMATS:
        function, what, command = SPLIT.format(code), "record format", "kb build x.guest -o store"
    elif group == plugins.SOURCES:
        function += "THING = work"
        what, command = "source", f"{CHECK} --kb guest:x"
    else:
        function += "THING = work"
        what, command = "format", f"{CHECK} --output-format guest"
    (guest / "guest.py").write_text(function)
    register(guest, {group: {"guest": "guest:THING"}}, "acme")
    return what, command.split()


@pytest.mark.parametrize("fault", AT_WORK)
def test_a_plugin_that_fails_at_work_is_told_in_one_line(
    fault: str, guest: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    what, command = at_work(guest, fault)

    code, out, err = said(capsys, *command)

    assert (code, out) == (2, "")
    assert re.fullmatch(r"groundrules: [^\n]+\n", err)
    assert f"{what} 'guest' of package 'acme' failed: {AT_WORK[fault][2]}" in err


@pytest.mark.parametrize("fault", ["a format raises", "a source raises", "values", "names"])
def test_traceback_shows_where_in_a_plugin(
    fault: str, guest: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, command = at_work(guest, fault)

    code, _, err = said(capsys, *command, "--traceback")

    assert code == 2
    assert "guest.py" in err
    assert "in work\n" in err
    assert err.splitlines()[-1].endswith(f"of package 'acme' failed: {AT_WORK[fault][2]}")


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
