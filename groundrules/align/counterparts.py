"""Whether a part of a statement follows from the part of a source that stands beside it.

What the words of the two mean is the model's to say; figures, days, names, denials, "only" and how
many of all are read by us in both, and must follow too.
"""

from __future__ import annotations

from collections.abc import Iterator

from groundrules.align.operations import excludes
from groundrules.align.parses import parse
from groundrules.align.reckoned_parts import (
    are_borne_out,
    is_reckoned_with,
    reckoned_of,
    unreckoned,
)
from groundrules.align.snippets import (
    Figure,
    Texts,
    compares,
    denials,
    figures,
    frequencies,
    is_age,
    leaves_open,
    meets,
    names,
    ordinals,
    quantity,
    ranks,
    restricts,
    sentence_of,
    side_of_time,
    weekdays,
    within,
    words_of,
)
from groundrules.claims.english import POSSESSIVES, PRONOUNS, SCALES
from groundrules.claims.english.logic import (
    ANY_TIME,
    CASES,
    CONDITIONAL,
    DEFINITE_WORDS,
    DOUBTING_ADVERBS,
    EVEN_SO,
    EXCEPTING,
    HOW_MANY_FOLLOW,
    OF_ONE,
    OF_PLACES,
    OTHER_CASE,
    PRIVATIVE,
    SETTING,
    STANDING_FOR_ANY,
)
from groundrules.claims.llm_propositions import Clause, Part

#: Roles of those of whom something is told.
_WHOM = frozenset({"who", "what", "to whom", "for", "of what"})


def fault_of(part: Part, clause: Clause, texts: Texts, *, down: bool) -> str:
    """Return why a part of a statement does not follow from its counterpart, empty where it does.

    With `down` the source denies its clause, so that what it says of more it says of less. So it is
    of a case: what follows in a wider one follows in a narrower.
    """
    relation = part.relation
    case = part.role in CASES
    if case:
        down = not down
    if relation == "opposed" and is_unmet(part, texts):
        return ""
    if relation not in {"same", "narrower", "wider"}:
        return f"{relation} are “{texts.said(part)}” and “{texts.known(part)}”"
    general = relation == "wider" and not (down or case or part.role == "does")
    of_any = general and _is_of_any(part, clause, texts)
    apart = relation == ("narrower" if down else "wider")
    reckoned = relation == "wider" and are_borne_out(part, clause, texts)
    if apart and not (of_any or reckoned):
        return f"the source has “{texts.known(part)}”, which is {relation}"
    of_all = is_of_all(part, texts) or quantity(texts.said(part)) in {"all", "any"}
    if relation == "narrower" and not down and not case and of_all:
        return f"what is so of “{texts.known(part)}” need not be so of “{texts.said(part)}”"
    return fault_in_words(part, clause, texts, of_any=of_any, down=down)


def fault_in_words(
    part: Part, clause: Clause, texts: Texts, *, of_any: bool = False, down: bool = False
) -> str:
    """Return what two words that are said to mean the same differ in, of what we read ourselves."""
    said, known = texts.said(part), _in_full(part, texts)
    if part.relation == "same" and set(words_of(said)) <= PRONOUNS:
        return ""  # whom it stands for is what words mean
    if is_otherwise(part, texts):
        start, end = sentence_of(texts.source, part.known)
        known = texts.source[start:end]  # the case that it is the other of stands before it
    differing = next(_differing(part, clause, texts, (said, known), of_any=of_any, down=down), "")
    sums = reckoned_of(part, clause)
    case = not sums and is_reckoned_with(part, clause, texts)
    if differing and (case or are_borne_out(part, clause, texts)):
        words = unreckoned(part, clause, texts)
        differing = next(_differing(part, clause, texts, words, of_any=of_any, down=down), "")
    return differing and f"{differing}: “{said}” beside “{known}”"


