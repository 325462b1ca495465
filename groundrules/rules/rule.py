"""Rules: one TOML file each, a SPARQL query with its documentation, parameters, edit and tests.

A rule file is data from a stranger: it is bounded in size, and nothing in it is executed but a
query that can only read the dataset.
"""

from __future__ import annotations

import hashlib
import math
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, get_args, get_type_hints

from rdflib.term import Node, URIRef

from groundrules.dataset import PREFIXES, bound, check_query, parse_turtle
from groundrules.dataset import columns as select_columns
from groundrules.errors import RuleError, SourceError, did_you_mean
from groundrules.files import parse_toml, read_bounded
from groundrules.rules.spelling import MOST_MARKS, marks, tokens, unknown_terms
from groundrules.terms import Applicability, Outcome, Severity, Traits, Triple

#: A value of `[params]`.
Param = str | int | float | bool

_MAX_BYTES = 65_536
#: The most characters of a query.
_MOST_CHARACTERS = 10_000
_VARIABLE = "urn:groundrules:variable:"
_KEYS = {
    "id": str, "name": str, "like": str, "summary": str, "severity": str, "why": str, "source": str,
    "status": str, "select": str, "construct": str, "message": str, "because": str,
    "verdict": str, "denied": str, "axiom": str, "evidence": str, "metric": str, "per": str,
    "finds": str, "rests_on": str, "compares": str, "stage": str,
    "params": dict, "edit": dict, "prefixes": dict, "supersedes": list,
    "test": list,
}  # fmt: skip
#: What a rule that is like another says for itself.
_OWN = ("id", "name", "like", "summary", "why", "source", "status", "test")
#: The words of each key that says how findings count.
TRAITS = {key: tuple(filter(None, get_args(kind))) for key, kind in get_type_hints(Traits).items()}
_EDIT_KEYS = {"delete": str, "add": str, "applicability": str}
_TEST_KEYS = {
    "name": str, "claims": str, "context": str, "ontology": str, "facts": str,
    "expect": list, "outcome": str, "metric": float, "fixed": str, "derives": str,
}  # fmt: skip
#: The keys of a test that are Turtle.
_TURTLE = ("claims", "context", "ontology", "facts", "fixed", "derives")
#: What a row can be about: the classes of the nodes of `?claim`.
_FOCUS = ("gr:Claim", "gr:Assertion", "gr:Statement")
_KIND = {
    str: "a string", dict: "a table", list: "an array", float: "a number",
}  # fmt: skip
#: What SPARQL 1.1 allows and a rule may not say, with the reason.
_REFUSED = {
    "SERVICE": "a rule reads only the dataset",
    "FROM": "the dataset of a check is fixed",
    "PREFIX": "extra prefixes go under [prefixes]",
    "BASE": "write absolute IRIs",
    "NOW": "the same input must give the same verdict",
    "RAND": "the same input must give the same verdict",
    "UUID": "the same input must give the same verdict",
    "STRUUID": "the same input must give the same verdict",
    **dict.fromkeys(
        ("LOAD", "INSERT", "DELETE", "CLEAR", "DROP", "CREATE", "COPY", "MOVE", "ADD"),
        "a rule only reads",
    ),
    **dict.fromkeys(("ASK", "DESCRIBE"), "a rule is a SELECT or a CONSTRUCT"),
}


@dataclass(frozen=True, slots=True)
class EditTemplate:
    """Triples to delete and to add, with variables for the columns of a row.

    `whole` means that the claim's own triple is deleted (`delete = "?claim"`).
    """

    delete: tuple[Triple, ...] = ()
    add: tuple[Triple, ...] = ()
    whole: bool = False
    applicability: Applicability = "unsafe"


