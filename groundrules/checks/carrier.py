"""Whether records carry a sentence of an answer, and what they lack of it.

Records are what a store states of things. A sentence is compared with the records of the documents
and claims that it names; an application and the patent granted on it count as one. These must be in
the records:

* its numbers; a number that counts something, together with what it counts;
* its days and people, as values of the property that the sentence speaks of;
* its quotations, word for word;
* three quarters of its other words.

Where the sentence denies something, a record must deny it too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise

from rdflib.term import Literal, Node, URIRef

from groundrules.claims.english import MONTHS as _MONTHS
from groundrules.claims.english import stem
from groundrules.kb.questions import Fact, kinds
from groundrules.kb.records import DCTERMS, LX

#: From this share of its words on a record carries a sentence; measured on half of the questions,
#: see docs/records/ask.md.
CARRIES = 0.75

#: A record as it is held against a sentence: the thing, its label and what it states.
StatedRecord = tuple[URIRef, str, Sequence[Fact]]

_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DAY = re.compile(
    rf"\b(?P<iso>\d{{4}})-(?P<iso_month>0[1-9]|1[0-2])(?:-(?P<iso_day>\d\d))?\b(?!-)"
    rf"|\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?)?(?P<month>{_MONTH})\b\.?"
    r"(?:\s+(?P<after>\d{1,2})(?:st|nd|rd|th)?\b)?,?\s+(?:of\s+)?(?P<year>\d{4})\b"
    r"|\b(?P<first>\d{1,2})(?P<sign>[/.])(?P<second>\d{1,2})(?P=sign)(?P<last>\d{4})\b",
    re.I | re.A,
)
_YEAR = re.compile(r"1[6-9]\d\d|20\d\d", re.A)
_DATED = re.compile(r"\b(?:in|of|since|from|until|by)\s+(1[6-9]\d\d|20\d\d)\b(?!,\d)", re.I | re.A)
_CLAIMS = re.compile(
    r"\bclaims?\s+(\d{1,3}(?:\s*(?:,\s*(?:and|or)|,|and|or|to|through|-|–)\s*\d{1,3}\b(?![,/]\d))*)"
    r"(?:\s+of)?\b",
    re.I | re.A,
)
_FIGURES = re.compile(r"(?<![\w@#])(?:US|RE|PP|D)?\s?(\d[\d,/.]*\d|\d)(?:\s?[AB]\d\b)?")
#: Figures of a number that names a document, at least.
_LONG = 6
_COUNTING = {
    name: str(number)
    for number, name in [
        *enumerate(
            "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
            "sixteen seventeen eighteen nineteen twenty".split(), 2
        ),
        *((10 * n, name) for n, name in enumerate(
            "thirty forty fifty sixty seventy eighty ninety hundred".split(), 3)),
    ]
}  # fmt: skip
_BESIDE = re.compile(r"(?P<word>[^\W\d_]+)|(?P<figure>\d[\d,/.]*\d|\d)|(?P<gap>[\s(“‘\-]+)|.", re.S)
#: Words that a number may stand beside without counting anything.
_JOINS = frozenset(
    "a an the of in on at to by for from with and or as is are was were be been has have had it "
    "its this that these those which who no number about after before than per s".split()
)
_QUOTED = re.compile(r"“([^”]+)(?:”|\Z)|\"([^\"]+)\"")
#: What a quote leaves out.
_LEFT_OUT = re.compile(r"…|\.{3}|\[[^\]]{0,1000}\]")
_DENIES = re.compile(
    r"\b(?:not(?!\s+only)|never|nobody|none|neither|nor|cannot|without|lacks?|lacking|no(?!\.|\s*\d))\b|n['’]t\b",
    re.I,
)
#: Words that turn round whatever else a sentence says, and so must be in the records.
_TURNING = frozenset(
    stem(word)
    for word in "revoked invalid invalidated expired lapsed abandoned rejected refused withdrawn "
    "cancelled canceled void infringed overruled reversed remanded false untrue wrong "
    "incorrect".split()
)
#: Words around a denial that do not say what is denied.
_AROUND = frozenset(
    stem(word)
    for word in "a an the of in on at to by for from with and or as is are was were be been has "
    "have had it its this that do does did any not no never none neither nor cannot without "
    "us according".split()
)
_ORDER = re.compile(
    r"\b(?:before|after|earlier than|later than|prior to|older than|newer than)\s+(?:the\s+)?"
    r"(?:(?:US|patent|application|No\.)\s+)*\d[\d,/]{4,}\d",
    re.I,
)
_TITLED = re.compile(
    r"\b(?:title (?:of [^“\"]{1,80} )?is|(?:is|was) (?:(?:en)?titled|the title of))\b", re.I
)
_AND = re.compile(r"[,;](?!\d)|\b(?:and|but|while|whereas)\b", re.I)
_INDEPENDENT = re.compile(r"\bindependent\b", re.I)
_PRIORITY = re.compile(r"\b(?:priority|continu\w+|parent|provisional|divisional|foreign)\b", re.I)
#: Words that say what a sentence says of a record, not what a record has.
_PLAIN = frozenset(
    stem(word)
    for word in "when who what which by on of to is was day date for from in are have they how go "
    "back far list make people whose whos until hold forc".split()
)
_FRAME = frozenset(
    stem(word)
    for word in (
        "a an the of in on at to by for from with and or as is are was were be been has have had "
        "it its this that these those which who whom whose patent patents application document "
        "u s us "
        "no number claim claims claimed invention inventor inventors invented made named lists "
        "listed states state reads read says recites covers title titled called entitled abstract "
        "applicant applied assignee assigned owned filed filing date day granted grant issued "
        "issue published publication priority cites cited citing citation references refers "
        "depends "
        "depend dependent independent records record according first second third also other "
        "people person company names are their there one only any not does do directed concerns "
        "relates begins following wording text mr ms under were against among contains contain "
        "comprises includes include goes go going back became become becomes resulted results "
        "result took take takes place office uspto led leads lead came come comes gave give gives "
        "bears bear enjoys enjoy serves serve rests rest relies rely relying said saying quote "
        "quoted quotes credited credits credit behind underlies underlying originated originates "
        "originate arose stems ties tied belongs belong submitted received receives obtained "
        "lodged appeared appears appear dated dates date since until begun began ended ends set "
        "total altogether whole full exactly namely respectively both each all several following "
        "about known bearing under described describes shown shows show found finds given "
        "set provides provided provide mentions mentioned mention points point pointing "
        "parent child based base builds build upon out into up down over between through during "
        "after before earlier later then when where while also furthermore moreover thus "
        "may might could would can should probably likely possibly perhaps apparently reportedly "
        "seems seem pat requires required require specifies specified specify monday tuesday "
        "wednesday thursday friday saturday sunday"
    ).split()
)


#: Properties whose values are mistaken for each other: days, and people and firms.
_DAYS = (LX.filingDate, LX.grantDate, LX.publicationDate, LX.priorityDate, LX.expirationDate)
_PARTIES = (LX.hasInventor, LX.hasApplicant, LX.hasAssignee)
_CITING = re.compile(
    r"\b(?P<passive>(?:is|are|was|were|been|being)\s+(?:also\s+)?"
    r"(?:cited|referenced|referred to|mentioned)|(?:cited|referenced|referred to)\s+(?:by|in))\b"
    r"|\b(?:cites?|cited|citing|references?|refers? to|referred to|relies on|rely on|mentions?)\b",
    re.I,
)
_DEPENDING = re.compile(
    r"\b(?:depends?|dependent|dependency|builds? (?:up)?on|refers? back)\b(?P<passive>)?", re.I
)


class RecordSupport:
    """The records that an answer was given: what sentences are held against."""

    def __init__(self, records: Iterable[StatedRecord]) -> None:
        self._records = list(records)
        self._families: dict[str, str] = {}
        self._earlier: dict[str, set[str]] = {}
        for fact in (fact for _, _, facts in self._records for fact in facts):
            s, p, o = fact.triple.subject, fact.triple.predicate, fact.triple.object
            if p == LX.grantedOn:
                self._families[_document(s)] = self._family(o)
            if p == LX.claimsPriorityOf:
                self._earlier.setdefault(_document(s), set()).add(_document(o))

    def unsupported_part(self, sentence: str, cited: Iterable[URIRef] | None = None) -> str:
        """Return what of a sentence the records do not have, empty if they carry it.

        `cited` are the things that alone may carry it, None for all.
        """
        chosen = None if cited is None else set(cited)
        return self._about(sentence, chosen).unsupported_part(sentence)

    def dates(self, sentence: str, cited: Iterable[URIRef] | None = None) -> bool:
        """Return whether each day of a sentence is stated of the property that it speaks of."""
        chosen = None if cited is None else set(cited)
        parts = self._about(sentence, chosen).dated(sentence)
        return all(days and days <= own for days, _, own in parts)

    def names(self, text: str) -> list[tuple[int, int]]:
        """Return where a text has numbers and labels of things: figures in them are no values."""
        labels = {label for _, label, _ in self._records if re.search(r"\d", label)}
        found = [m.span() for label in sorted(labels) for m in re.finditer(re.escape(label), text)]
        found += [m.span(1) for m in _FIGURES.finditer(text) if len(_digits(m[1])) >= _LONG]
        return found

    def _family(self, thing: Node) -> str:
        """Return the document of a thing; a patent has that of its application."""
        document = _document(thing)
        return self._families.get(document, document)

    def _about(self, sentence: str, cited: set[URIRef] | None) -> _Statements:
        """Return what is stated of what a sentence names, or of all where it names nothing."""
        bare = _bare(sentence)
        figures = {_digits(m[1]) for m in _FIGURES.finditer(bare)}
        words = _squashed(bare)
        claims = set(_claims(bare))
        nodes = {
            node
            for thing, _, facts in self._records
            for node in (
                thing,
                *(end for f in facts for end in (f.triple.subject, f.triple.object)),
            )
            if isinstance(node, URIRef)
        }
        named = {
            self._family(node) for node in nodes
            if len(_ending(_document(node))) >= _LONG and _ending(_document(node)) in figures
        }  # fmt: skip
        named |= {
            self._family(thing) for thing, label, _ in self._records
            if len(_squashed(label)) >= _LONG and _squashed(label) in words
        }  # fmt: skip
        documents = {one for one in map(_document, nodes) if self._families.get(one, one) in named}
        if named and _PRIORITY.search(bare):
            for one in list(documents):
                documents |= self._earlier.get(one, set())
        kept: list[tuple[str, Fact]] = []
        for thing, label, facts in self._records:
            if cited is not None and thing not in cited:
                continue
            claim = re.search(r"/claim/(\d+)$", thing)
            for fact in facts:
                ends = (thing, fact.triple.subject, fact.triple.object)
                if named and not any(
                    _document(one) in documents for one in ends if isinstance(one, URIRef)
                ):
                    continue
                if claim and claims and int(claim[1]) not in claims:
                    continue
                kept.append((label if not named or _document(thing) in documents else "", fact))
        return _Statements(kept, self._family)


class _Statements:
    """Statements that bear on a sentence."""

    def __init__(self, told: Sequence[tuple[str, Fact]], family: Callable[[Node], str]) -> None:
        self._facts = [fact for _, fact in told]
        lines = [*dict.fromkeys(label for label, _ in told), *(fact.text for fact in self._facts)]
        self._text = _squashed("\n".join(lines))
        self._marks, self._words = _tokens("\n".join(lines))
        self._beside = {pair for line in lines for pairs in _counted(line) for pair in pairs}
        self._said: list[tuple[URIRef, str, set[str]]] = []
        self._cites = set[tuple[str, str]]()
        self._depends = set[tuple[str, str]]()
        # where no statement says what a claim depends on, its words do
        self._refers = set[tuple[str, str]]()
        self._family: dict[str, str] = {}
        for fact in self._facts:
            s, p, o = fact.triple.subject, fact.triple.predicate, fact.triple.object
            self._family.update(
                (_ending(_document(one)), _ending(family(one)))
                for one in (s, o)
                if isinstance(one, URIRef)
            )
            if p == LX.cites:
                self._cites.add((_ending(family(s)), _ending(family(o))))
            if p in (LX.dependsOnClaim, LX.refersToClaim):
                self._depends.add((_ending(s), _ending(o)))
            if "/claim/" in str(s) and isinstance(o, Literal):
                self._refers |= {(_ending(s), str(number)) for number in _claims(o)}
            if isinstance(p, URIRef) and p in (*_DAYS, *_PARTIES):
                # a value is said after or before the thing, whose number no day or name has
                marks, words = _tokens(fact.text)
                named = {stem(one.casefold()) for one in _names(f". {fact.text}")}
                days = {one for m in marks if m.startswith("@") for one in _less_precise(m)}
                self._said.append((p, _ending(family(s)), days | (named & words)))
        self._marks |= {one for m in self._marks if m.startswith("@") for one in _less_precise(m)}

    def unsupported_part(self, sentence: str) -> str:
        """Return what of a sentence is not stated, empty if it is carried."""
        marks, words = _tokens(sentence)
        if missing := sorted(marks - self._marks):
            return ", ".join(f"“{_spelled(one)}”" for one in missing[:4])
        if not marks and not words - _AROUND:
            return "it, for it says nothing of a record"
        bare = _bare(sentence)
        for pairs in _counted(bare):
            if not pairs & self._beside:
                return " or ".join(f"“{_whole(' '.join(one), bare)}”" for one in sorted(pairs))
        for quote in _quotes(sentence):
            if _squashed(quote) not in self._text:
                return f"these words: “{quote[:60]}{'…' if len(quote) > 60 else ''}”"
        if other := self._misplaced(sentence, bare, words):
            return other
        told = {one for one in words if one not in _FRAME}
        if (found := _DENIES.search(bare)) and not self._denied(words - _AROUND):
            return f"the “{found[0]}” of it"
        gone = sorted(told - self._words)
        named = {stem(one.casefold()) for one in _names(sentence)}
        if strange := sorted((named | _TURNING) & set(gone)):
            return ", ".join(f"“{_whole(one, sentence)}”" for one in strange[:4])
        if told and len(told) - len(gone) < CARRIES * len(told):
            return ", ".join(f"“{_whole(one, sentence)}”" for one in gone[:4])
        return ""

    def dated(self, sentence: str) -> Iterator[tuple[set[str], set[URIRef], set[str]]]:
        """Yield of each part of a sentence its days, the properties it speaks of, and theirs."""
        for part, spoken in self._parts(_bare(sentence)):
            days = {m for m in _tokens(part)[0] if m.startswith("@") or _YEAR.fullmatch(m)}
            yield days, spoken, self._values(spoken, self._subjects(part))

    def _values(self, properties: Iterable[URIRef], subjects: Sequence[str] = ()) -> set[str]:
        chosen = set(properties)
        return set().union(
            *(
                values
                for p, subject, values in self._said
                if p in chosen and (not subjects or subject in subjects)
            )
        )

    def _subjects(self, part: str) -> list[str]:
        """Return the documents that a part may speak of: with "…, which" the one before it."""
        named, _, rest = part.rpartition(", which ")
        found = [_digits(m[1]) for m in _FIGURES.finditer(named or rest)]
        found = [self._family[one] for one in found if len(one) >= _LONG and one in self._family]
        return found[-1:] if named else found

    def _parts(self, sentence: str) -> Iterator[tuple[str, set[URIRef]]]:
        """Yield the parts of a sentence with a day each, and the properties they speak of.

        "Filed on …, granted on …" has the words before the day, "On … filed" after it; a part that
        speaks of none goes on with those of the part before.
        """
        days = [m.span() for m in _DAY.finditer(sentence)]
        days = sorted([*days, *(
            m.span(1) for m in _DATED.finditer(sentence)
            if not any(a < m.end(1) and m.start(1) < b for a, b in days)
        )])  # fmt: skip
        first = days[0][0] if days else 0
        if _properties_in(sentence[:first], _DAYS):
            cuts = [0, *(end for _, end in days[:-1]), len(sentence)]
        else:
            cuts = [0, *(start for start, _ in days[1:]), len(sentence)]
        spoken = set[URIRef]()
        for start, end in pairwise(cuts):
            spoken = _properties_in(sentence[start:end], _DAYS) or spoken
            yield sentence[start:end], spoken

    def _misplaced(self, sentence: str, bare: str, words: set[str]) -> str:
        """Return what a sentence says of another property or the wrong way round, else nothing."""
        every = self._values(_DAYS)
        wrong = {
            one
            for days, spoken, own in self.dated(sentence)
            if spoken
            for one in days & every - own
        }
        if meant := _properties_in(sentence, _PARTIES):
            people = {stem(one.casefold()) for one in _names(f". {sentence}")}
            wrong |= people & self._values(_PARTIES) - self._values(meant)
            wrong |= self._swapped(sentence)
        if wrong:
            listed = (f"“{_whole(_spelled(one), sentence)}”" for one in sorted(wrong))
            return f"{', '.join(listed)} for that"
        if _TITLED.search(sentence):
            titles = [str(f.triple.object) for f in self._facts
                      if f.triple.predicate == DCTERMS.title]  # fmt: skip
            if not any(_squashed(title) in _squashed(sentence) for title in titles):
                return "that title"
        if _ORDER.search(bare):
            return "which of them came first"
        return self._reversed(bare)

    def _swapped(self, sentence: str) -> set[str]:
        """Return the people of a part of a sentence that are not of the property it speaks of.

        "Inventor and assignee are A and B" has parts without people, and tells nothing.
        """
        every = self._values(_PARTIES)
        wrong: set[str] = set()
        for part in _AND.split(sentence):
            meant = _properties_in(part, _PARTIES)
            people = every & {stem(one.casefold()) for one in _names(f"x {part}")}
            if meant and not people:
                return set()
            if len(meant) == 1:
                wrong |= people - self._values(meant)
        return wrong

    def _reversed(self, bare: str) -> str:
        for s, o, sure in _citations(bare):
            pair = self._family.get(s, s), self._family.get(o, o)
            if pair not in self._cites and pair[::-1] in self._cites:
                return f"that {s} cites {o}, but that {o} cites {s}"
            # a document that is only in the words of another is cited in them
            known = self._cites or {s, o} <= self._family.keys()
            if sure and known and pair not in self._cites:
                return f"that {s} cites {o}"
        for s, o in _dependencies(bare):
            if (s, o) not in (self._depends or self._refers):
                return f"that claim {s} depends on claim {o}"
        dependent = {s for s, _ in self._depends}
        if _INDEPENDENT.search(bare):
            for number in map(str, _claims(bare)):
                if number in dependent:
                    return f"that claim {number} is independent"
        return ""

    def _denied(self, told: set[str]) -> bool:
        """Return whether a record denies something, in all of the same words."""
        return any(
            _DENIES.search(fact.text) and told <= _tokens(fact.text)[1] for fact in self._facts
        )


def _document(node: Node) -> str:
    """Return the document that a thing is or is part of."""
    return re.sub(r"/(?:claim|paragraph)/[^/]*$", "", str(node))


def _ending(node: Node | str) -> str:
    return _digits(str(node).rpartition("/")[2])


def _digits(text: str) -> str:
    return re.sub(r"\D", "", text)


def _spelled(mark: str) -> str:
    return mark.replace("claim#", "claim ").removeprefix("@")


def _whole(stems: str, sentence: str) -> str:
    """Return stems as the words that a sentence has of them."""
    words = {stem(word.casefold()): word for word in re.findall(r"[^\W\d_]+", sentence)}
    return " ".join(words.get(one, one) for one in stems.split())


def _squashed(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.casefold())


def _quotes(sentence: str) -> Iterable[str]:
    """Yield what a sentence quotes, of at least two words; what it leaves out parts a quote."""
    for match in _QUOTED.finditer(sentence):
        for part in _LEFT_OUT.split(match[1] or match[2]):
            if len(part.split()) >= 2:
                yield part.strip()


def _bare(sentence: str) -> str:
    """Return a sentence without its quotes; a name, a day or a denial in them is its own."""

    def own(match: re.Match[str]) -> str:
        parts = _LEFT_OUT.split(match[1] or match[2])
        kept = (p for p in parts if len(p.split()) < 2 or _tokens(p)[1] <= _FRAME)
        return f" {' '.join(kept)} "

    return _QUOTED.sub(own, sentence)


def _names(text: str) -> Iterable[str]:
    """Yield the words of a sentence that are names, as capitals show that begin no sentence."""
    for match in re.finditer(r"(?<![.:“\"]\s)(?<![“\"])(?<=\s)([A-Z][^\W\d_]+)", text):
        yield match[1]


def _claims(text: str) -> list[int]:
    """Return the numbers of the claims that a text names: claims 1, 3 to 5."""
    found: list[int] = []
    for match in _CLAIMS.finditer(text):
        ends = list(re.finditer(r"\d+", match[1]))
        for number, end in enumerate(ends):
            between = match[1][ends[number - 1].end() : end.start()] if number else ""
            first = found[-1] + 1 if re.search("to|through|-|–", between) else int(end[0])
            found += range(first, int(end[0]) + 1) if first <= int(end[0]) else [int(end[0])]
    return found


def _mark(match: re.Match[str]) -> str:
    """Return a day as @2015-12-10, as precise as it is written; empty if it can be two days."""
    if match["iso"]:
        return "-".join(filter(None, (f"@{match['iso']}", match["iso_month"], match["iso_day"])))
    if match["year"]:
        month = f"@{match['year']}-{_MONTHS[match['month'].lower()]:02}"
        day = match["day"] or match["after"]
        return f"{month}-{int(day):02}" if day else month
    first, second = int(match["first"]), int(match["second"])
    if match["sign"] == "." or first > 12:
        first, second = second, first
    elif second <= 12 and first != second:
        return ""
    return f"@{match['last']}-{first:02}-{second:02}"


def _less_precise(mark: str) -> Iterator[str]:
    """Yield a day with its month and its year."""
    yield mark
    year, *rest = mark.removeprefix("@").split("-")
    yield year
    if rest:
        yield f"@{year}-{rest[0]}"


def _tokens(text: str) -> tuple[set[str], set[str]]:
    """Return the marks of a text (days, numbers, claims by number) and the stems of its words."""
    marks: set[str] = set()

    def day(match: re.Match[str]) -> str:
        mark = _mark(match)
        marks.add(mark or match[0])
        return " "

    text = _DAY.sub(day, text)
    marks |= {f"claim#{number}" for number in _claims(text)}
    text = _CLAIMS.sub(" ", text)
    for match in _FIGURES.finditer(text):
        marks.add(re.sub(r"[,/.]", "", match[1]))
    text = _FIGURES.sub(" ", text)
    words = [word.casefold() for word in re.findall(r"[^\W\d_]+", text)]
    marks |= {_COUNTING[word] for word in words if word in _COUNTING}
    return marks, {stem(word) for word in words if len(word) > 1 and word not in _COUNTING}


def _counted(text: str) -> Iterator[set[tuple[str, str]]]:
    """Yield of each number that stands beside a word the two as pairs: rotor 12, four blades.

    Days, and the numbers of claims and documents, count nothing.
    """
    text = _CLAIMS.sub(" ; ", _DAY.sub(" ; ", text))
    text = _FIGURES.sub(lambda m: m[0] if len(_digits(m[1])) < _LONG else " ; ", text)
    found = [(m.lastgroup, m[0]) for m in _BESIDE.finditer(text)]
    # what stands beside another, past a gap
    tokens = [(kind, token) for kind, token in found if kind != "gap"]
    for place, (kind, token) in enumerate(tokens):
        word = token.casefold()
        number = _COUNTING.get(word, "") if kind == "word" else ""
        if kind == "figure" and len(_digits(token)) < _LONG and not _YEAR.fullmatch(token):
            number = re.sub(r"[,/.]", "", token)
        if not number:
            continue
        pairs = set()
        before, after = tokens[max(0, place - 1) : place], tokens[place + 1 : place + 2]
        for beside, ahead in ((before, True), (after, False)):
            for sort, other in beside:
                if sort == "word" and other.casefold() not in _JOINS:
                    shown = stem(other.casefold())
                    pairs.add((shown, number) if ahead else (number, shown))
        if pairs:
            yield pairs


@cache
def _worded() -> Mapping[URIRef, frozenset[str]]:
    """Return the words by which a sentence speaks of one of the properties that are alike."""
    out: dict[URIRef, frozenset[str]] = {}
    for group in (_DAYS, _PARTIES):
        told = {
            one.property: frozenset().union(*(_tokens(ask)[1] for ask in (*one.asks, one.says)))
            for one in kinds()
            if one.property in group and not one.back
        }
        for one, words in told.items():
            others = (w for other, w in told.items() if other != one)
            out[one] = words.difference(*others) - _PLAIN
    return out


def _properties_in(text: str, group: Sequence[URIRef]) -> set[URIRef]:
    """Return the properties of a group that a text speaks of."""
    words = _tokens(text)[1]
    return {one for one in group if one in _worded() and _worded()[one] & words}


def _citations(bare: str) -> list[tuple[str, str, bool]]:
    """Return the documents of which a sentence says that one cites the other, and how clearly."""
    pairs = _directed(
        bare,
        _CITING,
        lambda part: [
            _digits(m[1]) for m in _FIGURES.finditer(part) if len(_digits(m[1])) >= _LONG
        ],
    )
    clear = bool(re.search(r"\bcit(?:es?|ed|ing)\b", bare, re.I))
    return [(s, o, clear) for s, o in pairs]


def _dependencies(bare: str) -> list[tuple[str, str]]:
    """Return the claims of which a sentence says that one depends on the other."""
    return _directed(bare, _DEPENDING, lambda part: [str(one) for one in _claims(part)])


def _directed(
    sentence: str, verb: re.Pattern[str], find: Callable[[str], list[str]]
) -> list[tuple[str, str]]:
    """Return the pairs that a sentence relates by a verb, which may be passive."""
    found = verb.search(sentence)
    if found is None:
        return []
    passive = found["passive"]
    before, after = find(sentence[: found.start()]), find(sentence[found.end() :])
    if not before:
        # "the patents that cite US 9,800,001 are …", "among those cited by US 9,800,001 are …"
        before, after = after[1:], after[:1]
    elif not after:
        # "in US 9,800,001, US 4,580,670 is cited", "what US 9,800,001 cites is …"
        before, after = (before[1:], before[:1]) if passive else (before[-1:], before[:-1])
    if passive:
        before, after = after, before
    return [(s, o) for s in before for o in after]
