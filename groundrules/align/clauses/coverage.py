"""Whether every word, sign and figure of a statement and of a source's sentence is accounted for.

The one gate before "supported" by wording alone: what stands in neither text's counterpart, and in
no part that may be dropped, leaves the statement open. In: two sentences; out: what is left over of
either.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from groundrules.align.clauses.dropped import binding
from groundrules.align.clauses.variants import parallel, variants
from groundrules.align.words.exchanges import exchanged
from groundrules.align.words.meanings import Part, Relation, related
from groundrules.align.words.normal_words import (
    Sentence,
    Word,
    aspect,
    head_of,
    heads_of,
    is_agent,
    read_figures,
    read_words,
    tables,
    tense,
)
from groundrules.align.words.parses import parse
from groundrules.align.words.passages import stems
from groundrules.align.words.pronouns import is_of_persons
from groundrules.claims.english import TITLES
from groundrules.claims.english.logic import PRONOUN_KINDS
from groundrules.claims.names.names import lists

_ROLES = {"nsubj": "doer", "dobj": "done", "nsubjpass": "done", "attr": "attr"}
_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_CORE = frozenset({*_ROLES.values(), "to", "than", "as"})
_VOICE = frozenset({"passive"})
_PARTICIPLES = frozenset({"VBN", "VBD", "JJ", "VBG", "NN"})
_NUMBERS = frozenset({"NN", "NNS"})
_CLEFT = re.compile(r"(?s)\AIt (?:is|was) (?>([^,;:]+?) that )(.+)")
_OPEN, _CLOSE = "“", "”"
#: A sentence near a statement may always lack so many of its stems.
_FEW = 3
#: So many characters before a sentence name what its pronouns stand for.
_BEFORE = 400
_PARTS: Mapping[str, Part] = {
    "VERB": "event", "AUX": "event", "ADJ": "property", "ADV": "property",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class LeftOver:
    """The words of a statement and of a source's sentence that the other does not account for.

    `adds` are those of the source with all that stands between them.
    """

    statement: tuple[str, ...]
    source: tuple[str, ...]
    adds: str = ""

    def __bool__(self) -> bool:
        """Return whether anything is left over."""
        return bool(self.statement or self.source)


def covers(
    statement: str,
    passages: Sequence[tuple[str, str]],
    names: Mapping[tuple[int, int], Collection[str]],
    *,
    entailed: bool,
) -> bool:
    """Return whether a statement and one sentence of some passages account for each other.

    Each passage is a sentence and the text before it. `names` are what the source calls the things
    in ranges of the statement. Without `entailed` no licence of meaning is given.
    """
    own = _OPEN in statement or '"' in statement
    return any(
        not compare(wording, passage, before, entailed=entailed)
        for wording in wordings(statement, names)
        for passage, before in passages
        if is_near(wording, passage, before)
        and (own or not _is_quoted(passage, before))
        and 2 * lacking(wording, passage) <= len(read_words(wording).words)
    )


def is_near(statement: str, passage: str, before: str) -> bool:
    """Return whether a sentence has half of a statement's stems, with what is told before it.

    No text is parsed for it: call it before anything that does.
    """
    own = set(stems(statement))
    there = {*stems(passage), *stems(before[-_BEFORE:])}
    return len(own - there) <= max(_FEW, len(own) // 2)


def lacking(statement: str, passage: str) -> int:
    """Return how many words of a statement a sentence does not have: call it before `compare`."""
    there = {word.key for word in read_words(passage).words}
    return sum(word.key not in there for word in read_words(statement).words)


def _is_quoted(passage: str, before: str) -> bool:
    """Return whether a sentence stands, or ends, within words that somebody else is quoted with."""
    ahead = before.rpartition("\n")[2]
    for text in (ahead, ahead + passage):
        if text.count(_OPEN) > text.count(_CLOSE) or text.count('"') % 2:
            return True
    return passage.count(_OPEN) != passage.count(_CLOSE)


def bind_alike(statement: str, passages: Sequence[str], besides: tuple[int, int] = (0, 0)) -> bool:
    """Return whether some passage has the words that limit a statement, and all its figures.

    Of the statement those `besides` are not asked for, in a range of it.
    """
    own = _limits(statement)
    return any(_limits(one) == own and has_figures(statement, one, besides) for one in passages)


def has_figures(statement: str, text: str, besides: tuple[int, int] = (0, 0)) -> bool:
    """Return whether a text has all figures of a statement, those `besides` in a range left out."""
    return _figures(statement, besides) <= _figures(text)


def _figures(text: str, besides: tuple[int, int] = (0, 0)) -> set[tuple[object, ...]]:
    found = read_figures(text)
    return {key for start, end, key in found if not (start < besides[1] and besides[0] < end)}


def _limits(text: str) -> set[str]:
    limits: frozenset[str] = tables()["limiting"]
    return {str(t.lower_) for t in read_words(text).doc} & limits


def wordings(statement: str, names: Mapping[tuple[int, int], Collection[str]]) -> Iterator[str]:
    """Yield a statement in its own words, then with each thing called as the source calls it."""
    yield statement
    for (start, end), others in names.items():
        for other in sorted(others):
            if _may_stand_for(statement[start:end], other):
                yield statement[:start] + other + statement[end:]


def _may_stand_for(name: str, other: str) -> bool:
    """Return whether a name is another's for all that it says: but for "Inc." or an alias."""
    one, two = ({w.strip(".,") for w in said.casefold().split()} for said in (name, other))
    called = [words & TITLES for words in (one, two)]
    if all(called) and called[0] != called[1]:
        return False
    if re.search(r"[+#⁺⁻-](?:\W|$)", f"{name} {other}"):
        return False
    return not one & two or all(w in lists()["suffixes"] or w in {"the", ""} for w in one ^ two)


