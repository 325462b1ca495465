"""A record extracted to a schema: each value put beside its passage, and what the rules say of it.

SafePassage (arXiv 2510.00276): a value is safe if the words given as its evidence are in the
document and support it. Alignment, comparison and the scorer give facts; the rules of the pack
`passages` decide.
"""

from __future__ import annotations

import heapq
import io
import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from rdflib.namespace import OWL, RDF
from rdflib.term import Literal, Node, URIRef

from groundrules.checks.case import Case
from groundrules.checks.inputs import distinct_name
from groundrules.checks.judge import Judgement, Rules, judge
from groundrules.claims.document import Document
from groundrules.claims.fields import Fault, Field
from groundrules.claims.quotes import (
    Passage,
    kinds,
    locate,
    miscopied,
    other_places,
    relate,
    rivals,
    term,
)
from groundrules.claims.schemas import Schema, fields_of
from groundrules.config import Config, refuse_unasked
from groundrules.errors import LLMError
from groundrules.explain.contrast import added
from groundrules.models.passage_scorer import (
    EMBEDDED,
    LLM,
    NONE,
    as_spelled,
    embedded,
    hypothesis,
    score_support,
)
from groundrules.rules.packs import Pack, built_in, load_packs, overrides_of
from groundrules.terms import (
    ENTITY,
    GR,
    RELATION,
    STATEMENT,
    Claim,
    Evidence,
    Metric,
    Modality,
    Outcome,
    Report,
    Ruling,
    Run,
    Span,
    Triple,
    Verdict,
    Violation,
    mint,
    source_iri,
)

if TYPE_CHECKING:
    from groundrules.llm.client import Client
    from groundrules.rules.rule import Rule

#: The share of the extracted values that are safe.
METRIC = "SafePassage"

#: The share of the passages found that the model did not copy word for word.
TRANSCRIPTION = "TranscriptionErrors"

#: The other fields of a schema as which a value is scored, those next to its own.
RIVALS = 16

_PACK = "passages"
_HAS = ("equal", "claim-coarser")  # the relations of a value that its passage has
_LONGEST = 200  # characters of a value that a message has


@dataclass(frozen=True, slots=True)
class Record:
    """What was extracted, and what of it is safe.

    `safe` has the form of the schema; each value in it is an object with `value`, the `context` as
    the document `source` has it, and where: code points `start` to `end`. `report` tells of all
    that was extracted: its text is the record as the model gave it, with a claim for each value.
    `copied` says of each value what is wrong with the copy of its passage, empty where it is word
    for word (`claims.quotes.miscopied`) and None where no passage was found.
    """

    safe: dict[str, Any]
    report: Report
    unasked: tuple[Fault, ...] = ()
    copied: tuple[str | None, ...] = ()

    @property
    def exit_code(self) -> int:
        """1 if a value was rejected, else 2 if something could not be asked, else 0."""
        if self.report.violations:
            return 1
        return 0 if self.report.complete and not self.unasked else 2


@dataclass(frozen=True, slots=True)
class _Found:
    """A passage of a claim with what was found out about it; `id` names its statement.

    `quote` is what the model copied, `relation` compares the value with the passage
    (`claims.quotes.relate`), `said` is the value as the passage has it, else as the model wrote
    it; `rival` is the one other value of that kind; `others` are the types of other fields with the
    score of the value
    as each. The scores are None where nothing was asked, or could be.
    """

    id: URIRef
    place: Passage
    reached: bool
    quote: str
    said: str = ""
    relation: str | None = None
    rival: Claim | None = None
    entails: float | None = None
    rival_entails: float | None = None
    others: tuple[tuple[str, float], ...] = ()


