"""The sentences that a sentence of a source comes to: its clauses, with its pronouns named.

In: a sentence and the text before it. Out: sentences that say no more than it does, to be compared
word by word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from groundrules.align.clauses.asides import asides
from groundrules.align.clauses.ellipsis import elided, shared
from groundrules.align.words.normal_words import tables
from groundrules.align.words.parses import parse
from groundrules.align.words.pronouns import is_of_persons, with_antecedents
from groundrules.claims.facts.gaps import rewritten
from groundrules.claims.units.units import cut_sentences

#: A longer sentence, in characters, is compared as it stands.
_LONGEST = 1500
#: A word or two before a colon that only name what follows: "Change: the time was raised".
_LABEL = re.compile(r"\A[A-Z][a-z]+(?: [a-z]+)?: (?=\S+ \S+ \S+)")
_FIGURE = re.compile(
    r"(?<![\w.,])[£$€]?\d[\d.,]*\d?[%p]?(?![\w%])|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve)\b"
)
_FROM = re.compile(r" from [£$€]?\d[\d.,]*[%p]?(?: [a-z]+)?(?= to [£$€]?\d)")
_BUT = re.compile(
    r"(?s)\A(?>(.*?)(?:(?:,? but|,) (?:not|never|no)|,?( except(?: for)?)) )([^,;:.]+)"
    r"(?:, (?:who|which|where|because) [^;:]+)?\.?\Z"
)
#: What leaves it to somebody, and so limits nothing.
_AS_THEY = re.compile(
    r", as (?:they|you|he|she) (?:prefer|wish|like|choose|please)(?:s|es)?(?=[,.;])"
)
_AGAINST = frozenset({"but", "not", "never", "no"})
_AGAINST_EACH = re.compile(r";|\b(?:but|while|whereas)\b")
#: What takes up the thing of the clause before it, of another part: "those at Alder Farm".
_THOSE = re.compile(r"\AThose(?= (?:at|of|in|on|for|from|with)\b)|\AThat(?= of\b)")
#: What parts two clauses of a sentence.
_PARTED = re.compile(r"; |, (?:but |and |while |whereas |though |although )|,? but ")
_MARKS = (_PARTED, re.compile(rf",? and |, |{_PARTED.pattern}"))
_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_NOUNS = frozenset({"NOUN", "PROPN"})
_REASONS = frozenset({"because", "for", "through"})
_DO = {"VBD": "did", "VBZ": "does", "VBP": "do"}
_FINITE = frozenset({"VBZ", "VBP", "VBD", "MD"})


@lru_cache(maxsize=8192)
def variants(source: str, before: str) -> tuple[tuple[str, str], ...]:
    """Return a sentence and the sentences it comes to, each with what is before it."""
    if len(source) > _LONGEST:
        return ((source, before),)
    found = dict.fromkeys(clauses(source, before))
    for part, there in list(found):
        found |= dict.fromkeys((one, there) for one in _plainer(part))
        found |= dict.fromkeys(_behind(_apart(part), there))
    for part, there in list(found):
        named = with_antecedents(part, there)
        if named:
            found[named, there] = None
            found |= dict.fromkeys((one, there) for one in _plainer(named))
            found |= dict.fromkeys(_behind(_apart(named), there))
    return tuple(found)


def clauses(source: str, before: str) -> Iterator[tuple[str, str]]:
    """Yield a sentence, then what stands in it between semicolons, each with what is before it."""
    yield source, before
    parts = _parted(source) if ":" not in source else []
    words = [part.lower().replace(",", " ").split() or [""] for part in parts]
    opened = len(parts) > 1 and _is_opened(parts[0])
    for n, part in enumerate(parts) if len(parts) > 1 else ():
        others = {word for k, one in enumerate(words) if k != n for word in one}
        if n and opened:
            continue  # what opens the sentence may hold for all of it
        limits = words[n][0] in tables()["limiting"] | {"otherwise"} and (
            n or not _is_conditional(part)
        )
        if not limits and not (tables()["scoping"] | tables()["framing"]) & others:
            yield part, " ".join([before, *parts[:n]])


def _parted(text: str) -> list[str]:
    """Return what stands between the semicolons of a sentence that are not in brackets."""
    parts: list[str] = []
    for part in text.split("; "):
        if parts and parts[-1].count("(") > parts[-1].count(")"):
            parts[-1] += f"; {part}"
        else:
            parts.append(part)
    return parts


def _is_conditional(text: str) -> bool:
    """Return whether a clause opens with what limits it alone: "if you forget it, skip it"."""
    root = _root(parse(text))
    return root is not None and any(c.dep_ == "advcl" and c.i < root.i for c in root.children)


def _is_opened(text: str) -> bool:
    """Return whether anything but a subject opens a clause: "until May the pool is closed"."""
    subject = subject_of(parse(text))
    return subject is None or subject.left_edge.i > 0


def subject_of(doc: Any) -> Any:
    """Return the noun that a clause is about, None where its verb has none."""
    return next((t for t in doc if t.dep_ in _SUBJECTS and t.head.head.i == t.head.i), None)


def _is_framed(text: str) -> bool:
    """Return whether a word of a sentence may limit, report or deny what else it says."""
    frames = tables()["scoping"] | tables()["limiting"] | tables()["framing"]
    return bool(frames.intersection(text.lower().replace(",", " ").rstrip(".").split()))


def _plainer(text: str) -> Iterator[str]:
    """Yield a sentence without its label, then without what it contrasts with, its gaps filled."""
    label = _LABEL.match(text)
    if label and label[0].lower().strip(": ") in tables()["labels"]:
        text = text[label.end() :]
        if any(t.tag_ in {"VBZ", "VBP", "VBD", "MD"} for t in parse(text)):
            yield text
    free = _AS_THEY.sub("", text)
    if free != text and tables()["rare"].isdisjoint(text.lower().split()):
        yield free
        text = free
    yield from asides(text)
    alone = _without_contrast(text)
    if alone != text:
        yield alone
    yield from elided(text)
    yield from shared(text)
    yield from _denied(text)
    yield from _alternatives(text)
    yield from _joined(text)
    yield from _counted(text)
    yield from _changed(text)
    if not _is_framed(text):
        parts = list(_filled(text))
        docs = [parse(one) for one in parts]
        subjects = {
            " ".join(w.lower_ for t in doc if t.dep_ in _SUBJECTS for w in t.subtree)
            for doc in docs
        }
        placed = {tuple(t.lower_ for t in doc if t.pos_ == "ADP") for doc in docs}
        # else one of them may except from another
        if len(subjects) == len(parts) or (len(placed) == 1 and placed != {()}):
            yield from parts


def _without_contrast(text: str) -> str:
    """Return a sentence without "not by post" behind "by telephone"."""
    for match in re.finditer(r", (?:not|never) (\w+)\b([^,;:.]*)(?=[,;.]|\Z)", text):
        head, rest = match[1].lower(), match[0].lower().split()[3:]
        ahead = re.split(r"[,;:]", text[: match.start()])[-1].lower().split()
        binds = tables()["limiting"] | tables()["universal"]
        turned = any(head in group and group.intersection(ahead) for group in tables()["turns"])
        placed = head in ahead and head in tables()["placing"]
        if head not in {"by", "because"} and not (placed or turned):
            continue
        here = ahead[len(ahead) - ahead[::-1].index(head) :] if head in ahead else []
        timed = [bool(tables()["times"].intersection(part)) for part in (here, rest)]
        if timed[0] == timed[1] and not binds.intersection(rest):
            return text[: match.start()] + text[match.end() :]
    return text


def _counted(text: str) -> Iterator[str]:
    """Yield "the Gannet carries 18 cars" of "the Puffin carries 32 cars, the Gannet 18"."""
    first, *others = re.split(r", (?:and |but )?| and (?=an? |the |[A-Z])", text.rstrip("."))
    figures = list(_FIGURE.finditer(first))
    doc = parse(first + ".")
    doer = subject_of(doc)
    if len(figures) != 1 or doer is None or doer.left_edge.i != 0 or doer.head.i < doer.i:
        return
    between = doc.text[doer.head.idx + len(doer.head) : figures[0].start()].strip()
    if between not in {"", "only", "about"} or _is_framed(
        re.sub(r"(?<!^)\b(?:it|only)\b", "", first)
    ):
        return  # "paid Ann £300, Bea £200"
    out = [doc.text]
    own = doc.text[doer.right_edge.idx + len(doer.right_edge) : -1]
    for other in others:
        told = re.fullmatch(r"((the |an? )?[\w' -]+?) ((?:only )?\S+)", other)
        if len(out) > 1 and re.match(r"so (?!long|far|that|as)", other):
            break  # a consequence
        if told is None or not _FIGURE.fullmatch(told[3].removeprefix("only ")):
            return
        if not told[2] and any(t.pos_ in {"VERB", "AUX", "ADP"} for t in parse(told[1])):
            return
        out.append(f"{told[1][:1].upper()}{told[1][1:]}{own.replace(figures[0][0], told[3], 1)}.")
    yield from out if len(out) > 1 else ()


def _changed(text: str) -> Iterator[str]:
    """Yield "the fee rises to 75" of "the fee rises from 60 to 75"."""
    start = _FROM.search(text)
    doc = parse(text)
    verbs = {t.lemma_ for t in doc if t.pos_ == "VERB"}
    if start and not tables()["changing"].isdisjoint(verbs) and not _is_framed(text):
        yield text[: start.start()] + text[start.end() :]


def _behind(parts: Sequence[str], before: str) -> Iterator[tuple[str, str]]:
    """Yield parts of a sentence, each with what is before it."""
    yield from ((part, " ".join([before, *parts[:n]])) for n, part in enumerate(parts))


def _apart(text: str) -> tuple[str, ...]:
    """Return the clauses of a sentence that nothing binds but what stands in them."""
    apart = re.sub(r"(?i)\b(?:not|never)\b|n't\b", "", _PARTED.sub(" ", text))
    parts = () if _is_framed(apart) else _split(text, strict=True)
    return () if any(map(_is_opened, parts)) else parts  # "in case", "so that" bind what is before


@lru_cache(maxsize=4096)
def parallel(text: str) -> tuple[str, ...]:
    """Return the clauses of a sentence that are told beside each other, gaps filled."""
    filled = tuple(_filled(text))
    parts = filled if len(filled) > 1 and all(map(_is_clause, filled)) else _split(text)
    subject = subject_of(parse(parts[0])) if parts else None
    named = subject.doc[subject.left_edge.i : subject.i + 1].text if subject else ""
    return tuple(_THOSE.sub(named, part) if named else part for part in parts)


def is_contrast(text: str) -> bool:
    """Return whether clauses are told against each other: by "but", a mark alone, or with a gap."""
    bare = len(parallel(text)) > 1 and not re.search(r"\band\b", text)
    return bare or _AGAINST_EACH.search(text) is not None or bool(rewritten(parse(text)))


def _filled(text: str) -> Iterator[str]:
    """Yield the clauses of a sentence that has gaps, each gap filled."""
    own = rewritten(parse(text))
    yield from (own[start:end].strip() for start, end in cut_sentences(own, 0, len(own)))


def _split(text: str, *, strict: bool = False) -> tuple[str, ...]:
    """Return the clauses of a sentence that each have a subject and a verb, else none.

    Unless `strict`, what stands between two marks may be of a list in one of them.
    """
    for mark in _MARKS:
        parts, start, link = [""], 0, ""
        for end, behind in [*((m.start(), m.end()) for m in mark.finditer(text)), (len(text), 0)]:
            piece = text[start:end]
            whole = strict or (_is_clause(parts[-1]) and _is_clause(piece))
            parts = (
                [*parts, piece] if parts[-1] and whole else [*parts[:-1], parts[-1] + link + piece]
            )
            start, link = behind, text[end:behind]
        parts = [part[:1].upper() + part[1:].rstrip(".") + "." for part in parts]
        if len(parts) > 1 and all(map(_is_clause, parts)):
            return tuple(parts)
    return ()


def _is_clause(text: str) -> bool:
    """Return whether a text has a subject and a finite verb of its own."""
    subjects = [t for t in parse(text) if t.dep_ in _SUBJECTS]
    return any(t.tag_ in _FINITE for s in subjects for t in (s.head, *s.head.children))


def _denied(text: str) -> Iterator[str]:
    """Yield "dogs may not ride inside" of "dogs may ride on deck, but not inside".

    So is what "all" excepts: of "all objects except the letter" the letter.
    """
    match = _BUT.match(text)
    binds = tables()["limiting"] - _AGAINST
    if match is None or binds.intersection(f"{match[1]} {match[3]}".lower().split()):
        return
    doc, excepted, other = parse(match[1] + "."), match[2], match[3]
    general = tables()["universal"] - {"no", "none", "nothing", "nobody", "any", "only"}
    told = {t.lower_ for t in doc}
    if excepted and (not general & told or tables()["denying"] & told):
        return
    if doc[0].lower_ in {"anyone", "anybody"} or _is_general(other):
        return  # not everybody, or nobody
    verb = next((t for t in doc if t.head.i == t.i and t.pos_ in {"VERB", "AUX"}), None)
    if verb is None or any(c.dep_ == "neg" for c in verb.children):
        return
    first = parse(other)[0]
    kinds = {"prep", "agent"} if first.pos_ == "ADP" else {"dobj", "attr"}
    if first.lower_ == "to" and any(c.dep_ in {"xcomp", "advcl"} for c in verb.children):
        kinds = {"xcomp", "advcl"}
    last = [
        t for t in doc if t.dep_ in kinds and t.i > verb.i and t.head.pos_ in {"VERB", "AUX", "ADJ"}
    ]
    verbal = any(t.tag_ in {"VBZ", "VBP", "VBD", "MD"} for t in parse(other))
    denied = _with_not(verb)
    if denied is None or verbal or not (last or excepted):
        return
    before = f"{doc.text[: denied[0]]}{denied[2]}"
    for thing in [t for t in doc if general.intersection(c.lower_ for c in t.children)]:
        led = first.pos_ == "ADP" and thing.dep_ == "pobj"
        start, end = thing.head if led else thing.left_edge, thing.right_edge
        if excepted and start.i > verb.i and first.pos_ not in {"NUM", "PRON"}:
            rest = doc.text[end.idx + len(end) :].rstrip(".")
            yield f"{before}{doc.text[denied[1] : start.idx]}{other}{rest}."
    for part in last if not excepted else ():
        start, end = part.left_edge, part.right_edge
        if part.dep_ in {"prep", "agent"} and not _is_in_place_of(first, other, part):
            continue
        rest = doc.text[end.idx + len(end) :].rstrip(".")
        plain = not any(t.like_num or t.tag_ in {"JJR", "RBR", "DT"} for t in parse(other)[1:])
        thing = part.dep_ == "dobj" and plain and parse(other)[0].tag_[:1] in {"D", "N"}
        if (part.dep_ == "prep" or thing) and not _is_timed(part, other):
            yield match[1] + "."
        yield f"{before}{doc.text[denied[1] : start.idx]}{other}{rest}."
    if first.pos_ == "ADP" and not excepted:
        yield f"{before}{doc.text[denied[1] :].rstrip('.')} {other}."
        if first.lower_ == "by":  # "during the flood, not by vandals"
            yield f"{before}{doc.text[denied[1] : last[0].left_edge.idx].rstrip()} {other}."


def _is_in_place_of(first: Any, other: str, part: Any) -> bool:
    """Return whether a phrase says of the same what another does: a place of a place."""
    if first.lower_ == part.lower_ or {first.lower_, part.lower_} <= _REASONS:
        return True
    return not _is_timed(part, other) and {first.lower_, part.lower_} <= tables()["placing"]


def _is_timed(part: Any, other: str) -> bool:
    told = {"time" if t.like_num else t.lower_ for t in part.subtree}
    return not tables()["times"].isdisjoint({*told, *other.lower().split()})


def _is_general(text: str) -> bool:
    return bool((tables()["universal"] | {"always"}) & set(text.lower().split()))


def _with_not(verb: Any) -> tuple[int, int, str] | None:
    """Return what stands in which range for a verb that is denied, None where it has no form."""
    helped = [c for c in (*verb.children, verb) if c.tag_ == "MD" or c.lemma_ == "be"]
    helped += [c for c in verb.children if c.dep_ == "aux" and c.lemma_ == "have"]
    if helped:
        aux = min(helped, key=lambda t: t.i)
        return aux.idx, aux.idx + len(aux), f"{aux.text} not"
    form = _DO.get(verb.tag_)
    return (verb.idx, verb.idx + len(verb), f"{form} not {verb.lemma_}") if form else None


def _root(doc: Any) -> Any:
    """Return the verb that a sentence is built on, None where it has none."""
    return next((t for t in doc if t.head.i == t.i and t.pos_ in {"VERB", "AUX"}), None)


def _is_of(token: Any, verb: Any) -> bool:
    """Return whether a word is what a verb is told of, or stands under its own preposition."""
    top = token.head if token.dep_ == "pobj" else token
    return top.head == verb and top.dep_ in {*_SUBJECTS, "dobj", "attr", "acomp", "prep"}


def _alternatives(text: str) -> Iterator[str]:
    """Yield "no pupil may leave at noon" of "no pupil may leave at ten or at noon"."""
    doc = parse(text)
    verb = _root(doc)
    if verb is None or _is_framed(re.sub(r"(?i)\b(?:not|no|never)\b|n't\b", "", text)):
        return
    denying = [t for t in verb.children if t.dep_ == "neg"]
    denying += [t for t in doc if t.lower_ == "no" and t.dep_ == "det" and _is_of(t.head, verb)]
    allowing = any(c.lower_ in {"may", "can"} for c in verb.children) and not denying
    free = allowing and is_of_persons(verb) and not _is_framed(text)
    for link in doc if denying or free else ():
        one = link.head
        other = next((c for c in one.children if c.dep_ == "conj" and c.i > link.i), None)
        if link.dep_ != "cc" or link.lower_ not in {"or", "nor"} or other is None:
            continue
        if other.pos_ == "ADP" and one.dep_ == "pobj":
            one = one.head
        if one != verb and not _is_of(one, verb):
            continue
        named = one.pos_ in {"NOUN", "PROPN", "ADP"}
        start = one.left_edge if named else one
        marked = any(c.i < one.i and c.dep_ != "det" for c in one.children)
        if start.i > (denying or [verb])[0].i and not (named and marked):
            yield text[: start.idx] + text[link.idx + len(link) + 1 :]
            if one.pos_ == other.pos_ == "ADP":
                end = other.right_edge
                yield text[: link.idx].rstrip() + text[end.idx + len(end) :]
            elif named and one.pos_ != "ADP" and not any(c.dep_ != "punct" for c in other.children):
                yield text[: link.idx].rstrip(" ,") + text[other.idx + len(other) :]


def _are_denied(verb: Any) -> bool:
    """Return whether two joined verbs are denied, each by a "not" of its own."""
    joined = [verb, *verb.conjuncts] if verb is not None else []
    return all({"neg", "aux"} <= {c.dep_ for c in one.children} for one in joined)


def _joined(text: str) -> Iterator[str]:
    """Yield "they are shut in May" of "they are open in June and are shut in May", and the rest."""
    doc = parse(text)
    verb, subject = _root(doc), subject_of(doc)
    dates = re.sub(r"\b(?:until|since) \d", "", text)  # they are of their own clause alone
    both = re.sub(r"(?i)\b(?:not|never)\b|n't\b", "", dates) if _are_denied(verb) else dates
    if verb is None or subject is None or _is_framed(both) or _is_opened(text):
        return
    if tables()["rare"].intersection(re.findall(r"[\w']+", both.lower())):
        return
    other = next((c for c in verb.children if c.dep_ == "conj"), None)
    link = next((c for c in verb.children if c.dep_ == "cc"), None)
    if other is None or link is None or link.lower_ not in tables()["joining"]:
        return
    own = {c.dep_ for c in other.children}
    if own & _SUBJECTS or any(c.dep_ == "conj" for c in other.children):
        return
    aux = [c for c in verb.children if c.dep_ in {"aux", "auxpass"} and c.i < verb.i]
    start = (min(aux, key=lambda t: t.i) if aux and other.tag_ not in _FINITE else verb).idx
    shared = doc.text[start : verb.idx] if not own & {"aux", "auxpass"} else ""
    yield doc.text[: link.idx].rstrip(" ,") + "."
    yield doc.text[:start] + shared + doc.text[link.idx + len(link) + 1 :]