def compare(
    statement: str, source: str, before: str = "", *, entailed: bool = False, tied: bool = True
) -> LeftOver:
    """Return what is left over of a statement and of one sentence of a source.

    With `entailed` words of one meaning and another order of them are licensed too, and a pronoun
    stands for what is named `before`. Names and figures depend on the same words in both; unless
    `tied`, which is for what is refuted, other words may not.
    """
    own = read_words(_without_cleft(statement))
    found = [
        _compared(own, read_words(part), there, entailed, tied)
        for part, there in variants(source, before)
    ]
    told = parallel(source) if entailed and not found[0] else ()
    if told and source not in told and all(compare(statement, one, entailed=True) for one in told):
        # "took aspirin in the morning and ibuprofen at night" tells of no aspirin at night
        found[0] = _compared(own, read_words(source), before, False, tied)
    return min(found, key=lambda left: len(left.statement) + len(left.source))


def _without_cleft(statement: str) -> str:
    """Return "it was in May that it closed" as "it closed in May"."""
    match = _CLEFT.match(statement)
    if match is None:
        return statement
    focus, rest = match.groups()
    first, then = parse(focus)[0], parse(rest)[0]
    if first.pos_ in {"ADP", "SCONJ"}:
        return f"{rest[:1].upper()}{rest[1:].rstrip('.')} {focus}."
    named = first.pos_ in {"DET", "PROPN"} and then.tag_ in {"VBZ", "VBP", "VBD", "MD"}
    return f"{focus[:1].upper()}{focus[1:]} {rest}" if named else statement


