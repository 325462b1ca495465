"""Laws of regular expressions: none takes long over any text, and none escapes the check."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import pkgutil
import re
import types
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

import groundrules
from groundrules.align.sums.derivations import _cue_patterns
from groundrules.claims.documents.formats import styles
from groundrules.claims.english.identity import TELLING_APART
from groundrules.kb.read import divisions
from groundrules.kb.records.questions import namings
from groundrules.ontology.load import load
from groundrules.ontology.read.lexicon import read_lexicon
from tests.backtracking import find_attack
from tests.rows import each

_ROOT = Path(groundrules.__file__).parent
#: Where the flags stand among the arguments, if they are not named.
_FLAGS = {"compile": 1, "split": 3, "sub": 4, "subn": 4}
_FUNCTIONS = {*_FLAGS, "search", "match", "fullmatch", "findall", "finditer"}
_ESCAPED = r"(?<!\w)a\s+b(?!\w)"

#: Functions that make a pattern when they are called: an example of each, "" where what they
#: make of the files of the package is read as a whole.
MADE = {
    "claims/documents/formats/html.py _unended": r"<b[\s>]",
    "claims/documents/formats/styles.py _patterns": "",  # matched whole on what is short, see below
    "align/words/normal_words.py tables": "",  # shipped, phrases without repetition
    "claims/documents/declining.py _courtesy": "",  # of a file that ships
    "terms.py invents": r"(?i)\ba\ b",
    "align/cells.py _is_told_of": r"(?i)(?<!\w)Maple 1(?!\w)",
    "align/closest_sentences.py _are_beside": r"\ba b\b[^.;:!?\n]{0,40}\bc\b",
    "align/cells.py _mentions": r"(?i)(?<![\w-])(?:a b)(?![\w-])",
    "align/sums/derivations.py _cue_patterns": "",
    "align/graphs/select.py _tells_both": _ESCAPED,
    "align/words/segments.py _framed": r"a\ b",
    "align/clauses/ellipsis.py _auxiliary": r" (may|can|do)( not|n't)?(?: too)?\.?\Z",
    "kb/sources/query.py query_text": r"(?<![\w<?])a:",
    "align/graphs/select.py of_many": r"\b(?:an?|one of (?:the|its|his))\s(?:[\w-]+\s)?a",
    "claims/evidence/quotes.py _figure": r"(?<![\d.])1\.5(?![\d]|\.\d)",
    "claims/evidence/quotes.py _occurrence": r"(?<!\w)(?<!\d[.,])a\s{0,40}b(?!\w)(?![.,]\d)",
    "claims/models/controls.py _turned": r"\ba\b",
    "claims/models/controls.py reworded": r" \([^()]{3,}\)(?=[ .,;])",
    "claims/documents/declining.py _forms": "",  # ships, matched whole on one sentence
    "claims/evidence/copied.py find_words": r"(?<!\w)a['’]b\s+c(?!\w)",
    "legal/duties.py _norms": r"(?i)\b(?:a|b)",
    "legal/lawphrases.py _compiled": "",  # of a file that ships, held by the modules
    "ontology/read/relations.py _as_papers_say": r"according to (?=(?:its |the )?(?:a|b)(?:\b|\s))",
    "legal/papers.py _papers": r"\b(?:certain|an?|prior|original)\s+a",
    "cli/labelled/label.py show": r"a\s+b",
    "cli/rule.py _at_once": r"(?m)^id\s*=\s*[\"']A[\"']",
    "dataset.py _misread": r"^Parser error at line .*?columns? \d+(?: and (?:column )?\d+)?: ",
    "evaluate/documents.py _sentence": _ESCAPED,
    "explain/contrast.py counterpart": _ESCAPED,
    "explain/contrast.py _widened": r"a\s+b",
    "explain/phrase.py _has": r"(?<!\w)a\W+b(?!\w)",
    "explain/replacements.py _names": r"(?<!\w)a,?\s+b(?!\w)",
    "kb/records/naming.py read_naming": "",
    "kb/records/naming.py _part_patterns": r"\b(?:the\s+)?(a|b)\s+c\b(?:\s+(?:of|in|from|under))?",
    "kb/records/questions.py _by_name": r"\ba\W+b\b",
    "models/encoder.py __init__": r"a|b",
    "ontology/read/referents.py _crowded": rf"(?i)\b(?:{TELLING_APART})\s"
    r"(?:[\w’'-]{1,20}\s){0,2}?(?:a|b)s?\b",
    "ontology/read/holders.py holding": r"(?i)\b(?:(?:a|b)s?\b|(?:c|d))",
    "ontology/read/dated.py _begun": r"(?i)\b(?:a|b)",
    "ontology/read/dated.py _telling": r"(?i)\b(?:a|b|its?)\b",
    "ontology/read/lexicontables.py _line": r"\A(?:\s*\[\[?\s*[\"']?a[\"']?\s*\]\]?"  # at the start
    r"|\s*[\"']?a[\"']?\s*[=.])",
    "ontology/read/lexicontables.py _key_line": r"\A\s*[\"']?a[\"']?\s*=",  # matched at the start
    "ontology/read/lexicontables.py compiled": "",  # bounded as it is read; its own: below
    "ontology/read/lexicon.py term": "[\"']a:b[\"']",
    "ontology/read/reader.py _terms": r"(?i)\b(?:a|b)(?:e?s)?\b",
    "ontology/read/sentences.py _roles": r"\b(?:a|b)\b",
    "rules/engine.py _message": r"\{\{|\}\}|(?:\b[aA] |(?<=\}) |\bit |, not )?\{(?P<name>\w+)\}",
    "rules/rule.py header": r"\A\s*\[\[?\s*a\s*\]",  # matched at the start
    "rules/rule.py line": r"\A\s*[\"']?a[\"']?\s*=",  # matched at the start
}
#: Patterns that are matched whole on what is short, each with its longest, in characters.
SHORT = {
    "groundrules.claims.documents.formats.styles._STYLES": styles._LONGEST,
    "groundrules.claims.documents.formats.styles._HIDING": styles._LONGEST,
    "groundrules.kb.read.divisions._REWORDINGS": divisions._LONGEST,
}

#: Patterns that count to a thousand, which is more than the search for texts can follow: what each
#: is tried on, over and over.
LINEAR = {"groundrules.claims.documents.formats.html._CROWDED": ("<a ", "a=/ ")}


@dataclasses.dataclass(frozen=True)
class Found:
    place: str
    pattern: str | bytes
    flags: int
    how: str


@cache
def modules() -> tuple[types.ModuleType, ...]:
    names = (info.name for info in pkgutil.walk_packages([str(_ROOT)], "groundrules."))
    runnable = (name for name in names if not name.endswith("__main__"))
    return (groundrules, *map(importlib.import_module, runnable))


@cache
def nodes(module: types.ModuleType) -> tuple[ast.AST, ...]:
    """Return the nodes of the tree of a module, from the root on."""
    return tuple(ast.walk(ast.parse(Path(str(module.__file__)).read_text("utf-8"))))


def held(value: Any, seen: set[int]) -> Iterator[re.Pattern[Any]]:
    """Yield the patterns in a value, in whatever it is packed."""
    if isinstance(value, re.Pattern):
        yield value
        return
    if id(value) in seen:
        return
    seen.add(id(value))
    inner: list[Any] = []
    if isinstance(value, dict):
        inner = [*value.keys(), *value.values()]
    elif isinstance(value, (list, tuple, set, frozenset)):
        inner = list(value)
    elif isinstance(value, BaseModel):
        inner = [one for _, one in value]
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        inner = [getattr(value, one.name, None) for one in dataclasses.fields(value)]
    elif isinstance(value, type) and value.__module__.startswith("groundrules"):
        inner = list(vars(value).values())
    elif isinstance(value, types.FunctionType) and value.__module__.startswith("groundrules"):
        inner = [*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()]
    for one in inner:
        yield from held(one, seen)


def uses() -> dict[tuple[str, str], set[str]]:
    """Return what is called on each name of each module, "" for any other use."""
    out: dict[tuple[str, str], set[str]] = defaultdict(set)
    for module in modules():
        imported = {
            one.asname or one.name: (node.module, one.name)
            for node in nodes(module)
            if isinstance(node, ast.ImportFrom) and node.module
            for one in node.names
        }
        called = {
            id(node.value): node.attr for node in nodes(module) if isinstance(node, ast.Attribute)
        }
        for node in nodes(module):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                where = imported.get(node.id, (module.__name__, node.id))
                out[where].add(called.get(id(node), ""))
    return out


@cache
def kept() -> tuple[Found, ...]:
    """Return the patterns that modules hold."""
    used = uses()
    found = []
    for module in modules():
        for name, value in list(vars(module).items()):
            hows = {"search"}
            if isinstance(value, re.Pattern):
                methods = used[module.__name__, name] - {"pattern"}
                hows = methods if methods and methods <= {"match", "fullmatch"} else hows
            for pattern in held(value, set()):
                for how in hows:
                    place = f"{module.__name__}.{name}"
                    found.append(Found(place, pattern.pattern, pattern.flags, how))
    return tuple(found)


def calls() -> Iterator[tuple[types.ModuleType, str, ast.Call]]:
    """Yield the calls of `re`, each with the function around it."""

    def visit(node: ast.AST, function: str) -> Iterator[tuple[str, ast.Call]]:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            function = node.name
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.func.attr in _FUNCTIONS
        ):
            yield function, node
        for child in ast.iter_child_nodes(node):
            yield from visit(child, function)

    for module in modules():
        for function, call in visit(nodes(module)[0], ""):
            yield module, function, call


@cache
def written() -> tuple[Found | str, ...]:
    """Return the patterns that calls give to `re`, and the functions whose pattern is not told."""
    found: list[Found | str] = []
    for module, function, call in calls():
        assert isinstance(call.func, ast.Attribute)
        path = Path(str(module.__file__)).relative_to(_ROOT)
        given = [one.value for one in call.keywords if one.arg == "flags"]
        given = given or call.args[_FLAGS.get(call.func.attr, 2) :][:1]
        names = dict(vars(module))

        def value(node: ast.expr, names: dict[str, Any] = names) -> Any:
            return eval(compile(ast.Expression(node), "<pattern>", "eval"), names)

        try:
            pattern, flags = value(call.args[0]), value(given[0]) if given else 0
        except NameError:
            if function:  # what a module makes as it is imported, it holds
                found.append(f"{path} {function}")
            continue
        how = call.func.attr if call.func.attr in ("match", "fullmatch") else "search"
        if call.func.attr != "compile" or function:
            found.append(Found(f"{path}:{call.lineno}", pattern, int(flags), how))
    return tuple(found)


def read() -> Iterator[Found]:
    """Yield the patterns that files of the package hold."""
    for name, value in (
        ("cues", _cue_patterns()),
        ("namings", namings()),
    ):
        for pattern in held(value, set()):
            yield Found(name, pattern.pattern, pattern.flags, "search")


def attacked(found: Found) -> str:
    pattern, flags = found.pattern, found.flags & ~re.UNICODE
    if isinstance(pattern, bytes):
        pattern, flags = pattern.decode("latin-1"), flags | re.ASCII
    attack = find_attack(pattern, flags, found.how)
    if attack is None:
        return ""
    turns = f"{attack.lead!r} {attack.pump!r}* {attack.end!r}"
    return f"{found.place}: {turns}, power {attack.power}, {attack.ways:.0f} ways: {pattern[:80]}"


def test_no_pattern_takes_more_than_linear_time_over_any_text() -> None:
    told = [one for one in kept() if one.place not in {*SHORT, *LINEAR}]
    told += [*read(), *(one for one in written() if isinstance(one, Found))]
    told += [Found(place, sample, 0, "search") for place, sample in MADE.items() if sample]
    different = {(one.pattern, one.flags & ~re.UNICODE, one.how): one for one in told}
    assert len(different) > 700
    assert [said for one in different.values() if (said := attacked(one))] == []


@pytest.mark.parametrize("place", LINEAR)
def test_a_pattern_that_counts_ends_on_a_million_repetitions(place: str) -> None:
    (one,) = (found for found in kept() if found.place == place)
    head, part = LINEAR[place]
    assert re.compile(one.pattern, one.flags).search(head + part * 1_000_000)


@pytest.mark.parametrize("place", SHORT)
def test_a_pattern_of_what_is_short_takes_the_square_of_it_at_most(place: str) -> None:
    assert SHORT[place] <= 400
    found = [one for one in kept() if one.place == place]
    assert found
    for one in found:
        attack = find_attack(str(one.pattern), one.flags & ~re.UNICODE, "fullmatch")
        assert attack is None or attack.power <= 2, one.pattern


def test_a_pattern_made_when_a_function_is_called_is_listed() -> None:
    assert {one for one in written() if isinstance(one, str)} == set(MADE)


def test_patterns_are_made_by_re_alone_and_by_its_name() -> None:
    for module in modules():
        for node in nodes(module):
            if isinstance(node, ast.Import):
                names = {(one.name, one.asname) for one in node.names}
                assert not {one for one in names if one[0] in ("regex", "re2", "sre_compile")}
                assert ("re", None) in names or "re" not in {one[0] for one in names}
            if isinstance(node, ast.ImportFrom):
                assert node.module not in ("re", "regex"), module.__name__


def test_patterns_of_a_lexicon_turn_within_bounds() -> None:
    lexicon = read_lexicon(load("legal"))
    patterns = list(held(lexicon, set()))
    assert len(patterns) > 20
    assert [p.pattern for p in patterns if re.search(r"(?<!\\)[*+]", p.pattern)] == []


@each("pattern")
def test_a_pattern_that_shares_a_text_out_in_many_ways_is_found(pattern: str) -> None:
    assert find_attack(pattern) is not None


@each("pattern")
def test_a_pattern_that_reads_a_text_in_one_way_is_not_blamed(pattern: str) -> None:
    assert find_attack(pattern) is None
