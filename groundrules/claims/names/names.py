"""Names: rules over shape and context, layered over the pipeline's named-entity recogniser.

Each layer is a function from words to candidate spans.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from groundrules import domain
from groundrules.claims.english import PARTICLES, TITLES, table
from groundrules.claims.english.alternations import NO_CAPITALS
from groundrules.claims.english.fillers import BEFORE_NAMES
from groundrules.claims.english.signals import CONTEST_SIGNALS

#: The layers in order of trust: where two disagree the earlier one wins.
LAYERS = tuple("contests suffixes terms ner institutions titles places capitals".split())
#: NER labels of other spaCy models, mapped to ours; labels of values are left to `values`.
LABELS = table("labels")
_JOINERS = PARTICLES - {"al", "bin", "ibn", "le"} | {"of", "and", "&", "for", "the"}
_FUNCTION = re.compile(rf"(?:{NO_CAPITALS})$", re.IGNORECASE)
_SURE_TITLES = TITLES | {"congressman", "congresswoman"}
_MONTHS = re.compile(r"(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)\.?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Name:
    """A name over the words `start:end`, half-open; `title` is the word that came before it."""

    start: int
    end: int
    kind: str
    layer: str
    title: str = ""


@cache
def lists() -> Mapping[str, Any]:
    """Return the word lists of `names.toml`, the flat ones as frozen sets."""
    raw = tomllib.loads(Path(__file__).with_name("names.toml").read_text(encoding="utf-8"))
    return {k: frozenset(v) if isinstance(v, list) else v for k, v in raw.items()}


def find_names(
    words: Sequence[str],
    *,
    entities: Iterable[tuple[int, int, str]] = (),
    terms: Iterable[str] = (),
    proper: Sequence[bool] | None = None,
) -> tuple[Name, ...]:
    """Return the names among the words of one passage, in order, without overlap.

    `entities` are the recogniser's spans (word start, end, label); `terms` the defined terms of
    the document; `proper` says of each word whether the tagger calls it a proper noun.
    """
    entities = list(entities)
    found: list[Name] = []
    shouted = _shouted(words)
    for layer in LAYERS:
        if layer == "ner":
            spans = _recognised(words, entities)
        elif layer == "terms":
            wider = {i for s, e, _ in entities if e - s > 1 for i in range(s, e)}
            spans = [
                t for t in _terms(words, frozenset(terms)) if t[1] - t[0] > 1 or t[0] not in wider
            ]
        elif layer == "capitals":
            spans = [] if shouted else _capitals(words, proper)
        else:
            spans = _RULES[layer](words)
        found += [Name(s, e, kind, layer, title) for s, e, kind, title in spans]
    return _merge(found, len(words))


_Found = list[tuple[int, int, str, str]]


def _merge(found: list[Name], size: int) -> tuple[Name, ...]:
    """Keep the more trusted of two overlapping names, the longer where trust is equal.

    A recogniser's span that contains a title's or a place's extends it: "Angela Dorothea Merkel"
    over "Merkel".
    """
    order = {layer: n for n, layer in enumerate(LAYERS)}
    taken: list[Name | None] = [None] * size
    for name in sorted(found, key=lambda n: (order[n.layer], n.start - n.end, n.start)):
        clash = {taken[i] for i in range(name.start, name.end)} - {None}
        if not clash:
            for i in range(name.start, name.end):
                taken[i] = name
        elif len(clash) == 1:
            other = next(iter(clash))
            assert other is not None
            wider = name.start <= other.start and other.end <= name.end and name.kind == other.kind
            if wider and name.layer == "ner" and other.layer != "terms":
                merged = Name(name.start, name.end, other.kind, other.layer, other.title)
                for i in range(name.start, name.end):
                    taken[i] = merged
    kept = sorted({n for n in taken if n}, key=lambda n: n.start)
    return tuple(kept)


def _cap(word: str) -> bool:
    return word[:1].isupper() and not _MONTHS.match(word)


def _shouted(words: Sequence[str]) -> bool:
    letters = [w for w in words if w.isalpha() and len(w) > 1]
    return len(letters) > 5 and sum(w.isupper() for w in letters) > 0.7 * len(letters)


def _bare(word: str) -> str:
    return word.casefold().rstrip(".")


def _recognised(words: Sequence[str], entities: Iterable[tuple[int, int, str]]) -> _Found:
    out: _Found = []
    titles = lists()["titles"]
    for start, end, label in entities:
        kind = LABELS.get(label)
        while start < end and (
            words[start] in {'"', "“", "'", ",", "("}
            or (words[start].casefold() in BEFORE_NAMES and end - start > 1)
        ):
            start += 1
        while start < end and words[end - 1] in {"'s", "’s", ",", ".", '"', "”", "'", "("}:
            end -= 1
        title = ""
        first = _bare(words[start]) if start < end else ""
        if end - start > 1 and first in (titles if kind == "PERSON" else _SURE_TITLES):
            title, kind = words[start], "PERSON"
            start += 1 + (words[start + 1] == ".")
        if end - start == 1 and _bare(words[start]) in domain.words().roles:
            continue
        if kind == "MISC" and _bare(" ".join(words[start:end])) in lists()["places"]:
            kind = "LOC"
        if kind and start < end and any(c.isalpha() for c in words[start]):
            out.append((start, end, kind, title))
    return out


#: Suffixes that are no words, and so are known in small letters, too.
_ABBREVIATED = frozenset({"plc", "ltd", "llc", "llp", "gmbh"})


def begins_company(words: Sequence[str], at: int) -> bool:
    """Return whether one company's name ends with a stop before a word and another's begins there.

    "It was sold to Alpine Ltd. Birch Ltd owns the dam."
    """
    before = words[at - 1] if words[at - 1] != "." else "".join(words[max(0, at - 2) : at])
    known = lists()["suffixes"]
    if not before.endswith(".") or _bare(before) not in known or _bare(words[at]) in known:
        return False
    for place in range(at, min(at + 6, len(words))):
        if not _cap(words[place]) or _FUNCTION.match(words[place]):
            return False
        if _bare(words[place]) in known:
            return True
    return False


def _suffixes(words: Sequence[str]) -> _Found:
    """Capitalised words up to a corporate suffix: `Alpine Holdings, LLC`."""
    known = lists()["suffixes"]
    out: _Found = []
    for i, word in enumerate(words):
        abbreviated = _bare(word) in _ABBREVIATED and i > 0 and _cap(words[i - 1])
        if _bare(word) not in known or not (_cap(word) or abbreviated) or i == 0:
            continue
        start = i
        while start > 0:
            before = words[start - 1]
            if before == "," and start == i and start > 1 and _cap(words[start - 2]):
                start -= 2
            elif begins_company(words, start):
                break
            elif _cap(before) and not _FUNCTION.match(before):
                start -= 1
            elif (
                before.casefold() in {"&", "of", "and", "-", "/", "'s", "’s"}
                and start > 1
                and start < i + (before not in {"and", "AND"})
                and _cap(words[start - 2])
                and not _FUNCTION.match(words[start - 2])
                and (
                    _bare(words[start - 2]) not in known
                    or f"{before} {_bare(words[start])}" == "& co"
                )
            ):
                start -= 2
            else:
                break
        lone = {"company", "trust", "group", "limited", "companies", "corporation", "partners"}
        if start == i or (i - start == 1 and _bare(word) in lone and _FUNCTION.match(words[start])):
            continue
        out.append((start, i + 1, "ORG", ""))
    return _longest(out)


def _longest(spans: _Found) -> _Found:
    """Join spans that touch or nest: `Alpine Holdings` + `, LLC`."""
    out: _Found = []
    for span in sorted(spans):
        if out and span[0] < out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], span[1]), *out[-1][2:])
        else:
            out.append(span)
    return out


def _institutions(words: Sequence[str]) -> _Found:
    """`University of Texas`, `Supreme Court`, `Ministry of Foreign Affairs`."""
    known = lists()["institutions"]
    out: _Found = []
    for i, word in enumerate(words):
        if word.casefold() not in known or not word[:1].isupper() or _shouted(words):
            continue
        start, end = i, i + 1
        while start > 0 and _cap(words[start - 1]) and not _FUNCTION.match(words[start - 1]):
            start -= 1
        while end + 1 < len(words) and words[end].casefold() in {"of", "for"}:
            nxt = end + 1 + (words[end + 1].casefold() == "the" and end + 2 < len(words))
            if not (_cap(words[nxt]) and not _FUNCTION.match(words[nxt])):
                break
            end = nxt + 1
            while end < len(words) and _cap(words[end]) and not _FUNCTION.match(words[end]):
                end += 1
        if end - start > 1:
            out.append((start, end, "ORG", ""))
    return _longest(out)


def _titles(words: Sequence[str]) -> _Found:
    """Give a title and the capitalised words after it: a person."""
    known = lists()["titles"]
    out: _Found = []
    for i, word in enumerate(words[:-1]):
        if _bare(word) not in known or not word[:1].isupper():
            continue
        start = i + 1
        while start < len(words) and words[start] == ".":
            start += 1
        end = start
        while end < len(words) and (
            (_cap(words[end]) and not _FUNCTION.match(words[end]) and words[end].isupper() is False)
            or re.fullmatch(r"[A-Z]\.?", words[end])
            or (words[end] in PARTICLES and end + 1 < len(words) and _cap(words[end + 1]))
        ):
            end += 1
        while start < end and _bare(words[start]) in known:
            start += 1
        known_heads = lists()["institutions"] | lists()["suffixes"]
        if start < end and not any(_bare(w) in known_heads for w in words[start:end]):
            out.append((start, end, "PERSON", word))
    return out


def _places(words: Sequence[str]) -> _Found:
    """Places of the small list, up to five words; lower-case text needs two words or a comma."""
    known = lists()["places"]
    lower = not any(w[:1].isupper() for w in words)
    out: _Found = []
    i = 0
    while i < len(words):
        for size in range(min(5, len(words) - i), 0, -1):
            part = words[i : i + size]
            joined = _bare(" ".join(part).replace(" '", "'").replace(" ’", "'"))
            if joined in known and (
                lower or all(w[:1].isupper() or w in _JOINERS or w == "'s" for w in part)
            ):
                if lower and joined in lists()["no_lower_places"]:
                    continue
                if lower or not (_part_of_name(words, i - 1) or _part_of_name(words, i + size)):
                    out.append((i, i + size, "LOC", ""))
                i += size - 1
                break
        i += 1
    return out


def _part_of_name(words: Sequence[str], i: int) -> bool:
    """Give a capitalised neighbour makes a place part of a longer name: `Paris Agreement`."""
    if not 0 < i < len(words):
        return False
    return _cap(words[i]) and words[i].isalpha() and not _FUNCTION.match(words[i])


def _terms(words: Sequence[str], terms: frozenset[str]) -> _Found:
    """Give the document's own defined terms, as they are written in it."""
    out: _Found = []
    if not terms:
        return out
    widest = max(len(t.split()) for t in terms)
    i = 0
    while i < len(words):
        for size in range(min(widest, len(words) - i), 0, -1):
            joined = " ".join(words[i : i + size])
            if joined in terms or (
                joined.isupper() and len(joined) > 3 and joined.title() in terms
            ):
                out.append((i, i + size, "TERM", ""))
                i += size - 1
                break
        i += 1
    return out