def check_record(
    fields: Sequence[Field],
    documents: Sequence[Document],
    config: Config,
    *,
    name: str,
    client: Client | None = None,
    schema: Schema | None = None,
    unasked: Sequence[Fault] = (),
) -> Record:
    """Return which of the extracted values are safe, and why the others are not.

    `name` is that of the record; `client` is asked where the scorer is a language model. With a
    `schema` the kinds of value that it declares are checked, and whether a passage supports a value
    better as another of its fields.

    Raises:
        ConfigError: a setting is wrong or needs an extra that is missing.
        RuleError: a rule pack cannot be used.
        ModelError: the scorer is missing.
    """
    packs = packs_of(config)
    record = _record(fields, documents, name)
    threshold = threshold_of(config, packs)
    passages = [
        _find(field, claim, documents, threshold)
        for field, claim in zip(fields, record.claims, strict=True)
    ]
    # a grader says yes or no, and each question costs: nothing is compared
    asked = list(fields_of(schema)) if schema and config.scorer != LLM else []
    found, fault = _score(fields, passages, record.texts, asked, _scorer(config), client)
    case = _case(record, fields, found, schema, fault)
    judged = judge(case, _rules(packs, config))
    verdicts = tuple(_verdicts(record.claims, found, judged))
    safe = [
        (field, passages, verdict)
        for field, passages, verdict in zip(fields, found, verdicts, strict=True)
        if verdict.outcome is Outcome.SUPPORTED
    ]
    copied = tuple(_miscopied(passages, record.texts) for passages in found)
    copies = [one for one in copied if one is not None]
    wrong = sum(map(bool, copies)) / len(copies) if copies else None
    share = len(safe) / len(fields) if fields else None
    report = Report(
        source=record.source,
        text=record.text,
        claims=record.claims,
        verdicts=verdicts,
        violations=judged.violations,
        metrics=(
            *judged.metrics,
            Metric(METRIC, share, len(fields)),
            Metric(TRANSCRIPTION, wrong, len(copies)),
        ),
        labels=case.labels,
        sources={record.source: record.text, **record.texts},
        run=Run(
            packs=tuple((pack.name, pack.digest) for pack in packs),
            models=(
                ("scorer", embedded().digest if config.scorer == EMBEDDED else config.scorer),
                *([("language model", client.name)] if client else ()),
            ),
            params=tuple(_params(packs, config)),
            dataset=judged.dataset,
            stages=tuple(Counter(v.stage for v in verdicts if v.stage).items()),
            notes=tuple(_notes(fields, unasked, fault, copies)),
        ),
    )
    return Record(_nested(safe, record.texts), report, tuple(unasked), copied)


@dataclass(frozen=True, slots=True)
class _Record:
    """A record as a text with a claim for each value; `texts` are those of the documents."""

    node: URIRef
    source: str
    text: str
    claims: tuple[Claim, ...]
    labels: Mapping[Node, str]
    texts: Mapping[str, str]


def _record(fields: Sequence[Field], documents: Sequence[Document], name: str) -> _Record:
    """Return a record as it is checked, and what its nodes are called."""
    texts = {document.name: document.text for document in documents}
    text, places = _write(fields)
    record, source = mint(ENTITY, name), distinct_name(name, texts)
    claims = []
    labels: dict[Node, str] = {record: name}
    labels |= {source_iri(document): document for document in texts}
    for number, (field, (start, end)) in enumerate(zip(fields, places, strict=True)):
        triple = Triple(record, mint(RELATION, field.name), term(field.value))
        span = Span(source, start, end)
        claims.append(
            Claim(
                # of equal length, so that their order is that of the record
                STATEMENT[quote(f"{source}:value:{number:06}")],
                triple,
                span,
                parts=(None, None, span),
                origin="llm",
            )
        )
        labels.setdefault(triple.predicate, field.name)
        # whole in the text of the record
        shown = field.said if len(field.said) <= _LONGEST else f"{field.said[:_LONGEST]}…"
        labels.setdefault(triple.object, shown)
    return _Record(record, source, text, tuple(claims), labels, texts)


def _case(
    record: _Record,
    fields: Sequence[Field],
    found: Sequence[Sequence[_Found]],
    schema: Schema | None,
    fault: LLMError | None,
) -> Case:
    """Return what the rules are put to: the values, their passages, and what was made of them."""
    declared = sorted(set(schema.formats.values())) if schema else []
    facts = [Triple(record.node, GR.format, Literal(kind)) for kind in declared]
    labels = dict(record.labels)
    settled = _settled(fields, found)
    stated: dict[str, list[Claim]] = {name: [] for name in record.texts}
    for field, claim, passages in zip(fields, record.claims, found, strict=True):
        facts += _facts(field, claim, passages, settled, fault)
        for passage in passages:
            here = passage.place
            span = Span(here.document, here.start, here.end)
            stated[here.document].append(
                replace(claim, id=passage.id, span=span, modality=Modality.POSSIBILITY)
            )
            if rival := passage.rival:
                at = rival.span
                stated[at.source].append(rival)
                labels.setdefault(rival.triple.object, record.texts[at.source][at.start : at.end])
    return Case(
        text=source_iri(record.source),
        claims=record.claims,
        evidence=tuple((source_iri(name), tuple(own)) for name, own in stated.items()),
        facts=tuple(facts),
        labels=labels,
    )


