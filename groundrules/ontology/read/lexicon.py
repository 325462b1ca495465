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

`exact` lists properties whose labels are no wordings; those of the others are, but with `labels =
false`; of a sentence in which the pattern `elsewhere` is found nothing is read, since it speaks of
another thing than the text. A relation or role that is `alone` is read in a text that does not
speak of its `of` besides; an event that is, where the thing does it itself. Patterns cannot take
long: `*`, `+`, open or wide ranges are refused, and so is whatever can be tried in too many ways:
each `?`, range and alternative multiplies them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any, TypeVar

from rdflib.namespace import OWL
from rdflib.term import URIRef

from groundrules.claims.english.fillers import NO_WORDING
from groundrules.errors import SourceError, did_you_mean
from groundrules.files import parse_toml, read_bounded
from groundrules.ontology.load import Ontology
from groundrules.ontology.read.lexicontables import expect_entries
from groundrules.ontology.read.termlabels import Axioms
from groundrules.ontology.read.word_patterns import compiled
from groundrules.terms import ENTITY, mint

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_MAX_BYTES = 262_144
Entry = TypeVar("Entry", bound="DataclassInstance")


@dataclass(frozen=True, slots=True)
class Sign:
    """A thing that a text speaks of by name, or as the one the text is about.

    A text may itself be a `paper`; `title` is the property that gives the one that a text is about
    its name; with `taken_up`, "the case" is the one case that was named.
    """

    name: str
    type: URIRef | None
    node: str
    definite: re.Pattern[str] | None = None
    named: re.Pattern[str] | None = None
    paper: bool = False
    title: URIRef | None = None
    taken_up: bool = False


