"""Vary the training texts: letter case, line breaks and quotation marks."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from spacy.language import Language
from spacy.training import Example
from spacy.training.augment import construct_modified_raw_text, make_whitespace_variant
from spacy.util import registry

QUOTES = [("``", "''"), ('"', '"'), ("“", "”")]


def change_words(nlp: Language, example: Example, change: Callable[[int, str], str]) -> Example:
    """Return the same example with other word forms."""
    content = example.to_dict()
    tokens = content["token_annotation"]
    tokens["ORTH"] = [change(i, t.text) for i, t in enumerate(example.reference)]
    return example.from_dict(nlp.make_doc(construct_modified_raw_text(tokens)), content)


def shouted_names(nlp: Language, example: Example) -> Example:
    """Return the same example with its entities in capitals, as contracts write their parties."""
    inside = {token.i for entity in example.reference.ents for token in entity}
    return change_words(nlp, example, lambda i, word: word.upper() if i in inside else word)


def broken_lines(nlp: Language, example: Example, dice: random.Random) -> Example:
    """Return the same example with line breaks between and inside its sentences."""
    size = len(example.reference)
    starts = [t.i for t in example.reference if t.is_sent_start and t.i]
    inside = [i for i in range(1, size) if dice.random() < 0.04]
    chosen = sorted({*(i for i in starts if dice.random() < 0.7), *inside}, reverse=True)
    for position in chosen:
        mark = dice.choice(["\n", "\n\n", " ", "\n "])
        example = make_whitespace_variant(nlp, example, mark, position)
    return example


@registry.augmenters("groundrules.text_variants.v1")  # type: ignore[untyped-decorator]
def text_variants(
    lower: float, upper: float, names: float, lines: float, seed: int
) -> Callable[[Language, Example], Iterator[Example]]:
    """Replace a share of the examples by lower-case, upper-case, or broken-line variants."""
    dice = random.Random(seed)

    def augment(nlp: Language, example: Example) -> Iterator[Example]:
        throw = dice.random()
        if throw < lower:
            example = change_words(nlp, example, lambda _, word: word.lower())
        elif throw < lower + upper:
            example = change_words(nlp, example, lambda _, word: word.upper())
        elif throw < lower + upper + names:
            example = shouted_names(nlp, example)
        if dice.random() < lines:
            example = broken_lines(nlp, example, dice)
        if '"' in example.reference.text and dice.random() < 0.5:
            opening, closing = dice.choice(QUOTES)
            marks = {t.i: opening for t in example.reference if t.text == '"' and t.tag_ == "``"}
            marks |= {t.i: closing for t in example.reference if t.text == '"' and t.tag_ == "''"}
            if marks:
                example = change_words(nlp, example, lambda i, word: marks.get(i, word))
        yield example

    return augment
