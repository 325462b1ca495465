"""Put the forms of WordNet's verbs and nouns that the lemma rules get wrong into the lemma tables.

The rules are learnt from endings in a treebank: they know "rolled" and make "chaire" of "chaired".
Run on the folder of WordNet 3.1 that `extract.py` names and on the pipeline, after it was made:

    python training/lexicon/forms.py package/dict groundrules/models/english
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from spacy.lookups import Lookups

sys.path.insert(0, str(Path(__file__).parents[1] / "english"))
from lexicon import apply_rules

from groundrules.models.shipped import folder as folder_of

#: Parts of speech by their number in WordNet's index of senses, and how long a word is at least.
PARTS = {"1": "noun", "2": "verb"}
SHORTEST = 3
_SYLLABLE = re.compile(r"[aeiouy]+")
_SHARP = re.compile(r"(?:s|x|z|ch|sh)$")
_DOUBLING = re.compile(r"(?:^|[^aeiou]|qu)[aeiou][bdfgklmnprtvz]$")


def words(folder: Path, part: str) -> list[str]:
    """Return the single words of a part of speech that are tagged in some text or word pieces."""
    pieces = frozenset((folder_of("minilm") / "vocab.txt").read_text("utf-8").split())
    heard: dict[str, int] = {}
    for line in (folder / "index.sense").read_text("utf-8").splitlines():
        key, _, _, count = line.split()
        word, rest = key.split("%")
        if rest[0] == part and re.fullmatch(rf"[a-z]{{{SHORTEST},}}", word):
            heard[word] = heard.get(word, 0) + int(count)
    return sorted(word for word, count in heard.items() if count or word in pieces)


def plural(word: str) -> str:
    """Return the plural of a noun, or the third person of a verb."""
    if re.search(r"[^aeiou]y$", word):
        return f"{word[:-1]}ies"
    return word + ("es" if _SHARP.search(word) else "s")


def verbal(verb: str) -> Iterator[str]:
    """Yield the regular forms of a verb; where the stress decides, with one and two consonants."""
    yield plural(verb)
    if verb.endswith("e"):
        yield f"{verb}d"
        yield verb + "ing" if verb.endswith(("ee", "oe", "ye")) else f"{verb[:-1]}ing"
        return
    stem = f"{verb[:-1]}i" if re.search(r"[^aeiou]y$", verb) else verb
    doubled = bool(_DOUBLING.search(verb))
    if doubled:
        yield from (f"{verb}{verb[-1]}{ending}" for ending in ("ed", "ing"))
    if not doubled or len(_SYLLABLE.findall(verb)) > 1:
        yield f"{stem}ed"
        yield f"{verb}ing"


def missed(
    part: str,
    known: Sequence[str],
    rules: Sequence[tuple[str, str]],
    exceptions: Mapping[str, Sequence[str]],
) -> dict[str, str]:
    """Return the forms of words of which the rules make another, with their lemmas.

    Left out is what is a word itself, what the treebank has, irregular verbs, and forms of two.
    """
    own = set(known)
    pasts = (found for form, found in exceptions.items() if not form.endswith(("ed", "ing", "s")))
    irregular = {lemma for found in pasts for lemma in found}
    lemmas: dict[str, set[str]] = {}
    for word in known:
        forms = verbal(word) if part == "verb" else [plural(word)]
        for form in forms if not (part == "noun" and word.endswith("s")) else ():
            lemmas.setdefault(form, set()).add(word)
    return {
        form: next(iter(found))
        for form, found in sorted(lemmas.items())
        if len(found) == 1
        and form not in own
        and form not in exceptions
        and not (part == "verb" and found & irregular and form.endswith("ed"))
        and apply_rules([(old, new) for old, new in rules], form) not in found
    }


def main() -> None:
    """Write the tables of the pipeline named second, from the folder named first."""
    folder, pipeline = Path(sys.argv[1]), Path(sys.argv[2])
    path = pipeline / "lemmatizer" / "lookups"
    tables = Lookups().from_disk(path)
    for number, part in PARTS.items():
        rules = tables.get_table("lemma_rules")[part]
        exceptions = dict(tables.get_table("lemma_exc")[part])
        found = missed(part, words(folder, number), rules, exceptions)
        tables.get_table("lemma_exc")[part] = exceptions | {f: [one] for f, one in found.items()}
        print(part, len(found))
    tables.to_disk(path)


if __name__ == "__main__":
    main()
