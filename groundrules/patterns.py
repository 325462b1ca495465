"""What a query cannot do without: the triples of which there must be some for it to have a row.

Reading a query costs the store far more than finding that a word of it occurs nowhere, and in a
small dataset most rules find nothing to speak of.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from rdflib.namespace import RDF
from rdflib.term import Literal, Node, URIRef

#: Subject, predicate and object, each a constant, or None for any.
Pattern = tuple[Node | None, Node | None, Node | None]


@dataclass(frozen=True, slots=True)
class Needs:
    """Every pattern must occur in some graph, and of each union all that one alternative needs."""

    patterns: tuple[Pattern, ...] = ()
    unions: tuple[tuple[Needs, ...], ...] = ()


def needs(sparql: str, prefixes: Mapping[str, str]) -> tuple[str, Needs] | None:
    """Return the form of a valid query, "select" or "construct", and what it needs to have a row.

    None where that is not told: of another form, of one that aggregates (which has a row of
    nothing), and wherever the text has what is not looked for here. What OPTIONAL, MINUS, filters
    and paths need is left out.
    """
    reader = _Reader(_tokens(sparql), prefixes)
    try:
        return reader.query()
    except _UntoldError:
        return None


class _UntoldError(Exception):
    """The text has what is not looked for."""


_TOKEN = re.compile(
    r"""
      (?P<space>(?:\s+|\#[^\n\r]*)+)
    | (?P<string>\"\"\"(?:[^"\\]|\\.|\"(?!\"\"))*\"\"\"|'''(?:[^'\\]|\\.|'(?!''))*'''
        |"(?:[^"\\\n\r]|\\.)*"|'(?:[^'\\\n\r]|\\.)*')
    | (?P<iri><[A-Za-z][A-Za-z0-9+.-]*:[^<>"{}|^`\\\s()]*>)
    | (?P<doubtful><[A-Za-z][A-Za-z0-9+.-]*:[^<>"{}|^`\\\s]*>)
    | (?P<variable>[?$]\w+)
    | (?P<blank>_:\w(?:[\w.-]*[\w-])?)
    | (?P<prefixed>(?:[^\W\d_](?:[\w.-]*[\w-])?)?:(?:[\w:](?:[\w:.-]*[\w:-])?)?(?![%\\]))
    | (?P<number>[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?)
    | (?P<word>[^\W\d]\w*)
    | (?P<language>@[A-Za-z]+(?:-[A-Za-z0-9]+)*)
    | (?P<mark>\^\^|[][{}().;,*+?/|^!=<>&-])
    """,
    re.X | re.S,
)
_AGGREGATES = frozenset("count sum min max avg sample group_concat".split())
_CLOSE = {"(": ")", "[": "]", "{": "}"}
#: After other marks and words a "<" may as well be "less than".
_BEFORE = frozenset("( { . ; , = ! < > & | ^^ ^ / * + ? -".split())

_Token = tuple[str, str]
_END: _Token = ("end", "")
_TRUTH: tuple[_Token, ...] = (("word", "true"), ("word", "false"))


def _tokens(sparql: str) -> list[_Token]:
    if "\\u" in sparql or "\\U" in sparql:  # it may stand for a mark
        return [("other", "")]
    found: list[_Token] = []
    at = 0
    while at < len(sparql):
        match = _TOKEN.match(sparql, at)
        if match is None or match.lastgroup == "doubtful":
            return [("other", "")]
        at = match.end()
        kind = match.lastgroup or ""
        if kind == "word":
            found.append((kind, match[0].casefold()))
        elif kind != "space":
            found.append((kind, match[0]))
    return found


class _Reader:
    """A query read once from left to right."""

    def __init__(self, tokens: list[_Token], prefixes: Mapping[str, str]) -> None:
        self.tokens = tokens
        self.prefixes = prefixes
        self.at = 0

    def query(self) -> tuple[str, Needs]:
        words = {text for kind, text in self.tokens if kind == "word"}
        if words & _AGGREGATES or words & {"from", "service", "prefix", "base", "lateral"}:
            raise _UntoldError
        if self.takes("select"):
            return "select", self.selected()
        if self.takes("construct"):
            if not self.takes("where"):
                self.skip("{")
                self.takes("where")
            return "construct", self.group()
        raise _UntoldError

    def peek(self) -> _Token:
        return self.tokens[self.at] if self.at < len(self.tokens) else _END

    def next(self) -> _Token:
        token = self.peek()
        if token is _END:
            raise _UntoldError
        self.at += 1
        return token

    def takes(self, *texts: str) -> bool:
        """Step over a word or mark if it is the next."""
        kind, text = self.peek()
        found = kind in ("word", "mark") and text in texts
        self.at += found
        return found

    def skip(self, mark: str) -> None:
        """Step over brackets and what is between them."""
        if not self.takes(mark):
            raise _UntoldError
        ends = [_CLOSE[mark]]
        before = mark
        while ends:
            kind, text = self.next()
            if kind == "iri" and before not in _BEFORE:
                raise _UntoldError
            before = kind
            if kind == "mark":
                before = text
                if text in _CLOSE:
                    ends.append(_CLOSE[text])
                elif text in (")", "]", "}") and text != ends.pop():
                    raise _UntoldError

    def selected(self) -> Needs:
        """Return what the pattern of a SELECT needs, of which the first word is read."""
        while self.peek() != ("mark", "{"):
            if self.peek() == ("mark", "("):
                self.skip("(")
            elif self.peek()[0] == "variable":
                self.next()
            elif not self.takes("distinct", "reduced", "where", "*"):
                raise _UntoldError
        return self.group()

    def group(self) -> Needs:
        """Return what a group needs: what all of its parts need."""
        if not self.takes("{"):
            raise _UntoldError
        if self.takes("select"):
            inner = self.selected()
            while not self.takes("}"):
                if self.peek()[1] in ("(", "{"):
                    self.skip(self.peek()[1])
                else:
                    self.next()
            return inner
        patterns: list[Pattern] = []
        unions: list[tuple[Needs, ...]] = []
        while not self.takes("}"):
            if self.takes("."):
                continue
            if self.peek() == ("mark", "{"):
                alternatives = [self.group()]
                while self.takes("union"):
                    alternatives.append(self.group())
                unions.append(tuple(alternatives))
            elif self.takes("optional", "minus"):
                self.skip("{")
            elif self.takes("graph"):
                self.node()
                unions.append((self.group(),))
            elif self.takes("filter"):
                if self.takes("exists"):
                    unions.append((self.group(),))
                elif self.takes("not"):
                    if not self.takes("exists"):
                        raise _UntoldError
                    self.skip("{")
                else:
                    if self.peek()[0] in ("word", "prefixed", "iri"):
                        self.next()
                    self.skip("(")
            elif self.takes("bind"):
                self.skip("(")
            elif self.takes("values"):
                if self.peek()[0] == "variable":
                    self.next()
                else:
                    self.skip("(")
                self.skip("{")
            else:
                patterns += self.statements()
        # one alternative is none
        for single in [union[0] for union in unions if len(union) == 1]:
            patterns += single.patterns
            unions += single.unions
        unions = [union for union in unions if len(union) > 1]
        return Needs(tuple(dict.fromkeys(patterns)), tuple(dict.fromkeys(unions)))

    def statements(self) -> list[Pattern]:
        """Return the patterns that say something of one subject."""
        bracketed = self.peek()[1] == "["
        subject = self.node()
        if isinstance(subject, Literal):
            raise _UntoldError
        found: list[Pattern] = []
        if bracketed and self.peek()[1] in (".", "}"):
            return found
        while True:
            plain, predicate = self.verb()
            while True:
                pattern = (subject, predicate, self.node())
                if plain and any(pattern):
                    found.append(pattern)
                if not self.takes(","):
                    break
            if not self.takes(";"):
                return found
            while self.takes(";"):
                pass
            if self.peek()[1] in (".", "}"):
                return found

    def verb(self) -> tuple[bool, Node | None]:
        """Return whether the verb is no path, and the predicate, None for a variable.

        A path may lead the other way, over other nodes, or nowhere.
        """
        if self.peek()[0] == "variable":
            self.next()
            return True, None
        plain = True
        constant: Node | None = None
        while True:
            while self.takes("^", "!"):
                plain = False
            if self.takes("a"):
                constant = RDF.type
            elif self.peek()[0] in ("iri", "prefixed"):
                constant = self.node()
            else:
                self.skip("(")
                plain = False
            if self.takes("*", "+", "?"):
                plain = False
            if not self.takes("/", "|"):
                return plain, constant
            plain = False

    def node(self) -> Node | None:
        """Return a subject or object that is an IRI or a plain text, None for another."""
        kind, text = self.peek()
        if text in ("(", "[") and kind == "mark":
            self.skip(text)
            return None
        self.next()
        if kind == "iri":
            return URIRef(text[1:-1])
        if kind == "prefixed":
            name, _, local = text.partition(":")
            if name not in self.prefixes:
                raise _UntoldError
            return URIRef(self.prefixes[name] + local)
        if kind == "string":
            if self.peek()[0] == "language":
                self.next()
                return None
            if self.takes("^^"):
                self.node()
                return None
            width = 3 if text[:3] in ('"""', "'''") else 1
            return None if "\\" in text else Literal(text[width:-width])
        if kind in ("variable", "blank", "number") or (kind, text) in _TRUTH:
            return None
        raise _UntoldError
