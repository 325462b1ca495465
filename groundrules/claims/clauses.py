"""Clauses: predicates with their arguments, polarity, modality and attribution.

Works on spaCy's English labels (ClearNLP style). One `Clause` is one n-ary fact; `offline` turns
it into binary triples.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from groundrules.claims.phrases import NOMINAL, conjuncts
from groundrules.terms import Modality, Polarity

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass", "expl"})
SAYING = frozenset(
    "say tell state report claim announce add argue believe allege think write note insist explain "
    "admit warn suggest confirm acknowledge contend assert declare testify maintain deny predict "
    "hold find conclude estimate reveal disclose tweet reply recall".split()
)
_DENYING = frozenset({"deny", "doubt", "dispute", "reject", "disbelieve"})
_FAILING = frozenset({"fail", "refuse", "decline", "neglect", "cease", "forget", "omit"})
_OBLIGING = frozenset(
    {
        "require",
        "oblige",
        "obligate",
        "agree",
        "have",
        "need",
        "undertake",
        "covenant",
        "bind",
        "promise",
    }
)
_PERMITTING = frozenset({"permit", "allow", "entitle", "authorize", "authorise"})
_INTENDING = frozenset(
    "want plan intend try attempt expect seek hope wish propose seem appear threaten offer prepare "
    "aim desire consider like vow say believe think allege report".split()
)
_OBJECT_CONTROL = frozenset(
    "ask allow require permit order tell persuade force appoint expect want cause enable help urge "
    "invite encourage entitle authorize authorise instruct direct advise elect let make lead name".split()
)
_IF = frozenset({"if", "unless", "provided", "providing", "should", "whether"})
_DOUBT = frozenset(
    "allegedly reportedly possibly perhaps maybe supposedly probably apparently purportedly".split()
)
_NEGATIVE = frozenset(
    "never no not n't n’t nt neither nor hardly scarcely nobody none nothing without".split()
)
_NAMING = frozenset(
    "elect name appoint call crown declare make designate nominate dub entitle title vote choose select".split()
)
#: Verbs whose `to` and `from` phrases belong to them, wherever the parser hangs them.
_TRANSFER = frozenset(
    "give grant lease sell pay license licence assign transfer award deliver lend rent sublease sublet "
    "convey send offer provide issue hand donate supply owe bring show refund return distribute".split()
)
_MODALS = {
    "shall": Modality.OBLIGATION,
    "must": Modality.OBLIGATION,
    "should": Modality.OBLIGATION,
    "ought": Modality.OBLIGATION,
    "may": Modality.PERMISSION,
    "can": Modality.PERMISSION,
    "might": Modality.POSSIBILITY,
    "could": Modality.POSSIBILITY,
    "would": Modality.POSSIBILITY,
}


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a predicate; `role` is object, to, be, prep, agent, clause or adverb."""

    role: str
    token: Token
    preposition: str = ""
    place: int = -1  # the word of the preposition


@dataclass(frozen=True, slots=True)
class Clause:
    """A predicate with its arguments; `words` are the words of the verb group."""

    verb: Token
    lemma: str
    words: tuple[int, ...]
    subjects: tuple[Token, ...]
    arguments: tuple[Argument, ...]
    passive: bool = False
    polarity: Polarity = "positive"
    modality: Modality = Modality.ASSERTED
    attribution: str | None = None
    implied: bool = False  # the subject is not written beside the verb


@dataclass(slots=True)
class _State:
    """What has been settled of the verbs of one passage."""

    subjects: dict[int, tuple[tuple[Token, ...], bool]]
    moods: dict[int, tuple[Polarity, Modality, str | None]]


def clauses(doc: Doc) -> Iterator[Clause]:
    """Yield the clauses of a passage in the order of their verbs."""
    state = _State({}, {})
    for token in doc:
        if _predicative(token):
            yield from _clause(token, state)


def _predicative(token: Token) -> bool:
    if token.pos_ not in {"VERB", "AUX"} or token.dep_ in {
        "aux",
        "auxpass",
        "amod",
        "compound",
        "prt",
        "case",
        "det",
    }:
        return False
    return token.tag_ != "MD" or any(c.dep_ in SUBJECTS for c in token.children)