def _differing(
    part: Part, clause: Clause, texts: Texts, words: tuple[str, str], *, of_any: bool, down: bool
) -> Iterator[str]:
    said, known = words
    case = part.role in CASES
    if figures(said) and _is_scaled(part, texts):
        known = _put_together(part, texts)
        if not known:
            yield "units"
    is_case = part.relation == "same" and part.role in _WHOM and bool(figures(said))
    of_one = of_any or (is_case and not within(said, known) and _is_of_any(part, clause, texts))
    bound = down and not (part.relation == "same" and _are_definite(said, known))
    at_any = of_any and not ANY_TIME.isdisjoint(words_of(known)[:1])
    at_any |= of_any and is_age(said) and not figures(known)  # of applicants one of thirty is one
    told = at_any or _is_told_elsewhere(part, texts)
    if not told and not _figures_follow(said, known, of_any=of_one, down=bound):
        yield "figures"
    if not ordinals(said) <= ordinals(known) or not ranks(known) <= ranks(said):
        yield "order"
    if not _days_follow(said, known, part):
        yield "days"
    of_all = clause.source.force in {"may", "must", "should", "do"} and _is_of_any(
        part, clause, texts
    )
    if not _quantities_follow(said, known, clause, down=down, of_all=of_all):
        yield "how many"
    if words[0] == texts.said(part) and not _is_compared(part, texts):
        yield "comparison"
    if not _names_follow(part, clause, texts):
        yield "names"
    if restricts(said) != restricts(known) and (case or restricts(said)):
        yield "only"
    if not _is_sure(part, texts):
        yield "doubt"
    if not (down or case or of_any) and leaves_open(known) and not leaves_open(said):
        yield "choice"
    ifs = [CONDITIONAL & {*words_of(one)[1:]} for one in words]
    if not case and ifs[1] and not ifs[0]:
        yield "condition"


def is_otherwise(part: Part, texts: Texts) -> bool:
    """Return whether a source has a case as the other of one that it told before: "otherwise"."""
    words = set(words_of(texts.known(part)))
    return part.role in CASES and bool(words & OTHER_CASE) and words <= OTHER_CASE | {"and", "or"}


def is_unmet(part: Part, texts: Texts) -> bool:
    """Return whether an exception of a source is opposed to the case that a statement has."""
    said = texts.said(part)
    open_to_it = quantity(said) != "all" and EXCEPTING.isdisjoint(words_of(said))
    return part.role == "unless" and open_to_it and EVEN_SO.isdisjoint(words_of(said))


def figures_exclude(part: Part, texts: Texts) -> bool:
    """Return whether a source has another figure where nothing but the figure differs.

    Not of days and hours: what happened on one may have happened on another.
    """
    mine, theirs = figures(texts.said(part)), figures(_in_full(part, texts))
    if part.relation != "same" or len(mine) != 1 or len(theirs) != 1:
        return False
    start, end = sentence_of(texts.source, part.known)
    if len(part.known) > 1 and "|" not in texts.source[start:end]:  # more than a cell and its head
        return False
    return mine[0].excludes(theirs[0]) and quantity(texts.said(part)) == quantity(texts.known(part))


def _is_of_any(part: Part, clause: Clause, texts: Texts) -> bool:
    """Return whether words of a source stand for any of their kind, or have the others in them.

    "Dogs", "either party" and "all other times" are any; "a dog" that barked is one.
    """
    said, known = texts.said(part), texts.known(part)
    if clause.source.force == "may" and " or " in known and within(said, known):
        return True  # who may choose may do either
    if " or " not in known and within(said, known):
        return True  # of "in the yard and in the bar" each
    tokens = [t for t in parse(texts.source) if meets(part.known, (t.idx, t.idx + len(t)))]
    units = {word for one in figures(known) for word in one.number.text.split()}
    nouns = [t for t in tokens if t.pos_ in {"NOUN", "PROPN"} and t.text not in units]
    happened = any(
        t.tag_ == "VBD"
        for t in parse(texts.source)
        for one in clause.parts if one.role == "does" and meets(one.known, (t.idx, t.idx + len(t)))
    )  # fmt: skip
    if happened:
        return False
    pieces = [words_of(texts.source[start:end])[:2] for start, end in part.known]
    if any(not STANDING_FOR_ANY.isdisjoint(one) for one in pieces):
        return True
    counted = any(one.counts or one.number.unit for one in figures(known))
    plural = bool(nouns) and nouns[0].tag_ == "NNS" and not counted
    return plural and not any(t.dep_ in {"det", "poss"} for t in tokens if t.head == nouns[0])