def _capitals(words: Sequence[str], proper: Sequence[bool] | None) -> _Found:
    """Give Runs of capitalised words inside a sentence that nothing else explains."""
    out: _Found = []
    given = lists()["given"]
    first = {*given["male"], *given["female"]}
    nations = lists()["nationalities"]
    i = 0
    while i < len(words):
        if not _cap(words[i]) or _FUNCTION.match(words[i]) or not words[i][0].isalpha():
            i += 1
            continue
        end = i + 1
        while end < len(words) and (
            (_cap(words[end]) and not _FUNCTION.match(words[end]) and words[end][0].isalpha())
            or (
                words[end] in PARTICLES | {"of", "&"}
                and end + 1 < len(words)
                and _cap(words[end + 1])
                and not _FUNCTION.match(words[end + 1])
            )
        ):
            end += 1
        begins = i == 0 or words[i - 1] in {".", "?", "!", ":", '"', "“", "(", "``"}
        sure = proper is not None and any(proper[i:end])
        if end - i > 1 or sure or (not begins and proper is None):
            lone = end - i == 1
            word = words[i].casefold()
            if lone and (word in nations or not sure):
                kind = "MISC"
            elif word in first and end - i in (2, 3):
                kind = "PERSON"
            else:
                kind = "MISC"
            if not (begins and lone and not sure):
                out.append((i, end, kind, ""))
        i = end
    return out


