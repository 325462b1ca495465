"""Blocks: a document cut into passages short enough to parse, with their places kept.

The parser sees clean words (no line breaks, no Penn Treebank escapes, no broken code points);
`Block.offsets` says where each of them stands in the document.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Span, Token

#: Longest passage handed to the parser, in code points; a longer one is cut at a sentence end.
LONGEST = 2000
#: Longest word the parser sees; the rest of a longer one is noise to it.
LONGEST_WORD = 60

_PARAGRAPH = re.compile(
    # atomic: \r\n is one break, never a \r and a \n
    r"(?>\r\n|[\n\r\x0b\x0c\x85\u2028\u2029])[^\S\n\r]{0,400}(?:(?:\r\n|[\n\r])\s*)+|\x0c"
)
_LINE = re.compile(r"\r\n|[\n\r\x0b\x85\u2028\u2029]")
#: The end of a sentence in tokenised text: a stop that stands alone.
_LONE_STOP = re.compile(r"(?<=\s)[.?!](?:\s+(?:''|\"|”|'|-RRB-|\)))*(?=\s+\S)")
_STOP = re.compile(r"[.?!;][\"”')\]]*\s+(?=[A-Z\"“(\[])")
_ITEM = re.compile(
    r"\s*(?:\(?(?:[a-zA-Z]|[ivxIVX]{1,5}|\d{1,3})[.)]|\d+(?:\.\d+)+\.?|[-*•·–—]|Section|SECTION|ARTICLE|Article|#)\s"
)
#: Insertions that only confuse a parser: `(the "Landlord")`, and the figure in `sixty (60) days`.
_INSERTION = re.compile(
    r"\((?:[^()\"“”]{0,60}[“\"][^()\"“”]{1,60}[”\"][^()]{0,60}|"
    r"(?<=[a-z]\s\()\d{1,4})\)|(?<=[a-z] )\(\d{1,4}\)(?= [a-z])"
)
_NEVER_LAST = re.compile(
    r"[A-Z]\.|(?:Mr|Mrs|Ms|Dr|Prof|Messrs|Hon|Gov|Sen|Rep|Gen|Col|Lt|St|No|Nos|vs?|cf|e\.g|i\.e)\."
)
#: What ends the word before a letter that is a unit, and no initial.
_NUMBER = frozenset("0123456789°")
_ESCAPES = {
    "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}",
    "-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]", "-lcb-": "{", "-rcb-": "}",
    "``": '"', "''": '"',
}  # fmt: skip
_ESCAPE = re.compile(r"-[LRlr][RSCrsc][Bb]-|``|''")


@dataclass(frozen=True, slots=True)
class Block:
    """A parsed passage; `offsets[i]` is the half-open code-point range of word i."""

    doc: Doc
    offsets: tuple[tuple[int, int], ...]


def blank_insertions(text: str) -> str:
    """Return a text as long with blanks for what is put in and only confuses a parser."""
    return _INSERTION.sub(lambda m: " " * len(m.group()) if m.start() else m.group(), text)


def cut(text: str) -> Iterator[tuple[int, int]]:
    """Yield the half-open ranges of the passages of a text, in order; white space is left out."""
    begin = 0
    for gap in _PARAGRAPH.finditer(text):
        yield from _lines(text, begin, gap.start())
        begin = gap.end()
    yield from _lines(text, begin, len(text))


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Cut a paragraph at line breaks that end a sentence, a heading or a list item."""
    begin, line = start, start
    while line < end:
        found = _LINE.search(text, line, end)
        if not found:
            break
        before, after = text[line : found.start()].strip(), found.end()
        if _breaks(before, text[after : after + 80]):
            yield from _sentences(text, begin, found.start())
            begin = after
        line = after
    yield from _sentences(text, begin, end)


