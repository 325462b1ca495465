"""The data types every room of the house speaks: frozen, slotted, terms as in rdflib."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partialmethod
from html import escape
from importlib import import_module
from typing import ClassVar, cast
from typing import Literal as OneOf
from urllib.parse import quote

from rdflib.namespace import DefinedNamespace, Namespace
from rdflib.term import Literal, Node, URIRef

#: Names minted from labels: what a text calls a thing, until a linker knows better.
ENTITY = Namespace("urn:groundrules:entity:")
RELATION = Namespace("urn:groundrules:relation:")
#: Claims and reference statements are named by document and place.
STATEMENT = Namespace("urn:groundrules:statement:")
#: Named graphs: one per document, one per deriving rule.
SOURCE = Namespace("urn:groundrules:source:")


class GR(DefinedNamespace):
    """The vocabulary of scored facts that the rules read."""

    _NS = Namespace("https://groundrules.dev/ns#")
    _fail = True

    Claim: URIRef  # a statement of the checked text
    Evidence: URIRef  # a statement of a source, reified
    Assertion: URIRef  # what a text says, in the terms of an ontology
    reads: URIRef  # the claim that an assertion puts in the terms of the ontology
    polarity: URIRef  # "positive" | "negative"
    modality: URIRef  # see Modality
    stance: URIRef  # "affirmed" | "denied" | "open", of polarity and modality; see dataset.stance
    whose: URIRef  # what tells the subject of a claim from others of its kind: "with Acme"
    attribution: URIRef  # who is said to have said it
    source: URIRef  # the document a statement comes from; for evidence its named graph
    sentence: URIRef  # the index of the sentence in its document
    kind: URIRef  # what sort of thing a node is, see Mention.kind
    claim: URIRef
    evidence: URIRef
    similarity: URIRef  # 0..1
    formerly: URIRef  # from a statement to a passage of a superseded source that carries it
    support: URIRef  # probability that a passage carries a value
    # what a reader makes of a statement that it doubts
    Entailment: URIRef
    contradicted: URIRef
    neither: URIRef
    by: URIRef  # the licensed reader whose word a grade is
    value: URIRef  # the value of a metric
    relation: URIRef  # how a claimed and a known value compare, see values.compare
    to: URIRef  # gr:from, gr:to: the ends of a link or comparison ("from" is a Python keyword)
    precedes: URIRef  # the values of one property come before those of another
    toldBefore: URIRef  # noqa: N815 - from an event to one that it is told to be before
    happensTo: URIRef  # noqa: N815 - from such an event to the thing
    datedBy: URIRef  # noqa: N815 - from such an event to the property that has its date
    usuallyPrecedes: URIRef  # noqa: N815 - as precedes, but exceptions are known
    datedAfter: URIRef  # noqa: N815 - what has the property is dated after that date of what it leads to
    datedBefore: URIRef  # noqa: N815 - what has the property is dated before that date of what it leads to
    EventProperty: URIRef  # what such a relation tells happens once
    fits: URIRef  # from a claim to a value that a source gives for it, and that fits
    severity: URIRef  # "warning": the axioms of this term have exceptions
    AcyclicProperty: URIRef  # no chain of such a relation leads back to where it began
    ClosedProperty: URIRef  # what has no value in the text and its sources has none
    leadsTo: URIRef  # noqa: N815 - from a statement of such a relation to the next one
    implies: URIRef  # from a thing to a kind that its relations make it
    mentions: URIRef  # from a place in the checked text to the name or value that stands there
    grounds: URIRef  # from a place in a source, or the question, to what the text mentions
    copied: URIRef  # true: a claim that a source, or the question, has in the same words
    turns: URIRef  # from a contrast to a claim that it touches
    Alignment: URIRef  # a claim set beside a statement of a source
    # what differs: none | subject | predicate | object | swap | polarity | modality | exception
    slot: URIRef
    # a claim read in the terms of a knowledge base, and what came of asking it
    asks: URIRef  # the graph that was asked about a reading
    lookup: URIRef  # ok | empty | error | not_in_snapshot | skipped
    link: URIRef  # linked | ambiguous | nil_low_score | nil_no_candidate | unmapped | not_checkable
    unlinked: URIRef  # the end of a claim for which no entry was found
    scope: URIRef  # undated | dated | current
    functional: URIRef  # none | strict | single | single_best, exceptions taken into account
    temporal: URIRef  # true: the values of the property hold for a time
    complete: URIRef  # true: all values are known
    irreflexive: URIRef  # true: the property relates nothing to itself
    # why a reading is too unsure to refute: link | property | homonym | part_whole | time
    doubt: URIRef
    # a statement of a knowledge base
    rank: URIRef  # preferred | normal | deprecated
    sort: URIRef  # value | somevalue | novalue | opaque
    best: URIRef  # true: no statement of better rank stands beside it
    referenced: URIRef  # true | false; absent where the source keeps no references
    dated: URIRef  # true | false: whether it has a start, an end or a point in time
    Comparison: URIRef  # a reading set beside such a statement
    # in | out | open | unstated | point: how its time bears on what the reading says of when
    during: URIRef
    period: URIRef  # of such a statement: its time in words, "from 2005 to 2021"
    missed: URIRef  # the words of its sentence that a claim was read without
    bound: URIRef  # of a claim of which a value is only a bound, the words before it: "before"
    unit: URIRef  # unstated | unclaimed: whose number has no unit, where the other's has one
    rival: URIRef  # from a reading to a statement that gives its value to another thing
    verdict: URIRef  # of a reading or claim: supported | refuted | …, see Outcome
    reason: URIRef  # the rule that gave it
    authoritative: URIRef  # true: this source prevails where others say otherwise
    # a value extracted to a schema, and the passage that it was copied from
    Passage: URIRef  # where a document has, or nearly has, what was copied as evidence
    quotes: URIRef  # what was copied, as the model wrote it
    aligned: URIRef  # 0..1: the share of it that the document has in one place
    place: URIRef  # in | out: whether the passage lies where it was said to
    entails: URIRef  # probability that a passage carries "type: value"
    rather: URIRef  # from a value to the other field of the schema as which it is supported best
    given: URIRef  # of that other field: whether it is given the value too
    format: URIRef  # of a value: the kind that the schema declares; of a record: one it declares
    holds: URIRef  # a kind of value that stands in the value: date | time | duration | …
    whole: URIRef  # the kind that it is, if it is one value and nothing else
    # a sentence, list item or table row of the checked text, and what its passages say of it
    Statement: URIRef
    text: URIRef  # its words; also those of a passage of a source
    words: URIRef  # some of them: an edit takes them out and puts others in their place
    lacks: URIRef  # the content words of a statement that no passage has, as they are shown
    Figure: URIRef  # a number, date or amount of a statement
    account: URIRef  # stated | derived | miscalculated | conflict | absent, see align/figures.py
    how: URIRef  # the sum by which a figure is derived, or contradicted
    Contrast: URIRef  # a place where a statement turns what its passage says; gr:kind says how
    Grade: URIRef  # what a language model says of a statement: entailed | contradicted | neither
    claimed: URIRef  # the words of the statement
    stated: URIRef  # the words of the source in their place
    start: URIRef  # gr:start, gr:end: where they stand in the checked text, in code points
    end: URIRef
    # a report as RDF, see explain/graph
    Report: URIRef  # what a check has found in one text; names its graph
    conforms: URIRef  # whether the text passes; absent where that is not settled or not checked
    conclusion: URIRef  # passes | fails | not settled | not all checked, see Conclusion
    settled: URIRef  # the least share of the statements that must be supported to pass
    guardrail: URIRef  # pass | retrieve again | human
    unread: URIRef  # what of text and sources could not be read
    unasked: URIRef  # which sources could not be asked, and why
    metric: URIRef
    checks: URIRef  # how many things a metric counts
    setting: URIRef  # of a run, what is not the default
    parameter: URIRef
    question: URIRef
    role: URIRef  # of an input: text | context | knowledge base | …
    fingerprint: URIRef  # of a statement or violation: stays where the sentence moves
    decided: URIRef  # the outcome that counts, what a person decided taken into account
    stands: URIRef  # whether a violation counts: nothing else was decided of it
    stage: URIRef  # what settled a verdict
    passage: URIRef  # where a source bears on a statement
    confidence: URIRef  # of a claim: how surely it was read
    origin: URIRef  # of a claim: what read it
    score: URIRef
    pin: URIRef  # the revision at which a statement of a knowledge base was read
    read: URIRef  # of a pin: when
    because: URIRef
    axiom: URIRef  # of a violation: a statement of the ontology that rules the claim out
    applicability: URIRef  # of an edit: safe | unsafe | display
    verified: URIRef  # of an edit: whether it held when it was tried
    Override: URIRef  # what was decided of a statement or violation
    overrides: URIRef  # from it to what it is about
    why: URIRef
    _extras: ClassVar[list[str]] = ["from"]

    # datatypes of literals that XML Schema lacks; the lexical forms are in claims/literals
    money: URIRef
    quantity: URIRef
    percent: URIRef
    section: URIRef
    years: URIRef


# a namespace of rdflib makes its terms anew at each look-up
for _name in GR.__annotations__.keys() - {"_extras"}:
    setattr(GR, _name, GR[_name])

METRIC = Namespace("https://groundrules.dev/metric#")

#: How the names of counts in `Run.calls` begin that are of a language model.
LLM = "llm "


class Severity(StrEnum):
    """How bad a violation is; SARIF error / warning / note, SHACL Violation / Warning / Info."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Modality(StrEnum):
    """In which mode a statement is made; `asserted` is the plain indicative."""

    ASSERTED = "asserted"
    OBLIGATION = "obligation"  # shall, must
    PERMISSION = "permission"  # may, is entitled to
    POSSIBILITY = "possibility"  # might, could, allegedly
    CONDITION = "condition"  # if, unless, provided that