def _rules(packs: Sequence[Pack], config: Config) -> Rules:
    """Return what judges a record; what selects the rules of checks says nothing of these."""
    rules = tuple(rule for pack in packs for rule in pack.rules)
    return Rules(
        rules,
        overrides_of(config.rules, packs, config.base),
        tuple(s for s in config.select if any(rule.id.startswith(s) for rule in rules)),
        config.ignore,
    )


def _params(packs: Sequence[Pack], config: Config) -> Iterable[tuple[str, str]]:
    rules = [rule for pack in packs for rule in pack.rules]
    yield "rules", str(len(rules))
    for rule in rules:
        if "threshold" in rule.params:
            yield f"{rule.id}.threshold", str(_param(config, rule, "threshold"))


def packs_of(config: Config) -> tuple[Pack, ...]:
    """Return the packs that judge a record: our own and those of the house."""
    own = [name for name in config.packs if name not in built_in()]
    return load_packs([_PACK, *own], config.base)


def threshold_of(config: Config, packs: Iterable[Pack]) -> float:
    """Return the score from which a quote counts as found, as a rule has it."""
    rules = [rule for pack in packs for rule in pack.rules]
    rule, name = next((r, name) for r in rules for name, of in r.shared.items() if of == "quote")
    return _param(config, rule, name)


def _param(config: Config, rule: Rule, name: str) -> float:
    default = rule.params[name]
    value = config.rules.get(rule.id, {}).get(name, default)
    # what is no number the engine refuses, with the key
    return float(value) if isinstance(value, int | float) else float(default)


def _scorer(config: Config) -> str:
    """Return the scorer of a configuration, a folder as it is seen from here."""
    folder = config.base / config.scorer
    if config.scorer not in (EMBEDDED, LLM, NONE) and not folder.is_dir():
        refuse_unasked(
            config.file_of("scorer"), f"the scorer {config.scorer!r} of a hub", "--scorer"
        )
    return str(folder) if folder.is_dir() else config.scorer


def _find(
    field: Field, claim: Claim, documents: Sequence[Document], threshold: float
) -> list[_Found]:
    """Return where the quotes of a value stand, and how it compares with what stands there."""
    found: dict[Passage, _Found] = {}
    texts = {document.name: document.text for document in documents}
    for number, given in enumerate(field.quotes):
        place = locate(given, documents, threshold) if given.text else None
        if place is None or place in found:
            continue
        node = URIRef(f"{claim.id}:passage:{number}")
        if place.score < threshold:
            found[place] = _Found(node, place, False, given.text)
            continue
        words = texts[place.document][place.start : place.end]
        compared = relate(field, words)
        if place.score < 1 and compared and compared.relation not in _HAS:
            # of places that are as good the one that has the value is the one that was copied
            for tie in other_places(given, place, documents):
                there = texts[tie.document][tie.start : tie.end]
                if (again := relate(field, there)) and again.relation in _HAS:
                    place, words, compared = tie, there, again
                    break
        relation = compared.relation if compared else None
        said = (compared and compared.words) or field.said
        rival = None
        if relation == "disjoint" and len(others := rivals(field, words)) == 1:
            other = others[0]
            span = Span(place.document, place.start + other.start, place.start + other.end)
            triple = replace(claim.triple, object=other.literal)
            rival = Claim(
                URIRef(f"{node}:value"), triple, span,
                modality=Modality.POSSIBILITY, origin="llm",
            )  # fmt: skip
        found[place] = _Found(node, place, True, given.text, said, relation, rival)
    return list(found.values())


