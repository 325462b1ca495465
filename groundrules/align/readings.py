"""What follows for a statement from what a language model read of it and of its source.

A clause follows where each of its parts follows from its counterpart (`align/counterparts.py`), its
denial and its force are those of the source, and nothing binds the source that the statement does
not say. A statement follows where its clauses do and they have all of its words; it cannot be where
the denial of one of them follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from groundrules.align.counterparts import (
    fault_in_words,
    fault_of,
    figures_exclude,
    is_of_all,
    is_otherwise,
    is_unmet,
    sums_exclude,
)
from groundrules.align.deductions import read_propositions
from groundrules.align.parses import parse
from groundrules.align.projection import Relation
from groundrules.align.reckoned_parts import held_sums, is_beyond, is_complement, reckoned_of
from groundrules.align.snippets import (
    WORD,
    Texts,
    denials,
    denies_otherwise,
    figures,
    meets,
    names,
    quantity,
    restricts,
    sentence_of,
    weekdays,
    words_at,
    words_of,
)
from groundrules.claims.copied import Place
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
    SUBJECTS,
)
from groundrules.claims.english.logic import (
    ABLE,
    ANNOUNCING,
    BESIDE_PARTS,
    BINDING,
    BOUND_BY,
    CASES,
    DOUBTING_ADVERBS,
    NEEDING,
    NONE_OF,
    SETTING,
    STANDING_FOR_ANY,
    TOLD_BESIDE,
)
from groundrules.claims.llm_propositions import Clause, Part, Propositions, Side

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


#: An hour as timetables have it.
_CLOCK = re.compile(r"\b(?:[01]?\d|2[0-3])[.:][0-5]\d\b")
#: So many words open what says when or where.
_OPENING = 3


@dataclass(frozen=True, slots=True)
class Weighed:
    """What a source says of a statement, as a model read both: by which clause, and why not.

    `gaps` say in words why the reading settles nothing, or what the source rules out.
    """

    relation: Relation
    clause: Clause | None = None
    gaps: tuple[str, ...] = ()

    @property
    def why(self) -> str:
        """The first of the gaps, empty where there is none."""
        return self.gaps[0] if self.gaps else ""


#: How a gap begins that no other reading may mend: the texts have other words, or other cases.
_LASTING = (
    "names:", "order:", "days:", "only:", "doubt:", "choice:", "opposed are", "what is so of",
    "the source says it in two ways",
)  # fmt: skip


def may_be_mended(found: Weighed) -> bool:
    """Return whether another reading might settle what one leaves open."""
    return found.relation is Relation.OPEN and not any(g.startswith(_LASTING) for g in found.gaps)


def _open(clause: Clause | None, *gaps: str) -> Weighed:
    return Weighed(Relation.OPEN, clause, tuple(dict.fromkeys(gaps)))


def weigh(found: Propositions, statement: str, source: str) -> Weighed:
    """Return what follows for a statement from what a model read of it and of its source."""
    texts = Texts(statement, source)
    outcomes = []
    for told in _told_of_one(found.clauses):
        ways = [_weigh(one, texts) for one in told]
        for_it = [one for one in ways if one.relation.supports]
        against = [one for one in ways if one.relation.refutes]
        if for_it and against:
            outcomes.append(_open(None, "the source says it in two ways"))
        else:
            outcomes.append((for_it or against or ways)[0])
    against = [one for one in outcomes if one.relation.refutes]
    if against:
        return against[0]
    if not outcomes:
        return _open(None, "nothing was read")
    left = [one for one in outcomes if not one.relation.supports]
    held = [one.clause for one in outcomes if one.clause is not None]
    lost = [f"no part has “{word}”" for word in _lost(held, statement)]
    if left or lost:
        gaps = (gap for one in left for gap in one.gaps)
        return _open((left or outcomes)[0].clause, *gaps, *lost)
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
    own_words = texts.clause(clause)
    if not known.places:
        return _open(clause, f"the source says nothing of “{own_words}”")
    verbs = [one for one in clause.parts if one.role == "does"]
    relations = {one.relation for one in verbs}
    if not verbs or not relations <= {"same", "narrower", "wider", "opposed"}:
        return _open(clause, f"the source has no verb for “{own_words}”")
    opposed = "opposed" in relations and not is_complement(clause, texts)
    if opposed and (known.denied or len(relations) > 1):
        return _open(clause, "what is not the opposite need not be so")
    parts = [
        one for one in clause.parts if known.denied or opposed or not _shut_out(one, clause, texts)
    ]
    beyond = opposed and any(is_beyond(one, clause, texts) for one in clause.parts)
    if beyond:  # what is open until six is closed at seven
        parts = [one for one in clause.parts if not is_beyond(one, clause, texts)]
        opposed = False
    shut_out = len(parts) < len(clause.parts) and not beyond
    down = known.denied or opposed or shut_out
    misread = [one for one in (_misread(clause, parts, texts), _binding(clause, texts)) if one]
    faults = [(one, w) for one in verbs if (w := _verb_fault(one, clause, texts, down=down))]
    faults += [(one, w) for one in parts if (w := _part_fault(one, clause, texts, down=down))]
    plain = not down and not said.denied and known.force == said.force in {"fact", "must"}
    alone = faults[0][0] if plain and not misread and len(faults) == 1 else None
    if alone and (figures_exclude(alone, texts) or sums_exclude(alone, clause, texts)):
        return _against(Relation.EXCLUDES, clause, texts)
    if misread or faults:
        return _open(clause, *misread, *(why for _, why in faults))
    forces = known.force, said.force
    if down == said.denied:
        if _forces_follow(clause, texts, down=down):
            return Weighed(Relation.SAME, clause)
        return _open(clause, f"the source has it as “{forces[0]}”, the statement as “{forces[1]}”")
    if forces in _CLASHING:
        return _against(Relation.EXCLUDES if opposed else Relation.DENIES, clause, texts)
    return _open(
        clause,
        f"the source {_denies(known)} it as “{forces[0]}”, the statement {_denies(said)} it as "
        f"“{forces[1]}”",
    )


def _against(relation: Relation, clause: Clause, texts: Texts) -> Weighed:
    words = texts.clause(clause), words_at(clause.source.places, texts.source)
    return Weighed(relation, clause, (f"whether “{words[0]}” can be so beside “{words[1]}”",))


def _forces_follow(clause: Clause, texts: Texts, *, down: bool) -> bool:
    """Return whether the force of a statement follows from that of its source.

    What is so can be so; what is needed must be; what is so is to come as well; and what is to come
    on one day is told of it in the present tense, too.
    """
    known, said = clause.source.force, clause.statement.force
    if known == said or (known, said) in (_FORCES_DENIED if down else _FORCES):
        return True
    verbs = [one for one in clause.parts if one.role == "does"]
    words = {word for one in verbs for word in words_of(texts.said(one))}
    needed = words.union(*(words_of(texts.known(one)) for one in verbs)) & NEEDING
    if (known, said) == ("fact", "may") and not down:
        return not ABLE.isdisjoint(words)
    if (known, said) == ("fact", "would") and not down:
        return any({"you", "one"} & {*words_of(texts.said(one))} for one in clause.parts)
    if (known, said) == ("fact", "will"):
        return {_time(one.known, texts.source) for one in verbs} == {"present"} or _is_listed(
            clause, texts
        )
    if {known, said} == {"fact", "must"}:
        return bool(needed)
    if (known, said) == ("will", "fact"):
        present = {_time(one.said, texts.statement) for one in verbs if one.said}
        return present <= {"present"} and any(
            one.said and one.known and _is_dated(texts.said(one)) and _is_dated(texts.known(one))
            for one in clause.parts
        )
    return False


def _is_any(words: str) -> bool:
    return not STANDING_FOR_ANY.isdisjoint(words_of(words)[:1])


def _denies(side: Side) -> str:
    return "denies" if side.denied else "says"


def _is_dated(words: str) -> bool:
    timed = any(one.number.kind in {"DATE", "TIME"} for one in figures(words))
    return timed or bool(weekdays(words)) or bool(_CLOCK.search(words))


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
    if verb.relation == "opposed":
        return ""
    return fault_in_words(verb, clause, texts, down=down)


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


def _is_listed(clause: Clause, texts: Texts) -> bool:
    """Return whether the source has it in no tense, as in a list: "Accepted: paint, oil"."""
    whole = sentence_of(texts.source, clause.source.places)
    words = [token for token in parse(texts.source) if meets((whole,), _span(token))]
    return not any(
        token.tag_ in {"VBD", "VBZ", "VBP", "MD"} or token.lower_ == "having" for token in words
    )


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
    if part.role == "says who" and _tells_of_itself(part, clause, texts):
        return ""
    if part.role == "which" and _is_told_of_any(clause, texts):
        return f"the source adds “{known}”"
    if part.role in BOUND_BY or not DOUBTING_ADVERBS.isdisjoint(words_of(known)[:1]):
        return f"the source adds “{known}”"
    first = known if part.role not in SETTING else " ".join(known.split()[:_OPENING])
    if quantity(first) not in {"", "all"} and part.role not in {"who", "what", *TOLD_BESIDE}:
        return f"the source adds “{known}”"
    if down and clause.source.denied and part.role not in TOLD_BESIDE:
        return f"the source denies it of “{known}”"
    once = clause.source.force == "will" or any(
        _time(one.known, texts.source) == "past" or "has" in words_of(texts.known(one))
        for one in clause.parts if one.role == "does"
    )  # fmt: skip
    told_where = part.role == "where" and clause.source.force == "fact" and not down
    told_where |= down and any(_shut_out(one, clause, texts) for one in clause.parts)
    if part.role in SETTING and not once and not told_where:
        return f"the source adds “{known}”"
    return ""


def _is_told_of_any(clause: Clause, texts: Texts) -> bool:
    """Return whether a statement is told of all or any of a kind, not of one that is known."""
    return any(
        is_of_all(one, texts) or _is_any(texts.said(one))
        for one in clause.parts
        if one.said and one.known and one.role in {"who", "what"}
    )


def _tells_of_itself(part: Part, clause: Clause, texts: Texts) -> bool:
    """Return whether who announces something is the one who does it, or of whom it is told."""
    words = words_of(texts.known(part))
    if ANNOUNCING.isdisjoint(words):
        return False
    others = {
        name
        for one in clause.parts if one is not part and one.role in {"who", "what", "to whom"}
        for name in names(texts.source, one.known)
    }  # fmt: skip
    own = set(names(texts.source, part.known))
    return bool(own & others) if own else not SUBJECTS.isdisjoint(words)


def _excludes(part: Part, clause: Clause) -> bool:
    apart = [one for one in clause.parts if one.relation in {"opposed", "other"}]
    bound = {"does", *CASES, *BOUND_BY}
    return apart == [part] and part.relation == "opposed" and part.role not in bound


def _shut_out(part: Part, clause: Clause, texts: Texts) -> bool:
    """Return whether a source says something of other cases only: "only Ann" of Bob.

    So it does where what it says of one part alone cannot be together with what the statement has.
    """
    if is_beyond(part, clause, texts) or _excludes(part, clause):
        return True
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
    complement = is_complement(clause, texts)
    own: list[list[int]] = []
    otherwise: list[list[bool]] = []
    bare = []
    for name, side, text, places in sides:
        verb = [w for p, at in zip(clause.parts, places, strict=True) if p.role == "does"
                for a, b in at for w in words_of(text[a:b])]  # fmt: skip
        hung = _denials_hung(clause, text, places)
        negated = bool(denials(" ".join(verb)) or hung)
        if negated and not (side.denied or complement):
            return f"the {name} denies it as we read it"
        counts = []
        held = [place for at in places for place in at]
        free = side.denied and not denials(" ".join(verb)) and all(meets(held, p) for p in hung)
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
    for part, mine, theirs, mine_else, theirs_else in zip(
        clause.parts, *own, *otherwise, strict=True
    ):
        if (complement and reckoned_of(part, clause)) or (
            part.relation == "opposed" and is_unmet(part, texts)
        ):
            continue
        if mine != theirs and not (mine_else if theirs else theirs_else):
            return f"one of “{texts.said(part)}” and “{texts.known(part)}” alone is denied"
    if bare[0] != bare[1] and _lemmas(clause, texts, 0) == _lemmas(clause, texts, 1):
        return "one of the two is denied in no word"
    return ""


def _denials_hung(clause: Clause, text: str, places: Sequence[Sequence[Place]]) -> list[Place]:
    """Return where the denials stand that the parser hangs on the verb of a clause."""
    verbs = [
        one for p, at in zip(clause.parts, places, strict=True) if p.role == "does" for one in at
    ]
    return [
        _span(child)
        for token in parse(text)
        if token.pos_ in {"VERB", "AUX"} and meets(verbs, _span(token))
        for child in token.children
        if child.dep_ == "neg"
    ]


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
    held += [piece.place for one in held_sums(clause, texts) for piece in one.of]
    does = [place for part in clause.parts if part.role == "does" for place in part.known]
    start, end = _up_to_semicolons(texts.source, clause.source.places)
    otherwise = any(is_otherwise(one, texts) for one in clause.parts)
    for event in read_propositions(texts.source[start:end]):
        own = event.place[0] + start, event.place[1] + start
        if not meets(does, own):
            continue
        for slot in event.slots:
            if slot.role in CASES and otherwise:
                continue
            if slot.role in BINDING and slot.role != "degree":
                a, b = slot.filler.place
                if not meets(held, (a + start, b + start)):
                    return f"the source adds “{' '.join(slot.filler.text.split())}”"
    told = any(part.role == "says who" and part.said and part.known for part in clause.parts)
    for token in parse(texts.source):
        if meets(does, _span(token)):
            over = _governor(token, held, told=told)
            if over:
                return f"the source has it under “{over}”"
    return ""


def _up_to_semicolons(text: str, places: Sequence[Place]) -> Place:
    """Return the range of the sentence of some places, of what stands between semicolons."""
    start, end = sentence_of(text, places)
    first, last = min(one[0] for one in places), max(one[1] for one in places)
    after = text.find(";", last, end)
    return max(start, text.rfind(";", start, first) + 1), end if after < 0 else after


def _governor(token: Any, held: Sequence[Place], *, told: bool) -> str:
    """Return the word that only says, wants or supposes what a verb tells, of those in no part.

    Who says it is `told` where the parts have it of both texts.
    """
    marks = [c for c in token.children if c.dep_ == "mark" and c.lower_ in IF]
    above = token.head if token.dep_ in _COMPLEMENTS else None
    governing = _GOVERNING - SAYING if told else _GOVERNING
    if above is not None and above.lemma_.lower() in governing:
        marks.append(above)
    free = [one for one in marks if not meets(held, (one.idx, one.idx + len(one)))]
    return free[0].text if free else ""


def _span(token: Any) -> Place:
    return token.idx, token.idx + len(token)


def _lost(clauses: Sequence[Clause], statement: str) -> Iterator[str]:
    """Yield the words of a statement that no part of its clauses has."""
    held = [place for one in clauses for part in one.parts for place in part.said]
    denied = [place for one in clauses if one.statement.denied for place in one.statement.places]
    for match in WORD.finditer(statement):
        word = match[0].casefold()
        if word in BESIDE_PARTS or meets(held, match.span()):
            continue
        if word not in NEGATIVE | NONE_OF or not meets(denied, match.span()):
            yield match[0]
