"""What follows for a statement from what a language model read of it and of its source.

A clause follows where each of its parts follows from its counterpart (`align/counterparts.py`), its
denial and its force are those of the source, and nothing binds the source that the statement does
not say. A statement follows where its clauses do and they have all of its words; it cannot be where
the denial of one of them follows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from groundrules.align.counterparts import Texts, fault_in_words, fault_of, figures_exclude
from groundrules.align.deductions import read_propositions
from groundrules.align.parses import parse
from groundrules.align.projection import Relation
from groundrules.align.snippets import (
    WORD,
    denials,
    denies_otherwise,
    figures,
    meets,
    names,
    quantity,
    restricts,
    sentence_of,
    weekdays,
    words_of,
)
from groundrules.claims.english import (
    ASKING,
    BE,
    DENYING,
    FAILING,
    HAVE,
    IF,
    INTENDING,
    NEGATIVE,
    SAYING,
)
from groundrules.claims.english.logic import (
    ABLE,
    BESIDE_PARTS,
    BINDING,
    BOUND_BY,
    CASES,
    DOUBTING_ADVERBS,
    NEEDING,
    NONE_OF,
    READ_AS,
    SETTING,
    TOLD_BESIDE,
)
from groundrules.claims.llm_propositions import Clause, Part, Place, Propositions

__all__ = ["Weighed", "weigh"]

#: Under these what they govern is only said, wanted or left undone.
_GOVERNING = SAYING | DENYING | FAILING | INTENDING | ASKING
_COMPLEMENTS = frozenset("ccomp xcomp acl".split())
#: Which forces follow from which, beside themselves.
_FORCES = {
    ("must", "may"), ("must", "should"), ("fact", "might"), ("may", "might"), ("do", "must"),
    ("do", "should"), ("do", "fact"), ("do", "will"), ("must", "do"), ("should", "do"),
}  # fmt: skip
#: Of what is denied: who must not may not, and who is told not to.
_FORCES_DENIED = {
    ("may", "must"), ("may", "should"), ("may", "do"), ("do", "may"), ("do", "should"),
    ("do", "must"), ("do", "fact"), ("might", "fact"), ("must", "should"),
}  # fmt: skip
#: Forces of a source and of a statement of which one denies what the other affirms.
_CLASHING = {
    ("fact", "fact"), ("may", "may"), ("must", "must"), ("should", "should"), ("will", "will"),
    ("do", "do"), ("must", "may"), ("do", "may"), ("may", "must"), ("may", "do"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Weighed:
    """What a source says of a statement, as a model read both: by which clause, and why not.

    `why` says in words why the reading settles nothing, empty where it does.
    """

    relation: Relation
    clause: Clause | None = None
    why: str = ""


def weigh(found: Propositions, statement: str, source: str) -> Weighed:
    """Return what follows for a statement from what a model read of it and of its source."""
    texts = Texts(statement, source)
    outcomes = []
    for told in _told_of_one(found.clauses):
        ways = [_weigh(one, texts) for one in told]
        for_it = [one for one in ways if one.relation.supports]
        against = [one for one in ways if one.relation.refutes]
        if for_it and against:
            outcomes.append(Weighed(Relation.OPEN, None, "the source says it in two ways"))
        else:
            outcomes.append((for_it or against or ways)[0])
    against = [one for one in outcomes if one.relation.refutes]
    if against:
        return against[0]
    left = next((one for one in outcomes if not one.relation.supports), None)
    if left is not None or not outcomes:
        return left or Weighed(Relation.OPEN, None, "nothing was read")
    held = [one.clause for one in outcomes if one.clause is not None]
    word = _lost(held, statement)
    if word:
        return Weighed(Relation.OPEN, held[0], f"no part has “{word}”")
    return outcomes[0]


def _told_of_one(clauses: Sequence[Clause]) -> Iterator[list[Clause]]:
    """Yield the clauses that are given of one of the statement, where two passages say it."""

    def said(one: Clause) -> tuple[Place, ...]:
        return one.statement.places

    for _, told in groupby(sorted(clauses, key=said), said):
        yield list(told)


def _weigh(clause: Clause, texts: Texts) -> Weighed:
    """Return what follows for a clause of a statement from the source's."""
    said, known = clause.statement, clause.source
    if not known.places:
        return Weighed(Relation.OPEN, clause, "the source says nothing of it")
    verbs = [one for one in clause.parts if one.role == "does"]
    relations = {one.relation for one in verbs}
    if not verbs or not relations <= {"same", "narrower", "wider", "opposed"}:
        return Weighed(Relation.OPEN, clause, "the source has no verb for it")
    opposed = "opposed" in relations
    if opposed and (known.denied or len(relations) > 1):
        return Weighed(Relation.OPEN, clause, "what is not the opposite need not be so")
    parts = [one for one in clause.parts if known.denied or opposed or not _shut_out(one, texts)]
    shut_out = len(parts) < len(clause.parts)
    down = known.denied or opposed or shut_out
    why = _misread(clause, parts, texts) or _binding(clause, texts)
    faults = [(one, w) for one in verbs if (w := _verb_fault(one, clause, texts, down=down))]
    faults += [(one, w) for one in parts if (w := _part_fault(one, clause, texts, down=down))]
    plain = not down and not said.denied and known.force == said.force in {"fact", "must"}
    if plain and not why and len(faults) == 1 and figures_exclude(faults[0][0], texts):
        return Weighed(Relation.EXCLUDES, clause)
    why = why or (faults[0][1] if faults else "")
    if why:
        return Weighed(Relation.OPEN, clause, why)
    forces = known.force, said.force
    if down == said.denied:
        if _forces_follow(clause, texts, down=down):
            return Weighed(Relation.SAME, clause)
        return Weighed(Relation.OPEN, clause, f"{forces[0]} is not {forces[1]}")
    if forces in _CLASHING:
        return Weighed(Relation.EXCLUDES if opposed else Relation.DENIES, clause)
    return Weighed(Relation.OPEN, clause, f"{forces[0]} does not clash with {forces[1]}")