@dataclass(frozen=True, slots=True)
class Relation:
    """A way to say a property.

    `of` is the sign that the subject is if the words do not name it; with `kind` the object is one
    of its own, "Texas (jurisdiction)". `inverse` reads it backwards. With `place` the
    object is the first known place in its words, one a sentence; a claim in which `unless` is found
    before the object, or a role in a text in which it is found, says something else. `alone`: the
    text need not speak of the thing besides.
    """

    property: URIRef
    of: str = ""
    kind: str = ""
    inverse: bool = False
    place: bool = False
    unless: re.Pattern[str] | None = None
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of things that events happen to; `nouns` maps each to what stands for its synonyms.

    `sign` is the sign of those that have a name. A thing of it stands by `part` to one of the kinds
    `whole`, as a judgment decides a suit, and by `link` to one of the kind it is `taken` from, as
    an appeal to a judgment; with `lone` to the only one of a text. Words that are `plain` tell none
    from another ("unanimous"), by `later` a description tells one that comes after what belongs to
    the kind, and where `unless` is found in a text its things belong to none.
    """

    name: str
    nouns: Mapping[str, str] = field(hash=False)
    sign: str = ""
    part: URIRef | None = None
    whole: tuple[str, ...] = ()
    taken: str = ""
    link: URIRef | None = None
    lone: bool = False
    plain: frozenset[str] = frozenset()
    later: re.Pattern[str] | None = None
    unless: re.Pattern[str] | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """What happens to things of the kind `of`, and the property that has its date, or a `value`.

    With `via` it is a `kind` of its own that has the date: a decision on a motion. `until` says
    that the date is how long a thing lasts, `implicit` that it is in the verb, as in "appeal", and
    `alone` that the thing does it itself: "the Act applies from", where a court applies it on.
    Where `unless` is found anywhere in a text nothing is read of it.
    """

    property: URIRef
    of: str
    via: URIRef | None = None
    kind: str = ""
    until: bool = False
    value: str = ""
    implicit: bool = False
    unless: re.Pattern[str] | None = None
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Action:
    """What a thing of the kind `of` does to one of the kind `to`: a statute repeals another."""

    property: URIRef
    of: str
    to: str


@dataclass(frozen=True, slots=True)
class Frame:
    """The parts in a thing of the sign `of` that a verb gives to what fills its slots.

    A slot without a property must be filled, by whatever it is. What has a sign of `besides` does
    so without having the part: a court decides, and is no judge.
    """

    of: str
    slots: tuple[tuple[str, URIRef | None], ...]
    besides: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Example:
    """A test that a lexicon carries: a text and what is read from it."""

    text: str
    expect: tuple[str, ...]
    source: str = ""


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
    if path is not None:
        try:
            raw = read_bounded(path, _MAX_BYTES)
            if len(raw) > _MAX_BYTES:
                raise SourceError("is too large for a lexicon (256 KiB)", path=str(path))
            data = parse_toml(text := raw.decode())
        except OSError as error:
            raise SourceError(f"cannot be read: {error.strerror}", path=str(path)) from None
        except (ValueError, RecursionError) as error:  # TOML and UTF-8 errors alike
            reason = str(error).splitlines()[0][:200]
            raise SourceError(f"is not a lexicon: {reason}", path=str(path)) from None
        expect_entries(data, text, str(path))
    try:
        return _lexicon(data, ontology, text)
    except (
        KeyError, TypeError, AttributeError, ValueError, OverflowError, RecursionError, re.error,
    ) as error:  # fmt: skip
        kind = "lacks the key " if isinstance(error, KeyError) else ""
        raise SourceError(
            f"is not a lexicon: {kind}{str(error)[:200]}", path=str(path or ontology.path)
        ) from None


def _lexicon(data: Mapping[str, Any], ontology: Ontology, text: str) -> Lexicon:
    file = _file(data, ontology, text)
    signs = tuple(_sign(row, file) for row in data.get("sign", ()))
    plain = [row for row in data.get("role", ()) if "unless" not in row]
    roles = _by_word(plain, file)
    axioms = Axioms(ontology)
    relations = _relations(axioms, file)
    classes, types = _classes(axioms, file)
    return Lexicon(
        signs,
        roles,
        relations,
        classes,
        types,
        frozenset(axioms.terms((OWL.FunctionalProperty,))),
        axioms.labels(),
        tuple(
            Example(row["text"], tuple(row["expect"]), row.get("source", ""))
            for row in data.get("test", ())
        ),
        file.prefixes,
        file.optional_pattern(data, "elsewhere"),
        tuple(_kind(row, file) for row in data.get("kind", ())),
        _events(data.get("event", ()), file),
        _frames(data.get("frame", ()), file),
        _actions(data.get("action", ()), file),
        _by_word((row for row in data.get("role", ()) if "unless" in row), file),
    )


@dataclass(frozen=True, slots=True)
class _File:
    """A lexicon's file and what its rows may refer to."""

    data: Mapping[str, Any]
    ontology: Ontology
    text: str
    prefixes: Mapping[str, str]
    subjects: frozenset[str]
    known: frozenset[str]

    def term(self, name: str) -> URIRef:
        prefix, colon, local = name.partition(":")
        if not colon or prefix not in self.prefixes:
            raise ValueError(f"{name!r} has no declared prefix")
        space = self.prefixes[prefix]
        # of another namespace than the ontology's nothing is known
        own = space + local not in self.known and [
            term for term in self.subjects if term.startswith(space)
        ]
        if own:
            quoted = re.compile(rf"""["']{re.escape(name)}["']""")
            numbered = enumerate(self.text.splitlines(), 1)
            line = next((n for n, one in numbered if quoted.search(one.partition("#")[0])), None)
            near = did_you_mean(local, sorted(term.removeprefix(space) for term in own))
            raise SourceError(f"{name!r} is no term of the ontology{near}",
                              path=str(self.ontology.lexicon), line=line)  # fmt: skip
        return URIRef(space + local)

    def optional(self, row: Mapping[str, Any], key: str) -> URIRef | None:
        return self.term(row[key]) if key in row else None

    def compiled(self, pattern: str) -> re.Pattern[str]:
        return compiled(pattern, self.ontology.is_shipped)

    def optional_pattern(self, row: Mapping[str, Any], key: str) -> re.Pattern[str] | None:
        return self.compiled(row[key]) if key in row else None


def _file(data: Mapping[str, Any], ontology: Ontology, text: str) -> _File:
    stated = (*ontology.axioms, *ontology.individuals)
    subjects = frozenset(
        str(triple.subject) for triple in stated if isinstance(triple.subject, URIRef)
    )
    return _File(
        data,
        ontology,
        text,
        dict(data.get("prefixes", {})),
        subjects,
        subjects | {str(triple.object) for triple in stated},
    )


