"""The reader as a component of a spaCy pipeline: `nlp.add_pipe("groundrules_reader")`."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import spacy
from spacy.attrs import DEP, HEAD, TAG
from spacy.language import Language
from spacy.tokenizer import Tokenizer
from spacy.tokens import Doc, Span

from groundrules.models.parser import Model, Reading, Text

#: The names of the component and of a tokenizer without rules, which come from files.
READER, BARE = "groundrules_reader", "groundrules_bare"


@spacy.registry.tokenizers(BARE)
def make_bare() -> Callable[[Language], Tokenizer]:
    """Return what makes a tokenizer without rules."""
    return lambda nlp: Tokenizer(nlp.vocab)


@Language.factory(
    READER,
    assigns=["token.tag", "token.dep", "token.head", "token.is_sent_start", "doc.ents"],
)  # fmt: skip
def make(nlp: Language, name: str) -> Component:
    """Return the component; its model is read when the pipeline is."""
    return Component()


class Component:
    """Tags, trees, sentences and names of a Doc; where a sentence may begin is respected."""

    def __init__(self) -> None:
        self._model: Model | None = None
        self._folder: Path | None = None

    def __call__(self, doc: Doc) -> Doc:
        """Read a document."""
        (found,) = self.pipe([doc])
        return found

    def pipe(self, docs: Iterable[Doc], batch_size: int = 1) -> Iterator[Doc]:
        """Read documents, so many at a time that some are scored while others are read."""
        if self._model is None:
            raise ValueError("the reader has no model; expected a pipeline that was loaded")
        docs = iter(docs)
        while batch := list(itertools.islice(docs, batch_size)):
            read = [_read_words(doc) for doc in batch]
            readings = self._model.read_all([text for _, text in read])
            for doc, (places, _), found in zip(batch, read, readings, strict=True):
                if len(doc):
                    _write(doc, places, found)
                yield doc

    def to_disk(self, path: Path, exclude: Iterable[str] = ()) -> None:
        """Copy the model's files."""
        if self._folder is None:
            raise ValueError("the reader has no model to be written")
        path.mkdir(parents=True, exist_ok=True)
        for name in ("model.onnx", "classes.json", "shared.json"):
            (path / name).write_bytes((self._folder / name).read_bytes())

    def from_disk(self, path: Path | str, exclude: Iterable[str] = ()) -> Component:
        """Read the model's files."""
        self._folder = Path(path)
        self._model = Model(self._folder)
        return self


def _read_words(doc: Doc) -> tuple[list[int], Text]:
    """Return the places of a document's words, and what is read of them; white space is none."""
    places: list[int] = []
    words: list[str] = []
    spaces: list[bool] = []
    begins: list[bool | None] = []
    for token in doc:
        if not token.is_space:
            start = token.is_sent_start
            places.append(token.i)
            words.append(token.text)
            spaces.append(bool(token.whitespace_))
            begins.append(None if start is None else bool(start))
        elif spaces:
            spaces[-1] = True
    return places, (words, spaces, begins)


def _write(doc: Doc, places: Sequence[int], found: Reading) -> None:
    """Write what was read of the words at places into a document."""
    add = doc.vocab.strings.add
    row = {i: n for n, i in enumerate(places)}
    values = []
    before = places[0] if places else 0
    for i in range(len(doc)):
        if i in row:
            n, before = row[i], i
            head = places[found.heads[n]]
            tag, label = found.tags[n], found.labels[n]
        else:  # white space belongs to the word before it
            head, tag, label = before, "_SP", "dep"
        values.append((add(tag), (head - i) % 2**64, add(label)))
    doc.from_array([TAG, HEAD, DEP], np.array(values, np.uint64))
    names: list[Span] = []
    for first, last, label in found.names:
        start = places[first]
        # the recogniser has learnt of names whose hyphens are not words: "Dresser-Rand"
        if names and names[-1].label_ == label and _is_hyphen(doc, names[-1].end, start):
            start = names.pop().start
        names.append(Span(doc, start, places[last - 1] + 1, label))
    doc.set_ents(names)


def _is_hyphen(doc: Doc, start: int, end: int) -> bool:
    """Return whether a hyphen without white space stands between two words."""
    return (
        end == start + 1
        and doc[start].text == "-"
        and not (doc[start - 1].whitespace_ or doc[start].whitespace_)
    )