def _score(
    fields: Sequence[Field],
    found: Sequence[list[_Found]],
    texts: Mapping[str, str],
    asked: Sequence[tuple[str, str]],
    scorer: str,
    client: Client | None,
) -> tuple[list[list[_Found]], LLMError | None]:
    """Return the passages with their support, and why it could not be asked if it could not.

    `asked` are type and format of the fields of the schema.
    """
    pairs: dict[tuple[str, str], float] = {}
    others = {field: _others(field, asked) for field in fields}

    def words(passage: _Found) -> str:
        return texts[passage.place.document][passage.place.start : passage.place.end]

    def rival_words(rival: Claim) -> str:
        return texts[rival.span.source][rival.span.start : rival.span.end]

    def pair(passage: _Found, kind: str, value: str) -> tuple[str, str]:
        premise = words(passage)
        return premise, hypothesis(as_spelled(kind, premise), value)

    for field, passages in zip(fields, found, strict=True):
        for passage in passages:
            if passage.reached:
                pairs[pair(passage, field.type, passage.said)] = 0.0
            if passage.relation in (None, "equal", "claim-coarser") and passage.reached:
                for other in others[field]:
                    pairs[pair(passage, other, passage.said)] = 0.0
            if passage.rival:
                pairs[pair(passage, field.type, rival_words(passage.rival))] = 0.0
    try:
        scores = score_support(list(pairs), scorer, client=client)
    except LLMError as error:
        return list(found), error
    pairs = dict(zip(pairs, scores, strict=True))

    def scored(field: Field, passage: _Found) -> _Found:
        if not passage.reached:
            return passage
        own = pairs[pair(passage, field.type, passage.said)]
        rival = None
        if passage.rival:
            rival = pairs[pair(passage, field.type, rival_words(passage.rival))]
        also = tuple(
            (other, pairs[asked_as])
            for other in others[field]
            if (asked_as := pair(passage, other, passage.said)) in pairs
        )
        return replace(passage, entails=own, rival_entails=rival, others=also)

    return [
        [scored(field, passage) for passage in passages]
        for field, passages in zip(fields, found, strict=True)
    ], None


