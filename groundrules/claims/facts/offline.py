"""The embedded extractor: a document becomes claims with spans, by a parser and rules, offline."""

from __future__ import annotations

import bisect
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from rdflib.term import Node

from groundrules import plugins
from groundrules.claims.documents.document import Document, plain
from groundrules.claims.documents.legibility import language, unreadable
from groundrules.claims.english import NO_NAMES
from groundrules.claims.facts.discourse import Discourse
from groundrules.claims.facts.lives import read_lives
from groundrules.claims.facts.moods import Turn
from groundrules.claims.facts.phrases import Passage
from groundrules.claims.facts.triples import Ledger, write
from groundrules.claims.names.definitions import defined_terms
from groundrules.claims.names.names import find_names
from groundrules.claims.units.blocks import Block, parse
from groundrules.claims.values.value_reader import Value, find_values
from groundrules.domain import built_in, domains
from groundrules.errors import ModelError, did_you_mean
from groundrules.models.shipped import folder
from groundrules.terms import Claim, Mention, Span

if TYPE_CHECKING:
    from spacy.language import Language

#: Name of the pipeline that comes with the package.
EMBEDDED = "embedded"
_FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
_FOLDER = folder("english")


@dataclass(frozen=True, slots=True)
class Extraction:
    """What a document says: claims and mentions in the order of the text, with their labels.

    `sentences` are half-open code-point ranges in order; `labels` gives each node of a claim or a
    mention the words the text first used for it. `loops` are claims that relate a thing to itself
    in so many words, which only the axioms of an ontology judge. `turns` are the words that deny a
    clause or leave it open, in the order of the text.
    """

    document: Document
    claims: tuple[Claim, ...]
    mentions: tuple[Mention, ...]
    sentences: tuple[Span, ...]
    labels: Mapping[Node, str]
    loops: tuple[Claim, ...] = ()
    turns: tuple[Turn, ...] = ()


#: What is one word though a capital follows its point: "S.p.A."
_DOTTED = re.compile(r"[A-Z]\.(?:[a-z]\.)+[A-Z]\.?")


def load(model: str = EMBEDDED) -> Language:
    """Return the spaCy pipeline of that name or folder, loaded once.

    Raises `ModelError` where it is missing or is no English dependency parser. The embedded one
    never imports torch.
    """
    return _loaded(model)


@cache  # of `load()` and `load(EMBEDDED)` it would make two
def _loaded(model: str) -> Language:
    _import_spacy(without_torch=model == EMBEDDED)
    import spacy

    from groundrules.models.spacy_pipes import BARE, annotate_once  # registers the component

    place: str | Path = model
    if model == EMBEDDED:
        place = _FOLDER
        if not (_FOLDER / "meta.json").exists():
            raise ModelError("the embedded English pipeline is missing; reinstall groundrules")
    try:
        # rules that the files replace would be read first
        bare = {"nlp": {"tokenizer": {"@tokenizers": BARE}}} if model == EMBEDDED else {}
        nlp: Language = spacy.load(place, config=bare)
        if bare:  # what is written is for spaCy alone
            nlp.config["nlp"]["tokenizer"] = {"@tokenizers": "spacy.Tokenizer.v1"}
            annotate_once(nlp.get_pipe("attribute_ruler"))
            nlp.tokenizer.token_match = _DOTTED.fullmatch
    except OSError as error:
        known = [EMBEDDED, *spacy.util.get_installed_models()]
        raise ModelError(
            f"spaCy model {model!r} is not installed; expected 'embedded', an installed package "
            f"or a folder{did_you_mean(model, known)}"
        ) from error
    except (ValueError, KeyError, ImportError) as error:
        reason = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        raise ModelError(f"spaCy model {model!r} cannot be loaded: {reason}") from error
    if not any("token.dep" in nlp.get_pipe_meta(name).assigns for name in nlp.pipe_names):
        raise ModelError(f"spaCy model {model!r} has no dependency parser; expected an English one")
    return nlp


def _import_spacy(*, without_torch: bool) -> None:
    """Import spaCy without its command line, which is half of it, and maybe without torch.

    Who imports or names either later gets it.
    """
    if without_torch and "thinc" not in sys.modules and "torch" not in sys.modules:
        sys.modules["torch"] = None  # type: ignore[assignment]  # thinc imports it where it can
        try:
            import thinc.compat  # noqa: F401  # it looks for torch once, when it is imported
        finally:
            del sys.modules["torch"]
    if "spacy" in sys.modules:
        return
    stand_in: Any = ModuleType("spacy.cli.info")
    stand_in.info = lambda *given, **named: import_module("spacy.cli.info").info(*given, **named)
    sys.modules[stand_in.__name__] = stand_in
    try:
        import spacy
    finally:
        del sys.modules[stand_in.__name__]

    def named_later(name: str) -> ModuleType:
        if name == "cli":
            return import_module("spacy.cli")
        raise AttributeError(f"module 'spacy' has no attribute {name!r}")

    spacy.__getattr__ = named_later