def _forces_follow(clause: Clause, texts: Texts, *, down: bool) -> bool:
    """Return whether the force of a statement follows from that of its source.

    What is so can be so; what is needed must be; and what is told of one day in the present tense
    is to come as well.
    """
    known, said = clause.source.force, clause.statement.force
    if known == said or (known, said) in (_FORCES_DENIED if down else _FORCES):
        return True
    verbs = [one for one in clause.parts if one.role == "does"]
    words = {word for one in verbs for word in words_of(texts.said(one))}
    needed = words.union(*(words_of(texts.known(one)) for one in verbs)) & NEEDING
    if (known, said) == ("fact", "may") and not down:
        return not ABLE.isdisjoint(words)
    if {known, said} == {"fact", "must"}:
        return bool(needed)
    if {known, said} == {"fact", "will"}:
        present = {_time(one.said, texts.statement) for one in verbs if said == "fact"}
        present |= {_time(one.known, texts.source) for one in verbs if known == "fact"}
        return present == {"present"} and any(
            one.said and one.known and _is_dated(texts.said(one)) and _is_dated(texts.known(one))
            for one in clause.parts
        )
    return False


def _is_dated(words: str) -> bool:
    return bool(weekdays(words)) or any(one.number.kind == "DATE" for one in figures(words))


# --- parts ------------------------------------------------------------------------------------


def _verb_fault(verb: Part, clause: Clause, texts: Texts, *, down: bool) -> str:
    """Return why a verb does not follow: it is wider, of another time, or only meant."""
    if verb.relation == ("narrower" if down else "wider"):
        return f"the source has “{texts.known(verb)}”, which is {verb.relation}"
    if not verb.known:
        return "" if _is_meant(clause, texts) else "the source leaves its verb to be meant"
    if not verb.said:
        return ""
    times = {_time(verb.said, texts.statement), _time(verb.known, texts.source)}
    reports = not SAYING.isdisjoint(_lemmas(clause, texts, 0))
    facts = clause.source.force == clause.statement.force == "fact"
    if times == {"past", "present"} and facts and not reports:
        return f"“{texts.said(verb)}” is of another time than “{texts.known(verb)}”"
    return "" if verb.relation == "opposed" else fault_in_words(verb, clause, texts, down=down)


