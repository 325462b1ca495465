"""One verdict for every statement, and one for every claim in it.

Finding nothing wrong does not make a statement SUPPORTED. SUPPORTED needs evidence for it and none
against it. REFUTED needs a rule with evidence. What could not be read is UNVERIFIABLE, and so is
what is open for want of a grade that was asked for (`merge.with_ungraded`). All else is
NOT_ENOUGH_INFO. A user who leaves rules out of a report, by `select`, changes no
verdict: pass all violations, `Judgement.found`, not only those that are shown.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from rdflib.term import Literal, URIRef

from groundrules.align.clauses.exclusions import may_be_one_place
from groundrules.align.graphs.grounding import Grounding
from groundrules.align.limits import KNOWN
from groundrules.align.phrased import may_bind
from groundrules.align.statements import ACCOUNTED, AlignedStatement
from groundrules.align.words.exchanges import may_be_turned
from groundrules.checks.paired import by_axioms, told_only
from groundrules.claims.english import NEGATIVE, TITLES
from groundrules.claims.english.signals import TAKING_UP
from groundrules.explain.foil import swapped
from groundrules.terms import (
    GR,
    READ_BY,
    Account,
    Claim,
    Modality,
    Outcome,
    Severity,
    Span,
    Statement,
    Verdict,
    Violation,
)

#: The reasons of what a language model supports by its grade, and of what a licensed reader does.
GRADED, READ = "graded", "read"
OF_MODELS = (GRADED, READ)
#: The reason of what could not be read.
UNREAD = "unread"
#: Accounts of a figure that the sources give or reckon otherwise.
MISTAKEN = frozenset({"conflict", "miscalculated"})
#: What leaves a statement open where no rule doubts it: a figure, a name, or what no source says.
OPEN = ("figure", "name", "support")
#: What leaves it open where nothing speaks against it.
SILENT = (*OPEN, "added")


def refutes(violation: Violation) -> bool:
    """Return whether the source says otherwise, or the ontology or a rule's reason rules it out.

    What is only missing from the sources is not refuted, nor what only the scorer doubts.
    """
    if violation.severity is not Severity.ERROR or violation.traits.rests_on == "scorer":
        return False
    if violation.traits.finds in ("unsupported", "unknown"):
        return False
    if violation.claim is not None and violation.claim.origin == "statement":
        # figures that do not fit each other are wrong whatever the sources say
        return bool(violation.evidence) or violation.traits.rests_on == "text"
    edit = violation.edit
    otherwise = violation.evidence and edit and any(o.action == "ADD" for o in edit.operations)
    return bool(otherwise or violation.because)


def without_suppressed(
    violations: Iterable[Violation],
    statements: Iterable[AlignedStatement],
    sources: Mapping[str, str],
) -> tuple[Violation, ...]:
    """Return the violations without those that the sentence as a whole takes back.

    A statement that a source has word for word or restates is not at odds with other sentences of
    that source; another source may say otherwise. A value that is stated or follows is not refuted
    because a triple has another one, and who a pronoun stands for is a guess that refutes nothing.
    Triples of clauses that differ in one part only warn where the sentences do not exclude each
    other. Of a sentence that could not be read nothing is said but that, and of its figures. What
    an ontology rules out of a statement that a source has word for word is told and refutes
    nothing. `sources` are texts by name.
    """
    by_number = {one.number: one for one in statements}
    tests = (_unread, _own_words, _accounted, _unsaid)
    out = []
    for violation in violations:
        claim = violation.claim
        one = by_number.get(claim.sentence) if claim else None
        if claim is None or one is None:
            out.append(violation)
        elif not violation.traits.finds:
            # a source has it word for word: then the source breaks the axiom, and not the text
            out.append(told_only(violation) if by_axioms(violation) and one.verbatim else violation)
        elif violation.evidence and _takes_up(violation, one):
            continue
        elif not any(test(violation, one) for test in tests) and not _turned(
            violation, one, sources
        ):
            sure = _less_sure(violation, one)
            out.append(
                sure if _is_alone(sure, one, sources) else replace(sure, severity=Severity.WARNING)
            )
    return tuple(out)


def _turned(violation: Violation, aligned: AlignedStatement, sources: Mapping[str, str]) -> bool:
    """Return whether two things that are told the other way about may be related both ways."""
    claim, at = violation.claim, aligned.span.start
    if claim is None:
        return False
    ends = sorted((one.start, one.end) for one in (claim.parts[0], claim.parts[2]) if one)
    between = aligned.text[ends[0][1] - at : ends[-1][0] - at] if ends[1:] else ""
    turned = (one.span for one in violation.evidence if swapped(claim.triple, one.triple))
    told = [sources.get(one.source, "")[one.start : one.end] for one in turned if one]
    return any(may_be_turned(aligned.text, between, one) for one in told)


def _is_alone(violation: Violation, aligned: AlignedStatement, sources: Mapping[str, str]) -> bool:
    """Return whether what a source says otherwise is the one difference from its sentence."""
    traits, claim = violation.traits, violation.claim
    if traits.finds != "conflict" or claim is None or claim.in_terms:
        return True
    if traits.stage != "value" and claim.origin != "offline":
        whole = claim.origin == "statement" or traits.compares != "polarity"
        return whole or not any(may_bind(one) for one in {*aligned.adds} - NEGATIVE)
    row = dict(violation.bindings)
    ranges = [(part.start, part.end) for part in claim.parts if part is not None]
    if {"start", "end"} <= row.keys():
        ranges = [(int(str(row["start"])), int(str(row["end"])))]
    offset = aligned.span.start
    said = " ".join(aligned.text[start - offset : end - offset] for start, end in ranges)
    rest = [one for one in aligned.left_over if one not in f"{said} {row.get('claimed', '')}"]
    own, phrased = claim.triple.object, claim.parts[1] is None and bool(violation.evidence)
    valued = isinstance(own, Literal)  # what a fixed phrase tells has one value, in plain words
    if phrased and traits.compares != "polarity" and (valued or row.get("axiom")):
        at, stated = violation.evidence[0].span, violation.evidence[0].triple.object
        told = sources.get(at.source, "")[at.start : at.end] if at else ""
        opening = aligned.text.split(maxsplit=1)[0]
        apart = not valued and not may_be_one_place(said, str(stated), told)
        other = apart or getattr(own, "datatype", "") == getattr(stated, "datatype", None)
        return other and not any(may_bind(word) for word in rest if word != opening)
    return not rest


def _unread(violation: Violation, aligned: AlignedStatement) -> bool:
    """Return whether a statement is of no language or form that is read.

    Its figures may be compared all the same, and a licensed reader may have read it: what is found
    of either is of the statement.
    """
    whole = (aligned.figures or aligned.read_by) and violation.claim == aligned.claim
    return bool(aligned.unreadable) and not whole


def _own_words(violation: Violation, aligned: AlignedStatement) -> bool:
    """Return whether the sources that tell against a statement say it themselves."""
    if violation.traits.rests_on == "grade" and not aligned.verbatim:
        return False  # what a model doubts stays doubted where other words say it
    own = aligned.verbatim | aligned.restated
    others = {item.span.source for item in violation.evidence if item.span} - own
    return bool(own) and not others


def _accounted(violation: Violation, aligned: AlignedStatement) -> bool:
    """Return whether the value at fault in a triple is one that is stated or follows.

    At fault is the value where the source has another thing in its place.
    """
    claim = violation.claim
    value = claim.parts[2] if claim and isinstance(claim.triple.object, Literal) else None
    if claim is None or claim.origin == "statement" or value is None or not violation.evidence:
        return False
    if violation.evidence[0].triple.object == claim.triple.object:
        return False
    start, end = value.start - aligned.span.start, value.end - aligned.span.start
    told = [f for f, _ in aligned.figures if f.start < end and start < f.end]
    date = claim.triple.object
    if isinstance(date, Literal) and date.datatype == GR.years:
        # "1880s" is not all of "the early 1880s"
        told = [figure for figure in told if figure.start <= start]
    return any(figure.account in ACCOUNTED for figure in told)


def _takes_up(violation: Violation, aligned: AlignedStatement) -> bool:
    """Return whether an end of a triple, of an unknown name that which it is, is a pronoun."""
    claim = violation.claim
    if claim is None or claim.origin == "statement":
        return False
    unknown = dict(violation.bindings).get("e") if violation.traits.finds == "unknown" else None
    ends = zip((claim.triple.subject, claim.triple.object), claim.parts[::2], strict=True)
    parts = (part for end, part in ends if part is not None and unknown in (None, end))
    offset = aligned.span.start
    said = (aligned.text[part.start - offset : part.end - offset] for part in parts)
    return any(words.casefold() in TAKING_UP for words in said)


def _unsaid(violation: Violation, aligned: AlignedStatement) -> bool:
    """Return whether a triple of a clause differs in polarity or force, and its sentence does not.

    Whether it is denied or only allowed is told by whole sentences (`align/clauses/difference.py`).
    """
    return _differing(violation) == "mood" and not _is_excluded(violation, aligned)


def _less_sure(violation: Violation, aligned: AlignedStatement) -> Violation:
    """Return a violation that only warns where a clause's triple has another end or predicate.

    There may be two: who owns the mill may own the ferry, and who else owns it may own a half. Of a
    name that no source has the place where it stands is at fault, not the pronoun read as it.
    """
    if violation.severity is not Severity.ERROR or _is_excluded(violation, aligned):
        return violation
    unknown = violation.traits.finds == "unknown" and _takes_up(violation, aligned)
    doubted = unknown or _differing(violation) == "part"
    return replace(violation, severity=Severity.WARNING) if doubted else violation


def _is_excluded(violation: Violation, aligned: AlignedStatement) -> bool:
    """Return whether a source that tells against a triple excludes its whole statement."""
    return any(item.span and item.span.source in aligned.excluded for item in violation.evidence)


def _differing(violation: Violation) -> str:
    """Return where a source differs from a triple of a clause: its mood, its value or a part.

    Empty where the triple was read by a fixed phrase or a language model, and where both ends are
    exchanged.
    """
    claim, traits = violation.claim, violation.traits
    if claim is None or claim.origin != "offline" or claim.parts[1] is None:
        return ""
    if traits.finds != "conflict" or not violation.evidence:
        return ""
    own, stated = claim.triple, violation.evidence[0].triple
    count = (own.subject != stated.subject) + (own.predicate != stated.predicate)
    count += own.object != stated.object
    if isinstance(own.object, Literal) and count:
        return "value"
    if traits.compares not in ("", "polarity"):
        return ""
    return ("mood", "part", "", "")[count]


def judge_claims(grounding: Grounding, violations: Sequence[Violation]) -> Iterable[Verdict]:
    """Yield one verdict a claim: refuted by an error with a contrast, supported where it is stated.

    What an ontology rules out is refuted too. Stated is what a source has in the same words, or
    with the same ends and relation.
    """
    worst: dict[object, Violation] = {}
    own: dict[int, list[Claim]] = defaultdict(list)
    for claim in grounding.claims:
        own[claim.sentence].append(claim)
    for violation in violations:
        for claim in violation.claims:
            for about in _concerned(own, violation, claim):
                before = worst.get(about)
                if before is None or _rank(violation) > _rank(before):
                    worst[about] = violation
    for sentence in grounding.sentences:
        for claim in sentence.claims:
            fault = worst.get(claim.id)
            stage = (fault and fault.traits.stage) or ("exact" if sentence.exact else "alignment")
            if fault is not None:
                outcome = _against(fault) if refutes(fault) else Outcome.NOT_ENOUGH_INFO
                yield Verdict(claim, outcome, fault.rule, stage)
            elif sentence.exact or any(
                m.slot == "none" for m in grounding.matches.get(claim.id, ())
            ):
                yield Verdict(claim, Outcome.SUPPORTED, stage, stage)
            else:
                yield Verdict(claim, Outcome.NOT_ENOUGH_INFO, "support", stage)


def _rank(violation: Violation) -> tuple[bool, bool, bool]:
    # a doubt that a grade can settle comes last, so that it hides no other
    grave = violation.severity is Severity.ERROR
    return refutes(violation), grave, not violation.traits.settled_by_grade


def _against(violation: Violation) -> Outcome:
    """Return what a violation makes of its claims; of several that contradict none is refuted."""
    several = bool(violation.others) or violation.traits.rests_on == "sources"
    return Outcome.CONFLICTING if several else Outcome.REFUTED


def _is_twin(one: Claim, other: Claim) -> bool:
    """Return whether two claims have one value in the same words: the fault is told of one only."""
    a, b = one.parts[2], other.parts[2]
    same = one.id != other.id and one.triple.object == other.triple.object
    return same and a is not None and a == b and one.polarity == other.polarity


def _concerned(
    own: Mapping[int, Sequence[Claim]], violation: Violation, claim: Claim
) -> Iterable[URIRef]:
    """Yield the claims in words that a violation is about: the claim, or those it was read from.

    `own` are the claims by the number of their sentence. What is wrong with words of a statement is
    wrong with the claims that have them as a part.
    """
    if claim.origin == "statement":
        row = dict(violation.bindings)
        if "start" in row and "end" in row:
            start, end = int(str(row["start"])), int(str(row["end"]))
            for other in own.get(claim.sentence, ()):
                if other.modality is Modality.POSSIBILITY:
                    continue  # it is not so, and yet may be
                parts = (part for part in other.parts if part is not None)
                if any(part.start < end and start < part.end for part in parts):
                    yield other.id
        return
    if not claim.in_terms:
        yield claim.id
        if isinstance(claim.triple.object, Literal):  # and what else was read from the same value
            yield from (c.id for c in own.get(claim.sentence, ()) if _is_twin(c, claim))
    elif violation.severity is Severity.ERROR and claim.reads:
        yield claim.reads
    elif violation.severity is Severity.ERROR:
        for other in own.get(claim.sentence, ()):
            if other.span.end > claim.span.start and claim.span.end > other.span.start:
                yield other.id


def judge_statements(
    statements: Iterable[AlignedStatement],
    violations: Iterable[Violation],
    *,
    asked: Iterable[Verdict] = (),
) -> tuple[Statement, ...]:
    """Return the statements with their verdicts.

    `asked` are the verdicts of knowledge bases on claims. They settle what documents do not: a
    statement all of whose claims they carry is supported, one that they deny is refuted.
    """
    worst: dict[int, Violation] = {}
    for violation in violations:
        for claim in violation.claims if violation.severity is not Severity.INFO else ():
            number = claim.sentence
            if number not in worst or _rank(violation) > _rank(worst[number]):
                worst[number] = violation
    known: dict[int, list[Verdict]] = {}
    for verdict in asked:
        if verdict.stage == "kb":
            known.setdefault(verdict.claim.sentence, []).append(verdict)
    return tuple(
        _judged(one, worst.get(one.number), known.get(one.number, ())) for one in statements
    )


def doubts_wording(violation: Violation) -> bool:
    """Return whether a violation only doubts what words come to: a licensed reader settles it."""
    if violation.severity is not Severity.WARNING:
        return False
    return violation.claim is not None and not violation.claim.in_terms


def _judged(
    aligned: AlignedStatement, fault: Violation | None, asked: Sequence[Verdict]
) -> Statement:
    outcome, reason, note = _outcome(aligned, fault, asked)
    nearest = aligned.passages[aligned.nearest :][:1]
    if aligned.grade and aligned.grade.passage:
        nearest = (aligned.grade.passage, *nearest)
    accounts = tuple(
        Account(
            Span(aligned.span.source, aligned.span.start + f.start, aligned.span.start + f.end),
            f.text,
            f.account,
            f.how,
            places,
        )
        for f, places in aligned.figures
    )
    return Statement(
        aligned.claim.id,
        aligned.number,
        aligned.text,
        aligned.span,
        outcome,
        reason,
        note,
        tuple(dict.fromkeys([*nearest, *aligned.passages])),
        accounts,
        aligned.read_by,
    )


def _outcome(
    aligned: AlignedStatement,
    fault: Violation | None,
    asked: Sequence[Verdict],
) -> tuple[Outcome, str, str]:
    if fault is not None and refutes(fault):
        return _against(fault), fault.rule, fault.message
    if aligned.unreadable and not aligned.read_by:
        return Outcome.UNVERIFIABLE, UNREAD, aligned.unreadable
    told = {verdict.outcome: verdict for verdict in reversed(asked)}
    for outcome in (Outcome.CONFLICTING, Outcome.REFUTED, Outcome.ERROR):
        if outcome in told:
            return outcome, told[outcome].reason, told[outcome].message
    if fault is not None:
        return Outcome.NOT_ENOUGH_INFO, fault.rule, fault.message
    if told and not told.keys() - {Outcome.SUPPORTED}:
        return Outcome.SUPPORTED, told[Outcome.SUPPORTED].reason, ""
    if not aligned.compared:  # no document: the knowledge bases alone were asked
        for outcome in (Outcome.NOT_ENOUGH_INFO, Outcome.UNVERIFIABLE):
            if outcome in told:
                return outcome, told[outcome].reason, told[outcome].message
        return Outcome.UNVERIFIABLE, "no-claim", "nothing in it could be asked about"
    if aligned.verbatim:
        return Outcome.SUPPORTED, "exact", ""
    # of a sentence with several figures a parser may take one for another's
    other = any(figure.account in MISTAKEN for figure, _ in aligned.figures)
    if aligned.restated and not other and aligned.grade is None:
        return Outcome.SUPPORTED, "restated", ""
    for figure, _ in aligned.figures:
        if figure.account not in ACCOUNTED:
            return Outcome.NOT_ENOUGH_INFO, "figure", f"the sources do not give “{figure.text}”"
    for naming in aligned.names:
        if naming.similarity < KNOWN:
            said = naming.mention.text
            return Outcome.NOT_ENOUGH_INFO, "name", _unnamed(said, aligned.text)
    if aligned.grade is not None and aligned.grade.kind == "entailed":
        name = next(iter(unnamed(aligned)), None)
        if name is not None:
            return Outcome.NOT_ENOUGH_INFO, "name", f"the sources do not name “{name}”"
        if aligned.grade.by:
            return Outcome.SUPPORTED, READ, f"{READ_BY} {aligned.grade.by}"
        return Outcome.SUPPORTED, GRADED, ""
    if aligned.phrased and not aligned.missing_words and aligned.passages:
        return Outcome.SUPPORTED, "phrase", ""
    if aligned.added and not aligned.missing_words:
        return Outcome.NOT_ENOUGH_INFO, "added", f"the source adds “{aligned.added}”"
    return Outcome.NOT_ENOUGH_INFO, "support", aligned.lack


def _unnamed(said: str, text: str) -> str:
    """Return that the sources do not have a name; a word may owe its capital to its place alone."""
    opens = text.lstrip("\"'“‘( ").startswith(said) and said.isalpha() and said.istitle()
    return f"no passage has “{said}”" if opens else f"the sources do not name “{said}”"


def resting_on(
    statements: Iterable[Statement], violations: Iterable[Violation]
) -> Iterator[Statement]:
    """Yield statements, with a rule that doubts one that was only open as its reason."""
    told = {v.claim.sentence: v for v in violations if v.claim is not None}
    for one in statements:
        doubt = told.get(one.number)
        if doubt and one.outcome is Outcome.NOT_ENOUGH_INFO and one.reason in SILENT:
            one = replace(one, reason=doubt.rule, note=doubt.message)
        yield one


def unnamed(aligned: AlignedStatement) -> Iterator[str]:
    """Yield the words with a capital that no passage has: names, be they recognised or not."""
    first = re.search(r"\w+", aligned.text)
    for word in aligned.missing_words:
        begins = first is not None and first.group() == word
        if word[0].isupper() and not begins and word.casefold() not in TITLES:
            yield word


def stages(statements: Iterable[Statement]) -> tuple[tuple[str, int], ...]:
    """Return how many statements each reason settled, the most first."""
    return tuple(Counter(one.reason for one in statements if one.reason).most_common())
