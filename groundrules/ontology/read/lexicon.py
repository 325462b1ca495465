"""How texts word the terms of an ontology: a TOML file beside it, and the labels of its terms.

    [prefixes]
    lx = "https://w3id.org/groundrules/legal#"

    [[sign]]                      # a thing that texts speak of: by name or description
    name     = "CONTRACT"
    class    = "lx:Contract"
    definite = "(?:the|this) (?:agreement|lease)"     # the one the text is about ...
    node     = "agreement"                            # ... and the label of its node
    named    = "the (?:[A-Z][a-z]{1,30} )?Lease"      # one called by a name
    paper    = true                                   # a text may itself be one: "this Lease"
    title    = "lx:caseName"                          # the property that gives it its name
    taken_up = true                                   # "the case" is the one that was named

    [[role]]                      # "X is the landlord": CONTRACT lx:hasLandlord X
    property = "lx:hasLandlord"
    of       = "CONTRACT"
    words    = ["landlord", "lessor"]

    [[relation]]                  # a claim's relation, as the extractor words it
    property = "lx:amends"
    words    = ["amend"]
    place    = true                                   # the object is the first place it names ...
    unless   = "subject to"                           # ... but where this goes before the object

    [[kind]]                      # things that events happen to; synonyms in a list of their own
    name  = "contract"
    sign  = "CONTRACT"
    nouns = [["agreement", "contract"], "lease"]

    [[event]]                     # a date of such a thing, in the active, the passive or the noun
    property = "lx:expirationDate"
    of       = "contract"
    verbs    = ["expire", "come to end/close"]
    nouns    = ["expiry"]

    [[action]]                    # what a thing of one kind does to one of another, by a verb
    property = "lx:repeals"
    of       = "statute"
    to       = "statute"
    verbs    = ["repeal"]

    [[frame]]                     # who has which part by a verb: "X lends Y to Z"
    of    = "CONTRACT"
    verbs = ["lend", "grant loan"]
    parts = { subj = "lx:hasLender", to = "lx:hasBorrower" }

    [[test]]
    text   = "The lease expires on May 31, 2026."
    expect = ["agreement lx:expirationDate 2026-05-31"]

The labels of properties are wordings too, but with `labels = false`. A sentence in which the
pattern `elsewhere` is found speaks of another thing than the text, and nothing is read of it. A
relation or role that is `alone` is read in a text that does not speak of its `of` besides; an event
that is, where the thing does it itself. Patterns cannot take long: `*`, `+`, open or wide ranges
are refused, and so is whatever can be tried in too many ways: each `?`, range and alternative
multiplies them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import product
from typing import Annotated, Any, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    ValidationInfo,
)
from rdflib.namespace import OWL
from rdflib.term import URIRef

from groundrules.claims.english.fillers import NO_WORDING
from groundrules.errors import SourceError, did_you_mean
from groundrules.files import parse_toml, read_bounded
from groundrules.ontology.load import Ontology
from groundrules.ontology.read.lexicontables import compiled, expect_kinds, first_fault
from groundrules.ontology.read.termlabels import Axioms
from groundrules.terms import ENTITY, mint

_MAX_BYTES = 262_144


def _term(value: object, info: ValidationInfo) -> object:
    terms: _Terms | None = info.context
    return value if terms is None else terms.term(value)


def _pattern(value: object, info: ValidationInfo) -> object:
    terms: _Terms | None = info.context
    if terms is None or not isinstance(value, str):
        return value
    return compiled(value, terms.ontology.is_shipped)


def _several(value: object) -> object:
    return (value,) if isinstance(value, str) else value


Term = Annotated[URIRef, BeforeValidator(_term)]
Pattern = Annotated[re.Pattern[str], BeforeValidator(_pattern)]
Word = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Words = tuple[Word, ...]


class _Row(BaseModel):
    """An entry of a table of a lexicon's file."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)


class Sign(_Row):
    """A thing that a text speaks of by name, or as the one the text is about.

    A text may itself be a `paper`; `title` is the property that gives the one that a text is about
    its name; with `taken_up`, "the case" is the one case that was named.
    """

    name: str
    type: Term | None = Field(None, alias="class")
    label: str = Field("", alias="node")
    definite: Pattern | None = None
    named: Pattern | None = None
    paper: bool = False
    title: Term | None = None
    taken_up: bool = False

    @property
    def node(self) -> str:
        """The label of the node of the one that a text is about."""
        return (self.label or self.name).casefold()