def _is_meant(clause: Clause, texts: Texts) -> bool:
    """Return whether a verb may be left out: "is", or any where there is none, as in a table."""
    if clause.source.denied or clause.statement.denied or clause.source.force != "fact":
        return False
    said = {w for one in clause.parts if one.role == "does" for w in words_of(texts.said(one))}
    start, end = sentence_of(texts.source, clause.source.places)
    row = any(mark in texts.source[start:end] for mark in "|\t") or not any(
        token.pos_ in {"VERB", "AUX"} and meets(clause.source.places, _span(token))
        for token in parse(texts.source)
    )
    return row or said <= BE | HAVE | {"there"}


def _time(places: Sequence[Place], text: str) -> str:
    tags = [t.tag_ for t in parse(text) if meets(places, (t.idx, t.idx + len(t)))]
    verbs = [tag for tag in tags if tag in {"VBD", "VBZ", "VBP"}]
    perfect = {"have", "has", "’ve", "'ve"} & set(words_of(" ".join(text[a:b] for a, b in places)))
    return "" if not verbs or perfect else "past" if verbs[0] == "VBD" else "present"


def _part_fault(part: Part, clause: Clause, texts: Texts, *, down: bool) -> str:
    """Return why a part leaves a clause open, empty where it does not."""
    if part.role == "does":
        return ""
    if part.said and part.known:
        return fault_of(part, clause, texts, down=down)
    if part.said:
        if down and not clause.statement.denied:
            return ""  # what is not so is not so in more detail
        words = [w for w in words_of(texts.said(part)) if w not in BESIDE_PARTS]
        return f"the source has nothing for “{texts.said(part)}”" if words else ""
    return _left_out(part, clause, texts, down=down)


def _left_out(part: Part, clause: Clause, texts: Texts, *, down: bool) -> str:
    """Return whether what the source says besides binds it."""
    known = texts.known(part)
    if part.role in BOUND_BY or not DOUBTING_ADVERBS.isdisjoint(words_of(known)[:1]):
        return f"the source adds “{known}”"
    if quantity(known) not in {"", "all"} and part.role not in {"who", "what", *TOLD_BESIDE}:
        return f"the source adds “{known}”"
    if down and clause.source.denied and part.role not in TOLD_BESIDE:
        return f"the source denies it of “{known}”"
    once = clause.source.force == "will" or any(
        _time(one.known, texts.source) == "past" or "has" in words_of(texts.known(one))
        for one in clause.parts if one.role == "does"
    )  # fmt: skip
    told_where = part.role == "where" and clause.source.force == "fact" and not down
    if part.role in SETTING and not once and not told_where:
        return f"the source adds “{known}”"
    return ""


def _shut_out(part: Part, texts: Texts) -> bool:
    """Return whether a source says something of other cases only: "only Ann" of Bob."""
    only = bool(part.said and part.known) and restricts(texts.known(part))
    if not only or restricts(texts.said(part)):
        return False
    mine, theirs = names(texts.statement, part.said), names(texts.source, part.known)
    named = part.relation == "other" and bool(mine) and bool(theirs) and not {*mine} & {*theirs}
    return part.relation == "opposed" or named


# --- what the model may have misread ----------------------------------------------------------