def _clause(token: Token, state: _State) -> Iterator[Clause]:
    subjects, implied = _subjects(token, state, 0)
    passive = _passive(token)
    arguments = tuple(_arguments(token, passive))
    polarity, modality, attribution = _mood(token, state, 0)
    if any(_negated(s) for s in subjects) or any(
        _negated(a.token) for a in arguments if a.role in {"object", "be"}
    ):
        polarity = _flip(polarity)
    lemma = _lemma(token)
    clause = Clause(
        token,
        lemma,
        _group(token),
        subjects,
        arguments,
        passive,
        polarity,
        modality,
        attribution,
        implied,
    )
    yield clause


def _lemma(token: Token) -> str:
    lemma = token.lemma_.lower() or token.lower_
    if lemma in {"'s", "’s", "'re", "’re", "'m", "’m"} or token.lower_ in {
        "is",
        "are",
        "was",
        "were",
        "been",
    }:
        lemma = "be"
    if token.lower_ == "born":
        lemma = "born"
    particles = [c.lower_ for c in token.children if c.dep_ == "prt" and c.i > token.i]
    return " ".join([lemma, *particles])


def _group(token: Token) -> tuple[int, ...]:
    """The verb group: auxiliaries, negation, adverbs between them, the verb and its particles."""
    keep = {token.i}
    for child in token.children:
        if child.dep_ in {"aux", "auxpass", "neg", "prt"}:
            keep.add(child.i)
        elif child.dep_ == "advmod" and abs(child.i - token.i) <= 2 and child.i < token.i:
            if any(c.dep_ in {"aux", "auxpass"} and c.i < child.i for c in token.children):
                keep.add(child.i)
    return tuple(sorted(keep))


def _passive(token: Token) -> bool:
    if any(c.dep_ in {"auxpass", "agent"} for c in token.children):
        return True
    if token.tag_ == "VBN" and any(c.dep_ in {"nsubjpass", "csubjpass"} for c in token.children):
        return True
    if token.tag_ != "VBN":
        return False
    if token.dep_ in {"acl", "advcl"}:
        return not any(c.dep_ in {"aux", "dobj"} for c in token.children)
    if token.dep_ == "conj" and not any(c.dep_ in SUBJECTS | {"aux"} for c in token.children):
        return token.head.pos_ in {"VERB", "AUX"} and _passive(token.head)
    return False


# --- subjects ---------------------------------------------------------------------------------


def _subjects(token: Token, state: _State, depth: int) -> tuple[tuple[Token, ...], bool]:
    known = state.subjects.get(token.i)
    if known is None:
        state.subjects[token.i] = ((), True)
        known = state.subjects[token.i] = _find_subjects(token, state, depth)
    return known


def _find_subjects(token: Token, state: _State, depth: int) -> tuple[tuple[Token, ...], bool]:
    own = [c for c in token.children if c.dep_ in SUBJECTS and c.dep_ != "expl"]
    if own:
        out: list[Token] = []
        for subject in own[:1]:
            if subject.tag_ in {"WDT", "WP"} or (
                subject.lower_ == "that" and token.dep_ == "relcl"
            ):
                antecedent = _antecedent(token) or _nearest(subject)
                if antecedent is not None:
                    return tuple(conjuncts(antecedent)) if _last_of(antecedent, token) else (
                        antecedent,
                    ), True
            out += conjuncts(subject)
        return tuple(out), False
    if any(c.dep_ == "expl" for c in token.children):
        return (), False
    if depth > 12:
        return (), True
    head = token.head
    match token.dep_:
        case "conj" if head.pos_ in {"VERB", "AUX"}:
            if any(c.dep_ == "mark" for c in token.children):
                return (), True
            return _subjects(head, state, depth + 1)[0], True
        case "xcomp":
            if head.pos_ not in {"VERB", "AUX", "ADJ"}:
                return (), True
            verb = head
            objects = [
                c for c in verb.children if c.dep_ in {"dobj", "dative"} and c.pos_ in NOMINAL
            ]
            if objects and (_lemma(verb) in _OBJECT_CONTROL or token.tag_ == "VBG"):
                return tuple(conjuncts(objects[0])), True
            if verb.pos_ == "ADJ" and verb.dep_ == "acomp":
                verb = verb.head
            return _subjects(verb, state, depth + 1)[0], True
        case "ccomp" if not any(c.dep_ == "mark" for c in token.children) and token.tag_ in {
            "VB",
            "VBG",
        }:
            objects = [c for c in head.children if c.dep_ in {"dobj"} and c.pos_ in NOMINAL]
            return (tuple(conjuncts(objects[0])), True) if objects else ((), True)
        case "advcl" if head.pos_ in {"VERB", "AUX"}:
            if (
                any(c.dep_ == "mark" and c.lower_ in _IF for c in token.children)
                and token.tag_ != "VBN"
            ):
                return (), True
            return _subjects(head, state, depth + 1)[0], True
        case "pcomp":
            verb = head.head
            if verb.pos_ == "ADJ":
                verb = verb.head
            if verb.pos_ in {"VERB", "AUX"}:
                return _subjects(verb, state, depth + 1)[0], True
            return (), True
        case "acl" | "relcl":
            if head.pos_ in NOMINAL and (
                token.tag_ in {"VBN", "VBG", "VBD"} and token.dep_ == "acl"
            ):
                return (head,), True
            return (), True
        case _:
            return (), True