class Outcome(StrEnum):
    """The verdict on one claim (FEVER / AVeriTeC labels; the last two are not verdicts)."""

    SUPPORTED = "supported"  # a source carries it
    REFUTED = "refuted"  # a rule of severity error says otherwise, with evidence
    CONFLICTING = "conflicting"  # two sources disagree
    NOT_ENOUGH_INFO = "not_enough_info"  # it was read, and no source carries or refutes it
    UNVERIFIABLE = "unverifiable"  # it could not be read, or nothing in it could be asked
    ERROR = "error"  # a source could not be asked


class Conclusion(StrEnum):
    """What a report says of its text, as `Report.conforms` does, and why it says neither."""

    PASSES = "passes"
    FAILS = "fails"
    NOT_SETTLED = "not settled"  # nothing speaks against it, and too little of it is supported
    NOT_CHECKED = "not all checked"  # not all could be read or asked about


Polarity = OneOf["positive", "negative"]
#: Who makes an edit: `--fix` a safe one (the changed sentence was read again and is supported), a
#: person one that is unsafe (it takes a sentence out) or for display.
Applicability = OneOf["safe", "unsafe", "display"]


@dataclass(frozen=True, slots=True)
class Triple:
    """A subject, a predicate and an object (rdf:Statement)."""

    subject: Node
    predicate: Node
    object: Node


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of Unicode code points in the text of a source."""

    source: str
    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"span {self.start}:{self.end} is not a range")


@dataclass(frozen=True, slots=True)
class Mention:
    """A place where a text names a thing.

    `kind` is PERSON, ORG, LOC, MISC, TERM (a defined term or role noun), NOUN (any other noun
    phrase) or a value kind: DATE, TIME, MONEY, QUANTITY, PERCENT, DURATION, NUMBER, SECTION,
    or one that only some field has (`domain.ValueKind`). `node` is an IRI of `ENTITY`, or a typed
    literal for a value.
    """

    span: Span
    text: str
    kind: str
    node: Node


#: The origin of a claim in the terms of an ontology, and what stands before the name of who has
#: read something, where that is no reader of ours: in origins and notes.
ONTOLOGY, READ_BY = "ontology", "read by"


@dataclass(frozen=True, slots=True)
class Claim:
    """A triple a text asserts, with its place and its mode.

    `parts` are the spans of subject, predicate and object, None for a part that is implied.
    `time` is the typed literal that dates the statement; `sentence` counts from 0. `reads` is the
    claim that this one puts in the terms of an ontology, None for one in the words of the text.
    """

    id: URIRef
    triple: Triple
    span: Span
    parts: tuple[Span | None, Span | None, Span | None] = (None, None, None)
    polarity: Polarity = "positive"
    modality: Modality = Modality.ASSERTED
    attribution: str | None = None
    time: Literal | None = None
    confidence: float = 1.0
    origin: str = "offline"
    sentence: int = 0
    reads: URIRef | None = None

    @property
    def in_terms(self) -> bool:
        """Whether it is in the terms of an ontology, whoever read it."""
        return self.origin.partition(",")[0] == ONTOLOGY

    @property
    def read_by(self) -> str:
        """Who has read it, empty for ourselves."""
        return self.origin.partition(f", {READ_BY} ")[2]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A statement of a source that bears on a claim; `pin` fixes the revision it was read at."""

    triple: Triple
    source: str
    span: Span | None = None
    score: float = 1.0
    pin: str | None = None