def _others(field: Field, asked: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Return the types of the other fields of a field's format, those next to it first."""
    if field.worded:
        return ()
    kinds = [kind for kind, form in asked if form == field.format]
    if field.type not in kinds:
        return ()
    own = kinds.index(field.type)
    near = sorted(range(len(kinds)), key=lambda place: (abs(place - own), place))
    return tuple(dict.fromkeys(kinds[place] for place in near if kinds[place] != field.type))[
        :RIVALS
    ]


def _facts(
    field: Field,
    claim: Claim,
    passages: Sequence[_Found],
    settled: Mapping[str, _Own],
    fault: LLMError | None,
) -> Iterable[Triple]:
    """Yield what the rules read of a value."""
    yield Triple(claim.id, GR.kind, Literal(field.type))
    for given in field.quotes:
        if given.text:
            yield Triple(claim.id, GR.quotes, Literal(given.text))
    if field.format:
        yield Triple(claim.id, GR.format, Literal(field.format))
    if not field.worded:
        held, whole = kinds(field)
        for kind in sorted(held):
            yield Triple(claim.id, GR.holds, Literal(kind))
        if whole:
            yield Triple(claim.id, GR.whole, Literal(whole))
    # a place of a record has one value: lists have a place for each of theirs
    yield Triple(claim.triple.predicate, RDF.type, OWL.FunctionalProperty)
    if fault and any(passage.reached for passage in passages):
        yield Triple(claim.id, GR.lookup, Literal("error"))
    if best := _rather(field, passages, settled):
        passage, kind, score, is_given = best
        node = URIRef(f"{claim.id}:rather")
        yield Triple(claim.id, GR.rather, node)
        yield Triple(node, GR.kind, Literal(kind))
        yield Triple(node, GR.entails, Literal(round(score, 4)))
        yield Triple(node, GR.given, Literal(is_given))
        yield Triple(node, GR.evidence, passage.id)
    for passage in passages:
        node, place = passage.id, passage.place
        yield Triple(node, RDF.type, GR.Passage)
        yield Triple(node, GR.claim, claim.id)
        yield Triple(node, GR.aligned, Literal(round(place.score, 4)))
        if not passage.reached:
            continue
        yield Triple(node, GR.place, Literal("in" if place.inside else "out"))
        if passage.entails is not None:
            yield Triple(node, GR.entails, Literal(round(passage.entails, 4)))
        if passage.relation is not None:
            yield from _compared(URIRef(f"{node}:compared"), claim.id, node, passage.relation)
        if passage.rival is not None and passage.rival_entails is not None:
            rival = passage.rival.id
            yield Triple(rival, GR.entails, Literal(round(passage.rival_entails, 4)))
            yield from _compared(URIRef(f"{rival}:compared"), claim.id, rival, "disjoint")


@dataclass(frozen=True, slots=True)
class _Own:
    """A type's own values that their passages have, their kinds, and the two supported best."""

    values: frozenset[Node]
    kinds: frozenset[str]
    best: tuple[tuple[float, Node], ...]


def _settled(fields: Iterable[Field], found: Iterable[Sequence[_Found]]) -> dict[str, _Own]:
    """Return for each type the values that their passages have."""
    values: dict[str, dict[Node, float]] = {}
    held: dict[str, set[str]] = {}
    for field, passages in zip(fields, found, strict=True):
        for passage in passages:
            if passage.entails is not None and passage.relation in (None, "equal", "claim-coarser"):
                own, value = values.setdefault(field.type, {}), term(field.value)
                own[value] = max(passage.entails, own.get(value, 0.0))
                held.setdefault(field.type, set()).add(kinds(field)[1])
    return {
        kind: _Own(
            frozenset(own),
            frozenset(held[kind]),
            # one of the two is another than a given value
            tuple(heapq.nlargest(2, ((p, v) for v, p in own.items()), key=itemgetter(0))),
        )
        for kind, own in values.items()
    }


def _rather(
    field: Field, passages: Iterable[_Found], settled: Mapping[str, _Own]
) -> tuple[_Found, str, float, bool] | None:
    """Return the passage that speaks most for the field, and the other field that it speaks for.

    With the support as that field, and whether that field is given the value too: such a one comes
    first if it is supported better than the field itself. No place for the value is a field that
    has another one with more support than this has as that, or more likely than not, nor one whose
    own values are of another kind, names and not percentages.
    """
    whole, value = kinds(field)[1], term(field.value)

    def is_free(kind: str, score: float) -> bool:
        own = settled.get(kind)
        return own is None or (
            whole in own.kinds and not any(v != value and p > min(score, 0.5) for p, v in own.best)
        )

    found = []
    for passage in passages:
        if passage.place.inside and passage.entails is not None and passage.others:
            support = passage.entails
            others = [
                (kind in settled and value in settled[kind].values, kind, score)
                for kind, score in passage.others
                if is_free(kind, score)
            ]
            given, kind, score = max(
                others,
                key=lambda one: (one[0] and one[2] > support, one[2]),
                default=(False, "", 0.0),
            )
            found.append((_log_odds(score) - _log_odds(support), passage, kind, score, given))
    return min(found, key=lambda one: one[0])[1:] if found else None


def _log_odds(share: float) -> float:
    share = min(max(share, 1e-6), 1 - 1e-6)
    return math.log(share / (1 - share))


def _compared(node: URIRef, claim: URIRef, evidence: URIRef, relation: str) -> Iterable[Triple]:
    yield Triple(node, RDF.type, GR.Comparison)
    yield Triple(node, GR.claim, claim)
    yield Triple(node, GR.evidence, evidence)
    yield Triple(node, GR.relation, Literal(relation))


def _verdicts(
    claims: Sequence[Claim], found: Sequence[Sequence[_Found]], judged: Judgement
) -> Iterable[Verdict]:
    """Yield the verdict on each value."""
    ruled: dict[URIRef, list[Ruling]] = {}
    for ruling in judged.rulings:
        ruled.setdefault(ruling.claim.id, []).append(ruling)
    against: dict[URIRef, list[Violation]] = {}
    for violation in judged.violations:
        if violation.claim is not None:
            against.setdefault(violation.claim.id, []).append(violation)
    for claim, passages in zip(claims, found, strict=True):
        yield _verdict(claim, passages, against.get(claim.id, ()), ruled.get(claim.id, ()))


def _verdict(
    claim: Claim,
    passages: Sequence[_Found],
    violations: Sequence[Violation],
    rulings: Sequence[Ruling],
) -> Verdict:
    """Return the verdict on a value: refuted only where its passage states another one."""
    support = max((p.entails for p in passages if p.entails is not None), default=None)
    support = None if support is None else round(support, 4)
    if violations:
        worst = max(violations, key=lambda v: (added(v) is not None, v.severity == "error"))
        outcome = Outcome.NOT_ENOUGH_INFO
        if added(worst) is not None:
            outcome = Outcome.REFUTED
        elif (worst.rule, Outcome.CONFLICTING) in [(r.rule, r.outcome) for r in rulings]:
            outcome = Outcome.CONFLICTING
        stage = worst.traits.stage or "alignment"
        return Verdict(claim, outcome, worst.rule, stage, support)
    for ruling in (one for one in rulings if one.outcome is Outcome.ERROR):
        return Verdict(claim, Outcome.ERROR, ruling.rule, "", message=ruling.message)
    evidence = tuple(
        Evidence(
            claim.triple,
            str(source_iri(p.place.document)),
            Span(p.place.document, p.place.start, p.place.end),
            round(p.place.score, 4),
        )
        for p in _best(passages)
    )
    return Verdict(claim, Outcome.SUPPORTED, "support", "support", support, evidence=evidence)


def _best(passages: Iterable[_Found]) -> list[_Found]:
    """Return the passages that were found, the one that supports best first."""
    reached = [passage for passage in passages if passage.reached]
    return sorted(reached, key=lambda p: (not p.place.inside, -(p.entails or 0.0)))


def _miscopied(passages: Iterable[_Found], texts: Mapping[str, str]) -> str | None:
    """Return what is wrong with the copy of the best passage, None where none was found."""
    for one in _best(passages):
        return miscopied(one.quote, texts[one.place.document][one.place.start : one.place.end])
    return None


def _notes(
    fields: Sequence[Field],
    unasked: Iterable[Fault],
    fault: LLMError | None,
    copied: Sequence[str],
) -> Iterable[str]:
    if not fields:
        yield "no value was extracted"
    if wrong := Counter(one for one in copied if one):
        listed = ", ".join(f"{name} {count}" for name, count in sorted(wrong.items()))
        told = f"{wrong.total()} of {len(copied)} passages found"
        yield f"{told} are not copied word for word: {listed}"
    for one in unasked:
        part = f"characters {one.start} to {one.end}"
        yield f"{one.document}: {part} were not asked about: {one.error}"
    if fault:
        yield f"support was not scored: {fault}"


# --- the record as JSON -----------------------------------------------------------------------


def _write(fields: Sequence[Field]) -> tuple[str, list[tuple[int, int]]]:
    """Return the record as JSON, one value a line, and where the value of each field stands."""
    tree: dict[str | int, Any] = {}
    for number, field in enumerate(fields):
        node = tree
        for step in field.path[:-1]:
            node = node.setdefault(step, {})
        node.setdefault(field.path[-1], []).append(number)
    out = io.StringIO()
    places = [(0, 0)] * len(fields)

    def leaf(number: int) -> None:
        field = fields[number]
        out.write('{"value": ')
        text = json.dumps(field.given, ensure_ascii=False)
        quoted = isinstance(field.given, str)
        start = out.tell() + quoted
        out.write(text)
        places[number] = (start, out.tell() - quoted)
        contexts: Any = [given.text for given in field.quotes]
        if len(contexts) < 2:
            contexts = contexts[0] if contexts else ""
        out.write(f', "context": {json.dumps(contexts, ensure_ascii=False)}}}')

    def branch(item: Any, depth: int) -> None:
        if isinstance(item, list) and len(item) == 1:
            leaf(item[0])
            return
        listed = isinstance(item, list) or all(isinstance(step, int) for step in item)
        opening, closing = "[]" if listed and item else "{}"
        out.write(opening)
        members = item if isinstance(item, list) else item.items()
        for place, member in enumerate(members):
            out.write(("," if place else "") + "\n" + "  " * (depth + 1))
            if isinstance(item, list):
                leaf(member)
                continue
            step, child = member
            out.write("" if listed else f"{json.dumps(step, ensure_ascii=False)}: ")
            branch(child, depth + 1)
        out.write(("\n" + "  " * depth if item else "") + closing)

    branch(tree, 0)
    out.write("\n")
    return out.getvalue(), places


def _nested(
    safe: Sequence[tuple[Field, Sequence[_Found], Verdict]], texts: Mapping[str, str]
) -> dict[str, Any]:
    """Return the safe values in the form of the schema, of several for one place the best."""
    tree: dict[str | int, Any] = {}
    for field, passages, _ in sorted(safe, key=lambda item: -(item[2].support or 0.0)):
        place = _best(passages)[0].place
        node = tree
        for step in field.path[:-1]:
            node = node.setdefault(step, {})
        node.setdefault(field.path[-1], (field.given, place))
    order = {field.path[:depth]: None for field, *_ in safe for depth in range(len(field.path) + 1)}
    ranks = {path: rank for rank, path in enumerate(order)}

    def shaped(item: Any, path: tuple[str | int, ...]) -> Any:
        if isinstance(item, tuple):
            value, place = item
            context = texts[place.document][place.start : place.end]
            where = {"source": place.document, "start": place.start, "end": place.end}
            return {"value": value, "context": context, **where}
        steps = sorted(item, key=lambda step: ranks[*path, step])
        if steps and all(isinstance(step, int) for step in steps):
            return [shaped(item[step], (*path, step)) for step in steps]
        return {step: shaped(item[step], (*path, step)) for step in steps}

    found = shaped(tree, ())
    assert isinstance(found, dict)
    return found
