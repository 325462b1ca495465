"""Moods: polarity, modality and attribution of a clause, with what its governors do to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING
from typing import Literal as OneOf

from groundrules.claims.english import (
    BE,
    COMING,
    DENYING,
    DOUBT,
    FAILING,
    IF,
    IMPENDING,
    INTENDING,
    NEARLY,
    NEGATIVE,
    OBLIGING,
    PERMITTING,
    SAYING,
    words,
)
from groundrules.claims.english.signals import MODALITIES
from groundrules.terms import Modality, Polarity, Span

if TYPE_CHECKING:
    from spacy.tokens import Span as Words
    from spacy.tokens import Token

SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass", "expl"})
#: Words that stand beside a verb, deny it and do nothing else.
_BESIDE = frozenset({"not", "n't", "n’t", "never"})
_UNSURE = frozenset("likely presumably seemingly believed thought claimed rumoured rumored".split())
_BEING = BE - {"be", "being"}
_PERMISSIONS, _OBLIGATIONS = words("permissions"), words("obligations")
_PREVENTING = words("preventing")
#: Verbs under which what they govern is denied or open.
TURNING = DENYING | FAILING | INTENDING
Kind = OneOf["denial", "negation", "opening", "condition"]


@dataclass(frozen=True, slots=True)
class Turn:
    """Words that keep a clause from being plainly asserted, with their place.

    A `denial` denies the verb: "did not", "no longer"; a `negation` another word; an `opening`
    leaves open whether it is so: "will", "almost", "refused to"; a `condition` makes it one.
    """

    place: Span
    kind: Kind


#: What has been settled of the verbs of one passage, by the place of the verb.
Settled = dict[int, tuple[Polarity, Modality, str | None]]


def lemma_of(token: Token) -> str:
    """Return the lemma of a verb with its particles: `set up`; `born` stays `born`."""
    lemma = token.lemma_.lower() or token.lower_
    if lemma in {"'s", "’s", "'re", "’re", "'m", "’m"} or token.lower_ in _BEING:
        lemma = "be"
    if token.lower_ == "born":
        lemma = "born"
    particles = [c.lower_ for c in token.children if c.dep_ == "prt" and c.i > token.i]
    return " ".join([lemma, *particles])


def negated(token: Token) -> bool:
    """Return whether a noun phrase is negative: `no tenant`, `nobody`, `neither`."""
    if token.lower_ in {"nobody", "nothing", "none", "neither"} or (
        token.lower_ == "no" and token.i + 1 < len(token.doc) and token.nbor().lower_ == "one"
    ):
        return True
    return any(
        (
            c.dep_ in {"det", "neg", "preconj", "cc"}
            and c.lower_ in {"no", "neither", "not", "never"}
            and c.i < token.i
        )
        for c in token.children
    )


def flip(polarity: Polarity) -> Polarity:
    """Return the other polarity."""
    return "negative" if polarity == "positive" else "positive"


def mood(token: Token, settled: Settled, depth: int) -> tuple[Polarity, Modality, str | None]:
    """Return polarity, modality and attribution of the clause a verb heads."""
    known = settled.get(token.i)
    if known is None:
        settled[token.i] = ("positive", Modality.ASSERTED, None)
        known = settled[token.i] = _find_mood(token, settled, depth)
    return known


def _find_mood(token: Token, settled: Settled, depth: int) -> tuple[Polarity, Modality, str | None]:
    polarity: Polarity = "positive"
    modality = Modality.ASSERTED
    attribution: str | None = None
    # "was never, ever born": a word may hang on the verb or on its auxiliary
    children = [*token.children]
    children += [c for aux in children if aux.dep_ in {"aux", "auxpass"} for c in aux.children]
    for child in children:
        low = child.lower_
        if _is_denial(child) or (
            child.dep_ == "acomp" and any(_is_no_longer(c) for c in child.children)
        ):
            polarity = "negative"
        elif child.dep_ == "advmod" and low in DOUBT:
            modality = Modality.POSSIBILITY
        elif child.dep_ == "advmod" and low in {"almost", "nearly"}:
            modality = Modality.POSSIBILITY if modality is Modality.ASSERTED else modality
        elif child.dep_ == "aux":
            modality = MODALITIES.get(low, modality)
        elif child.dep_ == "mark" and low in IF and token.dep_ == "advcl":
            modality = Modality.CONDITION
        elif child.dep_ == "prep" and low == "according":
            attribution = _source_of(child) or attribution
        elif child.dep_ in {"parataxis", "ccomp", "dep"} and _is_inserted(child):
            attribution = _speaker(child) or attribution
    if modality is Modality.ASSERTED and any(
        c.dep_ == "advcl"
        and any(m.dep_ == "mark" and m.lower_ in {"if", "unless"} for m in c.children)
        for c in children
    ):
        modality = Modality.CONDITION
    if modality is Modality.ASSERTED and _is_unreal(token):
        modality = Modality.CONDITION
    if depth > 12:
        return polarity, modality, attribution
    polarity, modality, attribution = _inherited(
        token, polarity, modality, attribution, settled, depth
    )
    if modality in {Modality.ASSERTED, Modality.OBLIGATION} and _is_alternative(token):
        modality = Modality.POSSIBILITY
    return polarity, modality, attribution


def _is_alternative(verb: Token) -> bool:
    """Return whether an "either" leaves open which is done: "shall either accept or refuse"."""
    joined = [verb, *(c for c in verb.head.children if c.dep_ == "conj" and c.i < verb.i)]
    if verb.dep_ == "conj":
        joined.append(verb.head)
    return any(c.lower_ == "either" and c.dep_ == "preconj" for t in joined for c in t.children)


def _inherited(
    token: Token,
    polarity: Polarity,
    modality: Modality,
    attribution: str | None,
    settled: Settled,
    depth: int,
) -> tuple[Polarity, Modality, str | None]:
    """Give what the governing verb does to a clause: fail to, require to, say that, deny that."""
    head = token.head
    plain = modality is Modality.ASSERTED
    verbal = head.pos_ in {"VERB", "AUX"}
    match token.dep_:
        case "xcomp" | "ccomp" if verbal or head.pos_ == "ADJ":
            verb = head.head if head.pos_ == "ADJ" and head.dep_ == "acomp" else head
            up, above, said = mood(verb, settled, depth + 1)
            lemma = lemma_of(head)
            if lemma in FAILING:
                polarity = flip(polarity) if up == "positive" else polarity
            elif lemma in DENYING or (
                up == "negative" and (token.dep_ == "xcomp" or lemma not in SAYING)
            ):
                polarity = flip(polarity)
            attribution = attribution or said
            if token.dep_ == "ccomp" and (lemma in SAYING or _has_it(head)):
                attribution = _speaker(head) or attribution
            if plain:
                modality = _lexical(head, lemma, above, token.dep_)
            elif lemma in SAYING and any(
                c.dep_ == "aux" and c.lower_ == "would" for c in token.children
            ):
                modality = Modality.ASSERTED  # "said it would rise": will, seen from the past
        case "acomp" if verbal and lemma_of(head) == "be":
            polarity, above, said = mood(head, settled, depth + 1)  # "is no longer based in"
            modality = above if plain else modality
            attribution = attribution or said
        case "conj" if verbal:
            up, above, said = mood(head, settled, depth + 1)
            own_subject = any(c.dep_ in SUBJECTS for c in token.children)
            attribution = attribution or said
            if (
                plain
                and not own_subject
                and not any(c.dep_ == "aux" and c.tag_ == "MD" for c in token.children)
            ):
                modality = above
            joined = [c.lower_ for c in head.children if c.dep_ == "cc"]
            shared = not own_subject and up == "negative" and "but" not in joined
            if shared and not any(c.dep_ in {"aux", "auxpass"} for c in token.children):
                polarity = "negative"
            if "nor" in joined:
                polarity = "negative"
        case "pcomp":
            if head.lower_ in {"without", "from"} and (
                head.lower_ == "without" or lemma_of(head.head) in _PREVENTING
            ):
                polarity = flip(polarity)
        case "acl" if token.tag_ == "VB" and plain:
            noun = head.lower_
            if noun in _PERMISSIONS:
                modality = Modality.PERMISSION
            elif noun in _OBLIGATIONS:
                modality = Modality.OBLIGATION
            else:
                modality = Modality.POSSIBILITY
        case _:
            pass
    return polarity, modality, attribution


def _lexical(head: Token, lemma: str, above: Modality, dep: str) -> Modality:
    if dep == "xcomp":
        if lemma in OBLIGING:
            return Modality.OBLIGATION
        if lemma in PERMITTING or lemma in {"able", "free", "eligible"}:
            return Modality.PERMISSION
        if lemma in INTENDING or lemma in {"likely", "willing"} or _is_before(head, IMPENDING):
            return Modality.POSSIBILITY
        return above
    if lemma in {"allege", "suspect", "speculate", "suggest"}:
        return Modality.POSSIBILITY
    return Modality.ASSERTED


def _is_denial(token: Token) -> bool:
    """Return whether a word denies the verb it hangs on; "not only" does not."""
    if token.dep_ == "neg" or (token.dep_ in {"advmod", "preconj", "cc"}
                               and token.lower_ in NEGATIVE):  # fmt: skip
        follows = token.i + 1 < len(token.doc) and token.nbor().lower_ == "only"
        return not follows and (token.dep_ != "cc" or token.i < token.head.i)
    return _is_no_longer(token)


def _is_no_longer(token: Token) -> bool:
    if token.dep_ != "advmod" or token.lower_ != "longer" or not token.i:
        return False
    before: str = token.nbor(-1).lower_
    return before == "no"


def _is_before(head: Token, verbs: frozenset[str]) -> bool:
    """Return whether what a word governs was still to come: "was about to", "was supposed to"."""
    lemma = head.lower_ if head.pos_ == "ADJ" else lemma_of(head)
    passive = any(c.dep_ in {"aux", "auxpass"} and lemma_of(c) == "be" for c in head.children)
    return lemma in verbs and (head.pos_ != "VERB" or passive or lemma in {"aspire", "promise"})


def _is_unreal(verb: Token) -> bool:
    """Return whether a clause says what would be: "Had she been born in Rome", "Were it so"."""
    own = [verb, *verb.children, *([verb.head] if verb.dep_ == "ccomp" else [])]
    return any(_inverted(token) for token in own)


def _inverted(token: Token) -> bool:
    if token.lower_ not in {"had", "were"} or not (
        token.is_sent_start or token.nbor(-1).text == ","
    ):
        return False
    if not any(word.lower_ in {"would", "could", "might"} for word in token.sent):
        return False
    rest = token.sent[token.i - token.sent.start + 1 :][:6]
    near = (token, token.head, *token.children)
    return any(word.dep_ in SUBJECTS and word.head in near for word in rest)


# --- turns ------------------------------------------------------------------------------------


def turns(sentence: Words) -> Iterator[tuple[int, int, Kind]]:
    """Yield what turns a sentence: the half-open range of its words in the passage, its kind."""
    for token in sentence:
        low = token.lower_
        if low in {"if", "unless", "whether"} or _inverted(token) or _is_supposing(token):
            yield token.i, token.i + 1, "condition"
        elif token.tag_ == "MD" or low in DOUBT or low in NEARLY or low in _UNSURE:
            yield token.i, token.i + 1, "opening"
        elif _is_no_longer(token):
            yield token.i - 1, token.i + 1, "denial"
        elif low in NEGATIVE or token.dep_ == "neg" or low == "neither":
            if token.i + 1 < len(token.doc) and _is_no_longer(token.nbor()):
                continue
            verbal = token.head.pos_ in {"VERB", "AUX"} and _is_denial(token)
            if not verbal or low not in _BESIDE:
                yield token.i, token.i + 1, "negation"
                continue
            before = token.doc[token.i - 1] if token.i else token
            does = before.dep_ == "aux" and lemma_of(before) == "do"
            yield token.i - does, token.i + 1, "denial"
        elif _governs(token):
            yield token.i, token.i + 1, "opening"


def _is_supposing(token: Token) -> bool:
    if token.lower_ not in {"provided", "providing", "assuming", "supposing", "suppose"}:
        return False
    following = token.doc[token.i + 1].lower_ if token.i + 1 < len(token.doc) else ""
    return token.dep_ == "mark" or following == "that" or token.lower_ == "suppose"


def _governs(token: Token) -> bool:
    """Return whether a word leaves open what it governs: "refused to", "about to", "seems"."""
    if lemma_of(token) in {"seem", "appear"}:
        return True
    open_ = lemma_of(token) in FAILING | INTENDING or _is_before(token, IMPENDING | COMING)
    return open_ and any(
        c.dep_ in {"xcomp", "acomp", "ccomp"} and any(g.tag_ == "TO" for g in c.children)
        for c in token.children
    )


def _has_it(verb: Token) -> bool:
    """Return whether a verb tells what somebody says: `rumour has it`."""
    return verb.lemma_.lower() == "have" and any(
        c.dep_ == "dobj" and c.lower_ == "it" for c in verb.children
    )


def _is_inserted(token: Token) -> bool:
    """Give an inserted `he said`, not a clause with content of its own."""
    said = token.lemma_.lower() in SAYING and token.pos_ in {"VERB", "AUX"}
    return said and not any(c.dep_ in {"ccomp", "dobj", "xcomp", "mark"} for c in token.children)


def _speaker(token: Token) -> str | None:
    for child in token.children:
        if child.dep_ == "nsubj" and child.tag_ not in {"WDT", "WP"}:
            return _text(child)
    return None


def _source_of(prep: Token) -> str | None:
    under: Token | None = prep
    while under is not None:
        found = next((c for c in under.children if c.dep_ in {"pobj", "prep"}), None)
        if found is not None and found.dep_ == "pobj":
            return _text(found)
        under = found
    return None


def _text(token: Token) -> str:
    start, end = token.left_edge.i, token.i + 1
    return str(token.doc[start:end].text)
