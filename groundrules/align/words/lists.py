"""Leads of lists: where in its lead an item belongs, and which items it speaks of."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from groundrules.claims.english import ORDINALS, SMALL
from groundrules.claims.english.logic import CONJUNCTIONS, OPENING_LEADS, UNASSERTED_HEADS

Parse = Callable[[str], Any]
#: Where in a frame an item stands, and where one that the lead picks.
ITEM, PICKED = "\ue000", "\ue001"
_VERBAL = frozenset({"VERB", "AUX"})
_NOMINAL = frozenset({"NOUN", "PROPN", "NUM", "PRON"})
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj"})
#: What a counted noun that announces items is to its verb, the likeliest first.
_ANNOUNCING = ("dobj", "attr", "nsubj", "nsubjpass")
#: What a lead that ends in it leaves open.
_UNFINISHED = frozenset({"VERB", "AUX", "ADP", "SCONJ", "PART", "DET", "CCONJ"})
_ONE_OF = re.compile(r"(?i)\b(?:one|some|either|two|three) of (?:the|these)\b|\beither$|\bor$")
_NTH = rf"(?:{'|'.join(ORDINALS)}|last|latter|former)"
_PICKING = re.compile(
    rf"(?i)\b(?P<only>only )?(?:the (?P<nth>{_NTH})(?: (?P<of>two|three|one))?$"
    r"|(?:those|the (?:ones|items)) (?:marked|with) (?:with )?(?:an? )?(?P<mark>\S{1,3})(?=\s|$))"
)


_EXCEPTING = re.compile(
    r"(?i)\b(except(?: for)?|excluding|other than|apart from|with the exception of)"
    r"(?: (?:the |these )?following(?: \w+)?)?$"
)


@dataclass(frozen=True, slots=True)
class Frame:
    """A lead with a place for its items.

    An item that is a clause stands where it is `clausal`, by itself where the lead but `applies`
    it. Of a `free` lead, a denial or a permission, each item is told even of an alternative one.
    `joint` are items that bind together, as conditions and exceptions do; of an `alternative` lead
    none of them alone is asserted. It may pick one, "the last", or "those marked *", which with
    `only` is denied of all others.
    """

    text: str
    clausal: bool = True
    free: bool = False
    joint: bool = False
    alternative: bool = False
    only: bool = False
    nth: str = ""
    mark: str = ""

    @property
    def applies(self) -> bool:
        """Whether it says of its items that they hold: "The following rules apply"."""
        return bool(re.search(r"\b(?:apply|applies|hold)$", self.text))

    def picks(self, number: int, count: int, mark: str) -> bool:
        """Return whether the lead picks an item, by its number from 0 or by its mark."""
        if self.mark:
            return mark == self.mark
        if self.nth in {"last", "latter"}:
            return number == count - 1
        return number == (0 if self.nth == "former" else ORDINALS[self.nth] - 1)


def frame_of(lead: str, parse: Parse) -> Frame | None:
    """Return a lead with the place of its items, None where they are not asserted."""
    picking = _PICKING.search(lead)
    if picking is not None:
        if picking["of"]:
            return None
        before, after = lead[: picking.start()], lead[picking.end() :]
        inner = _unpicked(f"{before}{PICKED}{after}", parse)
        nth = (picking["nth"] or "").casefold()
        return None if inner is None else Frame(
            inner.text, only=bool(picking["only"]), nth=nth, mark=picking["mark"] or ""
        )  # fmt: skip
    return _unpicked(lead, parse)


def _unpicked(lead: str, parse: Parse) -> Frame | None:
    """Return the frame of a lead that picks none of its items."""
    doc = parse(lead.replace(PICKED, "it"))
    if not len(doc) or ITEM in lead:
        return None
    root = next(iter(doc.sents)).root
    words = {t.lower_ for t in doc}
    free = bool(words & {"may", "can"}) or any(t.dep_ == "neg" for t in doc)
    alternative = bool(_ONE_OF.search(lead)) and not free
    last = doc[-1]
    if PICKED in lead:
        announced = _announced(doc)
        if announced is None:
            return None
        start, end = announced
        shift = len("it") - len(PICKED)
        at = lead.index(PICKED)
        start, end = (x - shift if x > at else x for x in (start, end))
        return Frame(_put(lead, start, end))
    excepting = _EXCEPTING.search(lead)
    if excepting is not None:
        return Frame(f"{lead[: excepting.end(1)]} {ITEM}", joint=True)
    condition = _condition(doc)
    if condition is not None:
        return Frame(f"{lead[:condition]} {ITEM}", joint=not words & {"any", "one", "either"})
    announced = _announced(doc)
    if announced is not None and words & {"following", "follows"}:
        return Frame(_put(lead, *announced), False, free, alternative=alternative)
    if last.pos_ in _UNFINISHED or last.lower_ in {"not", "to", "either"}:
        text = re.sub(r"(?i) either$", "", lead)
        return Frame(f"{text} {ITEM}", free=free, alternative=alternative)
    if announced is not None:
        return Frame(_put(lead, *announced), False, free, alternative=alternative)
    if root.pos_ in _NOMINAL and not _has_subject(root):
        heads = {t.lemma_.casefold() for t in doc if t.pos_ in _NOMINAL}
        return None if heads & UNASSERTED_HEADS else Frame(ITEM)
    if _is_scene(doc, root):
        return Frame(f"{lead}, {ITEM}")
    objects = [c for c in root.children if c.dep_ in {"dobj", "attr", "acomp", "dative", "oprd"}]
    passive = any(c.dep_ == "nsubjpass" for c in root.children)
    if root.pos_ == "VERB" and not objects and not passive and root.i < last.i:
        verb = max([root, *(c for c in root.children if c.dep_ == "prt")], key=lambda t: t.i)
        at = verb.idx + len(verb)
        return Frame(f"{lead[:at]} {ITEM}{lead[at:]}", False, free, alternative=alternative)
    return Frame(ITEM) if objects and root.tag_ in {"VB", "VBP"} and not free else None


def _put(lead: str, start: int, end: int) -> str:
    """Return a lead with the place of an item instead of what announces it."""
    before, after = lead[:start].rstrip(), lead[end:].strip()
    before = re.sub(r"(?i)\b(?:any|all|each|one|some|either) of$", "", before).rstrip()
    gap = "" if after[:1] in {",", ";"} else " "
    return f"{before} {ITEM}{gap}{after}".strip()


def _announced(doc: Any) -> tuple[int, int] | None:
    """Return the range of what announces the items: "the following …", "three books"."""
    follows = re.search(r"(?i)\bas follows$", doc.text)
    if follows is not None:
        return follows.span()
    found: list[tuple[int, tuple[int, int]]] = []
    for one in doc:
        if one.lower_ == "following" and one.i and doc[one.i - 1].lower_ in {"the", "these"}:
            noun = one.head if one.dep_ in {"amod", "compound"} and one.head.i > one.i else one
            return int(doc[one.i - 1].idx), int(noun.idx + len(noun))
        own = [c for c in one.children if c.i < one.i]
        low = {c.lower_ for c in own}
        below = next((c for c in one.children if c.lower_ == "below"), None)
        counted = any(c.dep_ == "nummod" or c.lower_ in SMALL for c in own) and "the" not in low
        counted = (counted or bool(low & {"several", "these"})) and one.dep_ in _ANNOUNCING
        if one.pos_ in _NOMINAL and (below is not None or (counted and one.tag_ == "NNS")):
            last = one if below is None else below
            start = min([one.idx, *(c.left_edge.idx for c in own)])
            rank = _ANNOUNCING.index(one.dep_) if below is None else -1
            found.append((rank, (start, last.idx + len(last))))
    return min(found)[1] if found else None


def _condition(doc: Any) -> int | None:
    """Return where a condition ends that the items fill: "if", "if all of the following hold"."""
    last = doc[-1]
    if CONJUNCTIONS.get(last.lower_) in {"if", "unless", "when"} or (
        last.lower_ == "that" and len(doc) > 1 and doc[-2].lower_ in {"provided", "providing"}
    ):
        return int(last.idx + len(last))
    found = _announced(doc)
    marks = [t for t in doc if CONJUNCTIONS.get(t.lower_) in {"if", "unless", "when"}]
    if found is None or not marks or marks[-1].idx > found[0] or not (doc[-1].i > marks[-1].i):
        return None
    return int(marks[-1].idx + len(marks[-1])) if marks[-1].i else None


def _is_scene(doc: Any, root: Any) -> bool:
    """Return whether a lead says but when or what for: "To reset the router", "In winter"."""
    first = doc[0]
    aims = first.lower_ == "to" and any(c.lower_ == "to" for c in root.children)
    opens = CONJUNCTIONS.get(first.lower_) in OPENING_LEADS
    alone = root.i == 0 and root.pos_ in {"ADP", "SCONJ"}
    return bool(aims or opens or alone)


def is_clause(doc: Any) -> bool:
    """Return whether an item is a sentence of its own or an instruction."""
    root = next(iter(doc.sents)).root
    return _has_subject(root) or (root.pos_ in _VERBAL and root.tag_ in {"VB", "VBP"})


def _has_subject(token: Any) -> bool:
    return any(c.dep_ in _SUBJECTS for c in token.children)
