"""Turn treebank and name sets into batches of word pieces for the reader's training.

A segment is a run of sentences of one document: its words, how each is written (`shape`) and
whether white space stands before it (`gap`), for the encoder is uncased and sees no spaces.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent / "english"), str(HERE.parents[1])]

from assemble import tokenizer
from convert import ROOT, Sentence, Token
from corpora import (
    TaggedSentence,
    entity_sets,
    entity_tags,
    groups,
    read_treebank,
    read_treebanks,
)
from corpora import spacing as spaced
from shapes import Words

from groundrules.models.encoder import FOLDER, read_tokenizer
from groundrules.models.parser import MOST_PIECES, WINDOW, shape

#: A sentence with its tree or with its names.
Part = TypeVar("Part", Sentence, TaggedSentence)
#: Word pieces of a segment, as many as are read at once, and of a batch, at most.
SEGMENT, BATCH = WINDOW, 1800
NAME_TAGS = ("O", *(f"{b}-{name}" for name in ("PERSON", "ORG", "LOC", "MISC") for b in "BI"))
#: The tags of marks that the pipeline cuts off words.
MARKS = {"-": "HYPH", "/": ",", ".": ".", ",": ",", "(": "-LRB-", ")": "-RRB-", ":": ":"}
#: How many runs of sentences are read one by one, as most are where a stop surely ends one.
ALONE = 0.5
#: Shares of segments that are written otherwise.
LOWER, UPPER, SHOUTED = 0.06, 0.05, 0.08


@dataclass(frozen=True, slots=True)
class Segment:
    """Words of some sentences; what is not known of them is None."""

    words: tuple[str, ...]
    spaces: tuple[bool, ...]
    starts: tuple[bool, ...]
    tags: tuple[str, ...] | None = None
    heads: tuple[int, ...] | None = None
    labels: tuple[str, ...] | None = None
    names: tuple[str, ...] | None = None


def of_trees(sentences: Sequence[Sentence]) -> Segment:
    """Return the segment of some trees; the head of a root is the word itself."""
    tokens = [token for sentence in sentences for token in sentence]
    heads: list[int] = []
    for sentence in sentences:
        base = len(heads)
        heads += [base + (i if t.head == ROOT else t.head) for i, t in enumerate(sentence)]
    return Segment(
        tuple(t.form for t in tokens),
        tuple(t.space_after for t in tokens),
        tuple(i == 0 for sentence in sentences for i, _ in enumerate(sentence)),
        tuple(t.xpos for t in tokens),
        tuple(heads),
        tuple(t.rel for t in tokens),
    )


def of_names(sentences: Sequence[TaggedSentence]) -> Segment:
    """Return the segment of some sentences whose names are marked."""
    words = [word for sentence in sentences for word, _ in sentence]
    return Segment(
        tuple(words),
        tuple(spaced(words)),
        tuple(i == 0 for sentence in sentences for i, _ in enumerate(sentence)),
        names=tuple(tag for sentence in sentences for tag in entity_tags(sentence)),
    )


def written(segment: Segment, dice: random.Random) -> Segment:
    """Return a segment in lower case, in capitals, with its names in capitals, or as it is."""
    throw = dice.random()
    words = segment.words
    if throw < LOWER:
        words = tuple(word.lower() for word in words)
    elif throw < LOWER + UPPER:
        words = tuple(word.upper() for word in words)
    elif throw < LOWER + UPPER + SHOUTED and (segment.names or segment.tags):
        named = [n != "O" for n in segment.names or ()] or [
            tag in {"NNP", "NNPS"} for tag in segment.tags or ()
        ]
        words = tuple(w.upper() if n else w for w, n in zip(words, named, strict=True))
    words = tuple(dice.choice('"“”') if w == '"' and dice.random() < 0.4 else w for w in words)
    return Segment(words, *(getattr(segment, name) for name in Segment.__slots__[1:]))


def segments_of(
    documents: Iterable[Sequence[Part]],
    largest: int,
    dice: random.Random,
    make: Callable[[Sequence[Part]], Segment],
) -> Iterator[Segment]:
    """Cut documents into segments of at most so many sentences, afresh each time."""
    for document in documents:
        for part in groups(list(document), largest, dice):
            alone = dice.random() < ALONE
            while part:
                size = 1 if alone else len(part)
                while size > 1 and sum(map(len, part[:size])) * 1.3 >= SEGMENT:
                    size -= 1
                yield make(part[:size])
                part = part[size:]


class Corpus:
    """The training and development data, or a share of its documents, with the classes in them.

    `more` has further treebanks, in folders train and dev.
    """

    def __init__(self, data: Path, share: float = 1.0, more: Path | None = None) -> None:
        folder = data / "train" / "parse"
        cut = Cutter()
        trees = read_treebank(folder / "en_ewt-ud-train.conllu.gz")
        self.dev = {"": read_treebank(folder / "en_ewt-ud-dev.conllu.gz")}
        if more is not None:
            trees += read_treebanks(more / "train")
            self.dev["more "] = read_treebanks(more / "dev")
        if share < 1:
            trees = random.Random(0).sample(trees, round(len(trees) * share))
        self.trees = [[cut.tree(s) for s in d] for d in trees]
        sets = entity_sets(data)
        named = [d for part in sets["train"].values() for d in part]
        if share < 1:
            named = random.Random(0).sample(named, round(len(named) * share))
        self.names = [[cut.names(s) for s in d] for d in named]
        tokens = [t for d in trees for s in d for t in s]
        self.tags = sorted({t.xpos for t in tokens})
        self.labels = sorted({t.rel for t in tokens})
        self.tokenizer = read_tokenizer(FOLDER)
        self.lexicon = Lexicon(tokens)
        self.words = Words([s for d in trees for s in d])

    def pieces(self, word: str) -> list[int]:
        """Return the word pieces of a word, the first few of a long one."""
        return (self.tokenizer.ids(word) or [self.tokenizer.ids("?")[0]])[:MOST_PIECES]


class Cutter:
    """The pipeline's own tokenizer, which cuts what is learnt as it cuts what is read."""

    def __init__(self) -> None:
        self._cut = tokenizer().tokenizer

    def pieces(self, words: Sequence[str], spaces: Sequence[bool]) -> list[tuple[int, int]]:
        """Return the places of the tokens in the text that words make."""
        text = "".join(w + " " * s for w, s in zip(words, spaces, strict=True))
        return [(t.idx, t.idx + len(t)) for t in self._cut(text) if not t.is_space]

    def tree(self, sentence: Sentence) -> Sentence:
        """Return a tree of tokens as the pipeline cuts them.

        Words that are one token, such as "24/7", are one where no word is made of two by it ("its"
        for "it 's"); of a word that is cut the last part with a letter or figure is the head.
        """
        forms, after = [t.form for t in sentence], [t.space_after for t in sentence]
        if any(" " in form for form in forms):
            return sentence
        ours, theirs = list(_places(forms, after)), self.pieces(forms, after)
        parts: list[tuple[list[int], list[tuple[int, int]]]] = []
        i = j = 0
        while i < len(ours):
            m, n = i + 1, j + 1
            while ours[m - 1][1] != theirs[n - 1][1]:
                if ours[m - 1][1] < theirs[n - 1][1]:
                    m += 1
                else:
                    n += 1
            parts.append(([*range(i, m)], theirs[j:n]))
            i, j = m, n
        place: dict[int, int] = {ROOT: ROOT}
        out: Sentence = []
        for words, cut in parts:
            text = "".join(forms[i] for i in words)
            if len(words) > 1 and (len(cut) > 1 or text.isalpha()):
                cut = [ours[i] for i in words]
            spans = [text[a - cut[0][0] : b - cut[0][0]] for a, b in cut]
            if len(words) == len(cut):
                for i in words:
                    place[i] = len(out)
                    out.append(replace(sentence[i]))
            elif len(words) > 1:
                head = next(i for i in words if sentence[i].head not in words)
                place |= dict.fromkeys(words, len(out))
                last = sentence[words[-1]].space_after
                out.append(replace(sentence[head], form=text, space_after=last))
            else:
                word = sentence[words[0]]
                own = [k for k, one in enumerate(spans) if any(map(str.isalnum, one))]
                head = own[-1] if own else 0
                place[words[0]] = len(out) + head
                for k, one in enumerate(spans):
                    ends = k == len(spans) - 1
                    new = replace(word, form=one, space_after=ends and word.space_after)
                    if k != head and word.rel != "punct":
                        new.rel = "compound" if k in own else "punct"
                        new.head = words[0]
                        new.xpos = word.xpos if k in own else MARKS.get(one, word.xpos)
                    out.append(new)
        for token in out:
            token.head = place[token.head]
        return out

    def names(self, sentence: TaggedSentence) -> TaggedSentence:
        """Return a sentence with marked names of tokens as the pipeline cuts them."""
        words = [word for word, _ in sentence]
        ours = list(_places(words, spaced(words)))
        text = "".join(w + " " * s for w, s in zip(words, spaced(words), strict=True))
        out: TaggedSentence = []
        i = 0
        for low, high in self.pieces(words, spaced(words)):
            while ours[i][1] <= low:
                i += 1
            tag = sentence[i][1]
            if low > ours[i][0] and tag.startswith("B-"):
                tag = "I-" + tag[2:]
            out.append((text[low:high], tag))
        return out