def _antecedent(verb: Token) -> Token | None:
    """The noun a relative clause modifies; of `X be the Y that` it is Y."""
    seen = 0
    while verb.dep_ == "conj" and seen < 5:
        verb, seen = verb.head, seen + 1
    return verb.head if verb.dep_ in {"relcl", "acl"} and verb.head.pos_ in NOMINAL else None


def _nearest(pronoun: Token) -> Token | None:
    """The noun right before a relative pronoun whose clause hangs elsewhere."""
    for i in range(pronoun.i - 1, max(-1, pronoun.i - 4), -1):
        token = pronoun.doc[i]
        if token.pos_ in {"NOUN", "PROPN"} and pronoun.tag_ == "WDT":
            return token
        if not token.is_punct and token.pos_ != "ADP":
            return None
    return None


def _last_of(noun: Token, verb: Token) -> bool:
    """Only a noun's own clause; conjuncts that stand before the relative share it."""
    return any(
        c.dep_ == "conj" and c.i < verb.left_edge.i for c in noun.children
    ) and verb.tag_ in {"VBP"}


# --- arguments --------------------------------------------------------------------------------


def _arguments(verb: Token, passive: bool) -> Iterator[Argument]:
    nominal = any(c.dep_ in {"dobj", "attr"} for c in verb.children)
    naming = passive and _lemma(verb) in _NAMING
    for child in verb.children:
        for argument in _argument(verb, child, passive):
            named = naming and argument.role == "object"
            yield replace(argument, role="be") if named else argument
    if _lemma(verb) in _TRANSFER:
        yield from _misplaced(verb)
    if verb.dep_ == "relcl" and not nominal and not passive:
        # "the house John bought": the gap is the object
        own = [c for c in verb.children if c.dep_ in SUBJECTS]
        relative = [c for c in own if c.tag_ in {"WDT", "WP"} or c.lower_ == "that"]
        stranded = any(c.dep_ == "prep" and not list(c.children) for c in verb.children)
        fronted = any(
            c.tag_ in {"WRB"}
            or (c.dep_ == "prep"
            and c.i < verb.i
            and any(g.tag_ in {"WDT", "WP"} for g in c.children))
            for c in verb.children
        )
        if own and not relative and not stranded and not fronted and verb.head.pos_ in NOMINAL:
            if verb.head.lower_ not in {"time", "day", "year", "way", "reason", "place", "moment"}:
                yield Argument("object", verb.head)


def misplaced(prep: Token) -> bool:
    """Whether the parser hung on the object a phrase that is the verb's: `pay $5 to Ann`."""
    if prep.lower_ not in {"to", "from"} or prep.dep_ != "prep":
        return False
    head, steps = prep.head, 0
    while head.pos_ in NOMINAL and head.dep_ in {"dobj", "pobj", "prep", "nsubjpass"} and steps < 6:
        head, steps = head.head, steps + 1
        if head.pos_ == "ADP":
            head = head.head
    return steps > 0 and head.pos_ == "VERB" and _lemma(head) in _TRANSFER and prep.i > head.i


def _misplaced(verb: Token) -> Iterator[Argument]:
    for child in verb.children:
        if child.dep_ == "dobj" and child.i > verb.i:
            for prep in child.subtree:
                if misplaced(prep) and prep.head.i != verb.i:
                    for inner in prep.children:
                        if inner.dep_ == "pobj":
                            for token in conjuncts(inner):
                                yield Argument("prep", token, prep.lower_, prep.i)