#: How a key of a table is read, by the type of its field.
_READ: Mapping[str, Callable[[_File, Any], Any]] = {
    "URIRef": lambda file, value: file.term(value),
    "re.Pattern[str]": lambda file, value: file.compiled(value),
    "tuple[str, ...]": lambda _, value: tuple(map(str, value)),
    "frozenset[str]": lambda _, value: frozenset(map(str, value)),
    "bool": lambda _, value: bool(value),
    "str": lambda _, value: str(value),
}


def _entry(of: type[Entry], row: Mapping[str, Any], file: _File, /, **given: Any) -> Entry:
    """Return an entry of a table: what is `given`, and its keys by the types of their fields."""
    for one in fields(of):
        if one.name in row and one.name not in given:
            given[one.name] = _READ[str(one.type).removesuffix(" | None")](file, row[one.name])
    return of(**given)


def _sign(row: Mapping[str, Any], file: _File) -> Sign:
    node = str(row.get("node", row["name"])).casefold()
    return _entry(Sign, row, file, type=file.optional(row, "class"), node=node)


def _kind(row: Mapping[str, Any], file: _File) -> Kind:
    groups = [[group] if isinstance(group, str) else group for group in row["nouns"]]
    nouns = {str(noun).casefold(): str(group[0]).casefold() for group in groups for noun in group}
    return _entry(Kind, row, file, nouns=nouns)


def _events(rows: Iterable[Mapping[str, Any]], file: _File) -> dict[str, tuple[Event, ...]]:
    """Return the events by their wordings: "take effect", of a noun "filing occurs"."""
    return _by_wording(
        (word, _entry(Event, row, file, of=name))
        for row in rows
        for name in ([row["of"]] if isinstance(row["of"], str) else row["of"])
        for word in (*row.get("verbs", ()), *(f"{noun} occurs" for noun in row.get("nouns", ())))
    )


def _frames(rows: Iterable[Mapping[str, Any]], file: _File) -> dict[str, tuple[Frame, ...]]:
    return _by_wording(
        (verb, _entry(Frame, row, file, slots=tuple(
            (str(role), file.term(name) if name else None)
            for role, name in sorted(row["parts"].items())
        )))
        for row in rows
        for verb in row["verbs"]
    )  # fmt: skip


def _actions(rows: Iterable[Mapping[str, Any]], file: _File) -> dict[str, tuple[Action, ...]]:
    return _by_wording((verb, _entry(Action, row, file)) for row in rows for verb in row["verbs"])


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


def _by_word(rows: Iterable[Mapping[str, Any]], file: _File) -> dict[str, Relation]:
    return {word.casefold(): _entry(Relation, row, file) for row in rows for word in row["words"]}


def _relations(axioms: Axioms, file: _File) -> dict[str, tuple[Relation, ...]]:
    """Return what each phrase says."""
    relations: dict[str, dict[Relation, None]] = {}
    exact = {file.term(name) for name in file.data.get("exact", ())}
    rows = file.data.get("relation", ())
    hidden = {str(word).casefold() for row in rows for word in row["words"]}
    for property_, label, backwards in axioms.wordings():
        # a lexicon adds to the labels, and has the say on the words that it names
        said = label not in hidden and not (file.data and {*label.split()} <= NO_WORDING)
        if file.data.get("labels", True) and property_ not in exact and said:
            relations.setdefault(label, {})[Relation(property_, inverse=backwards)] = None
    for row in rows:
        for word in row["words"]:
            relation = _entry(Relation, row, file)
            relations.setdefault(word.casefold(), {})[relation] = None
    return {phrase: tuple(found) for phrase, found in sorted(relations.items())}


def _classes(axioms: Axioms, file: _File) -> tuple[dict[str, URIRef], dict[str, URIRef]]:
    """Return the class of each noun phrase, and the class of each kind of mentions."""
    rows = file.data.get("class", ())
    classes = axioms.nouns() | {
        word.casefold(): file.term(row["class"]) for row in rows for word in row["words"]
    }
    types = {kind: found for kind, label in _KINDS if (found := classes.get(label)) is not None}
    types |= {str(kind): file.term(row["class"]) for row in rows for kind in row.get("kinds", ())}
    return dict(sorted(classes.items())), types


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