@dataclass(frozen=True, slots=True)
class EditOperation:
    """One DELETE or ADD of a triple (dash:deletedTriple, dash:addedTriple)."""

    action: OneOf["DELETE", "ADD"]
    triple: Triple


@dataclass(frozen=True, slots=True)
class Edit:
    """What would make the claim right.

    `safe`: the evidence names exactly one replacement, and of words in a text, one value or name
    is exchanged; `unsafe`: a whole sentence is taken out, or something is guessed; `display`: to be
    shown and never made. `verified` is True once the edit was tried and held: on a copy the rule
    fell silent while no other started, and the text with it, read again, is supported and nothing
    is found in it. False where that failed, None while nobody has tried; after a check with
    `verify` a safe edit is verified.
    """

    operations: tuple[EditOperation, ...]
    applicability: Applicability = "unsafe"
    verified: bool | None = None


@dataclass(frozen=True, slots=True)
class Traits:
    """How the findings of a rule count, as its file says; empty where nothing sets it apart.

    `finds`: "conflict", a source says otherwise; "unsupported", no source says it; "unknown", no
    source names it. `rests_on`: "grade" or "scorer", the word of a model, "text", figures that do
    not fit each other, "order", that of sources that supersede one another, "sources", two that
    disagree; else evidence. `compares` is what is set side by side, and `stage` the stage of a
    verdict that the rule settles.
    """

    finds: OneOf["", "conflict", "unsupported", "unknown"] = ""
    rests_on: OneOf["", "grade", "scorer", "text", "order", "sources"] = ""
    compares: OneOf["", "polarity", "date", "quantity", "kind"] = ""
    stage: OneOf["", "value", "support"] = ""

    @property
    def misses(self) -> bool:
        """Whether it says that something is not found: no fault where there are no sources."""
        return self.finds in ("unsupported", "unknown")

    @property
    def of_a_model(self) -> bool:
        """Whether it rests on the word of a model alone."""
        return self.rests_on in ("grade", "scorer")

    @property
    def settled_by_grade(self) -> bool:
        """Whether a language model that finds the statement entailed settles it.

        Words that are wanting it may have found in others, a figure it may not.
        """
        return self.finds == "unsupported" and self.rests_on != "grade" and self.stage != "value"