def _misread(clause: Clause, parts: Sequence[Part], texts: Texts) -> str:
    """Return where a denial, also one of these parts, or a force is not as we read it."""
    sides = (
        ("statement", clause.statement, texts.statement, [p.said for p in clause.parts]),
        ("source", clause.source, texts.source, [p.known for p in clause.parts]),
    )
    own: list[list[int]] = []
    otherwise: list[list[bool]] = []
    bare = []
    for name, side, text, places in sides:
        verb = [w for p, at in zip(clause.parts, places, strict=True) if p.role == "does"
                for a, b in at for w in words_of(text[a:b])]  # fmt: skip
        negated = bool(denials(" ".join(verb))) or _is_negated(clause, text, places)
        if negated and not side.denied:
            return f"the {name} denies it as we read it"
        counts = []
        free = side.denied and not negated
        for part, at in zip(clause.parts, places, strict=True):
            if part.role == "does" or part not in parts or not (part.said and part.known):
                counts.append(0)
                continue
            words = " ".join(text[a:b] for a, b in at)
            count = len(denials(words)) + words_of(words).count("unless")
            if count and free and part.role not in CASES:
                count, free = count - 1, False
            counts.append(count % 2)
        own.append(counts)
        otherwise.append([denies_otherwise(" ".join(text[a:b] for a, b in at)) for at in places])
        start, end = sentence_of(text, side.places)
        overt = denials(text[start:end]) or denies_otherwise(text[start:end])
        bare.append(side.denied and not overt)
        for word in verb:
            allowed = READ_AS.get(word)
            banned = side.denied and allowed == frozenset({"must"}) and side.force == "may"
            if allowed is not None and side.force not in allowed and not banned:
                return f"the {name} says “{word}”, which is not {side.force}"
    for mine, theirs, mine_else, theirs_else in zip(*own, *otherwise, strict=True):
        if mine != theirs and not (mine_else if theirs else theirs_else):
            return "one part is denied in one text alone"
    if bare[0] != bare[1] and _lemmas(clause, texts, 0) == _lemmas(clause, texts, 1):
        return "one of the two is denied in no word"
    return ""


def _is_negated(clause: Clause, text: str, places: Sequence[Sequence[Place]]) -> bool:
    """Return whether the parser hangs a denial on the verb of a clause."""
    verbs = [
        one for p, at in zip(clause.parts, places, strict=True) if p.role == "does" for one in at
    ]
    return any(
        child.dep_ == "neg"
        for token in parse(text)
        if token.pos_ in {"VERB", "AUX"} and meets(verbs, _span(token))
        for child in token.children
    )


def _lemmas(clause: Clause, texts: Texts, side: int) -> set[str]:
    text = (texts.statement, texts.source)[side]
    places = [at for p in clause.parts if p.role == "does" for at in (p.said, p.known)[side]]
    return {
        token.lemma_.lower()
        for token in parse(text)
        if token.pos_ in {"VERB", "ADJ", "NOUN"} and meets(places, _span(token))
    }


def _binding(clause: Clause, texts: Texts) -> str:
    """Return what binds the source by our own reading of its sentence and stands in no part."""
    held = [place for part in clause.parts for place in part.known]
    does = [place for part in clause.parts if part.role == "does" for place in part.known]
    start, end = sentence_of(texts.source, clause.source.places)
    for event in read_propositions(texts.source[start:end]):
        own = event.place[0] + start, event.place[1] + start
        if not meets(does, own):
            continue
        for slot in event.slots:
            if slot.role in BINDING and slot.role != "degree":
                a, b = slot.filler.place
                if not meets(held, (a + start, b + start)):
                    return f"the source adds “{' '.join(slot.filler.text.split())}”"
    for token in parse(texts.source):
        if meets(does, _span(token)):
            over = _governor(token, held)
            if over:
                return f"the source has it under “{over}”"
    return ""


def _governor(token: Any, held: Sequence[Place]) -> str:
    """Return the word that only says, wants or supposes what a verb tells, of those in no part."""
    marks = [c for c in token.children if c.dep_ == "mark" and c.lower_ in IF]
    above = token.head if token.dep_ in _COMPLEMENTS else None
    if above is not None and above.lemma_.lower() in _GOVERNING:
        marks.append(above)
    free = [one for one in marks if not meets(held, (one.idx, one.idx + len(one)))]
    return free[0].text if free else ""


def _span(token: Any) -> Place:
    return token.idx, token.idx + len(token)


def _lost(clauses: Sequence[Clause], statement: str) -> str:
    """Return a word of a statement that no part of its clauses has, empty for none."""
    held = [place for one in clauses for part in one.parts for place in part.said]
    denied = [place for one in clauses if one.statement.denied for place in one.statement.places]
    for match in WORD.finditer(statement):
        word = match[0].casefold()
        if word in BESIDE_PARTS or meets(held, match.span()):
            continue
        if word in NEGATIVE | NONE_OF and meets(denied, match.span()):
            continue
        return match[0]
    return ""