class Relation(_Row):
    """A way to say a property.

    `of` is the sign that the subject is if the words do not name it; with `kind` the object is one
    of its own, "Texas (jurisdiction)". `inverse` reads it backwards. With `place` the
    object is the first known place in its words, one a sentence; a claim in which `unless` is found
    before the object, or a role in a text in which it is found, says something else. `alone`: the
    text need not speak of the thing besides.
    """

    property: Term
    words: Words
    of: str = ""
    kind: str = ""
    inverse: bool = False
    place: bool = False
    unless: Pattern | None = None
    alone: bool = False


class ClassWords(_Row):
    """The noun phrases of a class, and the kinds of mentions that are of it."""

    type: Term = Field(alias="class")
    words: Words
    kinds: Words = ()


class Kind(_Row):
    """A kind of things that events happen to; `nouns` maps each to what stands for its synonyms.

    `sign` is the sign of those that have a name. A thing of it stands by `part` to one of the kinds
    `whole`, as a judgment decides a suit, and by `link` to one of the kind it is `taken` from, as
    an appeal to a judgment; with `lone` to the only one of a text. Words that are `plain` tell none
    from another ("unanimous"), by `later` a description tells one that comes after what belongs to
    the kind, and where `unless` is found in a text its things belong to none.
    """

    name: str
    groups: tuple[Word | Annotated[Words, Field(min_length=1)], ...] = Field(alias="nouns")
    sign: str = ""
    part: Term | None = None
    whole: Words = ()
    taken: str = ""
    link: Term | None = None
    lone: bool = False
    plain: frozenset[Word] = frozenset()
    later: Pattern | None = None
    unless: Pattern | None = None

    @cached_property
    def nouns(self) -> Mapping[str, str]:
        """Each noun with the first of its synonyms."""
        groups = [(one,) if isinstance(one, str) else one for one in self.groups]
        return {noun.casefold(): group[0].casefold() for group in groups for noun in group}


class Event(_Row):
    """What happens to things of some kinds, and the property that has its date, or a `value`.

    With `via` it is a `kind` of its own that has the date: a decision on a motion. `until` says
    that the date is how long a thing lasts, `implicit` that it is in the verb, as in "appeal", and
    `alone` that the thing does it itself: "the Act applies from", where a court applies it on.
    Where `unless` is found anywhere in a text nothing is read of it.
    """

    property: Term
    kinds: Annotated[Words, BeforeValidator(_several)] = Field(alias="of")
    #: One of these, in an event by itself; no key of a file.
    of: str = Field("", alias="")
    verbs: Words = ()
    nouns: Words = ()
    via: Term | None = None
    kind: str = ""
    until: bool = False
    value: str = ""
    implicit: bool = False
    unless: Pattern | None = None
    alone: bool = False


class Action(_Row):
    """What a thing of the kind `of` does to one of the kind `to`: a statute repeals another."""

    property: Term
    of: str
    to: str
    verbs: Words


class Frame(_Row):
    """The parts in a thing of the sign `of` that a verb gives to what fills its slots.

    A slot without a property must be filled, by whatever it is. What has a sign of `besides` does
    so without having the part: a court decides, and is no judge.
    """

    of: str
    verbs: Words
    parts: dict[str, Term | Annotated[str, StringConstraints(max_length=0)]]
    besides: frozenset[Word] = frozenset()
    __hash__ = object.__hash__

    @cached_property
    def slots(self) -> tuple[tuple[str, URIRef | None], ...]:
        """The slots in order, each with its property."""
        found = sorted(self.parts.items())
        return tuple((role, one if isinstance(one, URIRef) else None) for role, one in found)


class Example(_Row):
    """A test that a lexicon carries: a text and what is read from it."""

    text: str
    expect: tuple[str, ...]
    source: str = ""


class _Tables(_Row):
    """A lexicon's file."""

    sign: tuple[Sign, ...] = ()
    role: tuple[Relation, ...] = ()
    relation: tuple[Relation, ...] = ()
    classes: tuple[ClassWords, ...] = Field((), alias="class")
    kind: tuple[Kind, ...] = ()
    event: tuple[Event, ...] = ()
    action: tuple[Action, ...] = ()
    frame: tuple[Frame, ...] = ()
    test: tuple[Example, ...] = ()
    elsewhere: Pattern | None = None
    labels: bool = True
    prefixes: dict[str, str] = {}


