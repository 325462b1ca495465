"""Predicates: events and things read from the trees of sentences.

Works on spaCy's English labels (ClearNLP style), one rule a dependency. What no rule knows becomes
a slot named after its label.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from groundrules.claims.english.logic import (
    AMOUNTS,
    BE_FORMS,
    DEGREES,
    EXCLUSIVE,
    JOINING,
    NEARLY,
    NOUNS_OF_AIMS,
    ONLY_WORDS,
    PARTITIVE,
    PAUSING,
    POLITIES,
    RELATIVE_WORDS,
    STAYING,
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
    gapped_with,
    is_free,
    normal,
    paralleled,
    told_beside,
    ungapped,
)
from groundrules.claims.quantifiers import (
    CURRENCIES,
    quantifier,
)
from groundrules.claims.slots import Slot, Term
from groundrules.claims.tree_words import (
    DENYING,
    SUBJECTS,
    VERBAL,
    Shared,
    as_before,
    bounded_subjects,
    determiner_of,
    focus_of,
    group_of,
    has_standard,
    has_subject,
    is_any_more,
    is_clausal,
    is_condition,
    is_contrary,
    is_denied,
    is_either,
    is_instruction,
    is_measured_link,
    is_no_longer,
    is_numbered,
    is_one_of_more,
    is_particle,
    is_passive,
    is_replaced,
    is_saving,
    is_title,
    lemma_of,
    mood_of,
    nearly,
    opens_clause,
    place_of,
    placed_phrases,
    stands_alone,
    takes_a_subject,
    text_of,
    unstranded,
    whole_of,
    with_conjuncts,
    word_before,
)

_NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM", "DET"})
_SAID = frozenset({"acomp", "attr", "dobj"})
_OPENING = frozenset({",", "(", "–", "—", ":"})
_PROVIDED = frozenset({"provided", "providing"})
#: Dependents that are read with the word they hang on.
_READ = frozenset(
    "punct cc preconj case aux auxpass neg det predet mark prt quantmod nummod meta intj conj"
    " expl".split()
)
_GAP = Term("~", "gap", -1)


@dataclass(frozen=True, slots=True)
class Reader:
    """The terms of one parsed text."""

    # --- clauses ------------------------------------------------------------------------------

    def clauses(self, token: Any, above: Shared | None = None) -> Iterator[Term]:
        """Yield what a clause asserts, then what those coordinated with it and told beside do."""
        if above is None and token.pos_ not in VERBAL:
            inner = list(self._of_no_verb(token))
            if inner:
                yield from inner
                return
        modals = sum(c.tag_ == "MD" and c.dep_ == "aux" for c in token.children)
        if modals > 1 or any(map(takes_a_subject, token.children)):
            return  # two clauses that the parser takes for one
        made, clause = self._event(token, above)
        gapped: list[Term] = []
        if not any(c.dep_ == "dative" for c in token.children):  # "gave the duke a horse and ..."
            made, gapped = ungapped(made)
        for child in token.children:
            named = child.dep_ == "conj" and child.pos_ in {"NOUN", "PROPN", "PRON"}
            if named and not is_clausal(child):
                other = self.thing(child)
                alike = paralleled(made, other)
                made = alike[0] if alike else made
                gapped.append(alike[1] if alike else gapped_with(made, other))
        either = is_either(token) and not is_free(made)
        if either:  # "sang or danced", of which neither is said
            rest = (c for c in token.children if c.dep_ == "conj" and is_clausal(c))
            made = replace(made, joined=(*made.joined, *map(self.clause, rest)), alternative=True)
        yield made
        yield from gapped
        for child in token.children:
            if is_saving(child) or is_replaced(child) or (either and child.dep_ == "conj"):
                continue
            if child.dep_ == "conj" and is_clausal(child):
                yield from self.clauses(child, clause)
            elif child.dep_ == "conj" and child.pos_ == "ADJ" and token.pos_ in VERBAL:
                yield from self._shared_copula(child, token, clause)
            elif child.dep_ == "parataxis" and has_subject(child):
                yield from self.clauses(child, replace(clause, subjects=()))
            elif child.dep_ == "ccomp":  # a semicolon ends what is said
                for one in child.children:
                    if one.dep_ == "parataxis" and has_subject(one) and word_before(one) == ";":
                        yield from self.clauses(one, Shared())
        yield from told_beside(made)

    def _of_no_verb(self, token: Any) -> Iterator[Term]:
        """Yield what a noun before a colon is said to be, or the clauses behind an interjection."""
        if token.pos_ in {"NOUN", "PROPN"}:  # "Next meeting: 11 April"
            after = [
                c for c in token.children
                if c.dep_ == "appos" and word_before(c) == ":" and not is_clausal(c)
            ]  # fmt: skip
            if after:
                whole, said = self.thing(token), after[0]
                own = tuple(s for s in whole.slots if s.filler.at < said.i and s.role != "also")
                rest = tuple(s for s in whole.slots if s not in own and s.role != "also")
                name = replace(whole, slots=own, determiner="the")
                slots = (Slot("subj", name), Slot("is", self.thing(said)), *rest)
                yield Term("be", "event", token.i, slots, tense="present", place=place_of(token))
                return
        if token.pos_ in {"NOUN", "PROPN", "ADV", "INTJ"} and not has_subject(token):
            for child in token.children:  # "Correction: the talk is in Hall D"
                apart = child.dep_ not in _READ - {"conj"} and has_subject(child)
                if apart and is_clausal(child):
                    yield from self.clauses(child)

    def _shared_copula(self, token: Any, head: Any, above: Shared) -> Iterator[Term]:
        """Yield what an adjective behind a participle says: "closed to cars but open to all"."""
        if above.subjects:
            one = self.thing(token)
            subjects = tuple(Slot("subj", s.filler) for s in above.subjects)
            denied = above.denied and not any(c.lower_ == "but" for c in head.children)
            slots = (*subjects, *above.scene, *one.slots)
            yield Term(
                one.head, "property", token.i, slots, force=above.force, tense=above.tense,
                denied=denied, text=text_of(token), place=place_of(token),
            )  # fmt: skip

    def _event(
        self, token: Any, above: Shared | None, gap: Term | None = None
    ) -> tuple[Term, Shared]:
        """Return the event of a clause, in its normal form, and what it hands on.

        A relative clause has a `gap` where the thing it is told of belongs.
        """
        children = list(token.children)
        passive = is_passive(token, above, gap)
        force, tense, denied = mood_of(token)
        subjects = [
            Slot("obj" if c.dep_.endswith("pass") else "subj", self.argument(c))
            for c in children
            if c.dep_ in SUBJECTS and not (gap is not None and c.lower_ in RELATIVE_WORDS)
        ]
        place = "obj" if passive else "subj"
        if not subjects:  # "at most six may enter", of which a parser makes a phrase
            subjects = [Slot(place, self.argument(c)) for c in bounded_subjects(token)]
        if not subjects and gap is not None:
            subjects, gap = [Slot(place, gap)], None
        elif not subjects and above is not None and token.tag_ != "VBG":
            subjects = [Slot(place, s.filler) for s in above.subjects]
            if not any(c.dep_ in {"aux", "auxpass"} for c in children):
                if token.tag_ in {"VB", "VBN"}:
                    force, denied = above.force, denied or above.denied
                tense = tense or above.tense
        slots = [*subjects, *(s for c in children for s in self._slots(c, token, passive))]
        slots = unstranded(token, slots, subjects if passive else [], gap)
        scene = tuple(
            s for s in slots
            if s.filler.at < token.i
            and all(s.filler is not one.filler for one in subjects)
            and s.role not in {"subj", "obj", "mod", "that", "xcomp", "is"}
        )  # fmt: skip
        if above is not None and not scene:
            slots += [s for s in above.scene if s.role not in {x.role for x in slots}]
        if not subjects and force == "fact" and is_instruction(token):
            force, tense = "do", ""
        event = Term(
            lemma_of(token), "event", token.i, tuple(slots), denied=denied, force=force,
            tense=tense, passive=passive, text=text_of(token), place=group_of(token),
        )  # fmt: skip
        staying = next((c for c in children if c.lower_ in STAYING), None)
        if staying is not None and staying.dep_ == "auxpass":
            event = as_before(event, staying)
        clause = Shared(tuple(subjects), scene, force, denied, tense, passive)
        return normal(event), clause

    def _slots(self, child: Any, verb: Any, passive: bool) -> Iterator[Slot]:
        """Yield the slots of an event that a dependent of its verb fills."""
        dep, low = child.dep_, child.lower_
        if is_saving(child):
            left_out = (c for c in child.children if c.dep_ == "dobj")
            yield from (Slot("except", self.thing(c)) for c in left_out)
            return
        if dep == "prt":  # what a parser hangs on a particle: "cut off every spring"
            role = "mod" if passive or any(c.dep_ == "dobj" for c in verb.children) else "obj"
            yield from (Slot(role, self.thing(c)) for c in child.children if c.dep_ == "pobj")
        if dep in _READ or dep in SUBJECTS:
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
            yield Slot("is", self.argument(child))
            yield from self._contrary(child, "is")
        elif dep == "agent":
            role = "not subj" if is_denied(child) else "subj"
            for c in child.children:
                if c.dep_ in {"pobj", "pcomp"}:
                    who = self.argument(c)
                    lead = self._lead(child)  # "paid for entirely by the guild" tells how
                    yield from (s for s in lead if s.role == "mod")
                    only = tuple(s for s in lead if s.role != "mod")
                    yield Slot(role, replace(who, slots=who.slots + only))
            yield from self._further(child, [c for c in child.children if c.dep_ == "pobj"])
        elif low in _PROVIDED:
            inner = (c for c in child.children if is_condition(c))
            yield from (Slot("provided", self.clause(c)) for c in inner)
        elif dep in {"advcl", "ccomp"} and word_before(child) in _PROVIDED:
            yield Slot("provided", self.clause(child))
        elif is_link(child, verb):
            return
        elif dep == "prep":
            if not any(c in bounded_subjects(verb) for c in child.children):
                yield from self.phrases(child)
        elif dep in {"xcomp", "ccomp"}:
            asked = any(c.dep_ == "mark" and c.lower_ in {"whether", "if"} for c in child.children)
            role = "asked" if asked else "that"
            aim = verb.lemma_ in PAUSING and child.tag_ == "VB"  # "stopped to smoke"
            role = "to" if aim else "xcomp" if dep == "xcomp" else role
            yield Slot(role, self.clause(child))
        elif dep == "advcl":
            yield self._adverbial(child)
        elif dep in {"advmod", "npadvmod", "amod"}:
            yield from self._adverb(child, verb)
        elif dep == "parataxis" or (dep == "dep" and child.pos_ in VERBAL):
            if dep == "dep" or not has_subject(child):
                yield Slot("beside", self.clause(child))
        else:
            yield Slot(dep, self.thing(child))

    def _contrary(self, noun: Any, role: str) -> Iterator[Slot]:
        """Yield what is said in place of what is denied: "not the red one but the blue one"."""
        for c in noun.children:
            if c.dep_ == "conj" and is_contrary(c):
                yield Slot(f"but {role}", self.argument(c))

    def _adverb(self, child: Any, verb: Any) -> Iterator[Slot]:
        low = child.lower_
        plain = child.dep_ == "advmod"
        if plain and low in ONLY_WORDS:
            if word_before(child) != "not" and not opens_clause(child):
                focus = focus_of(child)
                place = place_of(child)
                yield Slot("only", Term(focus, "words", child.i, text=low, place=place))
        elif verb.lower_ in BE_FORMS and has_standard(child):  # which a parser takes for an adverb
            yield Slot("is", replace(self.thing(child), kind="property"))
        elif is_measured_link(child):
            yield from (self._adverbial(c) for c in child.children if c.dep_ == "advcl")
        elif is_any_more(child) or (
            is_no_longer(child) and (child.i < verb.i or verb.lower_ in BE_FORMS)
        ):
            yield Slot("mod", Term("no longer", "words", child.i, place=place_of(child)))
        elif low == "too" and child.i > verb.i and any(c.dep_ in _SAID for c in verb.children):
            return  # "and is quieter too", but "so is Ann, too"
        elif low == "since" and plain and not list(child.children):
            yield Slot("since", Term("then", "words", child.i, place=place_of(child)))
        elif not (low in DENYING | JOINING or is_no_longer(child) or is_particle(child, verb)):
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
        if is_denied(prep) and "only" not in {following, word_before(prep)}:
            name = f"not {name}"
        yield from self._objects(prep, name, inner, deeper)
        yield from self._further(prep, inner)

    def _further(self, prep: Any, inner: list[Any]) -> Iterator[Slot]:
        """Yield the phrases that are coordinated with one, each with the mark of how."""
        beside = prep.head.children if prep.head.pos_ == "VERB" else ()
        beside = [c for c in beside if c.i > prep.i and c.tag_ in {"IN", "TO"}][:1]
        for one in (*prep.children, *(g for c in inner for g in with_conjuncts(c)), *beside):
            if one.dep_ == "conj" and one.tag_ in {"IN", "TO"}:
                either = any(
                    c.lower_ in {"or", "either"} for c in (*prep.children, *one.head.children)
                )
                mark = "| " if either else "& "
                mark = "not " if is_denied(one) else "but " if is_contrary(one) else mark
                for slot in self.phrases(one):
                    role = slot.role.removeprefix("not ")
                    agent = role == "by" and prep.dep_ == "agent"
                    yield Slot(mark + ("subj" if agent else role), slot.filler)

    def _objects(self, prep: Any, name: str, inner: list[Any], deeper: list[Any]) -> Iterator[Slot]:
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
        aside = word_before(prep) in {",", "("}
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
        if not inner and not deeper and not opens_clause(prep):
            then = [c.i for c in prep.children if c.lower_ == "then"]  # "since then"
            head = "then" if then else ""
            yield Slot(
                name, Term(head, "words", prep.i, () if then else lead, place=place_of(prep))
            )

    def _lead(self, prep: Any) -> tuple[Slot, ...]:
        """Return what adverbs before a preposition say: "only at noon", "shortly before it"."""
        return tuple(
            self._only(c, prep)
            if c.lower_ in EXCLUSIVE
            else Slot("mod", Term(c.lower_, "words", c.i, place=place_of(c)))
            for c in prep.children
            if c.dep_ in {"advmod", "npadvmod", "quantmod"} or c.lower_ in EXCLUSIVE
        )

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
        verbal = token.pos_ in VERBAL and token.dep_ not in {"amod", "compound"}
        governing = {"dobj", "nsubj", "nsubjpass", "auxpass", "aux", "prep", "xcomp"}
        if verbal and (
            token.tag_ not in {"VBN", "VBG"} or any(c.dep_ in governing for c in token.children)
        ):
            return self.clause(token)
        return self.thing(token)

    def clause(self, token: Any) -> Term:
        """Return a clause inside another as a term, with those coordinated with it."""
        if token.pos_ not in VERBAL and not any(
            c.dep_ in SUBJECTS | {"aux"} for c in token.children
        ):
            return self.thing(token)
        event, gapped = ungapped(self._event(token, None)[0])
        more = (
            self.clause(c)
            for c in token.children
            if c.dep_ == "conj" and c.pos_ in VERBAL | {"ADJ"}
        )
        return replace(event, joined=(*more, *gapped))

    def thing(self, token: Any) -> Term:
        """Return a noun, an adjective or an adverb with what says more of it."""
        low = AMOUNTS.get(token.lower_, token.lower_)
        whole = whole_of(token)
        named = whole and whole[0].tag_ in {"NNP", "NNPS"}
        if low in POLITIES and named and all(c.dep_ in {"det", "prep"} for c in token.children):
            return self.thing(whole[0])  # "the State of New York", no "capital city of France"
        if low in PARTITIVE and whole:  # "some of the rafts"
            term = self._part_of(whole[0], token)
            denied = any(c.lower_ == "not" for c in token.children)
            only = tuple(self._only(c, token) for c in token.children if c.lower_ in EXCLUSIVE)
            term = replace(term, slots=term.slots + only)
            own = determiner_of(token)  # "every one of the ferries", "a few of them"
            low = "some" if token.lower_ == "few" and own == "a" else low
            share = own if low == "one" and own else quantifier(low, denied=denied)
            share = nearly(token, share)
            return replace(term, determiner=share)
        determiner = determiner_of(token)
        standing = stands_alone(token) and not whole
        nominal = token.pos_ in _NOMINAL or standing
        if standing:  # "most were found": most of them
            own = quantifier(low)
            determiner = "some" if own == "few" and determiner == "a" else own
        if not determiner and token.pos_ != "DET" and nominal:
            name = token.tag_ in {"NNP", "NNPS"} and not token.text.islower()
            name = name or is_numbered(token)
            pronoun = token.tag_ == "PRP" and not token.like_num
            determiner = "name" if name else "the" if pronoun else "bare"
        rest = list(token.children)
        slots = tuple(s for c in rest for s in self._marks(c, token))
        if token.tag_ in {"JJR", "RBR"}:
            slots += (Slot("degree", Term("more", "words", token.i)),)
        elif token.tag_ in {"JJS", "RBS"} and low not in DEGREES:
            slots += (Slot("degree", Term("most", "words", token.i)),)
        joined, alternative = self._joined(token, rest)
        head = "they" if standing else lemma_of(token)
        return Term(
            head, "thing" if nominal else "property", token.i, slots, determiner,
            joined=joined, alternative=alternative,
            plural=token.tag_ in {"NNS", "NNPS"} or low in {"they", "them", "their", "both"},
            text=text_of(token), place=place_of(token),
        )  # fmt: skip

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
        elif dep in {"compound", "nmod"} and is_title(c, token):
            yield Slot("also", replace(self.thing(c), aside=True))
        elif dep in {"amod", "compound", "nmod", "advmod", "npadvmod", "acomp"}:
            if low in ONLY_WORDS or low == "alone":
                if not is_one_of_more(token):
                    yield self._only(c, token)
            elif is_measured_link(c):
                yield from (self._adverbial(g) for g in c.children if g.dep_ == "advcl")
            elif low in DEGREES and token.pos_ in {"ADJ", "ADV"}:
                yield Slot("degree", Term(low, "words", c.i, place=place_of(c)))
            elif low == "too" and c.i > token.i:
                return  # "is quieter too"
            elif determiner_of(token) in NEARLY.get(low, {}).values():
                return
            elif low not in {"also", "even", "no"} and not (dep == "amod" and quantifier(low)):
                participle = c.tag_ == "VBN" and list(c.children)
                yield Slot("mod", self.argument(c) if participle else self.thing(c))
        elif dep == "prep":
            yield from self.phrases(c)
        elif dep == "acl" and c.tag_ == "VB" and token.lemma_.lower() in NOUNS_OF_AIMS:
            yield Slot("xcomp", self.clause(c))
        elif dep in {"relcl", "acl"}:
            aside = word_before(c) in {"(", ","}
            for one in (c, *(g for g in c.children if g.dep_ == "conj" and g.pos_ in VERBAL)):
                event, _ = self._event(one, None, _GAP)
                placed = () if aside else placed_phrases(event)
                yield from placed or (Slot("that", replace(event, aside=aside)),)
        elif c.text in CURRENCIES or dep == "nummod":
            yield Slot("mod", self.thing(c))  # a unit, a year
        elif dep == "appos" and determiner_of(c) == "no":
            return  # "the museum, not the school"
        elif dep == "appos":
            one = replace(self.thing(c), aside=word_before(c) in _OPENING)
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
        head = "only" if singled else lemma_of(noun)
        return Slot("only", Term(head, "words", only.i, place=place_of(only)))

    def _joined(self, token: Any, rest: list[Any]) -> tuple[tuple[Term, ...], bool]:
        """Return what is coordinated with a word, and whether one of them alone is meant."""
        joined: list[Term] = []
        alternative = False
        for c in rest:
            if c.dep_ in {"cc", "preconj"} and c.lower_ in {"or", "either"}:
                alternative = True
            elif c.dep_ == "conj" and not (
                is_contrary(c)
                or is_replaced(c)
                or (c.tag_ in {"IN", "TO"} and token.dep_ in {"pobj", "conj"})
            ):
                other = self.argument(c)
                alternative = alternative or other.alternative
                joined += [replace(other, joined=()), *other.joined]
        return tuple(joined), alternative and bool(joined)
