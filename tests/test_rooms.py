"""The laws of the rooms: a name stands for one module, and a room reads its own files alone."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import groundrules
from groundrules.claims import english

PACKAGE = Path(groundrules.__file__).parent
#: What asks a package for its files by its name.
BY_PACKAGE = r"\bimportlib[. ].*\bresources\b|\bpkgutil\b"
#: Named after what they serve: a command, a format, or what is read or measured.
NAMED_AFTER_ANOTHER = ("cli", "evaluate", "checks", "explain/formats")
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path.name != "__init__.py")


@cache
def _nodes(source: str) -> tuple[ast.AST, ...]:
    """Return the nodes of the tree of a module, from the root on."""
    return tuple(ast.walk(ast.parse(source)))


def test_no_two_modules_have_one_name() -> None:
    named = defaultdict(list)
    for path in MODULES:
        place = path.relative_to(PACKAGE)
        if not place.as_posix().startswith(NAMED_AFTER_ANOTHER):
            named[path.stem].append(place.as_posix())
    assert {name: places for name, places in named.items() if len(places) > 1} == {}


def test_no_module_looks_for_files_above_its_own_folder() -> None:
    """Packages of data are asked of who has them: models.shipped, domain, rules.packs."""
    assert _elsewhere("Path(__file__).resolve().parent\nfrom importlib import resources")
    assert not _elsewhere("Path(__file__).parent / 'names.toml'")
    for path in MODULES:
        assert _elsewhere(path.read_text("utf-8")) == [], path


def _elsewhere(source: str) -> list[str]:
    """Return what looks for files of this package outside the folder of a module."""
    found = []
    for node in _nodes(source):
        if isinstance(node, ast.Attribute) and node.attr in ("parent", "parents"):
            text = ast.unparse(node)
            ours = re.search(r"(?<!\.)\b__file__|\bgroundrules\b.*__file__", text)
            if ours and text != "Path(__file__).parent":
                found.append(text)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            text = ast.unparse(node)
            if re.search(BY_PACKAGE, text):
                found.append(text)
    return found


#: Words of grammar, by which a list of English is known.
GRAMMAR = (
    english.ARTICLES | english.POSSESSIVES | english.DEMONSTRATIVES | english.PERSONAL
    | english.IMPERSONAL | english.PLURAL | english.REFLEXIVE
    | english.RELATIVES | english.BE | english.HAVE | english.NOT
    | english.NOBODY | english.IF | english.OPENING
    | english.PREPOSITIONS | english.DETERMINERS | english.PRONOUNS
    | {"and", "or", "can", "could", "may", "might", "must", "shall", "should", "would"}
    | {"do", "does", "did", "then", "than", "so"}
)  # fmt: skip
#: How many of them make a list, and the alternatives of an expression, one of English.
IN_LISTS, IN_ALTERNATIVES = 6, 8
#: Rooms with words of their own, and why.
WITH_WORDS = {
    "claims/english": "they lie here",
    "legal": "a guest brings the language of its field with it",
}


def _text(node: ast.AST) -> str | None:
    """Return what a string says, with a brace for each value in it."""
    if isinstance(node, ast.JoinedStr):
        parts = [value.value if isinstance(value, ast.Constant) else "{" for value in node.values]
        return "".join(map(str, parts))
    constant = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return node.value if constant else None


def _alternatives(expression: str) -> Iterator[list[str]]:
    """Give the alternatives of each group of a regular expression, and of the whole."""
    plain = re.sub(r"\\[bsAZ]|\(\?[a-zA-Z-]+\)", "", expression)
    plain = re.sub(r"\\.|\[[^\]]*\]", "#", plain)
    plain = re.sub(r"\(\?(?:P<\w+>|<?[=!]|>|[a-zA-Z-]*:)", "(", plain)
    while group := re.search(r"\(([^()]*)\)", plain):
        yield group[1].split("|")
        plain = plain[: group.start()] + "#" + plain[group.end() :]
    yield plain.split("|")


def _word_lists(source: str) -> list[str]:
    """Return the lists of English words in a module, each by its line."""
    found = []
    nodes = _nodes(source)
    pieces = {id(p) for n in nodes if isinstance(n, ast.JoinedStr) for p in n.values}
    for node in nodes:
        words: list[str | None] = []
        if isinstance(node, ast.Set | ast.Tuple | ast.List):
            words = [_text(element) for element in node.elts]
        elif isinstance(node, ast.Dict):
            words = [_text(key) for key in node.keys if key]
        elif isinstance(node, ast.Attribute) and node.attr in ("split", "splitlines"):
            words = [*(_text(node.value) or "").split()]
        if len(GRAMMAR.intersection(words)) >= IN_LISTS:
            found.append(f"line {node.lineno}: a list")
        text = _text(node)
        if text and "|" in text and id(node) not in pieces:
            for either in _alternatives(text):
                only_words = all(re.fullmatch(r"[a-z]+\??(?: [a-z]+)*", word) for word in either)
                singular = {word.replace("n?", "") for word in either}
                if only_words and len(GRAMMAR & singular) >= IN_ALTERNATIVES:
                    found.append(f"line {node.lineno}: alternatives")
    return found


def test_lists_of_english_lie_with_the_language_alone() -> None:
    assert _word_lists('STOP = {"the", "a", "of", "and", "in", "or"}')
    assert _word_lists('F = re.compile(rf"(?i:\\b(?:an?|the|of|and|in|or|by|with)\\s{X})")')
    assert not _word_lists('KEYS = ("subject", "relation", "object", "evidence", "time", "place")')
    for path in sorted(PACKAGE.rglob("*.py")):
        if not path.relative_to(PACKAGE).as_posix().startswith(tuple(WITH_WORDS)):
            assert _word_lists(path.read_text("utf-8")) == [], path


def test_the_language_is_words_alone_and_may_be_read_by_rules() -> None:
    for path in (PACKAGE / "claims" / "english").glob("*.py"):
        nodes = _nodes(path.read_text("utf-8"))
        imported = {n.module for n in nodes if isinstance(n, ast.ImportFrom)}
        imported |= {a.name for n in nodes if isinstance(n, ast.Import) for a in n.names}
        inside = {name for name in imported if str(name).startswith("groundrules.claims.english")}
        standard = {"__future__", "collections.abc", "functools", "pathlib", "tomllib", "types"}
        assert imported - inside <= standard | {"groundrules.terms", "typing"}


#: Words of the field of a domain, by which what generic rooms know of it is known.
FIELD = re.compile(
    r"(?i)(?<![a-z])(?:agreement|landlord|tenant|lessor|lessee|lease|licensor|licensee|plaintiff"
    r"|defendant|appellant|statute|patent|citation|reporter|jurisdiction|sublease|court)s?(?![a-z])"
)
#: Rooms that stand for texts of any field, and what of their words is plain English: in one word,
#: what the word is there, or of whom all words of a file are.
GENERIC = ("align", "checks", "claims", "explain", "kb", "llm", "models", "ontology", "rules")
PLAIN: dict[str, dict[str, str] | str] = {
    "align/antonyms.tsv": {"agreement": "agreeing"},
    "align/kinds.tsv": "WordNet",
    "align/meanings.toml": {
        "landlord": "person", "tenant": "person", "lessor": "person", "lessee": "person",
        "lease": "verb", "agreement": "agreeing",
    },
    "align/normal_words.toml": {"court": "institution"},
    "align/opposites.toml": {"agreement": "agreeing"},
    "align/relations.ttl": {"lease": "verb"},

    "claims/english/lists.toml": {
        "court": "institution", "landlord": "person", "lessor": "person", "lessee": "person",
        "lease": "verb", "sublease": "verb", "tenant": "person", "plaintiff": "person",
        "defendant": "person",
    },
    "claims/values/amounts.py": {"court": "street"},
    "claims/names/names.toml": {"court": "institution"},
    "kb/link/relations.toml": "Wikidata",
    "kb/sources/properties.json": "Wikidata",
}  # fmt: skip


def _of_a_field(source: str) -> list[str]:
    """Return the words of a field in the names and strings of a module, docstrings apart."""
    nodes = _nodes(source)
    told = {
        id(node.value) for node in nodes
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }  # fmt: skip
    found = []
    for node in nodes:
        for field in ("id", "attr", "name", "arg", "module", "value"):
            said = getattr(node, field, None)
            if isinstance(said, str) and id(node) not in told:
                words = FIELD.finditer(said.replace("_", " "))
                found += [f"line {getattr(node, 'lineno', 0)}: {word[0]}" for word in words]
    return found


#: What a rule is explained and tested by.
OF_A_RULE = ("why", "test")


def _strings(data: object) -> Iterator[str]:
    """Give the keys and strings of data, what a rule is shown and tested by left out."""
    if isinstance(data, dict):
        for key, value in data.items():
            if key not in OF_A_RULE:
                yield from (key, *_strings(value))
    elif isinstance(data, list):
        for one in data:
            yield from _strings(one)
    elif isinstance(data, str):
        yield data


def _of_a_field_in_data(path: Path) -> list[str]:
    """Return the words of a field in a file of data, its comments left out."""
    text = path.read_text("utf-8")
    if path.suffix == ".toml":
        strings = list(_strings(tomllib.loads(text)))
    elif path.suffix == ".json":
        strings = list(_strings(json.loads(text)))
    else:
        strings = [line for line in text.splitlines() if not line.startswith("#")]
    return [word[0] for said in strings for word in FIELD.finditer(said.replace("_", " "))]


DATA = (".json", ".rq", ".toml", ".tsv", ".ttl")
ANYWHERE = [
    path for path in sorted(PACKAGE.rglob("*")) if path.suffix in (".py", *DATA)
    and (path.parent == PACKAGE or path.relative_to(PACKAGE).parts[0] in GENERIC)
]  # fmt: skip


def test_generic_rooms_know_the_words_of_no_field() -> None:
    """Law is a guest: its words, what it reads and how its values compare are in its `Domain`."""
    assert _of_a_field('def reporter_of(text): ...\nROLES = "seller landlord".split()')
    assert not _of_a_field('def parse():\n    """Read `the "Landlord"`."""  # of a lease')
    for path in ANYWHERE:
        if path.suffix == ".py":
            found = [one.partition(": ")[2] for one in _of_a_field(path.read_text("utf-8"))]
        else:
            found = _of_a_field_in_data(path)
        words = {word.casefold().removesuffix("s") for word in found}
        plain = PLAIN.get(path.relative_to(PACKAGE).as_posix(), {})
        assert bool(words) if isinstance(plain, str) else words == {*plain}, path