Entry = TypeVar("Entry", bound=_Row)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """How texts word the terms of one ontology.

    `roles` map nouns to what they say of the thing that a sign stands for;
    `relations` maps a phrase to the properties it words; `classes` a noun phrase to its class;
    `types` kinds of mentions to classes. A sentence in which `elsewhere` is found speaks of another
    thing than the text.
    """

    signs: tuple[Sign, ...] = ()
    roles: Mapping[str, Relation] = field(default_factory=dict)
    relations: Mapping[str, tuple[Relation, ...]] = field(default_factory=dict)
    classes: Mapping[str, URIRef] = field(default_factory=dict)
    types: Mapping[str, URIRef] = field(default_factory=dict)
    functional: frozenset[URIRef] = frozenset()
    labels: Mapping[URIRef, str] = field(default_factory=dict)
    tests: tuple[Example, ...] = ()
    prefixes: Mapping[str, str] = field(default_factory=dict)
    elsewhere: re.Pattern[str] | None = None
    kinds: tuple[Kind, ...] = ()
    events: Mapping[str, tuple[Event, ...]] = field(default_factory=dict)
    frames: Mapping[str, tuple[Frame, ...]] = field(default_factory=dict)
    actions: Mapping[str, tuple[Action, ...]] = field(default_factory=dict)
    #: Roles that words name in a text without what their `unless` finds: "the respondent".
    narrow_roles: Mapping[str, Relation] = field(default_factory=dict)

    def of_text(self, text: str) -> Lexicon:
        """Return the lexicon with the roles that its words name in a text."""
        narrow = {
            word: role
            for word, role in self.narrow_roles.items()
            if role.unless is None or not role.unless.search(text)
        }
        return replace(self, roles={**self.roles, **narrow}) if narrow else self

    @property
    def papers(self) -> frozenset[str]:
        """The signs of what a text may itself be."""
        return frozenset(sign.name for sign in self.signs if sign.paper)

    @property
    def own(self) -> frozenset[URIRef]:
        """The nodes of the papers that texts themselves are: "this policy"."""
        return frozenset(mint(ENTITY, sign.node) for sign in self.signs if sign.paper)

    @property
    def titled(self) -> frozenset[str]:
        """The signs of what has a title."""
        return frozenset(sign.name for sign in self.signs if sign.title)


@lru_cache(maxsize=8)
def read_lexicon(ontology: Ontology) -> Lexicon:
    """Return the lexicon of an ontology: its file if it has one, and its labels.

    Raises SourceError, with the path, where the file is no lexicon or a pattern is refused.
    """
    data: dict[str, Any] = {}
    text = ""
    path = ontology.lexicon
    try:
        if path is not None:
            raw = read_bounded(path, _MAX_BYTES)
            if len(raw) > _MAX_BYTES:
                raise SourceError("is too large for a lexicon (256 KiB)", path=str(path))
            data = parse_toml(text := raw.decode())
        prefixes = data.get("prefixes", {})
        tables = _Tables.model_validate(
            data, context=_Terms(ontology, text, prefixes if isinstance(prefixes, dict) else {})
        )
        expect_kinds(data, text, str(path))
        return _lexicon(tables, ontology, with_file=bool(data))
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", path=str(path)) from None
    except ValidationError as error:
        if {one["type"] for one in error.errors()} <= {"string_type", "tuple_type"}:
            expect_kinds(data, text, str(path))
        raise first_fault(error, _Tables, text, str(path or ontology.path)) from None
    # TOML and UTF-8 errors alike
    except (ValueError, TypeError, OverflowError, RecursionError, re.error) as error:
        reason = str(error).splitlines()[0][:200]
        raise SourceError(f"is not a lexicon: {reason}", path=str(path or ontology.path)) from None