def _argument(verb: Token, child: Token, passive: bool) -> Iterator[Argument]:
    match child.dep_:
        case "dobj" | "oprd":
            for token in _resolved(verb, child):
                yield Argument("object" if child.dep_ == "dobj" else "be", token)
        case "dative" if child.tag_ in {"IN", "TO"}:
            for inner in child.children:
                if inner.dep_ == "pobj":
                    for token in _resolved(verb, inner):
                        yield Argument("prep", token, child.lower_, child.i)
        case "dative":
            for token in _resolved(verb, child):
                yield Argument("to", token)
        case "attr" | "acomp":
            if child.pos_ in {"VERB", "AUX"} and child.dep_ == "attr":
                return
            for token in conjuncts(child):
                yield Argument("be", token)
        case "agent":
            for inner in child.children:
                if inner.dep_ == "pobj":
                    for token in _resolved(verb, inner):
                        yield Argument("agent", token, child.lower_, child.i)
        case "prep":
            yield from _prepositional(verb, child, passive)
        case "npadvmod" | "tmod" | "nmod":
            for token in conjuncts(child):
                yield Argument("time", token)
        case "ccomp" | "xcomp":
            yield Argument("clause", child)
        case "advmod" if child.lower_ not in _NEGATIVE:
            yield Argument("adverb", child)


def _prepositional(verb: Token, prep: Token, passive: bool, before: str = "") -> Iterator[Argument]:
    name = " ".join(filter(None, [before, prep.lower_]))
    if len(name.split()) > 3:
        return
    for inner in prep.children:
        if inner.dep_ == "pobj":
            role = "agent" if passive and name == "by" else "prep"
            for token in _resolved(verb, inner):
                yield Argument(role, token, name, prep.i)
        elif inner.dep_ in {"prep"}:
            yield from _prepositional(verb, inner, passive, name)
        elif inner.dep_ == "conj" and inner.pos_ in {"ADP", "SCONJ"}:
            yield from _prepositional(verb, inner, passive, before)
        elif inner.dep_ == "pcomp":
            yield Argument("clause", inner, name, prep.i)


def _resolved(verb: Token, token: Token) -> list[Token]:
    """The conjuncts of an argument; a relative pronoun is its antecedent."""
    if token.tag_ in {"WDT", "WP"}:
        noun = _antecedent(verb)
        return [noun] if noun is not None else []
    return conjuncts(token)


# --- polarity, modality, attribution ----------------------------------------------------------


def _negated(token: Token) -> bool:
    if token.lower_ in {"nobody", "nothing", "none", "neither"} or (
        token.lower_ == "no" and token.i + 1 < len(token.doc) and token.nbor().lower_ == "one"
    ):
        return True
    return any(
        (
            c.dep_ in {"det", "neg", "preconj", "cc"}
            and c.lower_ in {"no", "neither", "not"}
            and c.i < token.i
        )
        for c in token.children
    )


def _flip(polarity: Polarity) -> Polarity:
    return "negative" if polarity == "positive" else "positive"


def _mood(token: Token, state: _State, depth: int) -> tuple[Polarity, Modality, str | None]:
    known = state.moods.get(token.i)
    if known is None:
        state.moods[token.i] = ("positive", Modality.ASSERTED, None)
        known = state.moods[token.i] = _find_mood(token, state, depth)
    return known


def _find_mood(token: Token, state: _State, depth: int) -> tuple[Polarity, Modality, str | None]:
    polarity: Polarity = "positive"
    modality = Modality.ASSERTED
    attribution: str | None = None
    children = list(token.children)
    for child in children:
        low = child.lower_
        if child.dep_ == "neg" or (child.dep_ in {"advmod", "preconj", "cc"} and low in _NEGATIVE):
            follows = child.i + 1 < len(token.doc) and child.nbor().lower_ == "only"
            if not follows and (child.dep_ != "cc" or child.i < token.i):
                polarity = "negative"
        elif (
            child.dep_ == "advmod"
            and low == "longer"
            and any(g.lower_ == "no" for g in child.children)
        ):
            polarity = "negative"
        elif child.dep_ == "advmod" and low in _DOUBT:
            modality = Modality.POSSIBILITY
        elif child.dep_ == "aux":
            modality = _MODALS.get(low, modality)
        elif child.dep_ == "mark" and low in _IF and token.dep_ == "advcl":
            modality = Modality.CONDITION
        elif child.dep_ == "prep" and low == "according":
            attribution = _source_of(child) or attribution
        elif child.dep_ in {"parataxis", "ccomp", "dep"} and _says(child) and _brief(child):
            attribution = _speaker(child) or attribution
    if modality is Modality.ASSERTED and any(
        c.dep_ == "advcl"
        and any(m.dep_ == "mark" and m.lower_ in {"if", "unless"} for m in c.children)
        for c in children
    ):
        modality = Modality.CONDITION
    if depth > 12:
        return polarity, modality, attribution
    return _inherited(token, polarity, modality, attribution, state, depth)