_VERSUS = re.compile(r"\svs?\.?\s")


def is_contest(name: str) -> bool:
    """Say whether a name has two sides: a match, a case: `Ali v. Frazier`, `Alien vs. Predator`."""
    return _VERSUS.search(name) is not None


def _contests(words: Sequence[str]) -> _Found:
    """Give the names of two sides with `v.` between them: one name, of their contest."""
    known = lists()["suffixes"]
    out: _Found = []

    def part(i: int) -> bool:
        return (
            0 <= i < len(words)
            and _cap(words[i])
            and not _FUNCTION.match(words[i])
            and _bare(words[i]) not in CONTEST_SIGNALS
        )

    for i, word in enumerate(words):
        if word not in ("v", "v.", "vs", "vs."):
            continue
        start, end = i, i + 1 + (words[i + 1 : i + 2] == ["."])
        while True:
            if part(start - 1):
                start -= 1
            elif start < i and words[start - 1] in ("of", "&", "-") and part(start - 2):
                start -= 2
            elif start - i == -1 and words[start - 1] == "," and _bare(words[start]) in known:
                start -= 1
            else:
                break
        first = end
        while True:
            joined = end > first and end < len(words) and words[end] in ("of", "&", "-")
            if part(end):
                end += 1
            elif (joined and part(end + 1)) or (
                words[end : end + 1] == [","] and _bare("".join(words[end + 1 : end + 2])) in known
            ):
                end += 2
            else:
                break
        if start < i and end > first:
            out.append((start, end, "MISC", ""))
    return _longest(out)


_RULES: Mapping[str, Callable[[Sequence[str]], _Found]] = {
    "contests": _contests,
    "suffixes": _suffixes,
    "institutions": _institutions,
    "titles": _titles,
    "places": _places,
}
