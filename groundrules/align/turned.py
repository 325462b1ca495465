"""Words that a passage denies, opposes, doubts or bounds the other way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from groundrules.align.denials import (
    bound,
    denials,
    denies,
    denies_duty,
    existential,
    hypothetical,
    partial,
    predicative,
    quantity,
    remnants,
    restricted,
)
from groundrules.align.exchanged import swapped
from groundrules.align.limits import LIGHT, WORDS_ALIKE
from groundrules.align.surroundings import (
    Candidate,
    Evidence,
    Pair,
    context,
    coverage,
    judge,
)
from groundrules.align.wordalign import Text, comparable, lexicon
from groundrules.claims.english import (
    NEGATIVE,
    ORDERING,
)
from groundrules.claims.english.fillers import OF_BOUNDS
from groundrules.claims.english.signals import (
    BEFORE_THAN,
    LEAVING_OPEN,
    LOWER_BOUNDS,
    PROVING,
    UPPER_BOUNDS,
)

__all__ = ["asserted", "bounded", "left_out", "opposed_words"]

_GRADED = frozenset({"JJR", "RBR", "JJS", "RBS"})
#: A verb that the parser took for a noun stands there.
_MISREAD = frozenset({"ROOT", "compound", "nmod"})


def opposed_words(pairs: Sequence[Pair]) -> Iterator[Candidate]:
    """Give the words that a passage denies or opposes."""
    if not pairs:
        return
    mine = pairs[0].mine
    said = {mine.lemmas[i] for i in mine.content}
    beside = [left_out(pair) for pair in pairs]
    for row, i in enumerate(mine.content):
        token = mine.doc[i]
        if mine.weights[row] < LIGHT or token.pos_ == "NUM" or token.lower_ in ORDERING:
            continue
        here = denials(mine, i) | {n for at, n in remnants(mine).items() if at == i}
        found: list[Evidence] = []
        kinds: list[str] = []
        for pair, left in zip(pairs, beside, strict=True):
            apart = remnants(pair.theirs)
            for column, j in enumerate(pair.theirs.content):
                link = _link(pair, row, column)
                if not link:
                    continue
                there = denials(pair.theirs, j)
                if j in apart:
                    there |= {apart[j]} | denials(pair.theirs, pair.theirs.clause[apart[j]])
                elif not _in_aside(pair.theirs, j, apart):
                    there |= left
                if bool(here) != bool(there) and bound_apart(pair, i, j, denied=bool(here)):
                    continue
                both = _both(pair, i, j)
                same_degree = token.tag_ in _GRADED and pair.theirs.doc[j].tag_ in _GRADED
                here_of, there_of = here, there
                if not both:
                    here_of, there_of = _own(mine, i, here), _own(pair.theirs, j, there)
                odd = (len(here_of) + len(there_of)) % 2 == 1
                if odd != ((len(here) + len(there)) % 2 == 1):
                    continue  # what is denied is not clear
                agrees = (link == -1) == odd
                graded = token.tag_ in _GRADED or pair.theirs.doc[j].tag_ in _GRADED
                if graded and swapped(pair, i, j):
                    agrees = not agrees
                if not agrees and not both and link == 1 and not same_degree:
                    continue
                features = context(pair, row, column, here) | {
                    "soft": float(pair.relations[row, column] == 0),
                    "both": float(both),
                    "supposed": float(_supposed(pair, i, j)),
                    "limited": float(restricted(pair.theirs, j) or restricted(mine, i)),
                    "some": float(existential(mine, i) or existential(pair.theirs, j)),
                    "saidtoo": float(link == -1 and pair.theirs.lemmas[j] in said),
                }
                places = (i, *sorted(here_of)), (j, *sorted(there_of))
                found.append(Evidence(agrees, pair, *places, features))
                kinds.append("comparison" if graded else "negation" if link == 1 else "opposite")
        turned_kinds = [kind for kind, e in zip(kinds, found, strict=True) if not e.agrees]
        for kind in dict.fromkeys(turned_kinds):
            kept = [e for k, e in zip(kinds, found, strict=True) if e.agrees or k == kind]
            yield from judge(kind, kept)


def bound_apart(pair: Pair, i: int, j: int, *, denied: bool) -> bool:
    """Return whether one side denies within a bound of time what the other says of another time."""
    mine, theirs = bound(pair.mine, i), bound(pair.theirs, j)
    return mine != theirs and bool(mine if denied else theirs)


def _in_aside(text: Text, index: int, apart: Mapping[int, int]) -> bool:
    """Return whether a word stands in a clause on what is left out: “not from Ann, who taught”."""
    clause = text.doc[text.clause[index]]
    for child in clause.children:
        if child.tag_ in {"WP", "WDT"} and child.i > 1:
            before = child.nbor(-2 if child.nbor(-1).is_punct else -1)
            return before.i in apart
    return False


def left_out(pair: Pair) -> frozenset[int]:
    """Return what leaves out of a passage that of which the statement speaks, if anything does."""
    apart = remnants(pair.theirs)
    if not apart or remnants(pair.mine):
        return frozenset()
    out = set[int]()
    for row, i in enumerate(pair.mine.content):
        token = pair.mine.doc[i]
        if pair.mine.weights[row] >= LIGHT or token.pos_ == "NOUN":
            same = [
                j
                for n, j in enumerate(pair.theirs.content)
                if pair.relations[row, n] == 1 or pair.theirs.doc[j].lower_ == token.lower_
            ]
            if same and all(j in apart for j in same):
                out |= {apart[j] for j in same}
    return frozenset(out)


def _link(pair: Pair, row: int, column: int) -> int:
    """Return 1 where two words say the same, -1 where they are opposed, 0 else."""
    one = pair.mine.doc[pair.mine.content[row]]
    other = pair.theirs.doc[pair.theirs.content[column]]
    link = int(pair.relations[row, column])
    names = {one.pos_, other.pos_} & {"PROPN", "NUM"}
    if names and not (link == 1 and "VERB" in {one.pos_, other.pos_}):
        return 0
    if link == -1 and (not comparable(one, other) or _converse(pair, row, column)):
        return 0
    if {one.tag_, other.tag_} & {"JJS", "RBS"} and {one.tag_, other.tag_} & {"JJR", "RBR"}:
        return 0
    if link == 0 and pair.likeness[row, column] >= WORDS_ALIKE:
        return int(one.pos_ == other.pos_ and one.pos_ != "ADV")
    return link


def _converse(pair: Pair, row: int, column: int) -> bool:
    """Return whether two verbs tell one deed from two sides, so that only the roles decide."""
    one, other = pair.mine.content[row], pair.theirs.content[column]
    return pair.theirs.lemmas[other] in lexicon().converse.get(pair.mine.lemmas[one], ())


def _both(pair: Pair, i: int, j: int) -> bool:
    """Return whether both words say something of a subject; no parse is asked where none denies."""
    here, there = predicative(pair.mine, i), predicative(pair.theirs, j)
    if here and there:
        return True
    if here and not denies(pair.theirs, j):
        return pair.theirs.doc[j].dep_ in _MISREAD
    return there and not denies(pair.mine, i) and pair.mine.doc[i].dep_ in _MISREAD


def _supposed(pair: Pair, i: int, j: int) -> bool:
    """Return whether one side only supposes what the other says, or only frees from it."""
    if denies_duty(pair.mine, i) != denies_duty(pair.theirs, j):
        return True
    if partial(pair.mine, i) or partial(pair.theirs, j):
        return True
    return hypothetical(pair.mine, i) != hypothetical(pair.theirs, j)


def _own(text: Text, index: int, found: frozenset[int]) -> frozenset[int]:
    return frozenset(n for n in found if text.doc[n].head.i == index)


#: What a statement may not claim where no passage does and the nearest says the other.
_STRONGER = (
    ("certainty", "certain", {"doubtful"}),
    ("quantifier", "all", {"some", "most", "few"}),
)


def asserted(pairs: Sequence[Pair]) -> Iterator[Candidate]:
    """Give the words by which a statement claims more than any passage, the nearest less."""
    if not pairs:
        return
    mine = pairs[0].mine
    for kind, claimed, lesser in _STRONGER:
        if claimed not in _standing(kind, mine):
            continue
        for token in mine.doc:
            i = token.i
            if claimed not in _places(kind, mine, i) or denials(mine, i) or hypothetical(mine, i):
                continue
            open_words = (
                LEAVING_OPEN - {token.lower_}
                if kind == "certainty"
                else LEAVING_OPEN - {"may", "could"}
            )
            if {t.lower_ for t in token.sent} & open_words or not _strong(kind, mine, i):
                continue
            if any(claimed in _standing(kind, pair.theirs) for pair in pairs):
                continue
            rest = [k for k in mine.content if k != i]
            best = max(pairs, key=lambda pair: coverage(pair, rest, range(len(pair.theirs.doc))))
            near = coverage(best, rest, range(len(best.theirs.doc)))
            weak = [t.i for t in best.theirs.doc if lesser & _places(kind, best.theirs, t.i)]
            if not weak and kind != "certainty":
                continue
            features = {"context": near, "asserted": 1.0, "undoubted": float(not weak)}
            place = (weak[0],) if weak else (best.theirs.content[0],)
            yield Candidate(kind, (i,), best, place, features)


def _places(kind: str, text: Text, index: int) -> set[str]:
    """Return where a word stands on the scale of a kind."""
    known = lexicon()
    table = known.certainty if kind == "certainty" else known.scale
    forms = text.lemmas[index], str(text.doc[index].lower_)
    return {table[form] for form in forms if form in table}


@lru_cache(maxsize=8192)
def _standing(kind: str, text: Text) -> frozenset[str]:
    """Return the places on the scale of a kind that a text has words for."""
    return frozenset(place for token in text.doc for place in _places(kind, text, token.i))


def _strong(kind: str, text: Text, index: int) -> bool:
    """Return whether a word claims the most: `sure to`, `proved that`, not `made sure`."""
    token = text.doc[index]
    following = token.nbor().lower_ if index + 1 < len(text.doc) else ""
    if kind == "quantifier":
        return token.lower_ not in {"any", "both", "each"} and quantity(text, index) == "all"
    if text.lemmas[index] == "sure" and following != "to":
        return False
    return text.lemmas[index] in PROVING and not any(
        child.dep_ in {"acomp", "oprd"} for child in token.children
    )


_AFTERWARDS = {"more": 1, "over": 1, "above": 1, "older": 1, "less": -1, "fewer": -1, "under": -1}


def _bound(text: Text, index: int) -> tuple[int, int] | None:
    """Return whether a number bounds from below (1) or above (-1), and the word that says so.

    That is the denial where one turns the bound: what is shown of "no more than nine" begins there.
    """
    doc = text.doc
    following = [t.lower_ for t in doc[index + 1 : index + 5]]
    for n, low in enumerate(following[:-1]):
        if low == "or" and following[n + 1] in _AFTERWARDS:
            return _AFTERWARDS[following[n + 1]], index + n + 2
    at = index - 1
    while at >= 0 and (doc[at].pos_ in {"SYM", "NUM"} or doc[at].lower_ in OF_BOUNDS):
        at -= 1
    if at < 0:
        return None
    low, after = doc[at].lower_, doc[at + 1].lower_
    way = 1 if low in LOWER_BOUNDS else -1 if low in UPPER_BOUNDS else 0
    if not way or (low == "up" and after != "to") or (low in BEFORE_THAN and after != "than"):
        return None
    reach = 5 if low in BEFORE_THAN or low.startswith("exceed") else 1
    denied = [t.i for t in doc[max(0, at - reach) : at] if t.lower_ in NEGATIVE]
    return (-way, denied[-1]) if denied else (way, at)


def bounded(pairs: Sequence[Pair]) -> Iterator[Candidate]:
    """Give the numbers that bound from the other side than in the passage."""
    if not pairs:
        return
    mine = pairs[0].mine
    for row, i in enumerate(mine.content):
        here = _bound(mine, i) if mine.doc[i].pos_ == "NUM" else None
        if here is None:
            continue
        found: list[Evidence] = []
        for pair in pairs:
            for column, j in enumerate(pair.theirs.content):
                if pair.likeness[row, column] < 1.0:
                    continue
                there = _bound(pair.theirs, j)
                if there is None:
                    continue
                places = tuple(sorted((here[1], i))), tuple(sorted((there[1], j)))
                features = context(pair, row, column)
                found.append(Evidence(here[0] == there[0], pair, *places, features))
        yield from judge("bound", found)