def _inherited(
    token: Token,
    polarity: Polarity,
    modality: Modality,
    attribution: str | None,
    state: _State,
    depth: int,
) -> tuple[Polarity, Modality, str | None]:
    """What the governing verb does to a clause: fail to, require to, say that, deny that."""
    head = token.head
    plain = modality is Modality.ASSERTED
    verbal = head.pos_ in {"VERB", "AUX"}
    match token.dep_:
        case "xcomp" | "ccomp" if verbal or head.pos_ == "ADJ":
            verb = head.head if head.pos_ == "ADJ" and head.dep_ == "acomp" else head
            up, above, said = _mood(verb, state, depth + 1)
            lemma = _lemma(head)
            if lemma in _FAILING:
                polarity = _flip(polarity) if up == "positive" else polarity
            elif lemma in _DENYING or (up == "negative" and (token.dep_ == "xcomp" or lemma not in SAYING)):
                polarity = _flip(polarity)
            attribution = attribution or said
            if token.dep_ == "ccomp" and lemma in SAYING:
                attribution = _speaker(head) or attribution
            if plain:
                modality = _lexical(head, lemma, above, token.dep_)
            elif lemma in SAYING and any(
                c.dep_ == "aux" and c.lower_ == "would" for c in token.children
            ):
                modality = Modality.ASSERTED  # "said it would rise": will, seen from the past
        case "conj" if verbal:
            up, above, said = _mood(head, state, depth + 1)
            own_subject = any(c.dep_ in SUBJECTS for c in token.children)
            attribution = attribution or said
            if (
                plain
                and not own_subject
                and not any(c.dep_ == "aux" and c.tag_ == "MD" for c in token.children)
            ):
                modality = above
            joined = [c.lower_ for c in head.children if c.dep_ == "cc"]
            if not own_subject and up == "negative" and not {"but"} & set(joined):
                if not any(c.dep_ in {"aux", "auxpass"} for c in token.children) or "nor" in joined:
                    polarity = "negative"
            if "nor" in joined:
                polarity = "negative"
        case "pcomp":
            if head.lower_ in {"without", "from"} and (
                head.lower_ == "without"
                or _lemma(head.head)
                in {"prohibit", "prevent", "bar", "refrain", "restrict", "ban", "stop", "abstain"}
            ):
                polarity = _flip(polarity)
        case "acl" if token.tag_ == "VB" and plain:
            noun = head.lower_
            if noun in {
                "right",
                "option",
                "permission",
                "authority",
                "license",
                "entitlement",
                "power",
            }:
                modality = Modality.PERMISSION
            elif noun in {"obligation", "duty", "requirement"}:
                modality = Modality.OBLIGATION
            else:
                modality = Modality.POSSIBILITY
        case _:
            pass
    return polarity, modality, attribution


def _lexical(head: Token, lemma: str, above: Modality, dep: str) -> Modality:
    if dep == "xcomp":
        if lemma in _OBLIGING:
            return Modality.OBLIGATION
        if lemma in _PERMITTING or lemma in {"able", "free", "eligible"}:
            return Modality.PERMISSION
        if lemma in _INTENDING or lemma in {"likely", "willing"}:
            return Modality.POSSIBILITY
        return above
    if lemma in {"allege", "suspect", "speculate", "suggest"}:
        return Modality.POSSIBILITY
    return Modality.ASSERTED


def _says(token: Token) -> bool:
    return token.lemma_.lower() in SAYING and token.pos_ in {"VERB", "AUX"}


def _brief(token: Token) -> bool:
    """An inserted `he said`, not a clause with content of its own."""
    return not any(c.dep_ in {"ccomp", "dobj", "xcomp", "mark"} for c in token.children)


def _speaker(token: Token) -> str | None:
    for child in token.children:
        if child.dep_ == "nsubj" and child.tag_ not in {"WDT", "WP"}:
            return _text(child)
    return None


def _source_of(prep: Token) -> str | None:
    for child in prep.children:
        if child.dep_ == "pobj":
            return _text(child)
        if child.dep_ == "prep":
            return _source_of(child)
    return None


def _text(token: Token) -> str:
    start, end = token.left_edge.i, token.i + 1
    return str(token.doc[start:end].text)


def with_subjects(clause: Clause, subjects: tuple[Token, ...]) -> Clause:
    """Return the clause said of other subjects."""
    return replace(clause, subjects=subjects)