def _lexicon(tables: _Tables, ontology: Ontology, *, with_file: bool) -> Lexicon:
    axioms = Axioms(ontology)
    classes = axioms.nouns() | {
        word.casefold(): one.type for one in tables.classes for word in one.words
    }
    types = {kind: found for kind, label in _KINDS if (found := classes.get(label)) is not None}
    types |= {kind: one.type for one in tables.classes for kind in one.kinds}
    return Lexicon(
        tables.sign,
        _by_word(one for one in tables.role if one.unless is None),
        _relations(axioms, tables, with_file=with_file),
        dict(sorted(classes.items())),
        types,
        frozenset(axioms.terms((OWL.FunctionalProperty,))),
        axioms.labels(),
        tables.test,
        tables.prefixes,
        tables.elsewhere,
        tables.kind,
        _by_wording(
            (word, event.model_copy(update={"of": name}))
            for event in tables.event
            for name in event.kinds
            # of a noun "filing occurs"
            for word in (*event.verbs, *(f"{noun} occurs" for noun in event.nouns))
        ),
        _by_wording((verb, one) for one in tables.frame for verb in one.verbs),
        _by_wording((verb, one) for one in tables.action for verb in one.verbs),
        _by_word(one for one in tables.role if one.unless is not None),
    )


@dataclass(frozen=True)
class _Terms:
    """The terms that the rows of a lexicon's file may refer to."""

    ontology: Ontology
    text: str
    prefixes: Mapping[str, Any]

    @cached_property
    def subjects(self) -> frozenset[str]:
        stated = (*self.ontology.axioms, *self.ontology.individuals)
        return frozenset(str(one.subject) for one in stated if isinstance(one.subject, URIRef))

    @cached_property
    def known(self) -> frozenset[str]:
        stated = (*self.ontology.axioms, *self.ontology.individuals)
        return self.subjects | {str(one.object) for one in stated}

    def term(self, name: object) -> URIRef:
        prefix, colon, local = str(name).partition(":")
        if not colon or prefix not in self.prefixes:
            raise ValueError(f"{name!r} has no declared prefix")
        space = str(self.prefixes[prefix])
        # of another namespace than the ontology's nothing is known
        own = space + local not in self.known and [
            term for term in self.subjects if term.startswith(space)
        ]
        if own:
            quoted = re.compile(rf"""["']{re.escape(str(name))}["']""")
            numbered = enumerate(self.text.splitlines(), 1)
            line = next((n for n, one in numbered if quoted.search(one.partition("#")[0])), None)
            near = did_you_mean(local, sorted(term.removeprefix(space) for term in own))
            raise SourceError(f"{name!r} is no term of the ontology{near}",
                              path=str(self.ontology.lexicon), line=line)  # fmt: skip
        return URIRef(space + local)


def _by_wording(found: Iterable[tuple[str, Entry]]) -> dict[str, tuple[Entry, ...]]:
    out: dict[str, dict[Entry, None]] = {}
    for words, entry in found:
        for one in _family(words):
            out.setdefault(one, {})[entry] = None
    return {words: tuple(entries) for words, entries in sorted(out.items())}


def _family(entry: str) -> Iterator[str]:
    """Yield the wordings of an entry: "file/bring suit/action" are four."""
    for words in product(*(one.split("/") for one in entry.casefold().split())):
        yield " ".join(words)


def _by_word(rows: Iterable[Relation]) -> dict[str, Relation]:
    return {word.casefold(): one for one in rows for word in one.words}


def _relations(
    axioms: Axioms, tables: _Tables, *, with_file: bool
) -> dict[str, tuple[Relation, ...]]:
    """Return what each phrase says."""
    relations: dict[str, dict[Relation, None]] = {}
    hidden = {word.casefold() for one in tables.relation for word in one.words}
    for property_, label, backwards in axioms.wordings():
        # a lexicon adds to the labels, and has the say on the words that it names
        said = label not in hidden and not (with_file and {*label.split()} <= NO_WORDING)
        if tables.labels and said:
            made = Relation(property=property_, words=(), inverse=backwards)
            relations.setdefault(label, {})[made] = None
    for one in tables.relation:
        for word in one.words:
            relations.setdefault(word.casefold(), {})[one] = None
    return {phrase: tuple(found) for phrase, found in sorted(relations.items())}


#: Classes of the kinds of mentions, where an ontology has one of these labels.
_KINDS = (
    ("PERSON", "human"),
    ("PERSON", "person"),
    ("PERSON", "natural person"),
    ("ORG", "company"),
    ("ORG", "organisation"),
    ("ORG", "organization"),
    ("LOC", "location"),
    ("LOC", "place"),
)