def _compared(own: Sentence, there: Sentence, before: str, entailed: bool, tied: bool) -> LeftOver:
    pairs = in_order(own, there)
    ordered = len(pairs) == len(own.words)
    if not ordered:
        pair_elsewhere(own, there, pairs, entailed)
    left = [n for n in range(len(own.words)) if n not in pairs]
    rest = list(binding(there, set(pairs.values()), entailed))
    if left or rest:
        left, rest = _licensed(own, there, pairs, left, rest, before, entailed, tied)
    wrong = () if own.text == there.text else turned(own, there, pairs, ordered, entailed, tied)
    if tied and not (left or ordered or wrong):
        found = exchanged(own, there, pairs, tables()["mutual"] - {"and"})
        first = [n for n, word in enumerate(own.words) if word.key[1] in tables()["following"]]
        apart = found[0] if found else first  # what comes first is told by the order alone
        wrong = tuple(own.text[own.words[n].start : own.words[n].end] for n in apart)
    return LeftOver(
        tuple(own.text[own.words[n].start : own.words[n].end] for n in left) or wrong,
        tuple(there.text[there.words[n].start : there.words[n].end] for n in rest),
        there.text[there.words[rest[0]].start : there.words[rest[-1]].end] if rest else "",
    )


def in_order(own: Sentence, there: Sentence) -> dict[int, int]:
    """Return which words of two sentences are alike in the same order, by their numbers."""
    mine, theirs = ([word.key for word in one.words] for one in (own, there))
    blocks = SequenceMatcher(None, mine, theirs, autojunk=False).get_matching_blocks()
    return {block.a + i: block.b + i for block in blocks for i in range(block.size)}


def _licensed(
    own: Sentence,
    there: Sentence,
    pairs: Mapping[int, int],
    left: Sequence[int],
    rest: Sequence[int],
    before: str,
    entailed: bool,
    tied: bool,
) -> tuple[list[int], list[int]]:
    """Return what is left over but for what a source says by a pronoun, a preposition, a mood."""
    earlier = {w.key for w in read_words(before).words} if before and entailed else set()
    swapped = any(there.doc[there.words[n].at].dep_ == "prep" for n in rest)
    named = any(t.lower_ in PRONOUN_KINDS and t.tag_ in {"PRP", "PRP$"} for t in there.doc)
    links = tables()["linking"]
    told = next((t.lemma_ for t in there.doc if t.head.i == t.i and is_told_to(t)), "")
    out = []
    for n in left:
        token, key = own.doc[own.words[n].at], own.words[n].key
        linked = entailed and token.dep_ == "prep" and token.lower_ in links and not swapped
        if linked and (_is_timed(token) or not tied):
            continue
        forced = token.lower_ == "you" and any(c.tag_ == "MD" for c in token.head.children)
        if told == token.head.lemma_ and (forced or token.lower_ in {"must", "should"}):
            continue
        if token.lower_ == "to" and token.dep_ == "prep" and _gives(own, token, there, pairs):
            continue
        kinds = {"NOUN", "ADJ"} if tied else {"NOUN", "ADJ", "PROPN"}
        if not named and key in earlier and token.pos_ in kinds:
            continue
        out.append(n)
    if not entailed:
        return out, list(rest)
    kept = set(pairs.values())
    return out, [n for n in rest if not (_is_silent(there, n) or _is_of_time(there, n, kept))]


def _is_timed(prep: Any) -> bool:
    """Return whether a preposition is of a time, which may be told without one."""
    return any(c.lower_ in tables()["times"] or c.like_num for c in prep.children)


def is_told_to(verb: Any) -> bool:
    """Return whether a verb says what somebody is to do: "take one tablet", "do not run"."""
    led = (c for c in verb.children if c.dep_ in {"nsubj", "nsubjpass", "aux"} and c.lemma_ != "do")
    return verb.tag_ == "VB" and verb.lower_ not in tables()["suggesting"] and not any(led)


def _gives(own: Sentence, to: Any, there: Sentence, pairs: Mapping[int, int]) -> bool:
    """Return whether "to" is followed by whom a source says the same to."""
    whom = next((own.of.get(c.i, -1) for c in to.children if c.dep_ == "pobj"), -1)
    other = there.doc[there.words[pairs[whom]].at] if whom in pairs else None
    return other is not None and (other.head.lower_ == "to" or other.dep_ == "dative")


