"""How good the verdicts of a knowledge base are on labelled rows, stage by stage.

A row has `label` (1 true, 0 false, or one of the outcomes by name, as "supported" or
"not_enough_info", with others that are right too in `also`) and `text` (or `claim`, or
`text_generic` where there is none).
Where it also has the ids `s`, `p`, `o` (IRIs, or those of Wikidata: Q64, P19) and their labels
`s_label`, `p_label`, `o_label`, it is judged three times: on the ids, where nothing is linked or
read; on the labels, where nothing is read; on the text. What is lost from one to the next is what
linking and reading lose. The rows that are true are then judged again with their statements held
out of the knowledge base: what is absent is not false. Rows with one `doc_id` are the sentences of
one text and read together, so that "he" is who the sentence before names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rdflib.term import URIRef

from groundrules.checks.judge import Rules
from groundrules.checks.kb import Answered, Asked, Opened, ask_source, decide, open_sources
from groundrules.claims.document import from_text
from groundrules.claims.offline import Extraction, extract
from groundrules.claims.resolve import resolve
from groundrules.config import Config
from groundrules.errors import ConfigError
from groundrules.evaluate.rows import Row, read_each, sample
from groundrules.kb.read.answers import ask
from groundrules.kb.read.comparisons import Question
from groundrules.kb.read.relational import Relational
from groundrules.kb.read.values import claimed_value
from groundrules.kb.sources.source import Facts, KnowledgeSource, Pair, Statement, Status
from groundrules.models.metrics import auc, balanced_accuracy, scikit_learn
from groundrules.rules.packs import load_packs
from groundrules.rules.rule import Rule
from groundrules.terms import SOURCE, STATEMENT, Claim, Outcome, Ruling, Span, Triple

if TYPE_CHECKING:
    from groundrules.models.metrics import Labels

#: What is judged, the less of it the more stages take part.
LEVELS = ("ids", "labels", "text")
#: What a confusion costs, by label and outcome: to settle wrongly ten times as much as to leave
#: open what the source settles, to settle what it leaves open five times.
_OPEN = tuple(o.value for o in Outcome if o not in (Outcome.SUPPORTED, Outcome.REFUTED))
_SETTLED = (Outcome.SUPPORTED.value, Outcome.REFUTED.value)
COSTS: Mapping[tuple[str, str], float] = {
    **{(label, outcome): 10.0 for label in _SETTLED for outcome in _SETTLED if label != outcome},
    **{(label, outcome): 1.0 for label in _SETTLED for outcome in _OPEN},
    **{(label, outcome): 5.0 for label in _OPEN for outcome in _SETTLED},
}
#: Short for an outcome in rows.
_SHORT = {"nei": Outcome.NOT_ENOUGH_INFO.value}
_BATCH = 200
_TEXT = SOURCE["row"]
_WIKIDATA = re.compile(r"[QP][1-9][0-9]*")

Progress = Callable[[Iterable[Any], int], Iterable[Any]]


@dataclass(frozen=True, slots=True)
class Tally:
    """The outcomes of some rows.

    The precision of SUPPORTED is the share of true rows among those so judged, that of REFUTED the
    share of false ones; recall is over all true, or all false, rows; coverage is the share that is
    judged either way. `auc` counts SUPPORTED 1, REFUTED 0 and the rest between; `balanced_accuracy`
    takes SUPPORTED for true and all else for false; both are over rows that are true or false.
    `matrix` counts by label what rows were judged, `right` is the share judged as labelled, or
    `also` so; `costs` are those of each confusion ("refuted>supported") in all, `cost` is their
    mean by row. What is undefined is None.
    """

    rows: int
    outcomes: Mapping[str, int]
    reasons: Mapping[str, int]
    precision_supported: float | None
    precision_refuted: float | None
    recall_supported: float | None
    recall_refuted: float | None
    coverage: float | None
    auc: float | None
    balanced_accuracy: float | None
    right: float | None = None
    matrix: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    costs: Mapping[str, float] = field(default_factory=dict)
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class HeldOut:
    """How many true rows are refuted with their statements in the knowledge base and without."""

    rows: int
    supported: int
    refuted: int
    supported_without: int
    refuted_without: int


@dataclass(frozen=True, slots=True)
class KbEvaluation:
    """The figures of a file by level, and by a field of the rows on the last level."""

    source: str
    rows: int
    levels: Mapping[str, Tally]
    held_out: Mapping[str, HeldOut]
    by: Mapping[str, Tally]
    calls: Mapping[str, int]


def evaluate(
    path: str | Path,
    *,
    config: Config,
    now: datetime,
    levels: Sequence[str] = (),
    by: str | None = None,
    limit: int | None = None,
    seed: int = 0,
    progress: Progress = lambda rows, _: rows,
) -> KbEvaluation:
    """Judge the rows of a JSON Lines file by the one knowledge base of the configuration.

    `levels` are those to judge on, by default all that the rows allow. ConfigError where there is
    not one knowledge base or the extra [sklearn] is missing, SourceError for a bad row.
    """
    scikit_learn("metrics")  # before the long work
    if len(config.kb) != 1:
        raise ConfigError(f"eval takes one knowledge base, not {len(config.kb)}")
    rows = sample(read_each(path, _row), limit, seed)
    whole = all(_has_ids(row) for row in rows)
    for level in levels:
        if level != "text" and not whole:
            raise ConfigError(f"--on {level}: not all rows have s, p, o and their labels")
    chosen = [level for level in levels or LEVELS if whole or level == "text"]
    (source,) = open_sources(config, now)
    rules = [
        rule
        for pack in load_packs(config.packs_in_force, config.base)
        for rule in pack.rules
        if rule.verdict is not None
    ]
    stated = frozenset(_triple(row) for row in rows if row.label == 1 and _has_ids(row))
    without = replace(
        source,
        connection=replace(source.connection, source=Without(source.connection.source, stated)),
    )
    tallies, held = {}, {}
    judged: list[tuple[Row, Outcome, str]] = []
    for level in chosen:
        judged = list(_judge(rows, level, source, rules, config, now, progress))
        tallies[level] = _tally(judged)
        if stated:
            true = [row for row in rows if row.label == 1]
            before = Counter(outcome for row, outcome, _ in judged if row.label == 1)
            after = Counter(
                outcome
                for _, outcome, _ in _judge(true, level, without, rules, config, now, progress)
            )
            held[level] = HeldOut(
                len(true),
                before[Outcome.SUPPORTED],
                before[Outcome.REFUTED],
                after[Outcome.SUPPORTED],
                after[Outcome.REFUTED],
            )
    groups: dict[str, list[tuple[Row, Outcome, str]]] = {}
    for one in judged if by else ():
        groups.setdefault(str(one[0].fields.get(by or "")), []).append(one)
    calls = source.connection.source.calls
    return KbEvaluation(
        source.connection.source.name,
        len(rows),
        tallies,
        held,
        {value: _tally(found) for value, found in sorted(groups.items())},
        {"requests": calls.requests, "cached": calls.cached, "bytes": calls.sent + calls.received},
    )


def _row(data: Any, number: int) -> Row:
    """Return a row; ValueError where it is none."""
    label = _label(data.get("label")) if isinstance(data, dict) else ""
    also = data.get("also", []) if label else []
    if not label or not isinstance(also, list) or not all(map(_label, also)):
        expected = ", ".join(outcome.value for outcome in Outcome)
        raise ValueError(f"a row has label 0 or 1, or {expected}; so those in `also`")
    if not isinstance(_text(data), str):
        raise ValueError("a row has text or claim")
    return Row(str(data.get("id", number)), _TRUTH.get(label, -1), data)


#: What true and false rows are to come to; of any other neither is said.
_TRUTH = {Outcome.SUPPORTED.value: 1, Outcome.REFUTED.value: 0}


def _label(value: object) -> str:
    """Return the outcome that a label names, empty for none: 1 is supported and 0 refuted."""
    if isinstance(value, str):
        name = _SHORT.get(value, value)
        return name if name in {outcome.value for outcome in Outcome} else ""
    return next((name for name, truth in _TRUTH.items() if value == truth), "")


def _text(fields: Mapping[str, Any]) -> Any:
    return fields.get("text") or fields.get("claim") or fields.get("text_generic")


def _has_ids(row: Row) -> bool:
    names = ("s", "p", "o", "s_label", "p_label", "o_label")
    return all(isinstance(row.fields.get(name), str) for name in names)


def _triple(row: Row) -> Triple:
    subject, predicate, object_ = (row.fields[name] for name in ("s", "p", "o"))
    return Triple(_iri(subject), _iri(predicate), _iri(object_))


def _iri(name: str) -> URIRef:
    if _WIKIDATA.fullmatch(name):
        kind = "prop/direct" if name[0] == "P" else "entity"
        return URIRef(f"http://www.wikidata.org/{kind}/{name}")
    return URIRef(name)


class Without:
    """A source without some of its statements."""

    def __init__(self, source: KnowledgeSource, triples: Collection[Triple]) -> None:
        self._source = source
        self._triples = triples

    def __getattr__(self, name: str) -> Any:
        return getattr(self._source, name)

    def statements(
        self, pairs: Iterable[Pair], claimed: Mapping[Pair, Collection[URIRef]] | None = None
    ) -> Mapping[Pair, Facts]:
        """Return what the source states but for the triples left out, whichever way it does."""
        out = {}
        for pair, facts in self._source.statements(pairs, claimed).items():
            kept = tuple(s for s in facts.statements if self._keeps(s))
            status = facts.status if kept or not facts.status.answered else Status.EMPTY
            out[pair] = replace(facts, statements=kept, status=status)
        return out

    def _keeps(self, statement: Statement) -> bool:
        triple = Triple(statement.subject, statement.predicate, statement.value.node)
        return triple not in self._triples


def _judge(
    rows: Sequence[Row],
    level: str,
    source: Opened,
    rules: Sequence[Rule],
    config: Config,
    now: datetime,
    progress: Progress,
) -> Iterator[tuple[Row, Outcome, str]]:
    """Yield each row with its outcome and the rule that gave it."""
    batch: list[tuple[Row, Answered]] = []
    ids = list(_on_ids(rows, source)) if level == "ids" else []
    texts = _texts(rows) if level == "text" else [[row] for row in rows]
    for number, together in enumerate(progress(texts, len(texts))):
        if level == "ids":
            batch.append((rows[number], ids[number]))
        elif level == "labels":
            (row,) = together
            extraction, said = _labelled(row, number)
            batch.append((row, ask_source(extraction, (), source, config, now, said=said)))
        else:
            batch += _read_together(together, number, source, config, now)
        if len(batch) >= _BATCH:
            yield from _decided(batch, rules, config)
            batch = []
    yield from _decided(batch, rules, config)


def _texts(rows: Sequence[Row]) -> list[list[Row]]:
    """Return the rows that are sentences of one text together."""
    texts: dict[object, list[Row]] = {}
    for number, row in enumerate(rows):
        texts.setdefault(row.fields.get("doc_id", number), []).append(row)
    return list(texts.values())


def _read_together(
    rows: Sequence[Row], number: int, source: Opened, config: Config, now: datetime
) -> Iterator[tuple[Row, Answered]]:
    """Yield what was answered to each of the rows of one text."""
    texts = [_text(row.fields) for row in rows]
    document = from_text(" ".join(texts), f"text{number}")
    (extraction,) = resolve([extract(document, model=config.model)])
    found = ask_source(extraction, extraction.claims, source, config, now)
    start = 0
    for row, text in zip(rows, texts, strict=True):
        end = start + len(text)
        claims = tuple(c for c in found.claims if start <= _place(c) < end)
        ids = {claim.id for claim in claims}
        questions = tuple(q for q in found.questions if q.reading.reads in ids)
        yield row, replace(found, claims=claims, questions=questions)
        start = end + 1


def _place(claim: Claim) -> int:
    return (claim.parts[2] or claim.span).start


def _on_ids(rows: Sequence[Row], source: Opened) -> Iterator[Answered]:
    """Yield the answers to the triples of the rows, which are asked for together."""
    known = source.relations.properties
    questions = []
    for number, row in enumerate(rows):
        triple = _triple(row)
        assert isinstance(triple.predicate, URIRef)
        name = STATEMENT[f"row{number}"]
        claim = Claim(name, triple, Span("row", 0, 0), origin="kb", reads=name + ":words")
        value = claimed_value(triple.object)
        questions.append(
            Question(claim, source.iri, property=known.get(triple.predicate), value=value)
        )
    for start in range(0, len(questions), _BATCH):
        part = questions[start : start + _BATCH]
        answers = ask(part, source.connection.source)
        for question in answers.questions:
            assert question.reading.reads is not None
            words = replace(question.reading, id=question.reading.reads, reads=None)
            yield Answered((words,), (question,), answers.within, {})


def _labelled(row: Row, number: int) -> tuple[Extraction, tuple[tuple[int, Relational], ...]]:
    """Return the labels of a row as a text, and what it says."""
    subject, phrase, object_ = (row.fields[key] for key in ("s_label", "p_label", "o_label"))
    text, name = f"{subject} {phrase} {object_}", f"text{number}"
    whole = Span(name, 0, len(text))
    first, last = Span(name, 0, len(subject)), Span(name, len(text) - len(object_), len(text))
    extraction = Extraction(from_text(text, name), (), (), (whole,), {})
    return extraction, ((0, Relational(first, phrase, last)),)


def _decided(
    batch: Sequence[tuple[Row, Answered]], rules: Sequence[Rule], config: Config
) -> Iterator[tuple[Row, Outcome, str]]:
    if not batch:
        return
    asked = Asked(
        [question for _, found in batch for question in found.questions],
        frozenset(pair for _, found in batch for pair in found.within),
        _TEXT,
        claims=[claim for _, found in batch for claim in found.claims],
    )
    decision = decide(asked, Rules(tuple(rules), config.rules), edits=False)
    for row, found in batch:
        rulings = [ruling for claim in found.claims if (ruling := decision.of(claim.id))]
        yield row, *_whole(rulings)


def _whole(rulings: Sequence[Ruling]) -> tuple[Outcome, str]:
    """Return the outcome of a text and the rule that gave it.

    It is refuted where one of its claims is, and supported only where all are.
    """
    for wanted in (Outcome.REFUTED, Outcome.CONFLICTING, Outcome.ERROR, Outcome.NOT_ENOUGH_INFO,
                   Outcome.UNVERIFIABLE, Outcome.SUPPORTED):  # fmt: skip
        ruling = next((r for r in rulings if r.outcome is wanted), None)
        if ruling is not None:
            return ruling.outcome, ruling.rule
    return Outcome.UNVERIFIABLE, "no claim"


def _tally(judged: Sequence[tuple[Row, Outcome, str]]) -> Tally:
    import numpy as np

    count = Counter(outcome for _, outcome, _ in judged)
    labels = np.array([row.label for row, _, _ in judged], dtype=np.int_)
    supported, refuted = (
        np.array([outcome is wanted for _, outcome, _ in judged], dtype=np.int_)
        for wanted in (Outcome.SUPPORTED, Outcome.REFUTED)
    )
    precision_supported, recall_supported = _precision_and_recall(supported, labels == 1)
    precision_refuted, recall_refuted = _precision_and_recall(refuted, labels == 0)
    settled = labels >= 0
    confusions = Counter(
        (str(_label(row.fields["label"])), outcome.value) for row, outcome, _ in judged
    )
    wrong = Counter(
        (str(_label(row.fields["label"])), outcome.value)
        for row, outcome, _ in judged
        if outcome.value not in _right(row)
    )
    cost = {
        f"{label}>{outcome}": COSTS.get((label, outcome), 0.0) * n
        for (label, outcome), n in sorted(wrong.items())
    }
    return Tally(
        len(judged),
        {o.value: count[o] for o in Outcome if count[o]},
        dict(Counter(f"{outcome.value} {rule}" for _, outcome, rule in judged).most_common()),
        precision_supported,
        precision_refuted,
        recall_supported,
        recall_refuted,
        float((supported | refuted).mean()) if judged else None,
        auc(((1.0 + supported - refuted) / 2)[settled], labels[settled]),
        balanced_accuracy(supported[settled].astype(float), labels[settled], 0.5),
        1 - sum(wrong.values()) / len(judged) if judged else None,
        {
            label: {o.value: confusions[label, o.value] for o in Outcome}
            for label in dict.fromkeys(one for one, _ in sorted(confusions))
        },
        cost,
        sum(cost.values()) / len(judged) if judged else None,
    )


def _right(row: Row) -> set[str]:
    """Return the outcomes that are right for a row."""
    return {_label(row.fields["label"]), *map(_label, row.fields.get("also", ()))}


def _precision_and_recall(said: Labels, labels: Labels) -> tuple[float | None, float | None]:
    """Return how many of those said are, and how many of those that are were said."""
    metrics = scikit_learn("metrics")
    return (
        float(metrics.precision_score(labels, said)) if said.any() else None,
        float(metrics.recall_score(labels, said)) if labels.any() else None,
    )
