"""Moods: polarity, modality and attribution of a clause, with what its governors do to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundrules.claims.english import (
    DENYING,
    DOUBT,
    FAILING,
    IF,
    INTENDING,
    NOBODY,
    NOT,
    OBLIGING,
    PERMITTING,
    SAYING,
)
from groundrules.terms import Modality, Polarity

if TYPE_CHECKING:
    from spacy.tokens import Token

SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass", "expl"})
#: Verbs under which what they govern is denied or open.
TURNING = DENYING | FAILING | INTENDING
NEGATIVE = NOT | NOBODY | {"no", "nt", "hardly", "scarcely", "without"}
_MODALS = {
    "shall": Modality.OBLIGATION,
    "must": Modality.OBLIGATION,
    "should": Modality.OBLIGATION,
    "ought": Modality.OBLIGATION,
    "may": Modality.PERMISSION,
    "can": Modality.PERMISSION,
    "ca": Modality.PERMISSION,  # of "can't"
    "might": Modality.POSSIBILITY,
    "could": Modality.POSSIBILITY,
    "would": Modality.POSSIBILITY,
}

#: What has been settled of the verbs of one passage, by the place of the verb.
Settled = dict[int, tuple[Polarity, Modality, str | None]]


def lemma_of(token: Token) -> str:
    """Return the lemma of a verb with its particles: `set up`; `born` stays `born`."""
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


def negated(token: Token) -> bool:
    """Return whether a noun phrase is negative: `no tenant`, `nobody`, `neither`."""
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
    children = list(token.children)
    for child in children:
        low = child.lower_
        if child.dep_ == "neg" or (child.dep_ in {"advmod", "preconj", "cc"} and low in NEGATIVE):
            follows = child.i + 1 < len(token.doc) and child.nbor().lower_ == "only"
            if not follows and (child.dep_ != "cc" or child.i < token.i):
                polarity = "negative"
        elif (
            child.dep_ == "advmod"
            and low == "longer"
            and any(g.lower_ == "no" for g in child.children)
        ):
            polarity = "negative"
        elif child.dep_ == "advmod" and low in DOUBT:
            modality = Modality.POSSIBILITY
        elif child.dep_ == "aux":
            modality = _MODALS.get(low, modality)
        elif child.dep_ == "mark" and low in IF and token.dep_ == "advcl":
            modality = Modality.CONDITION
        elif child.dep_ == "prep" and low == "according":
            attribution = _source_of(child) or attribution
        elif child.dep_ in {"parataxis", "ccomp", "dep"} and _is_saying(child) and _brief(child):
            attribution = _speaker(child) or attribution
    if modality is Modality.ASSERTED and any(
        c.dep_ == "advcl"
        and any(m.dep_ == "mark" and m.lower_ in {"if", "unless"} for m in c.children)
        for c in children
    ):
        modality = Modality.CONDITION
    if depth > 12:
        return polarity, modality, attribution
    return _inherited(token, polarity, modality, attribution, settled, depth)


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
            if token.dep_ == "ccomp" and lemma in SAYING:
                attribution = _speaker(head) or attribution
            if plain:
                modality = _lexical(head, lemma, above, token.dep_)
            elif lemma in SAYING and any(
                c.dep_ == "aux" and c.lower_ == "would" for c in token.children
            ):
                modality = Modality.ASSERTED  # "said it would rise": will, seen from the past
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
                head.lower_ == "without"
                or lemma_of(head.head)
                in {"prohibit", "prevent", "bar", "refrain", "restrict", "ban", "stop", "abstain"}
            ):
                polarity = flip(polarity)
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
        if lemma in OBLIGING:
            return Modality.OBLIGATION
        if lemma in PERMITTING or lemma in {"able", "free", "eligible"}:
            return Modality.PERMISSION
        if lemma in INTENDING or lemma in {"likely", "willing"}:
            return Modality.POSSIBILITY
        return above
    if lemma in {"allege", "suspect", "speculate", "suggest"}:
        return Modality.POSSIBILITY
    return Modality.ASSERTED


def _is_saying(token: Token) -> bool:
    return token.lemma_.lower() in SAYING and token.pos_ in {"VERB", "AUX"}


def _brief(token: Token) -> bool:
    """Give an inserted `he said`, not a clause with content of its own."""
    return not any(c.dep_ in {"ccomp", "dobj", "xcomp", "mark"} for c in token.children)


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