def _is_silent(there: Sentence, n: int) -> bool:
    """Return whether a word of a source only points back or links."""
    token = there.doc[there.words[n].at]
    if token.tag_ == "MD":
        return bool(token.lower_ == "shall")  # a contract says that who shall pay pays
    linking = token.dep_ == "prep" and token.lower_ in tables()["linking"]
    return linking and any(c.dep_ == "pobj" for c in token.children)


def _is_of_time(there: Sentence, n: int, kept: Collection[int]) -> bool:
    """Return whether "only" limits when something is so, in a phrase that a statement has."""
    token = there.doc[there.words[n].at]
    when = next((t for t in token.doc[token.i + 1 :] if t.i in there.of), token)
    timed = when.dep_ == "prep" and _is_timed(when) and there.of[when.i] in kept
    if token.lower_ != "only" or not timed or when.head.dep_ != "ROOT":
        return False
    said = {t.lower_ for t in token.doc} - {"only"}
    binds = tables()["universal"] | tables()["rare"] | tables()["seldom"] | tables()["few"]
    demands = tables()["demanding"] & said or is_told_to(when.head)
    return binds.isdisjoint(said) and not demands


def pair_elsewhere(own: Sentence, there: Sentence, pairs: dict[int, int], entailed: bool) -> None:
    """Pair words that stand in another order, and where licensed words of one meaning."""
    used = set(pairs.values())
    free = [n for n in range(len(there.words)) if n not in used]
    for same in (True, False) if entailed else (True,):
        for n, word in enumerate(own.words):
            if n in pairs:
                continue
            found = next((m for m in free if _meets(own, word, there, there.words[m], same)), None)
            if found is not None:
                pairs[n] = found
                free.remove(found)


def _meets(own: Sentence, one: Word, there: Sentence, other: Word, same: bool) -> bool:
    mine, theirs = own.doc[one.at], there.doc[other.at]
    if one.key == other.key:
        return True
    if mine.lower_ == theirs.lower_ and {mine.pos_, theirs.pos_} == {"NOUN", "PROPN"}:
        return True  # "Roots" is read as a name here, as several roots there
    if "figure" in (one.key[0], other.key[0]):
        if one.key[0] != other.key[0]:
            return False
        head = own.doc[one.at].head
        alone = sum(word.key[0] == "figure" for word in own.words) == 1
        binds = tables()["universal"] | tables()["limiting"] | tables()["few"]
        general = any(t.lower_ in binds or t.tag_ in {"JJS", "RBS"} for t in own.doc)
        verb = next((t for t in own.doc if t.head.i == t.i), own.doc[0])
        once = tense(verb) == "past" and (verb.lemma_ != "be" or "passive" in aspect(verb))
        return (
            alone
            and once
            and not general
            and head.lower_ == "in"
            and _is_vaguer(one.key, other.key)
        )
    if mine.lower_ == theirs.lower_ and {mine.tag_, theirs.tag_} <= _PARTICIPLES:
        return True  # "lost" is read as a verb here, as an adjective there
    if mine.tag_ == theirs.tag_ == "MD":
        forces = {str(one.key[1]), str(other.key[1])}
        both = all(any(c.dep_ == "neg" for c in t.head.children) for t in (mine, theirs))
        done = any(aspect(t.head) & {"perfect"} for t in (mine, theirs))
        allowed = "may" not in forces or is_of_persons(theirs.head)
        return both and not done and allowed and forces <= {"may", "must", "shall"}
    if same:
        return False
    part = _PARTS.get(own.doc[one.at].pos_, "thing")
    return related(str(other.key[1]), str(one.key[1]), part) is Relation.SAME


