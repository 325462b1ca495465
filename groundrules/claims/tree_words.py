"""What single words of a tree say: mood, determiner, lemma, place, and what hangs on them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from groundrules.claims.english import PREPOSITIONS
from groundrules.claims.english.logic import (
    ANY_OF,
    AUXILIARY_FORCES,
    BE_FORMS,
    DIRECTIONS,
    EXCLUSIVE,
    EXISTENTIAL,
    INSTEAD,
    NEARLY,
    NONE_OF,
    ONLY_WORDS,
    PARTITIVE,
    RELATIVE_WORDS,
    SAVING,
    SHARE_WORDS,
    STANDING_FOR_MANY,
    STAYING,
    UNIVERSAL,
)
from groundrules.claims.links import (
    is_link,
    link_of,
)
from groundrules.claims.quantifiers import (
    quantifier,
)
from groundrules.claims.slots import Slot, Term

DENYING = frozenset("not n't n’t never".split())
SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass"})
VERBAL = frozenset({"VERB", "AUX"})
_ARGUMENTS = frozenset({"nsubj", "nsubjpass", "dobj", "pobj"})
_HAVE = frozenset({"have", "has", "had", "having", "’ve", "'ve"})


@dataclass(frozen=True, slots=True)
class Shared:
    """What a clause hands on to those coordinated with it."""

    subjects: tuple[Slot, ...] = ()
    scene: tuple[Slot, ...] = ()
    force: str = "fact"
    denied: bool = False
    tense: str = ""
    passive: bool = False


def is_particle(child: Any, verb: Any) -> bool:
    """Return whether a word goes with a verb: "throw away"."""
    plain = child.dep_ == "advmod" and child.lower_ in DIRECTIONS and not list(child.children)
    return child.dep_ == "prt" or bool(plain and verb.pos_ == "VERB" and child.i > verb.i)


def mood_of(token: Any) -> tuple[str, str, bool]:
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
        elif c.dep_ == "neg" or (c.dep_ == "advmod" and (low in DENYING or is_no_longer(c))):
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
    if "to" in auxiliaries and auxiliaries & BE_FORMS:
        force = "is to"
    was = auxiliaries & {"was", "were"} and tense == "perfect"
    if force == "is to" and was and not denied:
        force, tense, denied = "fact", "past", True  # "was to have opened", and did not
    being = any(c.dep_ == "auxpass" and c.lower_ == "being" for c in children)
    if being or (token.tag_ == "VBG" and auxiliaries & BE_FORMS):
        tense += " going on"
    return force, tense, denied


def bounded_subjects(verb: Any) -> list[Any]:
    """Return the noun of an "at most" or "at least" that opens a clause without a subject."""
    before = (c for c in verb.children if c.dep_ == "prep" and c.i < verb.i and c.lower_ == "at")
    bounds = [c for c in before if c.nbor().lower_ in {"most", "least"}]
    return [g for c in bounds for g in c.children if g.dep_ == "pobj"][:1]


def is_passive(token: Any, above: Shared | None, gap: Term | None) -> bool:
    """Return whether a verb is passive by what hangs on it or by the clause above."""
    deps = {c.dep_ for c in token.children}
    if deps & {"auxpass", "nsubjpass"}:
        return True
    participle = token.tag_ == "VBN" or (token.tag_ == "VBD" and token.dep_ == "acl")
    if above is not None and above.passive and participle and "aux" not in deps:
        return True
    return gap is not None and participle and not deps & {"nsubj", "aux", "dobj"}


def is_instruction(token: Any) -> bool:
    """Return whether a verb without a subject tells somebody to do it: "Keep it dry"."""
    main = token.dep_ in {"ROOT", "conj", "parataxis", "ccomp"}
    bound = any(
        c.dep_ in SUBJECTS | {"expl"} or (c.dep_ == "aux" and c.lower_ not in {"do", "don't"})
        for c in token.children
    )
    return main and token.tag_ in {"VB", "VBP"} and not bound and token.lemma_ != "be"


def unstranded(
    token: Any, slots: list[Slot], passive_subjects: list[Slot], gap: Term | None
) -> list[Slot]:
    """Return the slots with what a preposition without an object belongs to in its place.

    "The tower was paid for", "the post which she applied for"; a gap goes where its pronoun is.
    """
    stranded = [
        c for c in token.children
        if c.dep_ == "prep" and all(g.dep_ == "advmod" for g in c.children)
        and not opens_clause(c) and c.lower_ not in {"than", "as"}
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


def whole_of(token: Any) -> list[Any]:
    """Return the noun that a word is said to be of, or out of, in a list that may be empty."""
    preps = [c for c in token.children if c.dep_ == "prep"]
    preps += [g for c in preps if c.lower_ == "out" for g in c.children if g.dep_ == "prep"]
    of = [c for c in preps if c.lower_ == "of"]
    return [c for c in of[0].children if c.dep_ == "pobj"] if of else []


def determiner_of(token: Any) -> str:
    """Return what determines a noun, empty if nothing does; "every" and "no" before any other."""
    found = ""
    for c in token.children:
        low = c.lower_
        if c.dep_ in {"det", "predet"} or (c.dep_ == "amod" and low in PARTITIVE - {"both"}):
            denied = any(g.lower_ == "not" for g in c.children) or word_before(c) == "not"
            one = quantifier(low, denied=denied)
            if low == "few" and found == "a":
                found = "some"
            elif not found or one in {"every", "no", "notall"}:
                found = one
        elif c.i < token.i and (
            c.dep_ == "neg" or (c.dep_ in {"preconj", "cc"} and low == "neither")
        ):
            found = "notall" if token.lower_ in UNIVERSAL else "no"
        elif is_additional(c) and any(g.lower_ == "no" for g in c.children):
            found = "no"
        elif c.dep_ == "poss":
            found = found or "the"
    if not found and token.lower_ in UNIVERSAL | ANY_OF | NONE_OF | {"someone", "somebody"}:
        found = quantifier(token.lower_)
    return nearly(token, found)


def nearly(token: Any, share: str) -> str:
    """Return a share as an "almost" or a "hardly" before its noun has it."""
    near = (NEARLY.get(c.lower_, {}) for c in token.children if c.i < token.i)
    return next((made[share] for made in near if share in made), share)


def stands_alone(token: Any) -> bool:
    """Return whether a quantifier stands for the things that it is about: "none was found"."""
    own = all(c.dep_ in {"det", "neg", "advmod", "cc", "conj"} for c in token.children)
    everybody = token.lower_ == "all" and token.dep_ == "pobj"  # "open to all", "in all"
    many = token.lower_ in STANDING_FOR_MANY and not everybody
    return bool(many and token.dep_ in _ARGUMENTS and own)


def is_title(noun: Any, name: Any) -> bool:
    """Return whether a noun before a name says who it is: "her brother Axel"."""
    own = any(c.dep_ in {"poss", "det"} for c in noun.children)
    return bool(own and noun.tag_ == "NN" and name.tag_ == "NNP")


def is_numbered(token: Any) -> bool:
    """Return whether a figure tells a thing of a kind from others: "Ward 5"."""
    before = token.doc[token.i - 1] if token.i else token
    name = before.dep_ == "compound" and before.head == token and before.text[:1].isupper()
    return bool(token.text.isdigit() and name)


def lemma_of(token: Any) -> str:
    """Return the lemma of a word with its particles; of a participle before a noun the word."""
    if token.dep_ == "amod" and token.tag_ in {"VBN", "VBG"}:
        return str(token.lower_)
    if token.text[:1].isdigit():
        return str(token.lower_)
    found = token.lemma_.lower() or token.lower_
    if token.lower_ in BE_FORMS and token.pos_ in VERBAL:
        found = "be"
    particles = [c.lower_ for c in token.children if is_particle(c, token)]
    return " ".join([found.rstrip(".") or found, *particles])


def focus_of(only: Any) -> str:
    """Return the noun that an "only" singles out: the next one, behind a clause the last."""
    doc = only.doc
    last = only.i + 1 == len(doc) or only.nbor().is_punct
    words = reversed(doc[: only.i]) if last else doc[only.i + 1 :]
    nouns = (t for t in words if t.pos_ in {"NOUN", "PROPN", "NUM"} and t.dep_ != "compound")
    return next((lemma_of(t) for t in nouns), "only")


def with_conjuncts(noun: Any) -> Iterator[Any]:
    """Yield what hangs on a noun and on those that are joined to it."""
    for child in noun.children:
        yield child
        if child.dep_ == "conj" and child.tag_ not in {"IN", "TO"}:
            yield from with_conjuncts(child)


def takes_a_subject(verb: Any) -> bool:
    """Return whether a verb stands behind what is joined to an object and may be its subject.

    "Ann signed for the tenant and the agent signed for the owner".
    """
    finite = verb.dep_ == "conj" and verb.tag_ in {"VBD", "VBZ", "VBP"} and not has_subject(verb)
    before = verb.nbor(-1) if verb.i else verb
    return bool(finite and before.dep_ == "conj" and before.pos_ in {"NOUN", "PROPN"})


def is_denied(prep: Any) -> bool:
    """Return whether a denial stands before a phrase: "not by vandals", "instead of by bus"."""
    before = prep.nbor(-1) if prep.i else prep
    if before.dep_ == "neg" and before.head.lower_ in BE_FORMS and before.i == before.head.i + 1:
        return False  # "it is not in Rome" denies the whole
    if any(map(is_one_of_more, prep.children)):
        return False
    words = prep.doc[max(0, prep.i - 2) : prep.i].text.casefold()
    return "not" in {word_before(prep), before.lower_} or words in INSTEAD


def is_one_of_more(noun: Any) -> bool:
    """Return whether a noun is not the only one: "borne not by the tenant alone"."""
    alone = any(c.lower_ in EXCLUSIVE and c.i > noun.i for c in noun.children)
    return alone and noun.dep_ == "pobj" and noun.head.i > 0 and noun.head.nbor(-1).lower_ == "not"


def is_contrary(conj: Any) -> bool:
    """Return whether a "but" puts a word in place of one that is denied: "not red but blue"."""
    start = conj.left_edge.i
    if not start or conj.doc[start - 1].lower_ != "but":
        return False
    above = {conj.head, *conj.ancestors}
    return any(
        t.dep_ in {"neg", "preconj"} and t.lower_ in DENYING - {"never"} and t.head in above
        and t.nbor().lower_ not in ONLY_WORDS
        for t in conj.sent
        if t.i < start - 1
    )  # fmt: skip


_OF_ITS_OWN = ONLY_WORDS | SHARE_WORDS | (EXISTENTIAL - {"one"}) | {"not"}


def is_excepting(conjunction: Any) -> bool:
    """Return whether "but" leaves somebody out of all, any or none: "nobody but the curator".

    A parser takes it for one that joins, and what follows for something said as well. It does join
    where that has a quantity of its own: "all of the boats but only some of the rafts".
    """
    if conjunction.lower_ != "but":
        return False
    whole = conjunction.head
    following = conjunction.doc[conjunction.i + 1 : conjunction.i + 2]
    if any(t.lower_ in _OF_ITS_OWN for t in following):
        return False
    firsts = {whole.lower_, *(c.lower_ for c in whole.children if c.i < whole.i)}
    return (
        conjunction.i > 0
        and conjunction.nbor(-1).text not in {",", ";"}
        and whole.pos_ in {"NOUN", "PRON", "DET", "PROPN"}
        and not firsts.isdisjoint(UNIVERSAL | NONE_OF | ANY_OF)
    )


def is_replaced(conj: Any) -> bool:
    """Return whether a word stands for what is not so: "a boat rather than a car"."""
    start = conj.left_edge.i
    around = [t.lower_ for t in conj.doc[max(0, start - 2) : start + 2]]
    return ["rather", "than"] in (around[:2], around[-2:])


def as_before(event: Term, verb: Any) -> Term:
    """Return "remain shut", of which a parser makes a passive, as remaining in that state."""
    how = verb.head.lower_  # as "stay closed" says it, of which a parser makes no passive
    state = Term(how, "property", event.at, event.without("obj"), text=event.text)
    who = (Slot("subj", s.filler) for s in event.slots if s.role == "obj")
    slots = (*who, Slot("is", state))
    return replace(event, head=STAYING[verb.lower_], at=verb.i, slots=slots, passive=False)


def _is_of_phrase(neg: Any, verb: Any) -> bool:
    """Return whether a "not" denies the phrase behind it alone: "was won not by Ann"."""
    behind = neg.dep_ == "neg" and neg.i > verb.i and verb.lower_ not in BE_FORMS
    return bool(behind and any(t.tag_ in {"IN", "TO"} for t in neg.doc[neg.i + 1 : neg.i + 2]))


def is_no_longer(token: Any) -> bool:
    """Return whether a word is the "longer" of "no longer"."""
    no = any(g.lower_ == "no" for g in token.children)
    return token.lower_ == "longer" and no and not has_standard(token)


def is_any_more(token: Any) -> bool:
    """Return whether a word is the last of "not … any more"."""
    more = token.lower_ in {"more", "longer"} and any(g.lower_ == "any" for g in token.children)
    return token.lower_ == "anymore" or (more and not has_standard(token))


def is_additional(token: Any) -> bool:
    """Return whether a word is the "further" of "further delays", which compares nothing."""
    return token.lower_ == "further" and token.dep_ == "amod" and not has_standard(token)


def has_standard(token: Any) -> bool:
    """Return whether a comparative has its other side: "longer than Line 3"."""
    than = any(g.lower_ == "than" for g in token.children)
    return than and token.tag_ in {"RBR", "JJR"}


def is_measured_link(token: Any) -> bool:
    """Return whether a word is the "long" of "as long as", with its clause."""
    linked = any(c.dep_ == "advcl" and link_of(c) == "provided" for c in token.children)
    return token.lower_ == "long" and linked


def opens_clause(word: Any) -> bool:
    """Return whether a word stands before a link: "in case it rains", "only if"."""
    behind = word.nbor() if word.i + 1 < len(word.doc) else word
    return bool(is_link(behind, behind.head))


def is_saving(verb: Any) -> bool:
    """Return whether a verb leaves out what stands behind it: "all lambs, save those"."""
    return bool(
        verb.lower_ in SAVING and word_before(verb) == "," and not has_subject(verb)
        and verb.dep_ in {"conj", "parataxis", "dep"}
    )  # fmt: skip


def is_either(verb: Any) -> bool:
    """Return whether an "or" joins a verb to another clause."""
    joined = any(c.dep_ == "conj" and is_clausal(c) for c in verb.children)
    return joined and any(c.dep_ == "cc" and c.lower_ == "or" for c in verb.children)


def placed_phrases(event: Term) -> tuple[Slot, ...]:
    """Return the phrases of "who were at the meeting", none of a clause that says more."""
    plain = event.head == "be" and event.force == "fact" and not (event.denied or event.joined)
    rest = tuple(s for s in event.slots if s.filler.kind != "gap")
    of_gap = [s.role for s in event.slots if s.filler.kind == "gap"] == ["subj"]
    placed = all(s.role in PREPOSITIONS and s.filler.kind == "thing" for s in rest)
    return rest if plain and of_gap and placed else ()


def is_condition(token: Any) -> bool:
    """Return whether a clause hangs on a verb as a condition or a complement may."""
    return token.dep_ in {"advcl", "ccomp"}


def is_clausal(token: Any) -> bool:
    """Return whether a word is the head of a clause."""
    return token.pos_ in VERBAL or any(
        c.dep_ in SUBJECTS | {"aux", "auxpass"} for c in token.children
    )


def has_subject(token: Any) -> bool:
    """Return whether a subject hangs on a word."""
    return any(c.dep_ in SUBJECTS for c in token.children)


def word_before(token: Any) -> str:
    """Return the word or mark before what hangs on a token, empty at the beginning."""
    start = token.left_edge.i
    if token.left_edge.is_punct and token.left_edge is not token:
        return str(token.left_edge.text)
    return str(token.doc[start - 1].lower_) if start else ""


def text_of(token: Any) -> str:
    """Return a word with all that hangs on it, as written."""
    return str(token.doc[token.left_edge.i : token.right_edge.i + 1].text)


def place_of(token: Any) -> tuple[int, int]:
    """Return the range of a word in code points, with what stands directly before it of its own."""
    own = [c for c in token.children if c.i < token.i and c.dep_ in _BEFORE_NOUN]
    first = min([token, *own], key=lambda t: t.i)
    return int(first.idx), int(token.idx + len(token))


_BEFORE_NOUN = frozenset({"compound", "amod", "nummod", "neg"})


def group_of(token: Any) -> tuple[int, int]:
    """Return the range of a verb with its auxiliaries and denials in code points."""
    own = [c for c in token.children if c.dep_ in {"aux", "auxpass", "neg"} or c.dep_ == "prt"]
    near = [t for t in (token, *own) if abs(t.i - token.i) <= 3]
    first, last = min(near, key=lambda t: t.i), max(near, key=lambda t: t.i)
    return int(first.idx), int(last.idx + len(last))
