"""Predicates: events and things read from the trees of sentences.

Works on spaCy's English labels (ClearNLP style), one rule a dependency. What no rule knows becomes
a slot named after its label.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from groundrules.claims.clefts import existing, uncleft
from groundrules.claims.degrees import compared, standards
from groundrules.claims.english import PREPOSITIONS, SMALL
from groundrules.claims.english.logic import (
    AMOUNTS,
    ANY_OF,
    AUXILIARY_FORCES,
    BE_FORMS,
    CHANGING,
    DEGREES,
    DIRECTIONS,
    EXCLUSIVE,
    FALLING,
    INSTEAD,
    JOINING,
    MARGINS,
    NONE_OF,
    NOUNS_OF_AIMS,
    ONLY_WORDS,
    PARTITIVE,
    POLITIES,
    RELATIVE_WORDS,
    RISING,
    SAVING,
    STANDING_FOR_MANY,
    STAYING,
    UNIVERSAL,
)
from groundrules.claims.links import (
    is_excepted,
    is_inverted,
    is_link,
    is_reason,
    link_of,
    noun_link,
)
from groundrules.claims.normal_forms import (
    focused,
    gapped_with,
    is_free,
    normal,
    paralleled,
    rehung,
    told_beside,
    ungapped,
)
from groundrules.claims.quantifiers import (
    CURRENCIES,
    TIMES,
    Count,
    hedge_words,
    quantifier,
    spans,
    within,
)
from groundrules.claims.slots import Bounds, Measure, Slot, Term

__all__ = ["Reader", "is_particle"]

_DENYING = frozenset("not n't n’t never".split())
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass"})
_VERBAL = frozenset({"VERB", "AUX"})
_ARGUMENTS = frozenset({"nsubj", "nsubjpass", "dobj", "pobj"})
_NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM", "DET"})
_SAID = frozenset({"acomp", "attr", "dobj"})
_HAVE = frozenset({"have", "has", "had", "’ve", "'ve"})
_OPENING = frozenset({",", "(", "–", "—", ":"})
_PROVIDED = frozenset({"provided", "providing"})
#: Dependents that are read with the word they hang on.
_READ = frozenset(
    "punct cc preconj case aux auxpass neg det predet mark prt quantmod nummod meta intj conj"
    " expl".split()
)
_GAP = Term("~", "gap", -1)


@dataclass(frozen=True, slots=True)
class _Clause:
    """What a clause hands on to those coordinated with it."""

    subjects: tuple[Slot, ...] = ()
    scene: tuple[Slot, ...] = ()
    force: str = "fact"
    denied: bool = False
    tense: str = ""
    passive: bool = False
    standard: tuple[Slot, ...] = ()


def is_particle(child: Any, verb: Any) -> bool:
    """Return whether a word goes with a verb: "throw away"."""
    plain = child.dep_ == "advmod" and child.lower_ in DIRECTIONS and not list(child.children)
    return child.dep_ == "prt" or bool(plain and verb.pos_ == "VERB" and child.i > verb.i)


@dataclass(frozen=True, slots=True)
class Reader:
    """The terms of one parsed text.

    `numbers` has its numbers by token, `places` their first and last tokens, and `hedges` the words
    that bound or round each.
    """

    numbers: Mapping[int, Count]
    places: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    hedges: Mapping[int, tuple[int, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, doc: Any, numbers: Mapping[int, Count]) -> Reader:
        """Return the reader of a parsed text."""
        found = list(spans(numbers))
        places = {id(one): (first, last) for one, first, last in found}
        hedges = {id(one): hedge_words(doc[first], last) for one, first, last in found}
        return cls(numbers, places, hedges)

    # --- clauses ------------------------------------------------------------------------------

    def clauses(self, token: Any, above: _Clause | None = None) -> Iterator[Term]:
        """Yield what a clause asserts, then what those coordinated with it and told beside do."""
        if above is None and token.pos_ not in _VERBAL:
            inner = list(self._of_no_verb(token))
            if inner:
                yield from inner
                return
        modals = sum(c.tag_ == "MD" and c.dep_ == "aux" for c in token.children)
        if modals > 1 or any(map(_takes_a_subject, token.children)):
            return  # two clauses that the parser takes for one
        made, clause = self._event(token, above)
        gapped: list[Term] = []
        if not any(c.dep_ == "dative" for c in token.children):  # "gave the duke a horse and ..."
            made, gapped = ungapped(made)
        for child in token.children:
            named = child.dep_ == "conj" and child.pos_ in {"NOUN", "PROPN", "PRON"}
            if named and not _is_clausal(child):
                other = self.thing(child)
                alike = paralleled(made, other)
                made = alike[0] if alike else made
                gapped.append(alike[1] if alike else gapped_with(made, other))
        either = _is_either(token) and not is_free(made)
        if either:  # "sang or danced", of which neither is said
            rest = (c for c in token.children if c.dep_ == "conj" and _is_clausal(c))
            made = replace(made, joined=(*made.joined, *map(self.clause, rest)), alternative=True)
        yield made
        yield from gapped
        for child in token.children:
            if _is_saving(child) or (either and child.dep_ == "conj"):
                continue
            if child.dep_ == "conj" and _is_clausal(child):
                yield from self.clauses(child, clause)
            elif child.dep_ == "conj" and child.pos_ == "ADJ" and token.pos_ in _VERBAL:
                yield from self._shared_copula(child, token, clause)
            elif child.dep_ == "parataxis" and _has_subject(child):
                yield from self.clauses(child, replace(clause, subjects=()))
            elif child.dep_ == "ccomp":  # a semicolon ends what is said
                for one in child.children:
                    if one.dep_ == "parataxis" and _has_subject(one) and _before(one) == ";":
                        yield from self.clauses(one, _Clause())
        yield from told_beside(made)

    def _of_no_verb(self, token: Any) -> Iterator[Term]:
        """Yield what a noun before a colon is said to be, or the clauses behind an interjection."""
        if token.pos_ in {"NOUN", "PROPN"}:  # "Next meeting: 11 April"
            after = [
                c for c in token.children
                if c.dep_ == "appos" and _before(c) == ":" and not _is_clausal(c)
            ]  # fmt: skip
            if after:
                whole, said = self.thing(token), after[0]
                own = tuple(s for s in whole.slots if s.filler.at < said.i and s.role != "also")
                rest = tuple(s for s in whole.slots if s not in own and s.role != "also")
                name = replace(whole, slots=own, determiner="the")
                slots = (Slot("subj", name), Slot("is", self.thing(said)), *rest)
                made = Term("be", "event", token.i, slots, tense="present", place=_place(token))
                yield made
                time = self.numbers.get(said.i)
                if time is not None and time.unit in TIMES:  # it is on that day
                    yield replace(made, slots=(slots[0], Slot("on", slots[1].filler), *rest))
                return
        if token.pos_ in {"NOUN", "PROPN", "ADV", "INTJ"} and not _has_subject(token):
            for child in token.children:  # "Correction: the talk is in Hall D"
                apart = child.dep_ not in _READ - {"conj"} and _has_subject(child)
                if apart and _is_clausal(child):
                    yield from self.clauses(child)

    def _shared_copula(self, token: Any, head: Any, above: _Clause) -> Iterator[Term]:
        """Yield what an adjective behind a participle says: "closed to cars but open to all"."""
        if above.subjects:
            one = self.thing(token)
            subjects = tuple(Slot("subj", s.filler) for s in above.subjects)
            denied = above.denied and not any(c.lower_ == "but" for c in head.children)
            slots = (*subjects, *above.scene, *one.slots)
            yield Term(
                one.head, "property", token.i, slots, force=above.force, tense=above.tense,
                denied=denied, text=_text(token), place=_place(token),
            )  # fmt: skip

    def _event(
        self, token: Any, above: _Clause | None, gap: Term | None = None
    ) -> tuple[Term, _Clause]:
        """Return the event of a clause, in its normal form, and what it hands on.

        A relative clause has a `gap` where the thing it is told of belongs.
        """
        children = list(token.children)
        passive = _is_passive(token, above, gap)
        force, tense, denied = _mood(token)
        subjects = [
            Slot("obj" if c.dep_.endswith("pass") else "subj", self.argument(c))
            for c in children
            if c.dep_ in _SUBJECTS and not (gap is not None and c.lower_ in RELATIVE_WORDS)
        ]
        place = "obj" if passive else "subj"
        if not subjects:  # "at most six may enter", of which a parser makes a phrase
            subjects = [Slot(place, self.argument(c)) for c in _bounded_subjects(token)]
        if not subjects and gap is not None:
            subjects, gap = [Slot(place, gap)], None
        elif not subjects and above is not None and token.tag_ != "VBG":
            subjects = [Slot(place, s.filler) for s in above.subjects]
            if not any(c.dep_ in {"aux", "auxpass"} for c in children):
                if token.tag_ in {"VB", "VBN"}:
                    force, denied = above.force, denied or above.denied
                tense = tense or above.tense
        slots = [*subjects, *(s for c in children for s in self._slots(c, token, passive))]
        slots = _unstranded(token, slots, subjects if passive else [], gap)
        scene = tuple(
            s for s in slots
            if s.filler.at < token.i
            and all(s.filler is not one.filler for one in subjects)
            and s.role not in {"subj", "obj", "mod", "that", "xcomp", "is"}
        )  # fmt: skip
        if above is not None and not scene:
            slots += [s for s in above.scene if s.role not in {x.role for x in slots}]
        if not subjects and force == "fact" and _is_instruction(token):
            force, tense = "do", ""
        event = Term(
            _lemma(token), "event", token.i, tuple(slots), denied=denied, force=force, tense=tense,
            passive=passive, text=_text(token), place=_group(token),
        )  # fmt: skip
        staying = next((c for c in children if c.lower_ in STAYING), None)
        if staying is not None and staying.dep_ == "auxpass":
            event = _as_before(event, staying)
        clause = _Clause(tuple(subjects), scene, force, denied, tense, passive)
        if event.head == "be":
            expletive = any(c.dep_ == "expl" for c in children)
            event = existing(event) if expletive else uncleft(event)
        before = above.standard if above is not None else ()
        made = compared(normal(focused(event)), token.doc, self.thing, before)
        return made, replace(clause, standard=standards(made))

    def _slots(self, child: Any, verb: Any, passive: bool) -> Iterator[Slot]:
        """Yield the slots of an event that a dependent of its verb fills."""
        dep, low = child.dep_, child.lower_
        if _is_saving(child):
            left_out = (c for c in child.children if c.dep_ == "dobj")
            yield from (Slot("except", self.thing(c)) for c in left_out)
            return
        if dep == "prt":  # what a parser hangs on a particle: "cut off every spring"
            role = "mod" if passive or any(c.dep_ == "dobj" for c in verb.children) else "obj"
            yield from (Slot(role, self.thing(c)) for c in child.children if c.dep_ == "pobj")
        if dep in _READ or dep in _SUBJECTS or self._is_hedge(child):
            return
        to = [c for c in child.children if low == "subject" and c.lower_ == "to"]
        if to:  # "subject to approval"
            yield from (Slot("subject to", s.filler) for s in self.phrases(to[0]))
        elif dep == "dobj":
            yield Slot("obj", self.argument(child))
            yield from self._contrary(child, "obj")
        elif dep == "dative":
            inner = next((c for c in child.children if c.dep_ == "pobj"), None)
            alone = inner is None and not passive
            alone = alone and not any(c.dep_ == "dobj" for c in verb.children)
            yield Slot("obj" if alone else "to", self.thing(child if inner is None else inner))
        elif dep in {"attr", "acomp", "oprd"}:
            yield Slot("is", rehung(self.argument(child)))
            yield from self._contrary(child, "is")
        elif dep == "agent":
            role = "not subj" if _is_denied(child) else "subj"
            for c in child.children:
                if c.dep_ in {"pobj", "pcomp"}:
                    who = self.argument(c)
                    amount = who.measure is not None or who.bounds is not None
                    by = amount and verb.lemma_ in RISING | FALLING | CHANGING
                    by = by or (amount and who.head in MARGINS)
                    slot = "by" if by else role  # "was raised by 3 marks"
                    yield Slot(slot, replace(who, slots=who.slots + self._lead(child)))
            yield from self._further(child, [c for c in child.children if c.dep_ == "pobj"])
        elif low in _PROVIDED:
            inner = (c for c in child.children if _is_condition(c))
            yield from (Slot("provided", self.clause(c)) for c in inner)
        elif dep in {"advcl", "ccomp"} and _before(child) in _PROVIDED:
            yield Slot("provided", self.clause(child))
        elif is_link(child, verb):
            return
        elif dep == "prep":
            if not any(c in _bounded_subjects(verb) for c in child.children):
                yield from self.phrases(child)
        elif dep in {"xcomp", "ccomp"}:
            yield Slot("xcomp" if dep == "xcomp" else "that", self.clause(child))
        elif dep == "advcl":
            yield self._adverbial(child)
        elif dep in {"advmod", "npadvmod", "amod"}:
            yield from self._adverb(child, verb)
        elif dep == "parataxis" or (dep == "dep" and child.pos_ in _VERBAL):
            if dep == "dep" or not _has_subject(child):
                yield Slot("beside", self.clause(child))
        else:
            yield Slot(dep, self.thing(child))

    def _contrary(self, noun: Any, role: str) -> Iterator[Slot]:
        """Yield what is said in place of what is denied: "not the red one but the blue one"."""
        for c in noun.children:
            if c.dep_ == "conj" and _is_contrary(c):
                yield Slot(f"but {role}", self.argument(c))

    def _adverb(self, child: Any, verb: Any) -> Iterator[Slot]:
        low = child.lower_
        plain = child.dep_ == "advmod"
        if plain and low in ONLY_WORDS:
            if _before(child) != "not" and not _opens_clause(child):
                focus = _focus(child)
                place = _place(child)
                yield Slot("only", Term(focus, "words", child.i, text=low, place=place))
        elif verb.lower_ in BE_FORMS and _compares(child):  # which a parser takes for an adverb
            yield Slot("is", replace(self.thing(child), kind="property"))
        elif _is_measured_link(child):
            yield from (self._adverbial(c) for c in child.children if c.dep_ == "advcl")
        elif _is_no_longer(child) and child.i < verb.i:
            yield Slot("mod", Term("no longer", "words", child.i, place=_place(child)))
        elif low == "too" and child.i > verb.i and any(c.dep_ in _SAID for c in verb.children):
            return  # "and is quieter too", but "so is Ann, too"
        elif low == "since" and plain and not list(child.children):
            yield Slot("since", Term("then", "words", child.i, place=_place(child)))
        elif not (low in _DENYING | JOINING or _is_no_longer(child) or is_particle(child, verb)):
            yield Slot("mod", self.thing(child))

    def phrases(self, prep: Any) -> Iterator[Slot]:
        """Yield the slots of a prepositional phrase: one for each object and further phrase."""
        name = prep.lower_
        following = prep.nbor().lower_ if prep.i + 1 < len(prep.doc) else ""
        inner = [
            c for c in prep.children
            if c.dep_ in {"pobj", "pcomp"} and not (c.lower_ in EXCLUSIVE and c.i != prep.i + 1)
        ]  # fmt: skip
        deeper = [c for c in prep.children if c.dep_ == "prep"]
        if name == "since" and any(c.dep_ == "pcomp" for c in inner) and is_reason(prep.head):
            name = "because"
        if name == "at" and following in {"least", "most"}:
            yield from (Slot("mod", self.thing(c)) for c in inner)
            return
        if _is_denied(prep) and "only" not in {following, _before(prep)}:
            name = f"not {name}"
        yield from self._objects(prep, name, inner, deeper)
        yield from self._further(prep, inner)

    def _further(self, prep: Any, inner: list[Any]) -> Iterator[Slot]:
        """Yield the phrases that are coordinated with one, each with the mark of how."""
        beside = prep.head.children if prep.head.pos_ == "VERB" else ()
        beside = [c for c in beside if c.i > prep.i and c.tag_ in {"IN", "TO"}][:1]
        for one in (*prep.children, *(g for c in inner for g in _conjoined(c)), *beside):
            if one.dep_ == "conj" and one.tag_ in {"IN", "TO"}:
                either = any(
                    c.lower_ in {"or", "either"} for c in (*prep.children, *one.head.children)
                )
                mark = "| " if either else "& "
                mark = "not " if _is_denied(one) else "but " if _is_contrary(one) else mark
                for slot in self.phrases(one):
                    role = slot.role.removeprefix("not ")
                    agent = role == "by" and prep.dep_ == "agent"
                    yield Slot(mark + ("subj" if agent else role), slot.filler)

    def _objects(self, prep: Any, name: str, inner: list[Any], deeper: list[Any]) -> Iterator[Slot]:
        changed = self._from_to(prep, inner) if name == "from" else ()
        if changed:
            yield from changed
            return
        within = [c for c in inner if c.tag_ == "IN" and any(g.dep_ == "pobj" for g in c.children)]
        if within or (not inner and deeper):  # "out of", "because of", "instead of via"
            for slot in (s for one in within or deeper for s in self.phrases(one)):
                instead = slot.role.startswith("not ")  # "instead of via the harbour"
                yield slot if instead else Slot(f"{name} {slot.role}", slot.filler)
            return
        linked = noun_link(prep)
        if linked:
            yield Slot(linked[0], self.clause(linked[1]))
            return
        lead = self._lead(prep)
        aside = _before(prep) in {",", "("}
        for c in inner:
            if is_excepted(c):
                yield Slot("unless", self.clause(c))
                continue
            filler = self.argument(c)
            yield Slot(
                name, replace(filler, slots=filler.slots + lead, aside=aside or filler.aside)
            )
        for one in deeper:
            yield from self.phrases(one)
        if not inner and not deeper and not _opens_clause(prep):
            then = [c.i for c in prep.children if c.lower_ == "then"]  # "since then"
            head = "then" if then else ""
            yield Slot(name, Term(head, "words", prep.i, () if then else lead, place=_place(prep)))

    def _lead(self, prep: Any) -> tuple[Slot, ...]:
        """Return what adverbs before a preposition say: "only at noon", "shortly before it"."""
        return tuple(
            self._only(c, prep)
            if c.lower_ in EXCLUSIVE
            else Slot("mod", Term(c.lower_, "words", c.i, place=_place(c)))
            for c in prep.children
            if c.dep_ in {"advmod", "npadvmod", "quantmod"} or c.lower_ in EXCLUSIVE
        )

    def _from_to(self, prep: Any, inner: list[Any]) -> tuple[Slot, ...]:
        """Return both ends of a change or a time, "from 400 to 550 euros", none for one end."""
        ends = self._both_ends(prep)
        if ends is not None:
            return self._range(prep, *ends)
        if len(inner) == 2:
            lone = [t for t in prep.subtree if t.dep_ == "prep" and t is not prep]
            between = [t for t in lone if inner[0].i < t.i < inner[1].i and not list(t.children)]
            if between:
                first = replace(self.thing(inner[0]), slots=())
                return Slot("from", first), Slot(between[0].lower_, self.argument(inner[1]))
        return ()

    def _both_ends(self, prep: Any) -> tuple[Any, Any] | None:
        """Return the two numbers with "to" between them behind a preposition."""
        doc, stop = prep.doc, prep.sent.end
        first = next(
            (t for t in doc[prep.i + 1 : min(prep.i + 3, stop)] if t.i in self.numbers), None
        )
        if first is None:
            return None
        inside = {t.i for t in prep.subtree}
        after = self.places[id(self.numbers[first.i])][1] + 1
        links = [
            t for t in doc[after : min(after + 2, stop)] if t.lower_ in {"to", "until", "till"}
        ]
        if links and links[0].i not in inside:
            return None
        near = doc[links[0].i + 1 : min(links[0].i + 3, stop)] if links else ()
        second = next((t for t in near if t.i in self.numbers), None)
        return (first, second) if second is not None else None

    def _range(self, prep: Any, first: Any, second: Any) -> tuple[Slot, ...]:
        """Return both ends of a range of numbers, the first with the unit of the second."""
        doc, one, other = prep.doc, self.numbers[first.i], self.numbers[second.i]
        last = self.places[id(other)][1]
        unit = doc[last] if other.unit and other.unit not in TIMES else None
        unit = doc[last + 1] if last + 1 < len(doc) and not other.unit else unit
        named = unit if unit is not None and unit.pos_ in {"NOUN", "PROPN"} else None
        measure = Measure(other.unit, other.size) if other.unit else None
        words = tuple(range(prep.i + 1, last + 1))
        if named is not None:
            made = replace(self.thing(named), bounds=(other.value, other.value), words=words)
        else:
            text, place = (
                doc[second.i : last + 1].text,
                (second.idx, doc[last].idx + len(doc[last])),
            )
            made = Term(
                f"{other.value:g}", "thing", second.i, (), "bare", (other.value, other.value),
                measure, words, text=text, place=place,
            )  # fmt: skip
        own = Measure(one.unit, one.size) if one.unit else None
        if own is None and measure is not None:
            times = other.unit in TIMES
            low, high = (
                size + one.value - other.value if times else size * one.value / (other.value or 1)
                for size in other.size
            )
            own = Measure(other.unit, (low, high))
        start = replace(made, bounds=(one.value, one.value), measure=own, at=first.i)
        if named is None:
            start = replace(start, head=f"{one.value:g}", text=first.text)
        return Slot("from", start), Slot("to", made)

    def _adverbial(self, clause: Any) -> Slot:
        """Return an adverbial clause as the condition, time or reason that it is."""
        role = link_of(clause)
        inner = self.clause(clause)
        if role in {"if", "unless"} and is_inverted(clause):
            inner = replace(inner, force="fact")
        if not role.startswith(("only ", "even ")):
            return Slot(role, inner)
        word = role.split()[0]
        rest = tuple(s for s in inner.slots if s.filler.head != word and s.role != word)
        return Slot(role, replace(inner, slots=rest))

    # --- terms --------------------------------------------------------------------------------

    def argument(self, token: Any) -> Term:
        """Return a word with its dependents as the event or the thing that it is."""
        verbal = token.pos_ in _VERBAL and token.dep_ not in {"amod", "compound"}
        governing = {"dobj", "nsubj", "nsubjpass", "auxpass", "aux", "prep", "xcomp"}
        if verbal and (
            token.tag_ not in {"VBN", "VBG"} or any(c.dep_ in governing for c in token.children)
        ):
            return self.clause(token)
        return self.thing(token)

    def clause(self, token: Any) -> Term:
        """Return a clause inside another as a term, with those coordinated with it."""
        if token.pos_ not in _VERBAL and not any(
            c.dep_ in _SUBJECTS | {"aux"} for c in token.children
        ):
            return self.thing(token)
        event, gapped = ungapped(self._event(token, None)[0])
        more = (
            self.clause(c)
            for c in token.children
            if c.dep_ == "conj" and c.pos_ in _VERBAL | {"ADJ"}
        )
        return replace(event, joined=(*more, *gapped))

    def thing(self, token: Any) -> Term:
        """Return a noun, an adjective or an adverb with what says more of it."""
        inner = self._bounded(token)
        if inner is None and self._is_hedge(token):
            inner = self._hedged(token)
        if inner is not None:
            return self.thing(inner)
        low = AMOUNTS.get(token.lower_, token.lower_)
        whole = _whole(token)
        named = whole and whole[0].tag_ in {"NNP", "NNPS"}
        if low in POLITIES and named and all(c.dep_ in {"det", "prep"} for c in token.children):
            return self.thing(whole[0])  # "the State of New York", no "capital city of France"
        measure, words = self._measure(token)
        if measure is None and self._is_count(token) and token.like_num and whole:
            count = self.numbers[token.i]
            if low != "one" and _determiner(whole[0]) in {"the", "every"}:
                measure = Measure("count", within(token, (count.value, count.value), token.i))
        plain = low == "half" and not self._hedging(token)
        if measure is not None and measure.unit in {"share", "count"} and whole and not plain:
            term = self._part_of(whole[0], token)
            words = (token.i, *words, *self._hedging(token))
            return replace(term, determiner="part", measure=measure, words=words)
        if low in PARTITIVE and whole:  # "some of the rafts"
            term = self._part_of(whole[0], token)
            denied = any(c.lower_ == "not" for c in token.children)
            only = tuple(self._only(c, token) for c in token.children if c.lower_ in EXCLUSIVE)
            term = replace(term, slots=term.slots + only)
            own = _determiner(token)  # "every one of the ferries", "a few of them"
            low = "some" if token.lower_ == "few" and own == "a" else low
            bounds = (1.0, 1.0) if low == "one" and not own else term.bounds
            share = own if low == "one" and own else quantifier(low, denied=denied)
            return replace(term, determiner=share, bounds=bounds)
        determiner = _determiner(token)
        hedges = {i for c in self._counted(token) for i in self._hedging(c)}
        if determiner == "no" and any(c.i in hedges for c in token.children if c.lower_ == "no"):
            determiner = ""  # "no more than five"
        standing = _stands_alone(token) and not whole
        nominal = token.pos_ in _NOMINAL or standing
        if standing:  # "most were found": most of them
            own = quantifier(low)
            determiner = "some" if own == "few" and determiner == "a" else own
        if not determiner and token.pos_ != "DET" and nominal:
            name = token.tag_ in {"NNP", "NNPS"} and not token.text.islower()
            name = name or _is_numbered(token)
            pronoun = token.tag_ == "PRP" and not token.like_num
            determiner = "name" if name else "the" if pronoun else "bare"
        rest = [c for c in token.children if c.i not in words and not self._is_hedge(c)]
        slots = tuple(s for c in rest for s in self._marks(c, token))
        if token.tag_ in {"JJR", "RBR"}:
            slots += (Slot("degree", Term("more", "words", token.i)),)
        elif token.tag_ in {"JJS", "RBS"} and low not in DEGREES:
            slots += (Slot("degree", Term("most", "words", token.i)),)
        joined, alternative = self._joined(token, rest)
        counted = self._counted(token)
        counts = [self._bounds(t) for t in counted]
        words = tuple(sorted({*words, *(i for t in counted for i in (t.i, *self._hedging(t)))}))
        plain = token.text.replace(",", "").replace(".", "").isdigit()
        plain = plain or (token.lower_ in SMALL and token.lower_ != "one")
        number = self.numbers[token.i] if plain and self._is_count(token) else None
        head = _lemma(token) if number is None else f"{number.value:g}"
        head = "they" if standing else head
        made = Term(
            head, "thing" if nominal else "property", token.i, slots, determiner,
            counts[0] if counts else None, measure, words, joined=joined, alternative=alternative,
            plural=token.tag_ in {"NNS", "NNPS"} or low in {"they", "them", "their", "both"},
            text=_text(token), place=_place(token),
        )  # fmt: skip
        others = tuple(replace(made, bounds=one, joined=()) for one in counts[1:])
        return replace(made, joined=others + joined)

    def _part_of(self, whole: Any, token: Any) -> Term:
        """Return a whole with what stands behind a part of it: "a third of the men here"."""
        behind = [c for c in token.children if c.i > whole.i and c.dep_ in {"prep", "relcl", "acl"}]
        term = self.thing(whole)
        return replace(
            term, slots=term.slots + tuple(s for c in behind for s in self._marks(c, token))
        )

    def _marks(self, c: Any, token: Any) -> Iterator[Slot]:
        """Yield what a dependent of a noun or adjective says of it."""
        dep, low = c.dep_, c.lower_
        if dep == "poss":
            yield Slot("of", self.thing(c))
        elif dep in {"compound", "nmod"} and _is_title(c, token):
            yield Slot("also", replace(self.thing(c), aside=True))
        elif dep in {"amod", "compound", "nmod", "advmod", "npadvmod", "acomp"}:
            if low in ONLY_WORDS or low == "alone":
                yield self._only(c, token)
            elif _is_measured_link(c):
                yield from (self._adverbial(g) for g in c.children if g.dep_ == "advcl")
            elif low in DEGREES and token.pos_ in {"ADJ", "ADV"}:
                yield Slot("degree", Term(low, "words", c.i, place=_place(c)))
            elif low == "too" and c.i > token.i:
                return  # "is quieter too"
            elif low not in {"also", "even"} and not (dep == "amod" and quantifier(low)):
                participle = c.tag_ == "VBN" and list(c.children)
                yield Slot("mod", self.argument(c) if participle else self.thing(c))
        elif dep == "prep":
            yield from self.phrases(c)
        elif dep == "acl" and c.tag_ == "VB" and token.lemma_.lower() in NOUNS_OF_AIMS:
            yield Slot("xcomp", self.clause(c))
        elif dep in {"relcl", "acl"}:
            aside = _before(c) in {"(", ","}
            for one in (c, *(g for g in c.children if g.dep_ == "conj" and g.pos_ in _VERBAL)):
                event, _ = self._event(one, None, _GAP)
                placed = () if aside else _placed(event)
                yield from placed or (Slot("that", replace(event, aside=aside)),)
        elif c.text in CURRENCIES or (dep == "nummod" and not self._counts_it(c, token)):
            yield Slot("mod", self.thing(c))  # a unit, a year
        elif dep == "appos" and _determiner(c) == "no":
            return  # "the museum, not the school"
        elif dep == "appos":
            one = replace(self.thing(c), aside=_before(c) in _OPENING)
            hoisted = one.determiner == "name" and not one.aside  # "her uncle Tadeo, a baker"
            yield Slot("also", replace(one, slots=one.without("also")) if hoisted else one)
            yield from (s for s in one.slots if hoisted and s.role == "also")
        elif dep == "xcomp":
            yield Slot("xcomp", self.clause(c))
        elif dep == "ccomp" and token.pos_ == "ADJ":
            yield Slot("that", self.clause(c))
        elif dep == "advcl":
            yield self._adverbial(c)
        elif dep not in _READ:
            yield Slot(dep, self.argument(c))

    def _only(self, only: Any, noun: Any) -> Slot:
        """Return what an "only" says of a noun: that it is the only one, or that no other is."""
        lone = any(c.dep_ in {"det", "poss"} and c.i < only.i for c in noun.children)
        singled = only.lower_ in EXCLUSIVE and not (lone and only.i < noun.i)
        head = "only" if singled else _lemma(noun)
        return Slot("only", Term(head, "words", only.i, place=_place(only)))

    def _joined(self, token: Any, rest: list[Any]) -> tuple[tuple[Term, ...], bool]:
        """Return what is coordinated with a word, and whether one of them alone is meant."""
        joined: list[Term] = []
        alternative = False
        for c in rest:
            if c.dep_ in {"cc", "preconj"} and c.lower_ in {"or", "either"}:
                alternative = True
            elif c.dep_ == "conj" and not (
                _is_contrary(c) or (c.tag_ in {"IN", "TO"} and token.dep_ in {"pobj", "conj"})
            ):
                other = self.argument(c)
                alternative = alternative or other.alternative
                joined += [replace(other, joined=()), *other.joined]
        return tuple(joined), alternative and bool(joined)

    def _counted(self, token: Any) -> list[Any]:
        """Return the numbers that say how many of a noun there are, several that are joined."""
        numbers = [c for c in token.children if c.dep_ == "nummod" and self._counts_it(c, token)]
        numbers += [g for c in numbers for g in c.children if g.dep_ == "conj" and g.like_num]
        alone = {"pobj", "dobj", "attr", "nsubj", "nsubjpass", "conj"}
        if not numbers and token.like_num and token.dep_ in alone and not _is_numbered(token):
            numbers = [token]
        if not numbers and token.i and token.pos_ in {"NOUN", "PROPN"}:  # "up to eight people"
            before = token.doc[token.left_edge.i - 1] if token.left_edge.i else token
            if before.like_num and any(map(self._is_hedge, before.ancestors)):
                numbers = [before]
        return [t for t in numbers if self._is_count(t) and not self._is_ratio(t)]

    def _bounds(self, token: Any) -> Bounds:
        """Return the range of the figure of a number."""
        count = self.numbers[token.i]
        first, last = self.places.get(id(count), (token.i, token.i))
        return within(token.doc[first], (count.value, count.value), last)

    def _is_count(self, token: Any) -> bool:
        """Return whether a word is of a number that is no time."""
        return token.i in self.numbers and self.numbers[token.i].unit not in TIMES

    def _is_ratio(self, token: Any) -> bool:
        count = self.numbers[token.i]
        return count.unit == "share" and count.size[0] == count.value

    def _counts_it(self, number: Any, noun: Any) -> bool:
        """Return whether a number says how many of a noun there are: it stands before it."""
        return number.i < noun.i and self._is_count(number)

    def _measure(self, token: Any) -> tuple[Measure | None, tuple[int, ...]]:
        """Return the amount that a word says with those around it, and which these are."""
        count = self.numbers.get(token.i)
        if count is None or not count.unit or self.numbers.get(token.head.i) is count:
            return None, ()
        first, last = self.places[id(count)]
        size = within(token.doc[first], count.size, last)
        return Measure(count.unit, size), tuple(range(first, last + 1))

    def _hedging(self, token: Any) -> tuple[int, ...]:
        return self.hedges.get(id(self.numbers.get(token.i)), ())

    def _is_hedge(self, token: Any) -> bool:
        """Return whether a word bounds or rounds a number, and governs no noun: "up to" six men."""
        if not any(token.i in words for words in self.hedges.values()):
            return False
        objects = [c for p in (token, *token.children) for c in p.children if c.dep_ == "pobj"]
        return all(
            c.like_num and any(t.pos_ == "NOUN" for t in c.doc[c.i + 1 : c.i + 2]) for c in objects
        )

    def _bounded(self, token: Any) -> Any:
        """Return the counted noun that a comparative bounds: "no more than" six people."""
        if token.tag_ != "JJR" or not any(token.i in words for words in self.hedges.values()):
            return None
        inner = (c for p in token.children if p.lower_ == "than" for c in p.children)
        return next((c for c in inner if c.dep_ == "pobj" and self._counted(c)), None)

    def _hedged(self, token: Any) -> Any:
        """Return the number behind the words that bound it: "fewer than" a third."""
        inner = [c for p in token.children if p.dep_ == "prep" for c in p.children]
        return next((c for c in inner if c.dep_ == "pobj" and c.i in self.numbers), None)


# --- what a tree shows ------------------------------------------------------------------------


def _mood(token: Any) -> tuple[str, str, bool]:
    """Return force, tense and polarity of a verb by its auxiliaries and adverbs."""
    force, denied = "fact", False
    tense = {"VBD": "past", "VBZ": "present", "VBP": "present"}.get(token.tag_, "")
    children = list(token.children)
    for c in children:
        low = c.lower_
        if c.dep_ in {"aux", "auxpass"}:
            force = AUXILIARY_FORCES.get(low, force)
            denied = denied or low == "cannot"
            finite = {"VBD": "past", "VBZ": "present", "VBP": "present"}.get(c.tag_, "")
            tense = "perfect" if low in _HAVE else tense or finite
        elif _is_of_phrase(c, token):
            continue
        elif c.dep_ == "neg" or (c.dep_ == "advmod" and (low in _DENYING or _is_no_longer(c))):
            following = c.nbor().lower_ if c.i + 1 < len(c.doc) else ""
            denied = denied != (following != "only")
        elif (low in {"neither", "nor"} and c.dep_ in {"cc", "preconj"}) or (
            c.dep_ == "prep" and any(g.lower_ == "neither" for g in c.children)
        ):
            denied = True
    auxiliaries = {c.lower_ for c in children if c.dep_ == "aux"}
    if token.dep_ == "conj" and any(c.lower_ == "nor" for c in token.head.children):
        denied = True
    if denied and auxiliaries & {"must", "shall"}:
        force = "may"  # what must not be done may not
    if token.tag_ == "VBG" and auxiliaries & BE_FORMS:
        tense += " going on"
    return force, tense, denied


def _bounded_subjects(verb: Any) -> list[Any]:
    """Return the noun of an "at most" or "at least" that opens a clause without a subject."""
    before = (c for c in verb.children if c.dep_ == "prep" and c.i < verb.i and c.lower_ == "at")
    bounds = [c for c in before if c.nbor().lower_ in {"most", "least"}]
    return [g for c in bounds for g in c.children if g.dep_ == "pobj"][:1]


def _is_passive(token: Any, above: _Clause | None, gap: Term | None) -> bool:
    deps = {c.dep_ for c in token.children}
    if deps & {"auxpass", "nsubjpass"}:
        return True
    participle = token.tag_ == "VBN" or (token.tag_ == "VBD" and token.dep_ == "acl")
    if above is not None and above.passive and participle and "aux" not in deps:
        return True
    return gap is not None and participle and not deps & {"nsubj", "aux", "dobj"}


def _is_instruction(token: Any) -> bool:
    """Return whether a verb without a subject tells somebody to do it: "Keep it dry"."""
    main = token.dep_ in {"ROOT", "conj", "parataxis", "ccomp"}
    bound = any(
        c.dep_ in _SUBJECTS | {"expl"} or (c.dep_ == "aux" and c.lower_ not in {"do", "don't"})
        for c in token.children
    )
    return main and token.tag_ in {"VB", "VBP"} and not bound and token.lemma_ != "be"


def _unstranded(
    token: Any, slots: list[Slot], passive_subjects: list[Slot], gap: Term | None
) -> list[Slot]:
    """Return the slots with what a preposition without an object belongs to in its place.

    "The tower was paid for", "the post which she applied for"; a gap goes where its pronoun is.
    """
    stranded = [
        c for c in token.children
        if c.dep_ == "prep" and all(g.dep_ == "advmod" for g in c.children)
        and not _opens_clause(c) and c.lower_ not in {"than", "as"}
    ]  # fmt: skip
    name = stranded[0].lower_ if stranded else ""
    lone = [s for s in slots if s.role == name and s.filler.kind == "words"]
    rest = [s for s in slots if s not in lone] + [s for one in lone for s in one.filler.slots]
    if gap is None:
        if stranded and any(s.role == "obj" for s in passive_subjects):
            return [Slot(name, s.filler) if s in passive_subjects else s for s in rest]
        return slots
    pronoun = next(
        (s for s in slots if s.filler.head in RELATIVE_WORDS and s.role not in {"that", "mod"}),
        None,
    )
    if pronoun is not None:
        agent = pronoun.role == "by" and bool(passive_subjects)  # "by whom she was seen"
        return [Slot("subj" if agent else s.role, gap) if s is pronoun else s for s in slots]
    return [*(rest if stranded else slots), Slot(name or "obj", gap)]


def _whole(token: Any) -> list[Any]:
    """Return the noun that a word is said to be of, or out of, in a list that may be empty."""
    preps = [c for c in token.children if c.dep_ == "prep"]
    preps += [g for c in preps if c.lower_ == "out" for g in c.children if g.dep_ == "prep"]
    of = [c for c in preps if c.lower_ == "of"]
    return [c for c in of[0].children if c.dep_ == "pobj"] if of else []


def _determiner(token: Any) -> str:
    """Return what determines a noun, empty if nothing does; "every" and "no" before any other."""
    found = ""
    for c in token.children:
        low = c.lower_
        if c.dep_ in {"det", "predet"} or (c.dep_ == "amod" and low in PARTITIVE - {"both"}):
            denied = any(g.lower_ == "not" for g in c.children) or _before(c) == "not"
            one = quantifier(low, denied=denied)
            if low == "few" and found == "a":
                found = "some"
            elif not found or one in {"every", "no", "notall"}:
                found = one
        elif c.i < token.i and (
            c.dep_ == "neg" or (c.dep_ in {"preconj", "cc"} and low == "neither")
        ):
            found = "no"
        elif c.dep_ == "poss":
            found = found or "the"
    if not found and token.lower_ in UNIVERSAL | ANY_OF | NONE_OF:
        return quantifier(token.lower_)
    return found


def _stands_alone(token: Any) -> bool:
    """Return whether a quantifier stands for the things that it is about: "none was found"."""
    own = all(c.dep_ in {"det", "neg", "advmod", "cc", "conj"} for c in token.children)
    everybody = token.lower_ == "all" and token.dep_ == "pobj"  # "open to all", "in all"
    many = token.lower_ in STANDING_FOR_MANY and not everybody
    return bool(many and token.dep_ in _ARGUMENTS and own)


def _is_title(noun: Any, name: Any) -> bool:
    """Return whether a noun before a name says who it is: "her brother Axel"."""
    own = any(c.dep_ in {"poss", "det"} for c in noun.children)
    return bool(own and noun.tag_ == "NN" and name.tag_ == "NNP")


def _is_numbered(token: Any) -> bool:
    """Return whether a figure tells a thing of a kind from others: "Ward 5"."""
    before = token.doc[token.i - 1] if token.i else token
    name = before.dep_ == "compound" and before.head == token and before.text[:1].isupper()
    return bool(token.text.isdigit() and name)


def _lemma(token: Any) -> str:
    """Return the lemma of a word with its particles; of a participle before a noun the word."""
    if token.dep_ == "amod" and token.tag_ in {"VBN", "VBG"}:
        return str(token.lower_)
    if token.text[:1].isdigit():
        return str(token.lower_)
    found = token.lemma_.lower() or token.lower_
    if token.lower_ in BE_FORMS and token.pos_ in _VERBAL:
        found = "be"
    particles = [c.lower_ for c in token.children if is_particle(c, token)]
    return " ".join([found.rstrip(".") or found, *particles])


def _focus(only: Any) -> str:
    """Return the noun that an "only" singles out: the next one, behind a clause the last."""
    doc = only.doc
    last = only.i + 1 == len(doc) or only.nbor().is_punct
    words = reversed(doc[: only.i]) if last else doc[only.i + 1 :]
    nouns = (t for t in words if t.pos_ in {"NOUN", "PROPN", "NUM"} and t.dep_ != "compound")
    return next((_lemma(t) for t in nouns), "only")


def _conjoined(noun: Any) -> Iterator[Any]:
    """Yield what hangs on a noun and on those that are joined to it."""
    for child in noun.children:
        yield child
        if child.dep_ == "conj" and child.tag_ not in {"IN", "TO"}:
            yield from _conjoined(child)


def _takes_a_subject(verb: Any) -> bool:
    """Return whether a verb stands behind what is joined to an object and may be its subject.

    "Ann signed for the tenant and the agent signed for the owner".
    """
    finite = verb.dep_ == "conj" and verb.tag_ in {"VBD", "VBZ", "VBP"} and not _has_subject(verb)
    before = verb.nbor(-1) if verb.i else verb
    return bool(finite and before.dep_ == "conj" and before.pos_ in {"NOUN", "PROPN"})


def _is_denied(prep: Any) -> bool:
    """Return whether a denial stands before a phrase: "not by vandals", "instead of by bus"."""
    before = prep.nbor(-1) if prep.i else prep
    if before.dep_ == "neg" and before.head.lower_ in BE_FORMS and before.i == before.head.i + 1:
        return False  # "it is not in Rome" denies the whole
    words = prep.doc[max(0, prep.i - 2) : prep.i].text.casefold()
    return "not" in {_before(prep), before.lower_} or words in INSTEAD


def _is_contrary(conj: Any) -> bool:
    """Return whether a "but" puts a word in place of one that is denied: "not red but blue"."""
    start = conj.left_edge.i
    if not start or conj.doc[start - 1].lower_ != "but":
        return False
    above = {conj.head, *conj.ancestors}
    return any(
        t.dep_ in {"neg", "preconj"} and t.lower_ in _DENYING - {"never"} and t.head in above
        and t.nbor().lower_ not in ONLY_WORDS
        for t in conj.sent
        if t.i < start - 1
    )  # fmt: skip


def _as_before(event: Term, verb: Any) -> Term:
    """Return "remain shut", of which a parser makes a passive, as remaining in that state."""
    state = Term(event.head, "event", event.at, event.without("obj"), text=event.text)
    who = (Slot("subj", s.filler) for s in event.slots if s.role == "obj")
    slots = (*who, Slot("is", state))
    return replace(event, head=STAYING[verb.lower_], at=verb.i, slots=slots, passive=False)


def _is_of_phrase(neg: Any, verb: Any) -> bool:
    """Return whether a "not" denies the phrase behind it alone: "was won not by Ann"."""
    behind = neg.dep_ == "neg" and neg.i > verb.i and verb.lower_ not in BE_FORMS
    return bool(behind and any(t.tag_ in {"IN", "TO"} for t in neg.doc[neg.i + 1 : neg.i + 2]))


def _is_no_longer(token: Any) -> bool:
    no = any(g.lower_ == "no" for g in token.children)
    return token.lower_ == "longer" and no and not _compares(token)


def _compares(token: Any) -> bool:
    """Return whether a comparative has its other side: "longer than Line 3"."""
    than = any(g.lower_ == "than" for g in token.children)
    return than and token.tag_ in {"RBR", "JJR"}


def _is_measured_link(token: Any) -> bool:
    """Return whether a word is the "long" of "as long as", with its clause."""
    linked = any(c.dep_ == "advcl" and link_of(c) == "provided" for c in token.children)
    return token.lower_ == "long" and linked


def _opens_clause(word: Any) -> bool:
    """Return whether a word stands before a link: "in case it rains", "only if"."""
    behind = word.nbor() if word.i + 1 < len(word.doc) else word
    return bool(is_link(behind, behind.head))


def _is_saving(verb: Any) -> bool:
    """Return whether a verb leaves out what stands behind it: "all lambs, save those"."""
    return bool(
        verb.lower_ in SAVING and _before(verb) == "," and not _has_subject(verb)
        and verb.dep_ in {"conj", "parataxis", "dep"}
    )  # fmt: skip


def _is_either(verb: Any) -> bool:
    """Return whether an "or" joins a verb to another clause."""
    joined = any(c.dep_ == "conj" and _is_clausal(c) for c in verb.children)
    return joined and any(c.dep_ == "cc" and c.lower_ == "or" for c in verb.children)


def _placed(event: Term) -> tuple[Slot, ...]:
    """Return the phrases of "who were at the meeting", none of a clause that says more."""
    plain = event.head == "be" and event.force == "fact" and not (event.denied or event.joined)
    rest = tuple(s for s in event.slots if s.filler.kind != "gap")
    of_gap = [s.role for s in event.slots if s.filler.kind == "gap"] == ["subj"]
    placed = all(s.role in PREPOSITIONS and s.filler.kind == "thing" for s in rest)
    return rest if plain and of_gap and placed else ()


def _is_condition(token: Any) -> bool:
    return token.dep_ in {"advcl", "ccomp"}


def _is_clausal(token: Any) -> bool:
    return token.pos_ in _VERBAL or any(
        c.dep_ in _SUBJECTS | {"aux", "auxpass"} for c in token.children
    )


def _has_subject(token: Any) -> bool:
    return any(c.dep_ in _SUBJECTS for c in token.children)


def _before(token: Any) -> str:
    """Return the word or mark before what hangs on a token, empty at the beginning."""
    start = token.left_edge.i
    if token.left_edge.is_punct and token.left_edge is not token:
        return str(token.left_edge.text)
    return str(token.doc[start - 1].lower_) if start else ""


def _text(token: Any) -> str:
    return str(token.doc[token.left_edge.i : token.right_edge.i + 1].text)


def _place(token: Any) -> tuple[int, int]:
    """Return the range of a word in code points, with what stands directly before it of its own."""
    own = [c for c in token.children if c.i < token.i and c.dep_ in _BEFORE_NOUN]
    first = min([token, *own], key=lambda t: t.i)
    return int(first.idx), int(token.idx + len(token))


_BEFORE_NOUN = frozenset({"compound", "amod", "nummod", "neg"})


def _group(token: Any) -> tuple[int, int]:
    """Return the range of a verb with its auxiliaries and denials in code points."""
    own = [c for c in token.children if c.dep_ in {"aux", "auxpass", "neg"} or c.dep_ == "prt"]
    near = [t for t in (token, *own) if abs(t.i - token.i) <= 3]
    first, last = min(near, key=lambda t: t.i), max(near, key=lambda t: t.i)
    return int(first.idx), int(last.idx + len(last))