def _is_vaguer(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    """Return whether a date covers another: what was built in 1886 was built in the 1880s."""
    if one[:2] != ("figure", "DATE") or other[:2] != one[:2]:
        return False
    if one[5] != (1, 31):
        return False  # "late in the 1880s" is not all of them
    low, high, least, most = (float(str(day)) for day in (*one[3:5], *other[3:5]))
    return low < high and low <= least and most <= high  # a month of no year has no days


def turned(
    own: Sentence,
    there: Sentence,
    pairs: Mapping[int, int],
    ordered: bool,
    entailed: bool,
    tied: bool = True,
) -> tuple[str, ...]:
    """Return a word whose tense or role differs, or that depends on another word there.

    Unless `tied`, it may be built otherwise, but for its names and figures.
    """
    seen = [(n, m) for n, m in sorted(pairs.items()) if own.words[n].key[0] == "figure"]
    exchanged = {n for n, m in seen for k, j in seen if (n < k) != (m < j) and n != k}
    hung = [tuple(heads_of(there, there.doc[there.words[pairs[n]].at])[:1]) for n in exchanged]
    if len(set(hung)) < len(hung):
        return tuple(own.text[own.words[n].start : own.words[n].end] for n in sorted(exchanged))
    for n, m in pairs.items():
        one, other = own.doc[own.words[n].at], there.doc[there.words[m].at]
        verbs = one.pos_ in {"VERB", "AUX"} and other.pos_ in {"VERB", "AUX"}
        times = {tense(one), tense(other)} if verbs else set()
        shall = entailed and times == {"present", "shall"} and "perfect" not in aspect(one)
        if len(times - {""}) > 1 and not shall:
            return (one.text,)
        if "mark" in (one.dep_, other.dep_) and (
            one.dep_ != other.dep_ or one.head.lemma_ != other.head.lemma_
        ):
            return (one.text,)
        if verbs and aspect(one) - _VOICE != aspect(other) - _VOICE:
            return (one.text,)
        same = _has_roles(own, one, pairs) and not (_is_by_means(one) or _is_by_means(other))
        if verbs and aspect(one) != aspect(other) and not same:
            return (one.text,)
        if (
            one.tag_ in _NUMBERS
            and other.tag_ in _NUMBERS
            and one.tag_ != other.tag_
            and not entailed
        ):
            return (one.text,)
        forms = {one.tag_, other.tag_}, {one.dep_, other.dep_}
        if forms == ({"VB", "VBG"}, {"xcomp"}) and one.head.lemma_ not in tables()["either"]:
            return (one.text,)  # who stops to smoke does not stop smoking
        if one.dep_ == "neg" and one.head.lemma_ != other.head.lemma_:
            return (one.text,)
        above = (own.of.get(t.i, -1) for t in one.ancestors if t.pos_ in {"VERB", "AUX"})
        told = (there.doc[there.words[pairs[n]].at] for n in above if n in pairs)
        roles = _role(one), _role(other, next(told, None))
        if all(roles) and roles[0] != roles[1] and (not entailed or _CORE.issuperset(roles)):
            return (one.text,)
        if not tied and own.words[n].key[0] != "figure" and one.pos_ != "PROPN":
            continue
        if one.dep_ == other.dep_ == "cc" and one.lower_ == "and":
            continue
        around = {there.of.get(t.i) for t in (other.head, *other.children)}
        asides = {(one.dep_, other.head.dep_), (one.head.dep_, other.dep_)}
        if ("appos", "appos") in asides and pairs.get(own.of.get(one.head.i, -1), -1) in around:
            continue  # "Ann, the coach" is "the coach, Ann"
        if one.dep_ == other.dep_ == "prep" and (
            _is_moved(own, one, there, other, pairs)
            or _is_placed_alike(own, there, n, m, pairs)
            or (entailed and _is_of_one_verb(own, one, there, other, pairs))
        ):
            continue
        head = head_of(own, one)
        heads = heads_of(there, other)
        if n in exchanged and not (heads and head in pairs):
            return (one.text,)
        if head is None or head not in pairs:
            continue
        between = range(min(n, head), max(n, head) + 1)
        if all(pairs.get(i) == m + i - n for i in between):
            continue  # one run of the same words, which a parser may tie otherwise
        listed = one.dep_ == other.dep_ == "appos" and one.pos_ == "PROPN" and not ordered
        through = ordered or entailed or other.dep_ in {"appos", "compound"}
        if heads and pairs[head] not in (heads if through and not listed else heads[:1]):
            return (one.text,)
    return ()


def _is_moved(
    own: Sentence, one: Any, there: Sentence, other: Any, pairs: Mapping[int, int]
) -> bool:
    """Return whether a phrase opens its sentence in one text alone, and is of the same thing."""
    ahead = [not any(t.is_alpha for t in p.doc[: p.left_edge.i]) for p in (one, other)]
    if ahead[0] == ahead[1]:
        return False
    things = [next((c.i for c in p.children if c.dep_ == "pobj"), -1) for p in (one, other)]
    found = own.of.get(things[0], -1)
    return found in pairs and pairs[found] == there.of.get(things[1])


def _is_of_one_verb(
    own: Sentence, one: Any, there: Sentence, other: Any, pairs: Mapping[int, int]
) -> bool:
    """Return whether where something goes is told behind the same verb, whatever it is tied to."""
    verb = next((t for t in one.ancestors if t.pos_ in {"VERB", "AUX"} and t.i < one.i), one)
    found = pairs.get(own.of.get(verb.i, -1), -1)
    behind = other.head.i < other.i and there.of.get(other.head.i) == found
    return one.lower_ in tables()["towards"] and behind


def _is_placed_alike(
    own: Sentence, there: Sentence, n: int, m: int, pairs: Mapping[int, int]
) -> bool:
    """Return whether a phrase stands behind the same word, or ends both with what follows."""
    behind = range(len(own.words) - n)
    ends = len(behind) == len(there.words) - m and all(pairs.get(n + k) == m + k for k in behind)
    return ends or (n > 0 and pairs.get(n - 1) == m - 1)


def _is_by_means(verb: Any) -> bool:
    """Return whether "by" behind a verb tells how, not who: "by post", "by law"."""
    led = (g for c in verb.children if is_agent(c) for g in c.children if g.dep_ == "pobj")
    return any(g.tag_ == "NN" and not any(g.lefts) and not any(g.rights) for g in led)


def _has_roles(own: Sentence, verb: Any, pairs: Mapping[int, int]) -> bool:
    """Return whether a verb has somebody of whom it is known that another voice keeps the role."""
    named = (c for c in verb.children if c.dep_ in {"nsubj", "nsubjpass", "dobj", "agent"})
    return any(own.of.get(c.i) in pairs or c.dep_ == "agent" for c in named)


def _role(token: Any, verb: Any = None) -> str:
    """Return what a noun is to its verb, or to one joined to that: doer, done, "to", "in"."""
    while token.dep_ in {"conj", "compound", "appos"} and token.head.i != token.i:
        token = token.head
    if token.pos_ not in {"NOUN", "PROPN", "PRON"}:
        return ""
    if token.dep_ == "pobj":
        head = token.head
        named = "doer" if is_agent(head) else "to" if head.dep_ == "dative" else ""
        return named or ("" if head.dep_ == "conj" else str(head.lower_))
    if token.dep_ in _SUBJECTS and verb is not None and token.head in verb.ancestors:
        helped = {c.dep_ for c in verb.children}
        passive = verb.tag_ == "VBN" and ("auxpass" in helped or "aux" not in helped)
        dep = "nsubjpass" if passive else "nsubj"
    else:
        verb, dep = token.head, token.dep_
    given = any(c.dep_ == "dobj" for c in verb.children)
    if dep == "dative" or (dep == "nsubjpass" and given):
        return "to" if given else "done"
    return _ROLES.get(dep, "")
