"""Who holds what only one can hold: "the capital of France is Rome", "Acme's chair, Jane Roe".

A definite singular description tells of one thing. Where a passage has the same description, of the
same owner, and names another holder, one of the two is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from groundrules.align.limits import HOLDERS, HOLDERS_PAST
from groundrules.align.surroundings import Candidate, Evidence, Pair, judge
from groundrules.align.wordalign import Text
from groundrules.claims.english import (
    FELLOWS,
    PLACES,
)

__all__ = ["Holding", "holdings", "other_holders"]

_NOUNS = frozenset({"NN", "NNP"})
_NAMED = frozenset({"NOUN", "PROPN"})
_CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM"})
#: Nouns that only say what kind of thing the holder is: "capital city", "host country".
_KINDS = frozenset({"city", "town", "country", "nation", "person"})
_HYPHENS = frozenset({"-", "\u2010", "\u2011"})
_BEING = frozenset({"be", "remain"})
_STATED = frozenset({"ROOT", "conj", "relcl", "parataxis"})
_PAST = frozenset({"VBD", "VBN"})


class Holding(NamedTuple):
    """A description, by the words of what is held and of whom, and the tokens that name its holder.

    `owners` are the names of one owner: "France" and "country" in "a country whose capital".
    `past` is None where no verb tells when; `times` are the numbers beside it.
    """

    role: frozenset[str]
    owners: frozenset[frozenset[str]]
    holder: tuple[int, ...]
    past: bool | None
    times: frozenset[str]


def holdings(text: Text) -> Iterator[Holding]:
    """Yield the definite singular descriptions of a text that a name is said to hold, in order."""
    for noun in text.doc:
        if noun.tag_ not in _NOUNS or noun.lemma_.lower() in FELLOWS | PLACES:
            continue
        for holder, verb in _holders(noun):
            found = _holding(text, noun, holder, verb)
            if found is not None:
                yield found


def _holders(noun: Any) -> Iterator[tuple[Any, Any]]:
    """Yield what a noun is said to be, with the verb that says so or None beside an apposition."""
    if noun.dep_ in {"nsubj", "attr"} and noun.head.lemma_ in _BEING and _plain(noun.head):
        other = "attr" if noun.dep_ == "nsubj" else "nsubj"
        yield from ((c, noun.head) for c in noun.head.children if c.dep_ == other)
    if _definite(noun):
        yield from ((name, None) for name in _apposed(noun))


def _apposed(noun: Any) -> Iterator[Any]:
    """Yield the name beside a description, a comma between: a parser tells it badly from others."""
    phrase = _phrase(noun)
    if not phrase:  # a mark that was read as a noun
        return
    doc, first, last = noun.sent, phrase[0].i - noun.sent.start, phrase[-1].i - noun.sent.start
    ends = len(doc) - 1  # a mark or none behind the last word
    start = first - 2
    while start >= 0 and doc[start].pos_ == "PROPN":
        start -= 1
    end = last + 2
    while end < ends and doc[end].pos_ == "PROPN":
        end += 1
    if start < first - 2 and doc[first - 1].text == "," and last < ends and _closed(doc[last + 1]):
        yield doc[first - 2]
    elif end > last + 2 and doc[last + 1].text == "," and _closed(doc[end]):
        yield doc[end - 1]


def _closed(mark: Any) -> bool:
    """Return whether an apposition ends at a mark; "and" behind it would make a list of it."""
    after = mark.doc[mark.i + 1 : mark.i + 2]
    return bool(mark.is_punct) and not any(t.pos_ == "CCONJ" for t in after)


def _phrase(noun: Any) -> list[Any]:
    """Return the tokens of a description, between the marks around its noun."""
    out: list[Any] = []
    for token in noun.subtree:
        if not token.is_punct or token.text in _HYPHENS:
            out.append(token)
        elif token.i > noun.i:
            break
        else:
            out = []
    return out


def _plain(verb: Any) -> bool:
    """Return whether a verb states outright what it says: no denial, doubt, condition or report."""
    return (
        (verb.dep_ in _STATED or any(_whose(c) is not None for c in verb.children))
        and (verb.dep_ != "conj" or verb.head.dep_ in _STATED)
        and not any(c.dep_ == "neg" or c.tag_ == "MD" or c.lower_ == "no" for c in verb.children)
        and "?" not in {t.text for t in verb.sent[-1:]}
    )


def _definite(noun: Any) -> bool:
    """Return whether a description is of the one thing there is: "the", "its", "Acme's"."""
    return any(c.dep_ == "poss" or (c.dep_ == "det" and c.lower_ == "the") for c in noun.children)


def _holding(text: Text, noun: Any, holder: Any, verb: Any) -> Holding | None:
    if holder.pos_ != "PROPN" or any(c.dep_ == "conj" for c in holder.children):
        return None
    # "she is CEO of Acme": of a role that several have there is an article
    bare = noun.dep_ == "attr" and not any(c.dep_ == "det" for c in noun.children)
    if not (_definite(noun) or bare) or any(c.dep_ == "conj" for c in noun.children):
        return None
    named = {t.i for t in _name(holder)}
    own = [t for t in _phrase(noun) if t.i not in named]
    owner = {t for whose in _owners(noun) for t in _content_tokens(whose.subtree)}
    role = [t for t in _content_tokens(own) if t not in owner]
    if len(role) > 1:
        role = [t for t in role if t.lemma_.lower() not in _KINDS]
    owners = [owner, *(_content_tokens(_name(whose)) for whose in _antecedents(noun))]
    whom = frozenset(frozenset(text.stems[t.i] for t in one) for one in owners if one)
    if not whom or not role:
        return None
    past = None
    times = frozenset[str]()
    if verb is not None:
        past = verb.tag_ in _PAST
        times = frozenset(t.lower_ for t in verb.subtree if t.pos_ == "NUM")
    tokens = tuple(sorted(t.i for t in _name(holder)))
    return Holding(frozenset(text.stems[t.i] for t in role), whom, tokens, past, times)


def _owners(noun: Any) -> Iterator[Any]:
    """Yield whose a description is: "of France", "France's"."""
    for child in noun.children:
        if child.dep_ == "poss" and child.lower_ != "whose":
            yield child
        elif child.dep_ == "prep" and child.lower_ == "of":
            yield from (c for c in child.children if c.dep_ == "pobj")


def _antecedents(noun: Any) -> Iterator[Any]:
    """Yield what "whose" stands for: "France is a country whose capital is Paris"."""
    whose = _whose(noun)
    while whose is not None and whose.i > whose.sent.start:
        before = whose.nbor(-1)
        if before.is_punct and before.i > before.sent.start:
            before = before.nbor(-1)
        if before.pos_ == "CCONJ":  # "whose capital is Paris and whose currency is the Euro"
            ahead = before.doc[before.sent.start : before.i]
            whose = next((t for t in reversed(ahead) if t.lower_ == "whose"), None)
            continue
        if before.pos_ in _NAMED:
            yield before
            if before.dep_ == "attr" and before.head.lemma_ in _BEING:
                yield from (c for c in before.head.children if c.dep_ == "nsubj")
        return


def _whose(noun: Any) -> Any:
    return next((c for c in noun.children if c.lower_ == "whose"), None)


def _name(token: Any) -> list[Any]:
    return [token, *(c for c in token.children if c.dep_ in {"compound", "flat"})]


def _content_tokens(tokens: Any) -> list[Any]:
    return [t for t in tokens if t.pos_ in _CONTENT]


def other_holders(pairs: Sequence[Pair]) -> Iterator[Candidate]:
    """Give the names of who holds what a passage says that another holds."""
    if not pairs:
        return
    mine = pairs[0].mine
    for claim in holdings(mine):
        found = list(_evidence(claim, pairs))
        yield from judge("holder", found)


def _evidence(claim: Holding, pairs: Sequence[Pair]) -> Iterator[Evidence]:
    mine = pairs[0].mine
    named = _words(mine, claim.holder)
    for pair in pairs:
        for other in holdings(pair.theirs):
            if other.role != claim.role or claim.owners.isdisjoint(other.owners):
                continue
            said = _words(pair.theirs, other.holder)
            sentence = pair.theirs.doc[other.holder[0]].sent
            around = _words(pair.theirs, range(sentence.start, sentence.end))
            same = not named.isdisjoint(said)
            if not same and (named & around or claim.times != other.times):
                continue
            if not same and {claim.past, other.past} == {True, False}:
                continue
            near = HOLDERS_PAST if True in {claim.past, other.past} else HOLDERS
            features = {"context": 1.0, "near": near}
            yield Evidence(same, pair, claim.holder, other.holder, features)


def _words(text: Text, tokens: Sequence[int]) -> set[str]:
    return {text.stems[i] for i in tokens if text.doc[i].pos_ in _CONTENT}