@dataclass(frozen=True, slots=True)
class Violation:
    """A claim that fails a rule (sh:ValidationResult, SARIF result).

    `claim` is None where the whole text fails. `bindings` is the row of the query; `axioms` are
    the statements of the ontology that rule the claim out and `because` says so in words.
    `phrased` is the explanation as a language model words it, empty where it did not. `traits` are
    those of the rule. `others` are claims of the text that contradict `claim`, where nothing says
    which of them is wrong. `known_as` is the fingerprint where the words it is made of are kept
    out.
    """

    rule: str
    name: str
    severity: Severity
    message: str
    claim: Claim | None = None
    evidence: tuple[Evidence, ...] = ()
    edit: Edit | None = None
    score: float | None = None
    bindings: tuple[tuple[str, Node], ...] = ()
    axioms: tuple[Triple, ...] = ()
    because: str = ""
    phrased: str = ""
    traits: Traits = field(default_factory=Traits, compare=False)
    known_as: str = field(default="", compare=False)
    others: tuple[Claim, ...] = field(default=(), compare=False)

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The claims at fault: two or more where they contradict each other and none decides."""
        return (self.claim, *self.others) if self.claim is not None else ()

    @property
    def fingerprint(self) -> str:
        """A hash of rule and triple, or of the words of a statement, that survives moving it.

        Of the whole text it is that of the rule and what it names, such as a metric, not of scores.
        """
        if self.known_as:
            return self.known_as
        claim = self.claim
        triple = claim.triple if claim else None
        named = tuple(node for _, node in self.bindings if isinstance(node, URIRef))
        parts = (triple.subject, triple.predicate, triple.object) if triple else named
        # the name of a statement is its place
        # n3 refuses what is no IRI, and a report may have anything
        told = [
            f"<{part}>" if isinstance(part, URIRef) else part.n3()
            for part in parts
            if not str(part).startswith(str(STATEMENT))
        ]
        start = str(dict(self.bindings).get("start", ""))
        if claim and len(told) < len(parts) and start.isdecimal():
            told.append(str(int(start) - claim.span.start))
        return _hash("\x1f".join([self.rule, *told]))


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a rule proves of a claim or of a reading of it; `bindings` is the row of the query."""

    rule: str
    outcome: Outcome
    claim: Claim
    message: str = ""
    evidence: tuple[Evidence, ...] = ()
    bindings: tuple[tuple[str, Node], ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome for a claim, its reason (a rule id or a stage) and the stage that settled it.

    `message` says it in words and `evidence` has the statements that decide, where a knowledge
    base was asked.
    """

    claim: Claim
    outcome: Outcome
    reason: str = ""
    stage: str = ""
    support: float | None = None
    message: str = ""
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Account:
    """A number, date or amount of a statement and how the sources account for it.

    `status` is "stated", "derived", "miscalculated", "conflict" or "absent"; `how` is the sum, and
    `places` are where the sources have the values that it rests on.
    """

    span: Span
    text: str
    status: str
    how: str = ""
    places: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence, list item or table row of the checked text, with its one verdict.

    `id` is the focus node of rules on statements; `number` counts the sentences of the text from 0
    and is the `sentence` of its claims. `reason` is the rule or the stage that settled the outcome,
    and `note` says in words why it could not be read, or what speaks against it. `passages` are the
    places it was held against, nearest first. `read_by` is the licensed reader that has read it.
    `known_as` is the fingerprint where the words it is made of are kept out.
    """

    id: URIRef
    number: int
    text: str
    span: Span
    outcome: Outcome
    reason: str = ""
    note: str = ""
    passages: tuple[Span, ...] = ()
    accounts: tuple[Account, ...] = ()
    read_by: str = ""
    known_as: str = field(default="", compare=False)

    @property
    def fingerprint(self) -> str:
        """A hash of its words that survives moving the sentence."""
        return self.known_as or _hash(" ".join(self.text.split()))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Metric:
    """A figure over the whole text; `value` is None where it is undefined."""

    name: str
    value: float | None
    checks: int = 0


@dataclass(frozen=True, slots=True)
class Input:
    """Something that a check was given (prov:Entity).

    `role` is "text", "context", "question", "knowledge base", "ontology" or "snapshot". `sha256`
    is that of the file as it was read, else of the UTF-8 of the text; empty where there is none, as
    for an endpoint or a folder.
    """

    name: str
    role: str
    sha256: str = ""
    format: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """What was run, so that it can be run again (prov:Activity); times are in seconds.

    `at` is the time of the run (xsd:dateTime, UTC), empty for one that is replayed. `settings` are
    those that are not the default, as JSON. `calls` counts what asking has cost: requests, cached
    and bytes of the knowledge bases; under names that begin with `LLM`, calls, answers from the
    cache, retries and tokens of a language model, and its cost in the currency of the prices
    configured.
    """

    version: str = ""
    packs: tuple[tuple[str, str], ...] = ()
    models: tuple[tuple[str, str], ...] = ()
    params: tuple[tuple[str, str], ...] = ()
    dataset: str = ""
    stages: tuple[tuple[str, int], ...] = ()
    times: tuple[tuple[str, float], ...] = ()
    notes: tuple[str, ...] = ()
    calls: tuple[tuple[str, float], ...] = ()
    inputs: tuple[Input, ...] = ()
    settings: tuple[tuple[str, str], ...] = ()
    question: str = ""
    at: str = ""


@dataclass(frozen=True, slots=True)
class Override:
    """What was decided of a statement or a violation, by its fingerprint; it hides nothing.

    `kind`: "baseline", it was there before and is accepted; "override", a person says otherwise;
    "inline", a comment in the text says so; "disabled", its rule is off. `outcome` is that of the
    statement from then on; where it is None the statement or violation is set aside, and no longer
    counts. What a person decides of a statement covers its violations. `at` is an xsd:dateTime.
    """

    fingerprint: str
    kind: OneOf["baseline", "override", "inline", "disabled"]
    why: str
    by: str = ""
    at: str = ""
    outcome: Outcome | None = None


@dataclass(frozen=True, slots=True)
class Logged:
    """Where a check was logged: the name of the log, and the hash of its last line then.

    `key` is the public half of the key that signed it, empty where nobody did.
    """

    log: str
    head: str
    key: str = ""


#: A word with a capital, which no source has where it is invented.
_NAME = re.compile(r"[^\W\d_a-z][^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Report:
    """Everything a check found; `labels` names the nodes as the texts do.

    `statements` are the units of the verdict, in the order of the text; `claims` are the triples
    read from them, and `assertions` what the text says in the terms of the ontology and of the
    knowledge bases, where any was given. `unread` says what of text and sources had no text that
    could be read, `unasked` which sources or language model could not be asked, and why. `policy`
    names the outcomes besides "refuted" that do not conform, `unverifiable` is the share of the
    statements that may go unchecked, and `settled` the least share that must be supported for the
    text to pass. `overrides` are what was decided of some of it, see `outcome_of`, `stands`.
    `logged` is None where no audit log is known to have it.
    """

    source: str
    text: str
    statements: tuple[Statement, ...] = ()
    claims: tuple[Claim, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    violations: tuple[Violation, ...] = ()
    metrics: tuple[Metric, ...] = ()
    labels: Mapping[Node, str] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)
    run: Run = Run()
    assertions: tuple[Claim, ...] = ()
    unread: tuple[str, ...] = ()
    policy: tuple[str, ...] = ()
    unverifiable: float = 0.0
    unasked: tuple[str, ...] = ()
    overrides: tuple[Override, ...] = ()
    logged: Logged | None = None
    settled: float = 0.5

    def render(self, form: str = "text") -> str:
        """Return the report in an output format: "text", "html", "json", "sarif" and others."""
        formats = import_module("groundrules.explain.formats")  # which stands above the terms
        return cast("str", formats.load(form)((self,), formats.Look()))

    to_html = partialmethod(render, "html")
    to_json = partialmethod(render, "json")

    def __str__(self) -> str:
        """Return the report as `groundrules check` prints it."""
        return str(self.render())

    __repr__ = __str__

    def _repr_html_(self) -> str:  # what a notebook shows: the page has styles of its own
        return f'<iframe srcdoc="{escape(str(self.to_html()))}" width="100%" height="640"></iframe>'

    def override_of(self, one: Statement | Violation) -> Override | None:
        """Return what was decided last of a statement or violation, None where nothing was."""
        mark = one.fingerprint if self.overrides else ""
        return next((o for o in reversed(self.overrides) if o.fingerprint == mark), None)

    def outcome_of(self, statement: Statement) -> Outcome:
        """Return the outcome of a statement that counts: what was decided of it, else its own."""
        override = self.override_of(statement)
        return (override and override.outcome) or statement.outcome

    def set_aside(self, statement: Statement) -> bool:
        """Return whether it was decided that what speaks against a statement does not count."""
        override = self.override_of(statement)
        return override is not None and override.outcome is None

    def stands(self, violation: Violation) -> bool:
        """Return whether a violation counts: nothing else was decided of it or its statement."""
        return self.decision_on(violation) is None

    def decision_on(self, violation: Violation) -> Override | None:
        """Return what was decided of a violation, or by a person of its statement."""
        number = violation.claim.sentence if violation.claim and self.overrides else None
        held = (self.override_of(one) for one in self.statements if one.number == number)
        whole = (one for one in held if one and one.kind == "override")
        return self.override_of(violation) or next(whole, None)

    def with_overrides(self, overrides: tuple[Override, ...]) -> Report:
        """Return the report with what was decided of some of it."""
        return replace(self, overrides=overrides)

    @property
    def conclusion(self) -> Conclusion:
        """What the report says of the text.

        It fails where a statement is refuted, has an outcome that the policy names, or a violation
        is an error, unless it was decided that it does not count. Otherwise it is not all checked
        where nothing is stated, or something could not be read or not be asked about; it is not
        settled where too little of it is supported, or some of it is `invented`.
        """
        outcomes = {self.outcome_of(one) for one in self.statements if not self.set_aside(one)}
        against = outcomes & {Outcome.REFUTED, Outcome.CONFLICTING, *map(Outcome, self.policy)}
        if against or any(v.severity is Severity.ERROR and self.stands(v) for v in self.violations):
            return Conclusion.FAILS
        if not self.complete or not (self.statements or self.claims):
            return Conclusion.NOT_CHECKED
        if not self.enough_supported or (self.settled and self.invented):
            return Conclusion.NOT_SETTLED
        return Conclusion.PASSES

    @property
    def invented(self) -> tuple[Statement, ...]:
        """The statements that are open and have a figure or a name that no source gives."""
        return tuple(s for s in self.statements if not self.set_aside(s) and self.invents(s))

    @property
    def conforms(self) -> bool | None:
        """Whether the text passes: True if it does, False if it fails, None where neither is so."""
        return {Conclusion.PASSES: True, Conclusion.FAILS: False}.get(self.conclusion)

    @property
    def enough_supported(self) -> bool:
        """Whether the share of supported statements is at least `settled`; see `left_open`."""
        outcomes = self._counting
        return not outcomes or outcomes.count(Outcome.SUPPORTED) / len(outcomes) >= self.settled

    def invents(self, statement: Statement) -> bool:
        """Return whether an open statement has a figure or a name that no source gives.

        What a row of a table says of its thing is given by a row alone.
        """
        sources = [text for name, text in self.sources.items() if name != self.source]
        if not sources or self.outcome_of(statement) is not Outcome.NOT_ENOUGH_INFO:
            return False
        if statement.reason in ("figure", "name") or "|" in statement.text:
            return True
        if any(one.status == "absent" for one in statement.accounts):
            return True
        words = _NAME.finditer(statement.text)
        names = [one[0] for one in words if re.search(r"\w", statement.text[: one.start()])]
        return any(not any(re.search(rf"(?i)\b{re.escape(n)}", t) for t in sources) for n in names)

    @property
    def left_open(self) -> tuple[int, int]:
        """How many statements are neither supported nor refuted, and of how many.

        What was set aside is not counted. Where there are no statements, claims are counted.
        """
        outcomes = self._counting
        either = (Outcome.SUPPORTED, Outcome.REFUTED, Outcome.CONFLICTING)
        return sum(one not in either for one in outcomes), len(outcomes)

    @property
    def _counting(self) -> list[Outcome]:
        if not self.statements:
            return [verdict.outcome for verdict in self.verdicts]
        return [self.outcome_of(one) for one in self.statements if not self.set_aside(one)]

    @property
    def complete(self) -> bool:
        """True if all could be read, and every claim be put to every source."""
        outcomes = [self.outcome_of(statement) for statement in self.statements]
        unread = outcomes.count(Outcome.UNVERIFIABLE)
        asked = {verdict.outcome for verdict in self.verdicts} | set(outcomes)
        most = self.unverifiable * len(outcomes)
        left = unread > most or (unread and unread == len(outcomes))
        return not (self.unread or self.unasked or Outcome.ERROR in asked or left)

    @property
    def exit_code(self) -> int:
        """0 if the text passes, 1 if it fails, 2 if it is not settled or not all checked."""
        return {True: 0, False: 1, None: 2}[self.conforms]

    @property
    def guardrail(self) -> OneOf["pass", "retrieve again", "human"]:
        """What to do with the text (HalluGraph): pass it on, look for more sources, ask a person.

        A person sees what is refuted and what could not be read or measured; more sources may help
        where too little is grounded or supported, or a name is in none of them.
        """
        fidelity = self.metric("CFI").value
        outcomes = {self.outcome_of(one) for one in self.statements if not self.set_aside(one)}
        against = outcomes & {Outcome.REFUTED, Outcome.CONFLICTING}
        if against or fidelity is None or not self.complete:
            return "human"
        least = float(dict(self.run.params).get("CFI.threshold", "0.7"))
        return "pass" if self.conforms and fidelity >= least else "retrieve again"

    def claims_of(self, statement: Statement) -> tuple[Claim, ...]:
        """Return the triples that were read from a statement."""
        return tuple(claim for claim in self.claims if claim.sentence == statement.number)

    def findings_of(self, statement: Statement) -> tuple[Violation, ...]:
        """Return what the rules found in a statement, the worst first."""
        own = (v for v in self.violations if v.claim and v.claim.sentence == statement.number)
        return tuple(sorted(own, key=lambda v: [*Severity].index(v.severity)))

    def metric(self, name: str) -> Metric:
        """Return the metric of that name, undefined if no rule produced it."""
        return next((m for m in self.metrics if m.name == name), Metric(name, None))


def mint(namespace: Namespace, label: str) -> URIRef:
    """Return the IRI of a label: case folded, spaces to hyphens, the rest percent-encoded.

    Equal labels up to case and white space give equal IRIs, and only those do.
    """
    words = (quote(word, safe="'").replace("-", "%2D") for word in label.casefold().split())
    return URIRef(namespace + "-".join(words))


def source_iri(name: str) -> URIRef:
    """Return the named graph of a document."""
    return SOURCE[quote(name, safe="", errors="surrogatepass")]