def _breaks(line: str, following: str) -> bool:
    if not line or line[-1] in ".?!:;" or _ITEM.match(following):
        return True
    short = len(line.split()) < 9
    return short and (line.isupper() or line.istitle()) and following[:1].isupper()


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Cut at the lone stops of tokenised text, then to length."""
    begin = start
    for stop in _LONE_STOP.finditer(text, start, end):
        yield from _pieces(text, begin, stop.end())
        begin = stop.end()
    yield from _pieces(text, begin, end)


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while end - start > LONGEST:
        window = text[start : start + LONGEST]
        stop = 0
        for found in _STOP.finditer(window, LONGEST // 2):
            stop = found.end()
        stop = stop or window.rfind(" ", LONGEST // 2) + 1 or LONGEST
        yield from _trimmed(text, start, start + stop)
        start += stop
    yield from _trimmed(text, start, end)


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield start, end


def _clean(part: str) -> str:
    """Return the passage as the tokeniser may see it: same length, no broken code points."""
    part = _LINE.sub(lambda m: " " * len(m.group()), part)
    if part.isascii():
        return part
    return "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in part)


#: Parts of contractions, which the parser knows by what they stand for: "n't" by "not".
_PARTS = frozenset("n't n’t ca wo sha 'll ’ll 'd ’d 've ’ve".split())


def tokenised(
    nlp: Language, text: str, start: int, end: int
) -> tuple[Any, tuple[tuple[int, int], ...]]:
    """Return the unparsed Doc of one passage and the places of its words in the text."""
    from spacy.tokens import Doc

    part = _clean(text[start:end])
    part = blank_insertions(part)
    words: list[str] = []
    spaces: list[bool] = []
    offsets: list[tuple[int, int]] = []
    norms: dict[int, str] = {}
    held = 0
    for escape in [*_ESCAPE.finditer(part), None]:
        stop = escape.start() if escape else len(part)
        if held < stop:
            for token in nlp.tokenizer(part[held:stop]):
                place = start + held + token.idx
                if token.text.isspace():
                    if spaces:
                        spaces[-1] = True
                    continue
                if token.text in _PARTS:
                    norms[len(words)] = token.norm_
                words.append(token.text[:LONGEST_WORD])
                spaces.append(bool(token.whitespace_))
                offsets.append((place, place + len(token.text)))
        if escape:
            words.append(_ESCAPES.get(escape.group(), escape.group()))
            spaces.append(part[escape.end() : escape.end() + 1].isspace())
            offsets.append((start + escape.start(), start + escape.end()))
            held = escape.end()
    starts = _sentence_starts(words, text, offsets)
    doc = Doc(nlp.vocab, words=words, spaces=spaces, sent_starts=starts)
    for place, norm in norms.items():
        doc[place].norm_ = norm
    return doc, tuple(offsets)


def _sentence_starts(
    words: list[str], text: str, offsets: list[tuple[int, int]]
) -> list[bool | None]:
    """Where a sentence cannot begin (False) and where the parser decides (None).

    No sentence begins in the middle of a line without a stop before it, nor after an initial or
    an abbreviation that a name or number must follow.
    """
    out: list[bool | None] = [None] * len(words)
    for i in range(1, len(words)):
        before = words[i - 1]
        gap = text[offsets[i - 1][1] : offsets[i][0]]
        if before[-1:] not in ".?!:;\"'”’)]}*–—…" or not gap:
            out[i] = None if _LINE.search(gap) else False
        elif (
            abbreviates(before, words[i - 2] if i > 1 else "")
            or (before == "." and abbreviates(words[i - 2] + ".", words[i - 3] if i > 2 else ""))
            or (words[i][:1].islower() and before not in {".", "?", "!", ":", ";"})
        ):
            out[i] = False
    return out


def abbreviates(word: str, before: str) -> bool:
    """Return whether a word with its stop ends no sentence: "J.", "Mr.", but not "28 °C."."""
    return bool(_NEVER_LAST.fullmatch(word)) and not (len(word) == 2 and before[-1:] in _NUMBER)


def parse(
    nlp: Language, text: str, places: Iterable[tuple[int, int]] | None = None
) -> Iterator[Block]:
    """Yield the parsed blocks of a text, in order; the cost is linear in its length.

    `places` are the ranges to be parsed, each by itself, so that it is read alike whatever is
    beside it; by default all that the text is cut into, many at once.
    """

    def pairs() -> Iterator[tuple[Any, tuple[tuple[int, int], ...]]]:
        for start, end in cut(text) if places is None else places:
            doc, offsets = tokenised(nlp, text, start, end)
            if offsets:
                yield doc, offsets

    size = 64 if places is None else 1
    for doc, offsets in nlp.pipe(pairs(), as_tuples=True, batch_size=size):
        _mend(doc)
        for sentence in list(doc.sents):
            _find_verb(nlp, sentence)
        yield Block(doc, offsets)


def _mend(doc: Doc) -> None:
    """Head a possessive phrase by what is possessed where the parser took the possessor for it.

    `the company 's chief executive , Ann`: with "executive" for an adjective, "company" heads
    all of it.
    """
    for owner in doc[:-2]:
        mark = owner.nbor()
        if mark.tag_ != "POS" or mark.head.i != owner.i or owner.dep_ == "poss":
            continue
        last = owner.i + 1
        while last + 1 < len(doc) and doc[last + 1].head.i == owner.i and doc[last + 1].is_alpha:
            if doc[last + 1].dep_ not in {"amod", "compound", "nmod", "punct", "dep", "nummod"}:
                break
            last += 1
        if last == owner.i + 1:
            continue
        head, up, label = doc[last], owner.head, owner.dep_
        moved = [c for c in owner.children if c.i > owner.i + 1 and c.i != last]
        head.head = head if up.i == owner.i else up
        head.dep_, head.pos_, head.tag_ = label, "NOUN", "NN"
        owner.head, owner.dep_ = head, "poss"
        for child in moved:
            child.head = head


#: What a plain noun phrase is made of, and what may follow the verb of a short sentence.
_PHRASE_TAGS = frozenset("DT PDT PRP$ JJ NN NNS NNP NNPS CD HYPH POS".split())
_AFTER_VERB = _PHRASE_TAGS - {"POS"} | {"PRP", "IN", "TO", "RB", "$", "."}
_FINITE = frozenset({"VBD", "VBZ", "VBP", "MD", "VB"})
_WITHIN = frozenset({"det", "amod", "poss", "nummod", "case"})


def _find_verb(nlp: Language, sentence: Span) -> None:
    """Give a short sentence the verb that the parser took for a noun, as in "The drug eases pain.".

    Only where the sentence has none, ends in a full stop and opens with a plain noun phrase before
    a small word in -s; a heading or an item of a list has no full stop.
    """
    words = list(sentence)
    if len(words) < 4 or words[-1].text != "." or not words[0].text[:1].isupper():
        return
    if any(w.tag_ in _FINITE and not _misread(w) for w in words):
        return
    place = next(
        (
            n
            for n in range(1, len(words) - 1)
            if words[n].tag_ in {"NNS", "VBZ"}
            and re.fullmatch(r"[a-z]{2,}[a-rt-z]s", words[n].text)
            and words[n - 1].tag_ in {"NN", "NNP", "NNPS"}
            and words[n + 1].tag_ in _AFTER_VERB
        ),
        0,
    )
    if not place or any(w.tag_ not in _PHRASE_TAGS for w in words[:place]):
        return
    verb, subject, end = words[place], words[place - 1], place
    while words[end + 1].tag_ in _PHRASE_TAGS:
        end += 1
    object_ = words[end]
    tree = {w: (w.head, w.dep_) for w in words}
    for part, head in ((words[: place - 1], subject), (words[place + 1 : end], object_)):
        for w in part:
            tree[w] = (head, w.dep_ if w.dep_ in _WITHIN else "compound")
    for w in words[end + 1 :]:
        if w.dep_ == "punct" or w.head.i <= verb.i:
            tree[w] = (verb, "dep" if w.dep_ == "ROOT" else w.dep_)
    tree[object_] = (verb, "dobj")
    tree[subject] = (verb, "nsubj")
    tree[verb] = (verb, "ROOT")
    if not all(_leads_to(verb, w, tree) for w in words):
        return
    for w, (head, label) in tree.items():
        w.head, w.dep_ = head, label
    verb.tag_, verb.pos_ = "VBZ", "VERB"
    if nlp.has_pipe("lemmatizer"):
        verb.lemma_ = nlp.get_pipe("lemmatizer").lemmatize(verb)[0]


def _misread(word: Token) -> bool:
    """Return whether a verb stands within a noun phrase or has taken its subject for a part."""
    if word.dep_ == "compound":
        return True
    return word.dep_ == "ROOT" and any(c.dep_ == "compound" and c.i < word.i for c in word.children)


def _leads_to(root: Token, word: Token, tree: Mapping[Token, tuple[Token, str]]) -> bool:
    for _ in tree:
        if word == root:
            return True
        word = tree[word][0]
    return False
