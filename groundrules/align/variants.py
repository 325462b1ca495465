"""The sentences that a sentence of a source comes to: its clauses, with its pronouns named.

In: a sentence and the text before it. Out: sentences that say no more than it does, to be compared
word by word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Any

from groundrules.align.meanings import related
from groundrules.align.normal_words import tables
from groundrules.align.parses import parse
from groundrules.align.projection import Relation
from groundrules.claims.english.logic import PRONOUN_KINDS
from groundrules.claims.gaps import rewritten
from groundrules.claims.units import cut_sentences

#: A word or two before a colon that only name what follows: "Change: the time was raised".
_LABEL = re.compile(r"\A[A-Z][a-z]+(?: [a-z]+)?: (?=\S+ \S+ \S+)")
_FIGURE = re.compile(
    r"(?<![\w.,])[£$€]?\d[\d.,]*\d?[%p]?(?![\w%])|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve)\b"
)
_BUT = re.compile(r"(?s)\A(?>(.*?),? but (?:not|never) )([^,;:.]+)(?:, wh(?:o|ich) [^;:]+)?\.?\Z")
_AGAINST = frozenset({"but", "not", "never"})
#: What parts two clauses of a sentence.
_PARTED = re.compile(r"; |, (?:but |and |while |whereas )|,? but ")
_MARKS = (_PARTED, re.compile(rf",? and |, |{_PARTED.pattern}"))
_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_NOUNS = frozenset({"NOUN", "PROPN"})
_DOING = frozenset({"does", "do", "did"})
_SINGULAR = {"are": "is", "were": "was", "have": "has"}
_FINITE = frozenset({"VBZ", "VBP", "VBD", "MD"})
_PLURAL = frozenset({"NNS", "NNPS"})


@lru_cache(maxsize=8192)
def variants(source: str, before: str) -> tuple[tuple[str, str], ...]:
    """Return a sentence and the sentences it comes to, each with what is before it."""
    found = dict.fromkeys(clauses(source, before))
    for part, there in list(found):
        found |= dict.fromkeys((one, there) for one in _plainer(part))
        found |= dict.fromkeys(_behind(_apart(part), there))
    for part, there in list(found):
        named = with_antecedents(part, there)
        if named:
            found[named, there] = None
            found |= dict.fromkeys(_behind(_apart(named), there))
    return tuple(found)


def clauses(source: str, before: str) -> Iterator[tuple[str, str]]:
    """Yield a sentence, then what stands in it between semicolons, each with what is before it."""
    yield source, before
    parts = source.split("; ") if ":" not in source else []
    words = [part.lower().replace(",", " ").split() or [""] for part in parts]
    opened = len(parts) > 1 and _is_opened(parts[0])
    for n, part in enumerate(parts) if len(parts) > 1 else ():
        others = {word for k, one in enumerate(words) if k != n for word in one}
        if n and opened:
            continue  # what opens the sentence may hold for all of it
        limits = words[n][0] in tables()["limiting"] | {"otherwise"}
        if not limits and not (tables()["scoping"] | tables()["framing"]) & others:
            yield part, " ".join([before, *parts[:n]])


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
    alone = _without_contrast(text)
    if alone != text:
        yield alone
    yield from _denied(text)
    yield from _counted(text)
    yield from _left_out(text)
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
    for match in re.finditer(r", not (\w+)\b([^,;:.]*)(?=[,;.]|\Z)", text):
        head, rest = match[1].lower(), match[0][5:].lower().split()
        ahead = re.split(r"[,;:]", text[: match.start()])[-1].lower().split()
        binds = tables()["limiting"] | tables()["universal"]
        if head not in {"by", "because"} and not (head in ahead and head in tables()["placing"]):
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
    if between not in {"", "only"} or _is_framed(text):
        return  # "paid Ann £300, Bea £200"
    out = []
    own = doc.text[doer.right_edge.idx + len(doer.right_edge) : -1]
    for other in others:
        told = re.fullmatch(r"((?:the |an? )?[\w' -]+?) ((?:only )?\S+)", other)
        if told is None or not _FIGURE.fullmatch(told[2].removeprefix("only ")):
            return
        if any(t.pos_ in {"VERB", "AUX", "ADP"} for t in parse(told[1])):
            return
        out.append(f"{told[1][:1].upper()}{told[1][1:]}{own.replace(figures[0][0], told[2], 1)}.")
    yield from out


@cache
def _lacking() -> re.Pattern[str]:
    """Return the pattern of a clause that leaves out what the clause before it says."""
    forms = "|".join(sorted(tables()["auxiliaries"]))
    return re.compile(
        rf"(?:; |,? but |, (?:and |while |whereas )?)((?:[\w'-]+ ){{1,5}}?)({forms})"
        r"(?: not|n't|not)(?=[;.]|\Z)"
    )


def _left_out(text: str) -> Iterator[str]:
    """Yield "the garden does not belong" of "the cellar belongs; the garden does not"."""
    for match in _lacking().finditer(text):
        ahead = _PARTED.split(text[: match.start()])[-1]
        doc = parse(ahead + ".")
        verb = next((t for t in doc if t.head.i == t.i and t.pos_ in {"VERB", "AUX"}), None)
        if verb is None or _is_opened(ahead) or _is_framed(f"{ahead} {match[1]}"):
            continue
        tokens = [c for c in (*verb.children, verb) if c.tag_ == "MD" or c.lemma_ in {"be", "have"}]
        aux = min(tokens, key=lambda t: t.i, default=None)
        rest = doc[(aux or verb).i + 1 :].text.rstrip(".")
        if aux is None and match[2] in _DOING:
            rest = f"{verb.lemma_} {rest}"
        elif aux is None or _SINGULAR.get(aux.lower_, aux.lower_) != _SINGULAR.get(
            match[2], match[2]
        ):
            continue
        yield f"{match[1][:1].upper()}{match[1][1:]}{match[2]} not {rest}."


def _behind(parts: Sequence[str], before: str) -> Iterator[tuple[str, str]]:
    """Yield parts of a sentence, each with what is before it."""
    yield from ((part, " ".join([before, *parts[:n]])) for n, part in enumerate(parts))


def _apart(text: str) -> tuple[str, ...]:
    """Return the clauses of a sentence that nothing binds but what stands in them."""
    apart = re.sub(r"(?i)\b(?:not|never)\b|n't\b", "", _PARTED.sub(" ", text))
    parts = () if _is_framed(apart) else _split(text)
    return () if any(map(_is_opened, parts)) else parts  # "in case", "so that" bind what is before


@lru_cache(maxsize=4096)
def parallel(text: str) -> tuple[str, ...]:
    """Return the clauses of a sentence that are told beside each other, gaps filled."""
    filled = tuple(_filled(text))
    return filled if len(filled) > 1 and all(map(_is_clause, filled)) else _split(text)


def _filled(text: str) -> Iterator[str]:
    """Yield the clauses of a sentence that has gaps, each gap filled."""
    own = rewritten(parse(text))
    yield from (own[start:end].strip() for start, end in cut_sentences(own, 0, len(own)))


def _split(text: str) -> tuple[str, ...]:
    """Return the clauses of a sentence that each have a subject and a verb, else none."""
    for mark in _MARKS:
        parts = [part[:1].upper() + part[1:] + "." for part in mark.split(text.rstrip("."))]
        if len(parts) > 1 and all(map(_is_clause, parts)):
            return tuple(parts)
    return ()


def _is_clause(text: str) -> bool:
    """Return whether a text has a subject and a finite verb of its own."""
    subjects = [t for t in parse(text) if t.dep_ in _SUBJECTS]
    return any(t.tag_ in _FINITE for s in subjects for t in (s.head, *s.head.children))


def _denied(text: str) -> Iterator[str]:
    """Yield "dogs may not ride inside" of "dogs may ride on deck, but not inside"."""
    match = _BUT.match(text)
    if match is None or tables()["limiting"].intersection(text.lower().split()) - _AGAINST:
        return
    doc, other = parse(match[1] + "."), match[2]
    if doc[0].lower_ in {"anyone", "anybody"}:
        return  # not everybody, or nobody
    verb = next((t for t in doc if t.head.i == t.i and t.pos_ in {"VERB", "AUX"}), None)
    if verb is None or any(c.dep_ == "neg" for c in verb.children):
        return
    aux = next((c for c in (*verb.children, verb) if c.tag_ == "MD" or c.lemma_ == "be"), None)
    first = parse(other)[0]
    kinds = {"prep", "agent"} if first.pos_ == "ADP" else {"dobj", "attr"}
    if first.lower_ == "to" and any(c.dep_ in {"xcomp", "advcl"} for c in verb.children):
        kinds = {"xcomp", "advcl"}
    last = [
        t for t in doc if t.dep_ in kinds and t.i > verb.i and t.head.pos_ in {"VERB", "AUX", "ADJ"}
    ]
    verbal = any(t.tag_ in {"VBZ", "VBP", "VBD", "MD"} for t in parse(other))
    if aux is None or not last or verbal:
        return
    start, end = last[-1].left_edge, last[-1].right_edge
    after = aux.idx + len(aux)
    rest = doc.text[end.idx + len(end) :].rstrip(".")
    yield f"{doc.text[:after]} not{doc.text[after : start.idx]}{other}{rest}."


def with_antecedents(text: str, before: str) -> str:
    """Return a sentence with each pronoun as the one thing that it may stand for, "" if none is."""
    doc = parse(text)
    pronouns = [t for t in doc if t.lower_ in PRONOUN_KINDS and t.tag_ in {"PRP", "PRP$"}]
    if not pronouns:
        return ""
    spans = list(cut_sentences(before, 0, len(before)))
    earlier = [parse(before[slice(*span)].strip()) for span in spans[-2:]]
    out, end = "", 0
    for token in pronouns:
        found = _antecedent(token, earlier)
        if found:
            own = token.tag_ == "PRP$"
            out += text[end : token.idx] + found + ("'s" if own else "")
            end = token.idx + len(token)
    return out[:1].upper() + out[1:] + text[end:] if out else ""


def _antecedent(pronoun: Any, earlier: Sequence[Any]) -> str:
    """Return the words of the one thing that agrees with a pronoun, "" of none and of several."""
    opens = pronoun.dep_ in {"nsubj", "nsubjpass"} and any(
        t.dep_ in {"ccomp", "csubj", "xcomp", "mark"}
        for c in pronoun.head.children
        for t in (c, *c.children)
    )
    if pronoun.dep_ == "expl" or (pronoun.lower_ == "it" and opens):
        return ""  # "it is expected that"
    if pronoun.lower_ == "it" and pronoun.head.lemma_ in tables()["impersonal"]:
        return ""  # "it was foggy", "it took two hours"
    kind = PRONOUN_KINDS[pronoun.lower_]
    named = kind in {"he", "she"}  # whether a name is a man's is not known: more is asked of it
    found = [t for t in pronoun.doc[: pronoun.i] if _agrees(t, kind, pronoun)]
    if named or not any(t.dep_ in {*_SUBJECTS, "dobj"} for t in found):
        before = earlier if named else earlier[-1:]
        found += [t for one in before for t in one if _agrees(t, kind, pronoun)]
    if len({t.lemma_.lower() for t in found}) != 1:
        return ""
    noun = found[-1]
    aside = next((c for c in noun.children if c.dep_ == "appos"), None)
    part = [t for t in noun.subtree if aside is None or t.i <= noun.i]
    if any(t.lower_ in tables()["unsure"] or t.dep_ in {"relcl", "conj"} for t in part):
        return ""
    words = str(noun.doc[part[0].i : part[-1].i + 1].text)
    return words if part[0].pos_ == "PROPN" else words[:1].lower() + words[1:]


def _agrees(noun: Any, kind: str, pronoun: Any) -> bool:
    """Return whether a noun may be what a pronoun stands for, as to number and place."""
    if noun.pos_ not in _NOUNS or noun.dep_ in {"compound", "npadvmod", "poss", "nmod", "appos"}:
        return False
    timed = noun.lower_ in tables()["times"] | tables()["amounts"]
    if timed or any(t.pos_ == "PRON" for t in noun.children):
        return False
    if noun.dep_ == "pobj" and noun.head.head.pos_ in _NOUNS:
        return False  # of "the fine for parking" the fine is meant
    if noun.doc is pronoun.doc and pronoun.tag_ == "PRP" and _verb(noun) == _verb(pronoun):
        return False  # nobody does it to himself
    person = related(noun.lemma_.lower(), "person", "thing") is Relation.ENTAILS
    if kind == "they":
        joined = any(c.dep_ == "conj" for c in noun.children)
        return noun.tag_ in _PLURAL or person or joined or noun.lower_ in tables()["groups"]
    if kind != "it" and noun.dep_ == "pobj":
        return noun.head.dep_ == "agent" or noun.head.lower_ not in tables()["placing"]
    return noun.tag_ not in _PLURAL and not (kind == "it" and person)


def _verb(token: Any) -> int:
    """Return the place of the verb that a token depends on."""
    while token.head.i != token.i and token.head.pos_ not in {"VERB", "AUX"}:
        token = token.head
    return int(token.head.i)