def is_of_all(part: Part, texts: Texts) -> bool:
    """Return whether a statement is told of all that words name, as "dogs" is that may not bark."""
    tokens = [t for t in parse(texts.statement) if meets(part.said, (t.idx, t.idx + len(t)))]
    first = [t for t in tokens if t.dep_ in {"nsubj", "nsubjpass"}]
    if not first or any(t.tag_ == "VBD" for t in (first[0].head, *first[0].head.children)):
        return False
    marked = [t.lower_ for t in first[0].children if t.dep_ in {"det", "poss", "nummod"}]
    return first[0].tag_ == "NNS" and not set(marked) - {"all", "these", "those"}


def sums_exclude(part: Part, clause: Clause, texts: Texts) -> bool:
    """Return whether a figure is not what its source's come to, where nothing else differs."""
    sums = reckoned_of(part, clause)
    if len(sums) != 1 or part.relation != "same":
        return False
    words = unreckoned(part, clause, texts)
    left = _differing(part, clause, texts, words, of_any=False, down=False)
    return excludes(sums[0], texts) and next(left, "") == ""


def _are_definite(said: str, known: str) -> bool:
    """Return whether both name one thing, of which figures say which it is."""
    return all(DEFINITE_WORDS & {*words_of(words)[:1]} for words in (said, known))


def _is_told_elsewhere(part: Part, texts: Texts) -> bool:
    """Return whether figures only name what the source counts elsewhere: "the two looms"."""
    mine = figures(texts.said(part))
    named = part.relation == "same" and part.role in _WHOM and not figures(texts.known(part))
    return named and all(
        one.counts and within(f"{one.number.text} {one.number.noun}", texts.source) for one in mine
    )


def _in_full(part: Part, texts: Texts) -> str:
    """Return the words of a source, a bare number with the unit that the one before it has.

    So is five in "the first binds her for ten years, the second for five".
    """
    said, known = figures(texts.said(part)), texts.known(part)
    bare = [one.number for one in figures(known)]
    if len(said) != 1 or len(bare) != 1 or bare[0].noun or bare[0].text not in known:
        return known
    start, _ = sentence_of(texts.source, part.known)
    before = [one.number for one in figures(texts.source[start : part.known[0][0]])][-1:]
    units = [unit for one in before for unit in one.text.split(None, 1)[1:]]
    measured = [one.measure for one in before] == [said[0].number.measure]
    if bare[0].kind != "NUMBER" or not units or not measured:
        return known
    return known.replace(bare[0].text, f"{bare[0].text} {units[0]}", 1)


def _is_scaled(part: Part, texts: Texts) -> bool:
    """Return whether a source has the unit or the scale of a figure apart from it."""
    pieces = [texts.source[start:end] for start, end in part.known]
    bare = [one for one in pieces if not any(map(str.isdigit, one))]
    return any(word in SCALES for one in bare for word in words_of(one))


def _put_together(part: Part, texts: Texts) -> str:
    """Return a figure with the sign and the scale that stand apart from it, as above a column."""
    pieces = [texts.source[start:end] for start, end in part.known]
    digits = [one for one in pieces if any(map(str.isdigit, one))]
    bare = " ".join(one for one in pieces if one not in digits)
    scales = [word for word in words_of(bare) if word in SCALES]
    signs = [char for char in bare if char in "£$€"]
    if len(digits) != 1 or len(scales) != 1 or len(signs) > 1:
        return ""
    return f"{''.join(signs)}{digits[0].strip()} {scales[0]}"