@dataclass(frozen=True, slots=True)
class RuleTest:
    """A `[[test]]` of a rule; the texts are Turtle, see `checks.testing`."""

    name: str
    claims: str = ""
    context: str = ""
    ontology: str = ""
    facts: str = ""
    expect: tuple[Mapping[str, str], ...] | None = None
    outcome: Outcome | None = None
    metric: float | None = None
    fixed: str | None = None
    derives: str | None = None
    line: int = 1


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of a pack; `form` is "select" (finds faults) or "construct" (derives facts).

    `verdict` is what the rows of a select rule prove of `?claim`; `denied` is the message where
    the claim denies what they speak of. `shared` names the figure of the check that a param is
    (`SHARED`). `line` is the line of the file where `query` begins;
    `digest` the SHA-256 of the file.
    """

    id: str
    name: str
    summary: str
    form: str
    query: str
    severity: Severity = Severity.ERROR
    why: str = ""
    source: str = ""
    status: str = "stable"
    verdict: Outcome | None = None
    message: str = ""
    denied: str = ""
    because: str = ""
    axiom: tuple[Triple, ...] = ()
    evidence: tuple[Triple, ...] = ()
    metric: str = ""
    per: str = ""
    params: Mapping[str, Param] = field(default_factory=dict)
    traits: Traits = field(default_factory=Traits)
    edit: EditTemplate | None = None
    prefixes: Mapping[str, str] = field(default_factory=lambda: dict(PREFIXES))
    supersedes: tuple[str, ...] = ()
    tests: tuple[RuleTest, ...] = ()
    columns: tuple[str, ...] = ()
    path: str = ""
    line: int = 1
    digest: str = ""

    def is_meant_by(self, word: str) -> bool:
        """Return whether a word is the name of the rule or begins its id."""
        return word == self.name or self.id.startswith(word)

    @property
    def reads(self) -> frozenset[str]:
        """The names of the metrics that the query mentions."""
        return frozenset(
            name.partition(":")[2] for name in _named(self.query) if name.startswith("metric:")
        )

    @property
    def finds_faults(self) -> bool:
        """Whether its rows are violations; those of a verdict such as "supported" are not."""
        faults = (None, Outcome.REFUTED, Outcome.CONFLICTING)
        return self.form == "select" and self.verdict in faults

    @property
    def reads_verdicts(self) -> bool:
        """Whether the query mentions the verdicts that other rules give."""
        return not _named(self.query).isdisjoint(("gr:verdict", "gr:reason"))


def variable(term: Node) -> str | None:
    """Return the name of a variable of a template, None for a constant."""
    text = str(term)
    if isinstance(term, URIRef) and text.startswith(_VARIABLE):
        return text[len(_VARIABLE) :]
    return None


@lru_cache(maxsize=1024)
def _named(query: str) -> frozenset[str]:
    return frozenset(text for kind, text, _ in tokens(query) if kind == "prefixed")


def substitute(rule: Rule, params: Mapping[str, Param] | None = None) -> str:
    """Return the query with each `$name` replaced by the literal of that parameter."""
    if "$" not in rule.query:
        return rule.query
    values = {**rule.params, **(params or {})}
    parts: list[str] = []
    end = 0
    for kind, text, start in tokens(rule.query):
        if kind == "variable" and text[0] == "$":
            parts += [rule.query[end:start], serialise(values[text[1:]])]
            end = start + len(text)
    return "".join([*parts, rule.query[end:]])


def serialise(value: Param) -> str:
    """Return a parameter as a SPARQL literal; ValueError if it is not finite."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} is not finite")
        return repr(value)
    escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"}
    return '"' + "".join(escapes.get(c, c) for c in value) + '"'


def load_rule(path: Path | str) -> Rule:
    """Read a rule file; RuleError with file, line and column where it is at fault."""
    path = Path(path)
    data = _read(path)
    like = _keys(data, str(path)).get("like")
    if not isinstance(like, str):
        return parse_rule(data, str(path))
    other = path.parent / f"{like}.toml"
    if not re.fullmatch(r"[a-z0-9-]+", like) or not other.is_file():
        reader = _Reader(data.decode("utf-8").replace("\r\n", "\n"), str(path))
        raise reader.error(f"like {like!r}; expected the name of a rule beside it", "like")
    return parse_rule(data, str(path), _read(other), str(other))


