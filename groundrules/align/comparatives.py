"""What a statement compares: comparatives, superlatives and changes with both their sides."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from groundrules.align.measures import Number
from groundrules.align.numbers import read_numbers
from groundrules.align.parses import parse
from groundrules.align.places import sense
from groundrules.align.wordalign import Text
from groundrules.claims.english import (
    CONTRASTING,
    NEGATIVE,
)
from groundrules.claims.english.fillers import OF_COMPARISONS
from groundrules.claims.english.signals import FORMERLY, MULTIPLIERS, OF_A_CHANGE, OF_OTHERS

__all__ = ["MOST", "SIZES", "TOKEN", "WAYS", "Claim", "claims", "labels"]

_ANY: frozenset[str] = frozenset()
SIZES = frozenset({"NUMBER", "PERCENT", "MONEY", "QUANTITY", "DURATION", "RATIO"})
_MONEY, _WHEN = frozenset({"MONEY"}), frozenset({"DATE", "TIME"})
_LONG, _FAR = frozenset({"DURATION", "QUANTITY:m"}), frozenset({"QUANTITY:m"})
_HEAVY, _WARM = frozenset({"QUANTITY:kg"}), frozenset({"QUANTITY:K"})
#: Which way each comparative points, and the kinds of values that it compares, some of one unit.
WAYS: dict[str, tuple[int, frozenset[str]]] = {
    **dict.fromkeys(("more", "greater", "larger", "bigger", "higher"), (1, SIZES)),
    **dict.fromkeys(("fewer", "less", "lower", "smaller"), (-1, SIZES)),
    "dearer": (1, _MONEY), "costlier": (1, _MONEY), "cheaper": (-1, _MONEY),
    "longer": (1, _LONG), "shorter": (-1, _LONG),
    "later": (1, _WHEN), "earlier": (-1, _WHEN),
    "heavier": (1, _HEAVY), "lighter": (-1, _HEAVY), "taller": (1, _FAR),
    "deeper": (1, _FAR), "shallower": (-1, _FAR), "wider": (1, _FAR),
    "narrower": (-1, _FAR), "thicker": (1, _FAR), "thinner": (-1, _FAR),
    "warmer": (1, _WARM), "hotter": (1, _WARM), "colder": (-1, _WARM), "cooler": (-1, _WARM),
    "faster": (-1, frozenset({"DURATION"})), "quicker": (-1, frozenset({"DURATION"})),
    "slower": (1, frozenset({"DURATION"})),
}  # fmt: skip
#: Measures that are named by the kind of value alone.
_DAYS = frozenset({"DURATION"})
_KINDS = {"money": _MONEY, "time": _DAYS, "weight": _HEAVY, "days": _DAYS}
#: What a verb measures.
_MEASURING = {
    "weigh": _HEAVY, "cost": _MONEY, "earn": _MONEY, "charge": _MONEY, "pay": _MONEY,
    "take": _DAYS, "last": _DAYS,
}  # fmt: skip
#: Superlatives by the comparative that they stand for.
MOST = {
    "highest": "higher", "lowest": "lower", "largest": "larger", "biggest": "bigger",
    "greatest": "greater", "smallest": "smaller", "dearest": "dearer", "cheapest": "cheaper",
    "costliest": "costlier", "longest": "longer", "shortest": "shorter", "fewest": "fewer",
    "heaviest": "heavier", "lightest": "lighter", "tallest": "taller", "deepest": "deeper",
    "fastest": "faster", "quickest": "quicker", "slowest": "slower",
}  # fmt: skip
#: Verbs of change, and which way.
_CHANGES = {
    **dict.fromkeys("rise increase grow climb gain jump".split(), 1),
    **dict.fromkeys("fall decrease decline drop shrink sink".split(), -1),
}
_MODIFYING = frozenset({"amod", "compound", "nmod"})
_BEFORE_NO_COMPARISON = NEGATIVE | {"any", "once", "even"}
_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}
TOKEN = re.compile(r"[^\W\d_]+(?:['’][a-z]+)?|[0-9]+(?:[.,][0-9]+)*", re.UNICODE)


@dataclass(frozen=True, slots=True)
class Claim:
    """What a statement compares: tokens of what stands left and right, and the measure."""

    token: int
    way: int
    kinds: frozenset[str]
    heads: tuple[frozenset[str], ...]
    left: frozenset[str]
    right: frozenset[str]
    measure: frozenset[str]
    must: frozenset[str]
    before: bool
    end: int
    begin: int
    among: int | None = None  # how many it is the most of, 0 where that is not said
    growth: bool = False
    difference: Number | None = None  # by how much two values are said to differ

    @property
    def right_only(self) -> frozenset[str]:
        """The words of the right side that the left has not."""
        return self.right - self.left or self.right


def _stems(tokens: Sequence[Any]) -> frozenset[str]:
    return frozenset(
        sense(word)
        for token in tokens
        for word in TOKEN.findall(token.text)
        if word.casefold() not in OF_COMPARISONS
    )


def labels(text: str, start: int, end: int) -> frozenset[str]:
    """Return the stems of a range that can name something, numbers too."""
    found = TOKEN.findall(text[start:end])
    return frozenset(sense(word) for word in found if word.casefold() not in OF_COMPARISONS)


# --- what a statement compares --------------------------------------------------------------


def claims(text: Text) -> Iterator[Claim]:
    """Give the comparisons of a statement; one without `than` has the sides of the last."""
    sides: tuple[tuple[frozenset[str], ...], frozenset[str], frozenset[str], bool] | None = None
    numbers = read_numbers(text.text)
    for token in text.doc:
        low = token.lower_
        if low in MOST or (low in WAYS and _others(text, token.i) is not None):
            yield from _superlative(text, token.i)
            continue
        if token.lemma_ in _CHANGES and token.pos_ == "VERB":
            yield from _change(token)
            continue
        if low == "as" and sides is None:
            sides = _equated(text, token.i)
        if low not in WAYS:
            continue
        way, kinds = WAYS[low]
        differs = next((n for n in numbers if 0 <= token.idx - n.end <= 1), None)
        if differs is not None and differs.kind in {"MONEY", "QUANTITY", "DURATION"}:
            unit = f":{differs.unit}" if differs.kind == "QUANTITY" else ""
            kinds = frozenset({f"{differs.kind}{unit}"})
        verb = text.doc[max(0, token.i - 1)]
        if kinds is SIZES:
            kinds = _MEASURING.get(verb.lemma_, _MEASURING.get(verb.lower_.rstrip("s"), kinds))
        before = [t.lower_ for t in text.doc[max(0, token.i - 2) : token.i]]
        following = token.nbor().lower_ if token.i + 1 < len(text.doc) else ""
        if set(before) & _BEFORE_NO_COMPARISON or following in {"or", "and"}:
            continue
        degree = token.head.pos_ in {"ADJ", "ADV"} and token.head.i > token.i
        if degree and token.dep_ == "advmod":
            continue  # "more pronounced" compares no amounts
        sentence = token.sent
        stop = next(
            (t.i for t in text.doc[token.i + 1 : sentence.end]
             if t.lower_ in CONTRASTING or t.text in ",;:." or t.lower_ in WAYS),
            sentence.end,
        )  # fmt: skip
        than = next((t.i for t in text.doc[token.i + 1 : stop] if t.lower_ == "than"), None)
        if than is not None and than + 1 < len(text.doc):
            after = text.doc[than + 1]
            if than == token.i + 1 and (after.pos_ == "NUM" or after.lower_ in MULTIPLIERS):
                if sides is None:
                    sides = _equated(text, token.i)
                continue  # a bound, and no comparison of two things
        own = text.doc[token.i + 1 : than if than is not None else stop]
        noun = token.head if token.dep_ in _MODIFYING and token.head.i > token.i else None
        if noun is None and len(own) and own[0].pos_ in {"NOUN", "PROPN"}:
            noun = own[0]
        measure = _stems([noun]) if noun is not None else _ANY
        if noun is not None and noun.lower_ in _KINDS:
            kinds, measure = _KINDS[noun.lower_], _ANY
        begin = next(
            (t.i + 1 for t in reversed(text.doc[sentence.start : token.i])
             if t.lower_ in CONTRASTING or t.text in ",;:"),
            sentence.start,
        )  # fmt: skip
        stretch = [t for t in text.doc[begin : token.i] if not _counts(t)]
        if sides is None and than is None:
            subject = next((c for c in token.head.children if c.dep_.startswith("nsubj")), None)
            if noun is None and subject is not None and token.dep_ == "acomp":
                said = _stems([t for t in subject.subtree if t.i < token.i])
                if said:
                    yield Claim(
                        token.i, way, kinds, (), said, _ANY, said, _ANY, True, token.i + 1, token.i
                    )
            continue
        if than is None:
            if sides is None:
                continue
            heads, left, right, past = sides
            known = frozenset(w for head in heads for w in head)
            must = (_stems(own) | (_stems(stretch) if noun is None else _ANY)) - right
            yield Claim(
                token.i, way, kinds, heads, known | must | measure, right,
                measure, must - known, past, stop, begin, difference=differs,
            )  # fmt: skip
            continue
        right_tokens = list(text.doc[than + 1 : stop])
        right = _stems(right_tokens)
        past = bool({t.lower_ for t in right_tokens} & FORMERLY)
        if not right and not past:
            continue
        whole = list(text.doc[sentence.start : token.i]) + list(own)
        left = _stems(whole)
        heads = _heads(text, token.i, right_tokens[0], right | measure, noun)
        if noun is None and token.dep_ in {"acomp", "attr", "oprd", "advmod", "ROOT"}:
            subject = next((c for c in token.head.children if c.dep_.startswith("nsubj")), None)
            if subject is not None and past:
                measure = _stems([subject])
        sides = (heads, left, right, past)
        yield Claim(
            token.i, way, kinds, tuple(dict.fromkeys(heads)), left, right, measure,
            _ANY, past, stop, begin, difference=differs,
        )  # fmt: skip


def _others(text: Text, index: int) -> int | None:
    """Return how many others follow `than either of`, 0 where that is not said, None elsewhere."""
    after = [t.lower_ for t in text.doc[index + 1 : index + 8]]
    if "than" not in after[:3]:
        return None
    rest = after[after.index("than") + 1 :]
    if not rest or rest[0] not in OF_OTHERS:
        return None
    if not {"other", "others", "rest"} & set(rest[:4]):
        return None
    return next((_COUNTS[word] for word in rest[:5] if word in _COUNTS), 0)


def _change(token: Any) -> Iterator[Claim]:
    """Give what a statement says rose or fell, where it says of itself that it did."""
    children = {c.dep_: c for c in token.children}
    subject = children.get("nsubj")
    if subject is None or subject.pos_ not in {"NOUN", "PROPN"} or "dobj" in children:
        return
    if {"neg", "mark"} & set(children) or any(
        c.dep_ == "aux" and c.lemma_ not in {"have", "be", "do"} for c in token.children
    ):
        return
    if any(t.lower_ in OF_A_CHANGE for t in token.sent):
        return
    measure = _stems([t for t in subject.subtree if t.i < token.i and not _amount(t)])
    if measure and len(measure) <= 4:
        yield Claim(
            token.i, _CHANGES[token.lemma_], SIZES, (measure,), measure, _ANY, measure, _ANY,
            True, token.i + 1, token.i,
        )  # fmt: skip


def _superlative(text: Text, index: int) -> Iterator[Claim]:
    """Give what a statement calls the most or least of several."""
    token = text.doc[index]
    sentence = token.sent
    low = token.lower_
    others = _others(text, index)
    way, kinds = WAYS[MOST.get(low, low)]
    if text.doc[max(0, index - 1)].lower_ in {"second", "third", "next", "not"}:
        return
    grown = token.head.lemma_ in _CHANGES and others is not None
    if grown:
        way = (1 if low in {"faster", "more", "quicker"} else -1) * _CHANGES[token.head.lemma_]
    after = [t.lower_ for t in text.doc[index + 1 : index + 8]]
    count = 0
    if others is not None:
        count = int(others) + 1 if others else 0
    elif "of" in after[:3]:
        listed = after[after.index("of") + 1 :][:3]
        count = next((_COUNTS[word] for word in listed if word in _COUNTS), 0)
    noun = token.head if token.dep_ == "amod" and token.head.i > token.i else None
    measure = _stems([noun]) if noun is not None else _ANY
    subjects = [t for t in text.doc[sentence.start : index] if t.dep_.startswith("nsubj")]
    if token.dep_ == "appos":
        subjects = [token.head]
    subject = subjects[-1] if subjects else None
    whole = [t for t in text.doc[sentence.start : index] if not _amount(t)]
    if subject is not None and subject.pos_ != "PRON":
        inside = {t.i for t in subject.subtree if t.i < index}
        named = [t for t in whole if t.i in inside and not _counts(t)]
    else:
        named = whole[:3]
    heads = [_stems([t]) for t in named if t.pos_ in {"PROPN", "NOUN"}]
    own = _stems(named)
    if own:
        yield Claim(
            index, way, kinds, (own, *heads), own, _ANY, measure, _ANY, False, index + 1,
            index, count, grown,
        )  # fmt: skip


def _heads(
    text: Text, index: int, first: Any, other: frozenset[str], noun: Any
) -> tuple[frozenset[str], ...]:
    """Return what may be compared: the subject, or what follows the same preposition as `than`."""
    sentence = text.doc[index].sent
    inside: set[int] = set()
    kinds = {"PROPN", "NUM"}
    if first.pos_ == "ADP":
        for token in sentence:
            if token.lower_ == first.lower_ and token.i < first.i:
                inside |= {t.i for t in token.subtree if t.i < first.i}
    else:
        subjects = [t for t in text.doc[sentence.start : index] if t.dep_.startswith("nsubj")]
        if subjects:
            inside = {t.i for t in subjects[-1].subtree}
        else:
            inside = set(range(sentence.start, index))
            kinds.add("NOUN")  # the parser lost the subject
    out = [
        _stems([t for t in chunk if not _amount(t)]) - other
        for chunk in parse(text.text).noun_chunks
        if chunk.root.i in inside and (noun is None or not chunk.start <= noun.i < chunk.end)
    ]
    for i in sorted(inside):
        token = text.doc[i]
        named = token.pos_ in kinds or (token.text[:1].isupper() and not token.is_stop)
        if named and not _amount(token):
            out += [frozenset({word}) for word in _stems([token]) - other]
    return tuple(dict.fromkeys(head for head in out if head))


def _amount(token: Any) -> bool:
    """Return whether a word counts or measures, so that it names nothing: `15`, `°C`."""
    return token.dep_ in {"nummod", "quantmod"} or (
        len(token) < 3 and token.i > 0 and bool(token.nbor(-1).pos_ == "NUM")
    )


def _counts(token: Any) -> bool:
    """Return whether a word is a number or its unit: by how much two values differ."""
    return bool(token.pos_ == "NUM" or (token.i and token.nbor(-1).pos_ == "NUM"))


def _equated(
    text: Text, index: int
) -> tuple[tuple[frozenset[str], ...], frozenset[str], frozenset[str], bool] | None:
    """Return the sides of `as often as B` or `as long as in B`: what follows compares them too."""
    sentence = text.doc[index].sent
    marks = [t.i for t in text.doc[index : sentence.end] if t.lower_ == "as"]
    if len(marks) < 2:
        return None
    stop = next(
        (t.i for t in text.doc[marks[1] + 1 : sentence.end]
         if t.lower_ in CONTRASTING | {"and"} or t.text in ",;:."),
        sentence.end,
    )  # fmt: skip
    right = _stems(list(text.doc[marks[1] + 1 : stop]))
    whole = list(text.doc[sentence.start : index])
    heads = [
        frozenset({w}) for t in whole if t.pos_ in {"PROPN", "NOUN"} for w in _stems([t]) - right
    ]
    if not right:
        return None
    return tuple(dict.fromkeys(heads)), _stems(whole), right, False