def _places(words: Sequence[str], spaces: Sequence[bool]) -> Iterator[tuple[int, int]]:
    at = 0
    for word, space in zip(words, spaces, strict=True):
        yield at, at + len(word)
        at += len(word) + space


class Lexicon:
    """Words of the treebank by tag, of which plain sentences are made that it has too few of.

    Web text is in the first person and the past; what contracts, reports and encyclopaedias say is
    in the third person of the present ("visits", "insures", "houses"), told of things.
    """

    def __init__(self, tokens: Sequence[Token]) -> None:
        forms: dict[str, Counter[str]] = {}
        for token in tokens:
            if token.form.isalpha() and len(token.form) > 2:
                forms.setdefault(token.xpos, Counter())[token.form] += 1
        verbs = Counter(t.lemma for t in tokens if t.xpos.startswith("VB") and t.lemma.isalpha())
        self.verbs = sorted(v for v, n in verbs.items() if n > 1 and len(v) > 2 and v.islower())
        self.nouns = sorted(w for w, n in forms["NN"].items() if n > 1 and w.islower())
        self.plurals = sorted(w for w, n in forms["NNS"].items() if n > 1 and w.islower())
        self.adjectives = sorted(w for w, n in forms["JJ"].items() if n > 2 and w.islower())
        self.names = sorted(w for w, n in forms["NNP"].items() if n > 1 and w.istitle())

    def sentence(self, dice: random.Random) -> Sentence:
        """Return a plain sentence with its tree."""
        make = _Maker()

        def noun() -> tuple[str, str]:
            return dice.choice(self.nouns), "NN"

        def plural() -> tuple[str, str]:
            return dice.choice(self.plurals), "NNS"

        def phrase(head: int, rel: str) -> int:
            throw = dice.random()
            if throw < 0.25:
                return make.add(dice.choice(self.names), "NNP", head, rel)
            if throw < 0.45:
                figure = str(dice.choice((2, 3, 7, 12, 40, 120, 350, 1200, 4500)))
                number = make.add(figure, "CD", -2, "nummod")
                index = make.add(*plural(), head, rel)
                make.hang(number, index)
                return index
            parts = [
                make.add(dice.choice(("The", "A", "Each", "This", "Its", "Any")), "DT", -2, "det")
            ]
            if make.tokens[-1].form == "Its":
                make.tokens[-1].xpos, make.tokens[-1].rel = "PRP$", "poss"
            if dice.random() < 0.3:
                parts.append(make.add(dice.choice(self.adjectives), "JJ", -2, "amod"))
            if dice.random() < 0.25:
                parts.append(make.add(*noun(), -2, "compound"))
            index = make.add(*noun(), head, rel)
            for part in parts:
                make.hang(part, index)
            return index

        verb = dice.choice(self.verbs)
        throw = dice.random()
        if throw < 0.12:  # an order
            root = make.add(verb, "VB", ROOT, "ROOT", verb)
        elif throw < 0.24:  # several do it
            make.add(*plural(), -2, "nsubj")
            root = make.add(verb, "VBP", ROOT, "ROOT", verb)
            make.hang(root - 1, root)
        else:
            subject = phrase(-2, "nsubj")
            many = make.tokens[subject].xpos == "NNS"
            if dice.random() < 0.3:
                aux = make.add(dice.choice(("may", "must", "shall", "will")), "MD", -2, "aux")
                no = make.add("not", "RB", -2, "neg") if dice.random() < 0.4 else None
                root = make.add(verb, "VB", ROOT, "ROOT", verb)
                for part in (aux, no):
                    if part is not None:
                        make.hang(part, root)
            else:
                form, tag = (verb, "VBP") if many else (third_person(verb), "VBZ")
                root = make.add(form, tag, ROOT, "ROOT", verb)
            make.hang(subject, root)
        thing = phrase(root, "dobj")
        if dice.random() < 0.2:  # no prepositions: what they belong to, nonsense cannot tell
            make.add("and", "CC", thing, "cc")
            phrase(thing, "conj")
        if dice.random() < 0.85:
            make.add(".", ".", root, "punct")
            make.tokens[-2].space_after = False
        first = make.tokens[0]
        first.form = first.form[:1].upper() + first.form[1:]
        for token in make.tokens[1:]:
            if token.xpos in {"DT", "PRP$"}:
                token.form = token.form.lower()
        return make.tokens