def _read(path: Path) -> bytes:
    try:
        if path.exists() and not path.is_file():
            raise RuleError("not a file", path=str(path))
        data = read_bounded(path, _MAX_BYTES)
        if len(data) > _MAX_BYTES:
            raise RuleError(f"larger than {_MAX_BYTES:,} bytes", path=str(path))
    except OSError as error:
        raise RuleError(f"cannot be read: {error.strerror}", path=str(path)) from None
    return data


@lru_cache(maxsize=1024)  # a rule is read once, however many texts are checked
def parse_rule(data: bytes, path: str, like: bytes = b"", other: str = "") -> Rule:
    """Read a rule from the bytes of its file, `like` those of the file of a rule which it is like.

    RuleError as for `load_rule`.
    """
    keys = _keys(data, path)
    reader = _Reader(data.decode("utf-8").replace("\r\n", "\n"), path)
    reader.check(keys, _KEYS)
    if like:
        parse_rule(like, other)  # says what is wrong with it
        theirs = {key: value for key, value in _keys(like, other).items() if key not in _OWN}
        params = {**theirs.get("params", {}), **keys.get("params", {})}
        keys = {**theirs, **keys, "params": params}
    elif "like" in keys:
        raise reader.error("a rule that another is like is like none itself", "like")
    return reader.read(keys, hashlib.sha256(data + like).hexdigest())


@lru_cache(maxsize=1024)
def _keys(data: bytes, path: str) -> Mapping[str, Any]:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise RuleError(f"not UTF-8 at byte {error.start}", path=path, line=line) from None
    try:
        return parse_toml(text)
    except tomllib.TOMLDecodeError as error:
        raise _toml_error(error, text, path) from None
    except RecursionError:
        raise RuleError("nested too deeply", path=path) from None


def _toml_error(error: tomllib.TOMLDecodeError, text: str, path: str) -> RuleError:
    message = str(error)
    place = re.search(r"\(at line (\d+), column (\d+)\)", message)
    what = re.sub(r"\s?\(at [^()]{1,60}\)$", "", message)
    if place:
        line, column = int(place[1]), int(place[2])
    else:
        line, column = text.count("\n") + 1, 1
    return RuleError(f"not TOML: {what}", path=path, line=line, column=column)