def _figures_follow(said: str, known: str, *, of_any: bool, down: bool) -> bool:
    mine, left = figures(said), figures(known)

    def is_met(one: Figure, other: Figure) -> bool:
        plain = not (of_any or down) or other.counts
        return one.follows_from(other) if plain else one.is_case_of(other)

    for one in mine:
        met = next((other for other in left if is_met(one, other)), None)
        if met is None:
            return False
        left.remove(met)
    if (of_any or down) and left:
        return False
    measured = {one.number.measure for one in mine}
    if any(one.number.measure in measured for one in left):
        return False  # "from 310 to 279" is not 310
    often, known_often = frequencies(said), frequencies(known)
    return often == known_often or (not often and not down)


def _days_follow(said: str, known: str, part: Part) -> bool:
    """Return whether days follow, and no time is on another side: "by her" is on none."""
    mine, theirs = weekdays(said), weekdays(known)
    wider = part.relation == "wider" and not theirs
    if mine and mine != theirs and not (mine < theirs or wider):
        return False
    sides = {side_of_time(said), side_of_time(known)} - {""}
    return len(sides) < 2 or part.role not in SETTING


def _quantities_follow(
    said: str, known: str, clause: Clause, *, down: bool, of_all: bool = False
) -> bool:
    """Return whether how many a statement speaks of follows; what guests must do all must."""
    mine, theirs = quantity(said), quantity(known)
    if of_all and theirs == "" and mine in {"all", "any"} and not down:
        return True
    if mine == theirs:
        return True
    if theirs == "not all" and down:
        return mine == "all" and not clause.statement.denied  # which it denies
    if clause.source.denied and {mine, theirs} <= {"", "all", "any"}:
        both = theirs == "all" and "either" not in words_of(known)
        return bool(denials(known)) or not (both or mine == "all")  # who took not both may take one
    if down:
        return theirs in {"", "all", "any"} and mine in {"", "some", "any"}
    if theirs == "" and mine == "all":
        return False
    of_one = not OF_ONE.isdisjoint(words_of(said)[:1])
    if of_one and mine == "" and theirs in {"some", "most", "many", "half"}:
        return True
    return mine in HOW_MANY_FOLLOW.get(theirs, frozenset())


def _is_sure(part: Part, texts: Texts) -> bool:
    """Return whether no word of a source doubts what a statement says without it.

    Who is named is the one meant, whatever he was.
    """
    said, known = set(words_of(texts.said(part))), set(words_of(texts.known(part)))
    doubts = DOUBTING_ADVERBS | (frozenset() if names(texts.statement, part.said) else PRIVATIVE)
    return not (known & doubts) - said


def _is_compared(part: Part, texts: Texts) -> bool:
    """Return whether what a statement compares the source compares too, and has not in figures."""
    if not figures(texts.known(part)) or figures(texts.said(part)):
        return True
    compared = compares(part.said, texts.statement)
    return not compared or compares(part.known, texts.source)


def _names_follow(part: Part, clause: Clause, texts: Texts) -> bool:
    """Return whether the source has the names of a part there, or a word that stands for them.

    What has another name is another; one that the source does not name there, but elsewhere, is
    whom the model says is meant.
    """
    mine, theirs = names(texts.statement, part.said), names(texts.source, part.known)
    missing = set(mine) - set(words_of(texts.known(part)))
    if not missing:
        return True
    text = texts.source.casefold()
    missing -= {one for one in missing if any(_is_of_place(one, other) for other in theirs)}
    theirs = [one for one in theirs if not any(_is_of_place(name, one) for name in mine)]
    if any(one not in text for one in missing) or set(theirs) - set(words_of(texts.said(part))):
        return False
    if not theirs and not POSSESSIVES.isdisjoint(words_of(texts.known(part))):
        return True  # "her" may be whoever is named beside
    others = {
        name
        for one in clause.parts if one is not part
        for name in names(texts.source, one.known)
    }  # fmt: skip
    return bool(theirs) or others.isdisjoint(missing)


def _is_of_place(name: str, other: str) -> bool:
    """Return whether of two names one is an adjective of the other: "Genoese" of "Genoa"."""
    long, short = (name, other) if name.endswith(OF_PLACES) else (other, name)
    return long.endswith(OF_PLACES) and len(short) > 3 and long[:4] == short[:4]