class _Maker:
    """A sentence in the making."""

    def __init__(self) -> None:
        self.tokens: Sentence = []

    def add(self, form: str, tag: str, head: int, rel: str, lemma: str = "") -> int:
        """Append a word and return its place; a head of -2 is hung later."""
        kept = lemma or ("be" if form == "is" else "its" if form == "Its" else form.lower())
        if tag == "NNS":
            kept = lemma or "_"
        if tag == "NNP":
            kept = form
        self.tokens.append(Token(form, kept, "X", tag, head, rel))
        return len(self.tokens) - 1

    def hang(self, index: int, head: int) -> None:
        """Give a word its head."""
        self.tokens[index].head = head


def third_person(verb: str) -> str:
    """Return a verb's third person of the present by rule."""
    odd = {"be": "is", "have": "has", "do": "does", "go": "goes"}
    if verb in odd:
        return odd[verb]
    if verb.endswith(("s", "x", "z", "ch", "sh")):
        return verb + "es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


def batches(
    segments: Iterable[Segment], corpus: Corpus, dice: random.Random
) -> list[list[Segment]]:
    """Return segments in batches of like length, in an order that is drawn."""
    sized = [(sum(len(corpus.pieces(w)) for w in s.words) + 2, s) for s in segments]
    sized = [(n, s) for n, s in sized if n <= WINDOW + 2]
    sized.sort(key=lambda pair: (pair[0], dice.random()))
    out: list[list[Segment]] = [[]]
    for size, segment in sized:
        if out[-1] and size * (len(out[-1]) + 1) > BATCH:
            out.append([])
        out[-1].append(segment)
    dice.shuffle(out)
    return out


__all__ = ["NAME_TAGS", "Corpus", "Segment", "Sentence", "batches", "of_names", "of_trees",
           "segments_of", "shape", "written"]  # fmt: skip