class _Reader:
    """Turns the keys of one file into a Rule and knows where in the text each key stands."""

    def __init__(self, text: str, path: str) -> None:
        self.path = path
        self.text = text
        self.lines = text.split("\n")

    def read(self, keys: Mapping[str, Any], digest: str) -> Rule:
        for name in ("id", "name", "summary"):
            if not keys.get(name):
                raise self.error(f"has no {name!r}", line=1)
        identifier, name = keys["id"], keys["name"]
        if not re.fullmatch(r"[A-Z]{2,5}\d{3,4}", identifier):
            raise self.error(f"id {identifier!r}; expected two to five capitals and three or "
                             "four digits, as GR201", "id")  # fmt: skip
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
            raise self.error(f"name {name!r}; expected small letters and hyphens", "name")
        if name != Path(self.path).stem:
            raise self.error(f"name {name!r} is not the name of the file", "name")
        form = self.form(keys)
        prefixes = self.prefixes(keys.get("prefixes", {}))
        params = self.params(keys.get("params", {}))
        query = keys[form]
        line, column = self.origin(form)
        columns = self.query(query, form, params, prefixes, line, column)
        rule = Rule(
            id=identifier,
            name=name,
            summary=keys["summary"],
            form=form,
            query=query,
            severity=Severity(self.choice(keys, "severity", "error", tuple(map(str, Severity)))),
            why=keys.get("why", "").strip(),
            source=keys.get("source", ""),
            status=self.choice(keys, "status", "stable", ("preview", "stable", "deprecated")),
            verdict=self.outcome(keys),
            message=keys.get("message", ""),
            denied=keys.get("denied", ""),
            because=keys.get("because", ""),
            axiom=self.template(keys.get("axiom", ""), "axiom", prefixes, columns),
            evidence=self.template(keys.get("evidence", ""), "evidence", prefixes, columns),
            metric=keys.get("metric", ""),
            per=keys.get("per", ""),
            params=params,
            traits=Traits(
                **{
                    key: self.choice(keys, key, "", known)
                    for key, known in TRAITS.items()
                    if key in keys
                }
            ),
            edit=self.edit(keys.get("edit"), prefixes, columns),
            prefixes=prefixes,
            supersedes=self.strings(keys.get("supersedes", []), "supersedes"),
            tests=tuple(self.tests(keys.get("test", []), columns, prefixes)),
            columns=columns,
            path=self.path,
            line=line,
            digest=digest,
        )
        self.cross(rule)
        return rule

    def cross(self, rule: Rule) -> None:
        """Check what concerns several keys at once."""
        if rule.form == "construct":
            foreign = "message because verdict denied axiom evidence metric per edit severity"
            for key in [*foreign.split(), "supersedes", *TRAITS]:
                if self.has(key):
                    raise self.error(f"{key!r} belongs to a select rule", key)
            return
        if not rule.message:
            raise self.error("has no 'message'", line=1)
        self.cross_verdict(rule)
        self.cross_claim(rule)
        for key in ("message", "denied", "because"):
            template = getattr(rule, key)
            for name in re.findall(r"\{(\w*)\}", template.replace("{{", "").replace("}}", "")):
                if name not in rule.columns:
                    raise self.error(f"{key} names {{{name}}}, which is not a column of the query"
                                     + did_you_mean(name, rule.columns), key)  # fmt: skip
        if rule.per and rule.per not in rule.columns:
            raise self.error(f"per names {rule.per!r}, which is not a column of the query"
                             + did_you_mean(rule.per, rule.columns), "per")  # fmt: skip
        if rule.metric and "score" not in rule.columns:
            raise self.error("a metric is the mean of ?score, which is not a column", "metric")
        if rule.metric and not re.fullmatch(r"[A-Za-z]\w*", rule.metric):
            raise self.error(f"metric {rule.metric!r}; expected a word", "metric")
        for name, value in rule.params.items():
            if name == "threshold":
                number = isinstance(value, int | float) and not isinstance(value, bool)
                if not number:
                    raise self.error("threshold is not a number", name, table="params")
            elif name == "severity":
                raise self.error("'severity' is a key of the rule", name, table="params")
            elif f"${name}" not in {text for _, text, _ in tokens(rule.query)}:
                raise self.error(f"${name} is not used in the query", name, table="params")

    def cross_claim(self, rule: Rule) -> None:
        """Raise RuleError where the rows are about claims, and no column says about which."""
        if "claim" in rule.columns:
            return
        about = {"claim"}
        for (_, name, _), (_, verb, _), (_, kind, _) in zip(
            *(tokens(rule.query)[n:] for n in range(3)), strict=False
        ):
            if verb in ("a", "rdf:type") and kind in _FOCUS:
                about.add(name[1:])
        for name in sorted(about.intersection(bound(rule.query, rule.prefixes))):
            told = f"has ?{name} and no column ?claim, so that its findings have no place in the "
            told += "text; expected SELECT ?claim …"
            told += "" if name == "claim" else f", with ?claim in the place of ?{name}"
            raise self.error(f"the query {told}", rule.form)

    def cross_verdict(self, rule: Rule) -> None:
        """Check the keys that a verdict asks for or rules out."""
        both_ways = rule.verdict in (Outcome.SUPPORTED, Outcome.REFUTED) and not rule.reads_verdicts
        if both_ways and not rule.denied:
            raise self.error(f"a rule of verdict {rule.verdict} has 'denied', its message where "
                             "the claim denies what it proves", "verdict")  # fmt: skip
        if rule.denied and not both_ways:
            raise self.error("'denied' belongs to a rule of verdict supported or refuted that "
                             "reads no verdicts", "denied")  # fmt: skip
        if rule.verdict is None:
            return
        if "claim" not in rule.columns:
            raise self.error("a verdict is on ?claim, which is not a column", "verdict")
        if rule.per:
            raise self.error("a claim has one verdict; 'per' is refused", "per")
        if not rule.finds_faults and self.line("severity") is not None:
            raise self.error(f"a rule of verdict {rule.verdict} has no severity", "severity")
        if rule.edit and not rule.finds_faults and not both_ways:
            raise self.error(f"a rule of verdict {rule.verdict} has no edit", "edit")

    def outcome(
        self, keys: Mapping[str, Any], key: str = "verdict", table: str = ""
    ) -> Outcome | None:
        """Return an outcome, None where none is given."""
        if key not in keys:
            return None
        return Outcome(self.choice(keys, key, "", tuple(map(str, Outcome)), table))

    def has(self, key: str) -> bool:
        """Whether a key or table of that name is in the file."""
        return self.line(key) is not None or self.header(key) is not None

    def form(self, keys: Mapping[str, Any]) -> str:
        forms = [form for form in ("select", "construct") if form in keys]
        if len(forms) != 1:
            where = self.line("construct") if forms else 1
            raise self.error("expected one of 'select' and 'construct'", line=where)
        return forms[0]

    def params(self, table: dict[str, Any]) -> dict[str, Param]:
        for name, value in table.items():
            if not isinstance(value, str | int | float | bool) or (
                isinstance(value, float) and not math.isfinite(value)
            ):
                raise self.error(f"param {name!r} is not a string, a finite number or a boolean",
                                 name, table="params")  # fmt: skip
        return table

    def prefixes(self, table: dict[str, Any]) -> dict[str, str]:
        for name, iri in table.items():
            if name in PREFIXES:
                raise self.error(f"prefix {name!r} is given", name, table="prefixes")
            if not isinstance(iri, str) or not re.fullmatch(
                r"[A-Za-z][A-Za-z0-9+.-]*:[^<>\"{}|^`\\\s]*", iri
            ):
                raise self.error(f"prefix {name!r} is not an absolute IRI", name, table="prefixes")
        return {**PREFIXES, **table}

    def query(
        self,
        query: str,
        form: str,
        params: Mapping[str, Param],
        prefixes: Mapping[str, str],
        line: int,
        column: int,
    ) -> tuple[str, ...]:
        """Check the query and return its columns."""

        def fault(message: str, at: int) -> RuleError:
            row = query.count("\n", 0, at)
            col = at - (query.rfind("\n", 0, at) + 1) + 1
            return self.error(message, line=line + row, column=col + (column - 1 if not row else 0))

        if len(query) > _MOST_CHARACTERS:
            raise fault(f"the query is longer than {_MOST_CHARACTERS:,} characters", 0)
        if marks(query) > MOST_MARKS:
            raise fault(f"more than {MOST_MARKS} patterns; expected several rules", 0)
        first = True
        for kind, text, at in tokens(query):
            if kind == "word":
                word = text.upper()
                if word in _REFUSED:
                    raise fault(f"{word} is refused; {_REFUSED[word]}", at)
                if first and word != form.upper():
                    raise fault(f"expected {form.upper()}, not {text}", at)
                first = False
            elif kind == "prefixed":
                prefix = text.partition(":")[0]
                if prefix not in prefixes:
                    raise fault(f"prefix {prefix + ':'!r} is not declared; [prefixes] declares, "
                                f"{' '.join(PREFIXES)} are given"
                                + did_you_mean(prefix, prefixes), at)  # fmt: skip
            elif kind == "variable" and text[0] == "$" and text[1:] not in params:
                raise fault(f"{text} is not declared under [params]"
                            + did_you_mean(text[1:], params), at)  # fmt: skip
            if form == "construct" and (kind == "blank" or text.upper() == "BNODE"):
                raise fault("blank nodes are refused; each round would make new ones", at)
        if form == "construct" and "[" in re.sub(r"<[^>]{0,9999}>|\"[^\"]{0,9999}\"", "", query):
            raise fault("blank nodes are refused; each round would make new ones", query.find("["))
        for message, at in unknown_terms(query, prefixes):
            raise fault(message, at)
        probe = Rule("", "", "", form, query, params=params)
        for candidate in (query, substitute(probe)):
            # The raw text first: there the columns are those of the file.
            try:
                check_query(candidate, prefixes)
            except RuleError as error:
                row = error.line or 1
                col = error.column
                if col is not None and row == 1:
                    col += column - 1
                raise self.error(error.message, line=line + row - 1, column=col) from None
        return select_columns(substitute(probe), prefixes) if form == "select" else ()

    def template(
        self, text: str, key: str, prefixes: Mapping[str, str], columns: tuple[str, ...],
        table: str = "",
    ) -> tuple[Triple, ...]:  # fmt: skip
        """Read a triple template; every variable must be a column."""
        if not text.strip():
            return ()
        for name in re.findall(r"(?<!\S)\?(\w+)", text):
            if name not in columns:
                raise self.error(f"{key} names ?{name}, which is not a column of the query"
                                 + did_you_mean(name, columns), key, table=table)  # fmt: skip
        self.expect_known(text, key, prefixes, table)
        turtle = re.sub(r"(?<!\S)\?(\w+)", rf"<{_VARIABLE}\1>", text.strip())
        try:
            return tuple(parse_turtle(turtle.removesuffix(".") + " .", prefixes=prefixes))
        except SourceError as error:
            raise self.error(f"{key} is not a triple: {error.message}", key, table=table) from None

    def expect_known(
        self, text: str, key: str, prefixes: Mapping[str, str], table: str = "", number: int = 0
    ) -> None:
        """Raise RuleError where the Turtle of a key has a term that its vocabulary lacks."""
        for message, at in unknown_terms(text, prefixes):
            line, _ = self.origin(key, table, number)
            line += text.count("\n", 0, at)
            raise self.error(f"{key}: {message}", line=line)

    def edit(
        self, table: dict[str, Any] | None, prefixes: Mapping[str, str], columns: tuple[str, ...]
    ) -> EditTemplate | None:
        if table is None:
            return None
        self.check(table, _EDIT_KEYS, "edit")
        delete, add = table.get("delete", ""), table.get("add", "")
        if not delete and not add:
            raise self.error("an edit deletes or adds something", "edit")
        whole = delete.strip() == "?claim"
        if whole and "claim" not in columns:
            raise self.error("delete names ?claim, which is not a column", "delete", table="edit")
        return EditTemplate(
            delete=() if whole else self.template(delete, "delete", prefixes, columns, "edit"),
            add=self.template(add, "add", prefixes, columns, "edit"),
            whole=whole,
            applicability=self.choice(
                table, "applicability", "unsafe", ("safe", "unsafe", "display"), "edit"
            ),
        )

    def tests(
        self, rows: list[Any], columns: tuple[str, ...], prefixes: Mapping[str, str]
    ) -> Iterator[RuleTest]:
        for number, row in enumerate(rows):
            line = self.header("test", number)
            if not isinstance(row, dict):
                raise self.error("a test is a table, [[test]]", "test")
            self.check(row, _TEST_KEYS, "test", number)
            if not row.get("name"):
                raise self.error("the test has no name", line=line)
            for key in _TURTLE:
                self.expect_known(row.get(key, ""), key, prefixes, "test", number)
            expect = row.get("expect")
            for pattern in expect or ():
                if not isinstance(pattern, dict) or not all(
                    isinstance(value, str) for value in pattern.values()
                ):
                    raise self.error("expect is an array of tables column = 'term'", "expect",
                                     table="test", number=number)  # fmt: skip
                for name in pattern:
                    if name not in columns:
                        raise self.error(
                            f"expect names {name!r}, which is not a column of the query"
                            + did_you_mean(name, columns), "expect", table="test", number=number
                        )  # fmt: skip
            given = {
                "expect": None if expect is None else tuple(expect),
                "outcome": self.outcome(row, "outcome", "test"),
            }
            yield RuleTest(**{**row, **given}, line=line or 1)

    def strings(self, values: list[Any], key: str) -> tuple[str, ...]:
        if not all(isinstance(value, str) for value in values):
            raise self.error(f"{key} is an array of strings", key)
        return tuple(values)

    def choice(
        self, keys: Mapping[str, Any], key: str, default: str, known: tuple[str, ...],
        table: str = "",
    ) -> Any:  # fmt: skip
        """Return the word of a key, which is one of those known."""
        value = keys.get(key, default)
        if value not in known:
            raise self.error(f"{key} {value!r}; expected {', '.join(known)}"
                             + did_you_mean(value, known), key, table=table)  # fmt: skip
        return value

    def check(
        self, keys: Mapping[str, Any], known: Mapping[str, type], table: str = "", number: int = 0
    ) -> None:
        """Check that each key is known and its value of the right type."""
        for key, value in keys.items():
            if key not in known:
                raise self.error(f"unknown key {key!r}; expected {', '.join(known)}"
                                 if not did_you_mean(key, known)
                                 else f"unknown key {key!r}{did_you_mean(key, known)}",
                                 key, table=table, number=number)  # fmt: skip
            kind = known[key]
            good = isinstance(value, int | float) and not isinstance(value, bool)
            if not (good if kind is float else isinstance(value, kind)):
                raise self.error(f"{key!r} is not {_KIND[kind]}",
                                 key, table=table, number=number)  # fmt: skip

    def error(
        self, message: str, key: str = "", *, line: int | None = None, column: int | None = None,
        table: str = "", number: int = 0,
    ) -> RuleError:  # fmt: skip
        if key and line is None:
            line = self.line(key, table, number) or self.header(key) or self.header(table, number)
        return RuleError(message, path=self.path, line=line, column=column)

    def header(self, table: str, number: int = 0) -> int | None:
        """Return the line of the nth header `[table]` or `[[table]]`, counted from 1."""
        pattern = re.compile(rf"\s*\[\[?\s*{re.escape(table)}\s*\]")
        found = [i for i, line in enumerate(self.lines, 1) if pattern.match(line)]
        return found[number] if table and number < len(found) else None

    def line(self, key: str, table: str = "", number: int = 0) -> int | None:
        """Return the line where a key of a table is set, counted from 1."""
        start = self.header(table, number) if table else 0
        if start is None:
            return None
        pattern = re.compile(rf"""\s*["']?{re.escape(key)}["']?\s*=""")
        for i in range(start, len(self.lines)):
            if pattern.match(self.lines[i]):
                return i + 1
            if re.match(r"\s*\[\[?[\w. -]+\]", self.lines[i]):
                break
        return None

    def origin(self, key: str, table: str = "", number: int = 0) -> tuple[int, int]:
        """Return line and column of the first character of a string value."""
        line = self.line(key, table, number) or 1
        text = self.lines[line - 1]
        match = re.search(r"=\s*('''|\"\"\"|'|\")", text)
        if not match:
            return line, 1
        if len(match[1]) == 3 and match.end() == len(text.rstrip()):
            return line + 1, 1
        return line, match.end() + 1
