"""What two runs of words exclude of each other, in one place of otherwise equal sentences.

In: the words of a statement there, and those of a source. Out: the kind of the difference, empty
where both may hold.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Sequence
from typing import Any

from groundrules import domain
from groundrules.align.coverage import is_told_to
from groundrules.align.normal_words import Sentence, aspect, tables, tense
from groundrules.align.opposites import relation
from groundrules.align.pronouns import is_of_persons
from groundrules.align.variants import subject_of
from groundrules.claims.english import ORDINALS, TITLES
from groundrules.claims.values.value_reader import says_two

#: A figure with a sign that its unit does not bear is two words beside one.
_SIGNED = 3
#: What may be done and what must not, and the other way about.
_DENIALS = {(("must",), ("need", "not")), (("need", "not"), ("must",))} | {
    pair
    for one, other in itertools.product(("may", "can"), ("must", "may", "can", "shall"))
    for pair in (((one,), (other, "not")), ((other, "not"), (one,)))
}
#: A number of a section, an exhibit, a version: "2.12(a)".
_NUMBERED = re.compile(r"\d{1,3}(?:\.\d{1,3})*(?:\([a-z]{1,3}\))*|[A-Z]")
#: Two names that begin with so many letters may be of one place, but for those of several; how an
#: adjective of one ends, which may be made of any other name of it.
_SPELT = 4
_ADJECTIVE = re.compile(r"(?:ish|ese|[ai]an|can|man|ch|eek|iss)$")
#: How far a figure told as "about" may be off.
_ROUNDED = 0.1


def kind_of(
    own: Sentence, left: Sequence[int], there: Sentence, gap: Sequence[int], *, copied: bool = False
) -> str:
    """Return what a difference is one of, empty where both may hold.

    Of a sentence that is `copied` but for that place, whatever stands in place of another counts.
    """
    if copied and (kind := _of_copies(own, left, there, gap)):
        return kind
    if len(left) + len(gap) == 1:
        one, n = (own, left[0]) if left else (there, gap[0])
        if not left and n and there.words[n - 1].key == ("word", "every"):  # "every third day"
            word = there.doc[there.words[n].at].lower_
            return "quantifier" if word in {*ORDINALS, "other"} else ""
        return "negation" if denies(one, n) and not _may_befall(one) else ""
    said = tuple(str(own.words[n].key[1]) for n in left)
    told = tuple(str(there.words[n].key[1]) for n in gap)
    if {said, told} == {("no", "longer"), ()}:
        return "negation"
    if (said, told) in _DENIALS or (
        len(said) == 1 and len(told) == 1 and said[0] in tables()["forces"]
        and denies(there, gap[0]) and is_told_to(there.doc[there.words[gap[0]].at].head)
    ):  # fmt: skip
        return "" if _may_befall(there) or _may_befall(own) else "negation"
    ahead = [n for n in range(len(own.words)) if own.words[n].key == ("word", "if")]
    if told == ("only",) and len(left) == 1 and denies(own, left[0]) and ahead:
        behind = gap[0] + 1 < len(there.words) and there.words[gap[0] + 1].key == ("word", "if")
        return "negation" if behind and ahead[0] < left[0] else ""
    ranges = [one for one in (_range(own, left), _range(there, gap)) if one]
    if len(ranges) > 1 and (len(left), len(gap)) != (1, 1):
        open_ = any(
            is_of_some(one) or not tables()["denying"].isdisjoint(_lower(one))
            for one in (own, there)
        )
        open_ |= any(t.dep_ == "expl" for t in own.doc)
        apart = not open_ and _is_told_of(own, left[-1]) and not _meet(ranges)
        return "value" if apart else ""
    if not left or not gap:
        return ""
    mine, theirs = [own.words[n] for n in left], [there.words[n] for n in gap]
    amounts = [[w for w in part if w.key[0] == "figure"] for part in (mine, theirs)]
    if all(len(part) == 1 for part in amounts) and len(mine) + len(theirs) == _SIGNED:
        long, short = sorted(
            (own.text[mine[0].start : mine[-1].end], there.text[theirs[0].start : theirs[-1].end]),
            key=len,
        )[::-1]
        return "figure" if long.removeprefix("-") == short else ""
    if len(mine) + len(theirs) == _SIGNED:  # "only some" of "all", "only after" of "before"
        bare = tuple(w.key[1] for w in (*mine, *theirs) if w.key != ("word", "only"))
        if any(set(bare) <= group for group in tables()["turns"]) and len(bare) == _SIGNED - 1:
            return "opposite"
        return "quantifier" if {bare, bare[::-1]} & tables()["quantifiers"] else ""
    if len(left) == len(gap) == 1:
        a, b = mine[0].key, theirs[0].key
        if a[0] == b[0] == "figure":
            written = "as written" in (a[1], b[1])
            return "" if written or a[1] != b[1] else "figure"
        both = any(denies(own, n) for n in range(len(own.words))) and said[0] in {"before", "after"}
        follows = both or (left[0] + 1 < len(own.words) and denies(own, left[0] + 1))
        if follows or (a[0] == b[0] and (kind := _opposed(own, said[0], told[0]))):
            return "" if follows else kind  # what may not be must not be
    return _names(own, left, there, gap)


def _of_copies(own: Sentence, left: Sequence[int], there: Sentence, gap: Sequence[int]) -> str:
    """Return what two copies differ in: a name, an ordinal, a reference, a force, how often."""
    runs = [
        one.text[one.words[part[0]].start : one.words[part[-1]].end] if part else ""
        for one, part in ((own, left), (there, gap))
    ]
    said, told = (run.lower().strip("().") for run in runs)
    if not said or not told:
        return "value" if (said or told) in tables()["prefixes"] else ""
    if says_two(said) and not says_two(told):
        return "figure"
    forces, often = tables()["forces"], tables()["often"]
    bound = _is_bound(own)
    if {said, told} <= forces.keys():  # what only some may do, only they should
        return "value" if not bound and {forces[said], forces[told]} in ({1, 3}, {1, 2}) else ""
    if {said, told} <= set(often):
        return "quantifier" if not bound and often.index(said) < often.index(told) else ""
    if {said, told} <= {*ORDINALS, "last", "every"}:
        return "" if told == "every" else "quantifier" if said == "every" else "value"
    long, short = sorted((said, told), key=len)[::-1]
    if long.endswith(short) and long.removesuffix(short).strip(" -") in tables()["prefixes"]:
        return "value"
    if all(_NUMBERED.fullmatch(run) for run in runs):
        return "" if long.startswith((f"{short}.", f"{short}(")) else "value"
    return _names(own, left, there, gap, copied=True)


def _is_bound(own: Sentence) -> bool:
    """Return whether what may be done is only or not done: then it must or should be so, too."""
    return not (tables()["rare"] | {"without", "most"}).isdisjoint(_lower(own))


def _opposed(own: Sentence, said: str, told: str) -> str:
    """Return how two words exclude each other in one place, empty where both may hold."""
    if told == "every" and said in ORDINALS:
        return ""  # what holds of each holds of the first
    if any(said in group and told in group for group in tables()["turns"]):
        return "opposite"
    forces = tables()["forces"]
    if said in forces and told in forces:
        return "opposite" if not _is_bound(own) and forces[said] > forces[told] else ""
    if (said, told) in tables()["quantifiers"]:
        return "quantifier"
    shares = {one for pair in tables()["quantifiers"] for one in pair}
    return "opposite" if not {said, told} <= shares and relation(said, told) < 0 else ""


def _names(
    own: Sentence, left: Sequence[int], there: Sentence, gap: Sequence[int], *, copied: bool = False
) -> str:
    """Return that two runs of words are other names, empty where both may be of one.

    In a sentence that is `copied` but for them whatever is written as a name is one.
    """
    if _may_be_two(own, left):
        return ""
    parts = ((own, left), (there, gap))
    runs = [[text.doc[text.words[n].at] for n in part] for text, part in parts]
    tokens = [token for run in runs for token in run]
    if not all(t.text[:1].isupper() and t.i if copied else t.pos_ == "PROPN" for t in tokens):
        return ""
    words = [{t.lower_.rstrip(".") for t in run} for run in runs]
    surnamed = all(one & tables()["surnamed"] and len(one) > 1 for one in words)
    bare = [one - tables()["surnamed"] if surnamed else one for one in words]
    if not (bare[0] | bare[1]).isdisjoint(TITLES) or not bare[0].isdisjoint(bare[1]):
        return ""  # "Ms Kerr" is Ann Kerr
    roles = domain.words().roles | tables()["groups"]  # "the Tenant" may be who is named
    alike = len({" ".join(t.lower_ for t in run) in roles for run in runs}) == 1
    counted = {bool(re.fullmatch("[IVX]+", run[-1].text)) for run in runs}
    return "value" if alike and len(counted) == 1 else ""


def _may_be_two(own: Sentence, left: Sequence[int]) -> bool:
    """Return whether a sentence may be so of two: where and when something happens, one of some."""
    placed = own.doc[own.words[left[0]].at]
    while placed.dep_ in {"compound", "conj", "flat"} and placed.head.i != placed.i:
        placed = placed.head
    if placed.dep_ == "pobj" and placed.head.lower_ in tables()["placing"] | tables()["towards"]:
        return True
    one_of = {"a", "an", "one"}
    return any(t.dep_ == "attr" and any(c.lower_ in one_of for c in t.children) for t in own.doc)


def _range(sentence: Sentence, numbers: Sequence[int]) -> tuple[Any, float, float] | None:
    """Return what is measured by a figure with its bound and from where to where: "at most 5"."""
    keys = [sentence.words[n].key for n in numbers]
    if not keys or keys[-1][0] != "figure" or keys[-1][1] in {"as written", "DATE"}:
        return None
    low, high = float(str(keys[-1][3])), float(str(keys[-1][4]))
    ranged = len(keys) > 2 and keys[1][1] in {"to", "or"}  # "2 to 3"
    if ranged and keys[0][:3] == keys[-1][:3]:
        low, keys = float(str(keys[0][3])), keys[-1:]
    bound = " ".join(str(key[1]) for key in keys[:-1])
    ends = {
        "": (low, high),
        "more than": (math.nextafter(low, math.inf), math.inf),
        "at least": (low, math.inf),
        "less than": (-math.inf, math.nextafter(high, -math.inf)),
        "at most": (-math.inf, high),
        "about": (low * (1 - _ROUNDED), high * (1 + _ROUNDED)),
    }.get(bound)
    return (keys[-1][1:3], *ends) if ends else None


def _lower(sentence: Sentence) -> set[str]:
    return {str(t.lower_) for t in sentence.doc}


def _is_told_of(sentence: Sentence, n: int) -> bool:
    """Return whether a figure says how much the main verb is told of: no "orders of over £50"."""
    token = sentence.doc[sentence.words[n].at]
    while token.dep_ in {"nummod", "quantmod", "compound", "pobj", "prep"} and token.head != token:
        of_thing = token.dep_ == "prep" and token.head.pos_ in {"NOUN", "PROPN"}
        if of_thing and not any(c.lower_ in {"a", "an"} for c in token.head.children):
            return False
        token = token.head
    verb = token if token.pos_ in {"VERB", "AUX"} else token.head
    return token.dep_ in {"dobj", "attr", "acomp", "npadvmod", "ROOT"} and verb.head == verb


def _may_befall(sentence: Sentence) -> bool:
    """Return whether a "may" of a sentence allows nothing, but says what can happen."""
    may = next((t for t in sentence.doc if t.lower_ == "may" and t.tag_ == "MD"), None)
    if may is None:
        return False
    verb, led = may.head, {str(c.dep_) for c in may.head.children}
    if "auxpass" in led:  # "may not be sold" forbids, "may not be delivered" does not
        return verb.lemma_ not in tables()["handling"]
    return "perfect" in aspect(verb) or ("nsubj" in led and not is_of_persons(verb))


def may_be_one_place(place: str, other: str, told: str) -> bool:
    """Return whether a place may be another, or is named beside it: "Swedish", "Sweden", "UK"."""
    there = {word.casefold() for word in re.findall(r"\w+", told)}
    begun = {word[:_SPELT].casefold() for word in place.split() if len(word) >= _SPELT}
    initials = "".join(re.findall(r"\b[A-Z]", place)).casefold()
    return (
        any(_ADJECTIVE.search(name) for name in (place, other))
        or (" " in place and initials in there)
        or not (begun - tables()["states"]).isdisjoint(word[:_SPELT] for word in there)
    )


def _meet(ranges: Sequence[tuple[Any, float, float]]) -> bool:
    """Return whether two ranges may both hold, which those of two measures do."""
    (one, low, high), (other, least, most) = ranges
    return bool(one != other or (low <= most and least <= high))


def is_of_some(sentence: Sentence) -> bool:
    """Return whether a sentence tells of some things, of which others may not do so."""
    head = subject_of(sentence.doc)
    told = () if head is None else (head, *head.children)
    past = head is not None and tense(head.head) == "past"
    some = tables()["some"] - (frozenset() if past else {"a", "an", "one"})  # a tenant may not
    return any(t.lower_ in some or (t.dep_ == "nummod" and t.like_num) for t in told)


def denies(sentence: Sentence, n: int) -> bool:
    """Return whether a word of a sentence denies the rest of it."""
    return sentence.words[n].key in {("word", "not"), ("word", "never"), ("word", "no")}