def extract(
    document: Document,
    *,
    model: str = EMBEDDED,
    blocks: Iterable[Block] | None = None,
) -> Extraction:
    """Return the claims and mentions of a document; the cost is linear in its length.

    `model` names a spaCy pipeline with English dependency labels; `blocks` are those of the
    document where it is parsed already. Markdown is read without its markup; the spans count in the
    text as it is. Raises `ModelError` where the pipeline is missing.
    """
    text = plain(document)
    values = find_values(text)
    if blocks is None:
        blocks = parsed(document, model)
    return unmarked(assemble(replace(document, text=text), blocks, values), document)


def parsed(document: Document, model: str = EMBEDDED) -> Iterator[Block]:
    """Return the parsed blocks of a document without its markup; see `extract`."""
    return parse(load(model), plain(document))


def unmarked(found: Extraction, document: Document) -> Extraction:
    """Return what was read of a document without its markup as that of the document."""
    if found.document.text == document.text:
        return found
    mentions = tuple(
        replace(mention, text=document.text[mention.span.start : mention.span.end])
        for mention in found.mentions
    )
    return replace(found, document=document, mentions=mentions)


def assemble(document: Document, blocks: Any, values: tuple[Value, ...]) -> Extraction:
    """Return the extraction of blocks that are parsed already; see `extract`."""
    ledger = Ledger(document.name)
    terms = defined_terms(document.text)
    discourse = Discourse()
    starts = [value.start for value in values]
    for block in blocks:
        passage = passage_of(document, block, values, starts, terms)
        discourse.enter(passage)
        write(passage, ledger)
    return finished(document, ledger, values)


def finished(document: Document, ledger: Ledger, values: tuple[Value, ...]) -> Extraction:
    """Return what a ledger holds, and what is read of a whole document by its fixed phrasing.

    Of a document in another language the parser reads nothing but its English sentences.
    """
    for domain in domains():
        before = ledger.size()
        with plugins.blame(plugins.DOMAINS, domain.name):
            for read in domain.readers:
                read(document, ledger, values)
            if domain.name != built_in():  # of ours the tests tell
                ledger.expect_sound(before, len(document.text))
    read_lives(document, ledger, values)
    around = language(document.text)
    foreign = {
        number
        for number, span in enumerate(ledger.sentences if around else ())
        if unreadable(document.text[span.start : span.end], around)
    }
    order = sorted(ledger.mentions.values(), key=lambda m: (m.span.start, -m.span.end))
    return Extraction(
        document,
        tuple(one for one in ledger.claims if one.sentence not in foreign),
        tuple(order),
        tuple(ledger.sentences),
        dict(ledger.labels),
        tuple(one for one in ledger.loops if one.sentence not in foreign),
        tuple(ledger.turns),
    )


def _entities(doc: Any) -> Iterator[tuple[int, int, str]]:
    """Give the recogniser's spans, cut at verbs: `Apple acquired Beats` is two names."""
    cased = any(token.text[:1].isupper() for token in doc[1:])
    for entity in doc.ents:
        start = entity.start
        verbs = [t.i for t in entity if t.tag_ in _FINITE and t.text.islower() and cased]
        for stop in [*verbs, entity.end]:
            names = [
                t for t in doc[start:stop] if t.text[:1].isupper() or not cased or t.tag_ == "CD"
            ]
            alone = names[0] if len(names) == 1 else None
            if names and not (alone and (alone.tag_ in {"DT", "PRP"} or alone.lower_ in NO_NAMES)):
                yield names[0].i, stop, entity.label_
            start = stop + 1


def passage_of(
    document: Document,
    block: Block,
    values: tuple[Value, ...],
    starts: list[int],
    terms: frozenset[str],
) -> Passage:
    """Return a parsed block with its names and those of the values that stand in it."""
    doc = block.doc
    names = find_names(
        [token.text for token in doc],
        entities=list(_entities(doc)),
        terms=terms,
        proper=[token.tag_ in {"NNP", "NNPS"} for token in doc],
    )
    first = bisect.bisect_left(starts, block.offsets[0][0])
    last = bisect.bisect_left(starts, block.offsets[-1][1])
    return Passage(block, document.name, document.text, names, values[first:last])
