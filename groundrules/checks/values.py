"""A record extracted to a schema: each value put beside its passage, and what the rules say of it.

SafePassage (arXiv 2510.00276): a value is safe if the words given as its evidence are in the
document and support it. Alignment, comparison and the scorer give facts; the rules of the pack
`passages` decide.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from rdflib.term import Literal, Node, URIRef

from groundrules.checks.case import Case
from groundrules.checks.chosen import refuse_unknown
from groundrules.checks.inputs import distinct_name
from groundrules.checks.judge import Judgement, Rules, judge
from groundrules.checks.valuepassages import (
    ValuePassage,
    best_passages,
    facts_of,
    find_passages,
    score_passages,
    settled_values,
)
from groundrules.claims.documents.document import Document
from groundrules.claims.evidence.fields import Fault, Field
from groundrules.claims.evidence.quotes import Passage, miscopied, term
from groundrules.claims.evidence.schemas import Schema, fields_of
from groundrules.config import Config
from groundrules.errors import LLMError
from groundrules.explain.foil import added
from groundrules.models.passage_scorer import EMBEDDED, LLM, embedded
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

#: The rule on what counts as found of a quote.
_QUOTED = "evidence-not-in-document"
_PACK = "passages"
_LONGEST = 200  # characters of a value that a message has


@dataclass(frozen=True, slots=True)
class Record:
    """What was extracted, and what of it is safe.

    `safe` has the form of the schema; each value in it is an object with `value`, the `context` as
    the document `source` has it, and where: code points `start` to `end`. `report` tells of all
    that was extracted: its text has a line of JSON for each value, as the model gave it.
    `copied` says of each value what is wrong with the copy of its passage, empty where it is word
    for word (`claims.evidence.quotes.miscopied`) and None where no passage was found.
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
        find_passages(field, claim, documents, threshold)
        for field, claim in zip(fields, record.claims, strict=True)
    ]
    # a grader says yes or no, and each question costs: nothing is compared
    asked = list(fields_of(schema)) if schema and config.scorer != LLM else []
    found, fault = score_passages(fields, passages, record.texts, asked, config.scoring, client)
    case = _case(record, fields, found, schema, fault)
    judged = judge(case, _rules(packs, config))
    verdicts = tuple(_verdicts(record.claims, found, judged))
    safe = [
        (field, best_passages(passages)[0].place, verdict.support)
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
                ("scorer", embedded().digest if config.scoring == EMBEDDED else config.scorer),
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
    text, places = _written(fields)
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


def _written(fields: Sequence[Field]) -> tuple[str, list[tuple[int, int]]]:
    """Return a line of JSON for each value, and where the value stands in them all."""
    text, places = "", []
    for field in fields:
        text += f'{{{json.dumps(field.name, ensure_ascii=False)}: {{"value": '
        value = json.dumps(field.given, ensure_ascii=False)
        quoted = isinstance(field.given, str)
        places.append((len(text) + quoted, len(text) + len(value) - quoted))
        contexts = [given.text for given in field.quotes] or [""]
        told = json.dumps(contexts if contexts[1:] else contexts[0], ensure_ascii=False)
        text += f'{value}, "context": {told}}}}}\n'
    return text, places


def _nested(
    safe: Iterable[tuple[Field, Passage, float | None]], texts: Mapping[str, str]
) -> dict[str, Any]:
    """Return safe values in the form of the schema, of several for one place the best.

    With each value stands its passage.
    """
    best: dict[tuple[str | int, ...], tuple[float, dict[str, Any]]] = {}
    for field, place, support in safe:
        if field.path not in best or (support or 0.0) > best[field.path][0]:
            context = texts[place.document][place.start : place.end]
            where = {"source": place.document, "start": place.start, "end": place.end}
            shown = {"value": field.given, "context": context, **where}
            best[field.path] = support or 0.0, shown
    tree: dict[str | int, Any] = {}
    for path, (_, shown) in best.items():
        node = tree
        for step in path[:-1]:
            node = node.setdefault(step, {})
        node[path[-1]] = shown

    def listed(item: Any) -> Any:
        if not isinstance(item, dict):
            return item
        if item and all(isinstance(step, int) for step in item):
            return [listed(one) for one in item.values()]
        return {step: listed(one) for step, one in item.items()}

    found: dict[str, Any] = listed(tree)
    return found


def _case(
    record: _Record,
    fields: Sequence[Field],
    found: Sequence[Sequence[ValuePassage]],
    schema: Schema | None,
    fault: LLMError | None,
) -> Case:
    """Return what the rules are put to: the values, their passages, and what was made of them."""
    declared = sorted(set(schema.formats.values())) if schema else []
    facts = [Triple(record.node, GR.format, Literal(kind)) for kind in declared]
    labels = dict(record.labels)
    settled = settled_values(fields, found)
    stated: dict[str, list[Claim]] = {name: [] for name in record.texts}
    for field, claim, passages in zip(fields, record.claims, found, strict=True):
        facts += facts_of(field, claim, passages, settled, fault)
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
        tuple(s for s in config.select if any(rule.is_meant_by(s) for rule in rules)),
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
    packs = load_packs([_PACK, *own], config.base)
    refuse_unknown(config, packs)
    return packs


def threshold_of(config: Config, packs: Iterable[Pack]) -> float:
    """Return the score from which a quote counts as found, as a rule has it."""
    rules = (rule for pack in packs for rule in pack.rules)
    return _param(config, next(rule for rule in rules if rule.name == _QUOTED), "threshold")


def _param(config: Config, rule: Rule, name: str) -> float:
    default = rule.params[name]
    value = config.rules.get(rule.id, {}).get(name, default)
    # what is no number the engine refuses, with the key
    return float(value) if isinstance(value, int | float) else float(default)


def _verdicts(
    claims: Sequence[Claim], found: Sequence[Sequence[ValuePassage]], judged: Judgement
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
    passages: Sequence[ValuePassage],
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
        for p in best_passages(passages)
    )
    return Verdict(claim, Outcome.SUPPORTED, "support", "support", support, evidence=evidence)


def _miscopied(passages: Iterable[ValuePassage], texts: Mapping[str, str]) -> str | None:
    """Return what is wrong with the copy of the best passage, None where none was found."""
    for one in best_passages(passages):
        return miscopied(one.quote, texts[one.place.document][one.place.start : one.place.end])
    return None


def _notes(
    fields: Sequence[Field], unasked: Iterable[Fault], fault: LLMError | None, copied: Sequence[str]
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
