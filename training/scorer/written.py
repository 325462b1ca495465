"""Read and check the twins written for the scorer (`written/BRIEF.md` says how they are written).

    python training/scorer/written.py training/scorer/written/*.txt
    python training/scorer/written.py --blind training/scorer/written/*.txt > sheet.txt
    python training/scorer/written.py --agree training/scorer/written/second_labels.tsv
    python training/scorer/written.py --card training/scorer/written

`--blind` draws one side of each twin of some passages, for somebody who has not seen the twins to
label; `--agree` compares the labels (`file:line TAB number of the twin TAB 1 or 0`); `--card`
writes README.md.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ERRORS = frozenset(
    "number date unit entity role negation modality certainty quantifier comparison cause "
    "condition attribution coreference conflation invented scope temporal predicate order".split()
)
HOW = frozenset(("paraphrase", "synthesis", "inference"))
#: Every tenth passage of a file is kept out of training.
KEPT_OUT = 10
#: Every so many passages the second labelling sees one.
SECOND = 20
_PLACE = re.compile(r"\{([^{}|]*)\|([^{}|]*)\}")
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class Twin:
    """A sentence with its true and its false words.

    Attributes:
        error: The kind of error of the false side.
        said: Whether the passage says otherwise; if not, it says nothing of it.
        how: How the true side follows: paraphrase, synthesis or inference.
        before, true, false, after: The sentence around the place, and the place's two readings.
    """

    error: str
    said: bool
    how: str
    before: str
    true: str
    false: str
    after: str

    def read(self, side: bool) -> tuple[str, int, int]:
        """Return the true (or false) sentence, and where its deciding words start and end."""
        words = self.true if side else self.false
        start = len(self.before)
        return self.before + words + self.after, start, start + len(words)


@dataclass(frozen=True)
class Passage:
    """A passage with its twins; `kept_out` ones are never trained on."""

    genre: str
    text: str
    twins: tuple[Twin, ...]
    place: str
    kept_out: bool


def _twin(line: str) -> Twin:
    head, bar, sentence = line.partition(" | ")
    kind = head.split()
    if not bar or len(kind) != 3:
        raise ValueError("a twin is 'error no|unsaid how | sentence'")
    if kind[0] not in ERRORS or kind[1] not in ("no", "unsaid") or kind[2] not in HOW:
        raise ValueError(f"unknown words in {head!r}")
    places = list(_PLACE.finditer(sentence))
    if len(places) != 1 or sentence.count("{") != 1 or sentence.count("}") != 1:
        raise ValueError("a twin has one place {true|false}")
    true, false = places[0].groups()
    if true.split() == false.split():
        raise ValueError("both sides are the same")
    before, after = sentence[: places[0].start()], sentence[places[0].end() :].rstrip()
    return Twin(kind[0], kind[1] == "no", kind[2], before, true, false, after)


def read(path: Path) -> Iterator[Passage]:
    """Yield the passages of a file; a mistake is a ValueError that names its line."""
    genre, lines, twins, start = "", list[str](), list[Twin](), 0
    inside = 0
    number = 0

    def done() -> Passage:
        if not twins:
            raise ValueError(f"{path}:{start}: a passage without twins")
        text = "\n".join(lines).strip()
        if not 6 <= len(text.split()) <= 450:
            raise ValueError(f"{path}:{start}: a passage of {len(text.split())} words")
        kept = number % KEPT_OUT == 0
        return Passage(genre, text, tuple(twins), f"{path.name}:{start}", kept)

    for at, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("== "):
            if genre:
                number += 1
                yield done()
            genre, lines, twins, start, inside = line[3:].strip(), [], [], at, 1
        elif line.strip() == "--" and inside == 1:
            inside = 2
        elif inside == 1:
            lines.append(line)
        elif inside == 2 and line.strip():
            try:
                twins.append(_twin(line.strip()))
            except ValueError as mistake:
                raise ValueError(f"{path}:{at}: {mistake}") from None
        elif line.strip():
            raise ValueError(f"{path}:{at}: text before '== genre'")
    if genre:
        number += 1
        yield done()


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def tell(passages: Sequence[Passage]) -> dict[str, float]:
    """Return what gives a false side away: shares near 0.5 tell nothing.

    Of all twins, how often the true side is the longer, has more words of the passage, and (of
    those that differ) has the number, the negation.
    """
    longer, nearer, number, negation = [], [], [], []
    for passage in passages:
        known = set(_words(passage.text))
        for twin in passage.twins:
            sides = [_words(twin.true), _words(twin.false)]
            a, b = (len(side) for side in sides)
            longer.append(0.5 if a == b else float(a > b))
            whole = [_words(twin.before + side + twin.after) for side in (twin.true, twin.false)]
            a, b = (sum(word in known for word in side) / max(1, len(side)) for side in whole)
            nearer.append(0.5 if a == b else float(a > b))
            a, b = (sum(any(c.isdigit() for c in w) for w in side) for side in sides)
            if a != b:
                number.append(float(a > b))
            no = {"not", "no", "never", "neither", "nor", "without", "none", "cannot"}
            a, b = (sum(w in no for w in side) for side in sides)
            if a != b:
                negation.append(float(a > b))
    return {
        name: round(sum(values) / len(values), 3) if values else 0.5
        for name, values in (
            ("true side longer", longer),
            ("true side nearer", nearer),
            ("true side has the number", number),
            ("true side has the negation", negation),
        )
    }


def shown_side(passage: Passage, number: int) -> bool:
    """Return which side of a twin the second labelling sees, the same on every run."""
    return hashlib.sha256(f"{passage.place} {number}".encode()).digest()[0] % 2 == 0


def print_sheet(passages: Sequence[Passage]) -> None:
    """Print every `SECOND`-th passage with one side of each twin, without its label."""
    for passage in passages[SECOND // 2 :: SECOND]:
        print(f"## {passage.place}\n{passage.text}\n")
        for number, twin in enumerate(passage.twins):
            print(f"{number}: {twin.read(shown_side(passage, number))[0]}")
        print()


def compare_labels(labels: Path) -> tuple[int, list[str]]:
    """Return how many second labels there are, and those that are not the twins' own."""
    passages: dict[str, Passage] = {}
    for file in sorted(labels.parent.glob("*.txt")):
        passages |= {passage.place: passage for passage in read(file)}
    total, other = 0, []
    for line in labels.read_text(encoding="utf-8").splitlines():
        place, number, label = line.split("\t")
        side = shown_side(passages[place], int(number))
        total += 1
        if (label == "1") != side:
            said = passages[place].twins[int(number)].read(side)[0]
            other.append(f"{place} {number}: written {int(side)}, second {label}: {said}")
    return total, other


def write_card(folder: Path) -> None:
    """Write README.md of a folder of twins, from what stands there."""
    passages = [p for path in sorted(folder.glob("*.txt")) for p in read(path)]
    twins = [twin for passage in passages for twin in passage.twins]
    words = sorted(len(passage.text.split()) for passage in passages)
    total, other = compare_labels(folder / "second_labels.tsv")
    kinds = ", ".join(f"{k} {n:,}" for k, n in Counter(t.error for t in twins).most_common())
    ways = ", ".join(f"{k} {n:,}" for k, n in Counter(t.how for t in twins).most_common())
    tells = "\n".join(f"| {what} | {share:.3f} |" for what, share in tell(passages).items())
    kept_out = sum(passage.kept_out for passage in passages)
    lines = (folder / "second_labels.tsv").read_text(encoding="utf-8").splitlines()
    batches = ", ".join(sorted({line[0] for line in lines}))
    folder.joinpath("README.md").write_text(
        f"""# The written twins

Written by `training/scorer/written.py --card`; change that, not this. How a twin is written stands
in [BRIEF.md](BRIEF.md).

{len(passages):,} passages with {len(twins):,} twins: a true sentence in other words than the
passage and the same sentence made wrong in one place. {len({p.genre for p in passages}):,} headings
of genres in nineteen fields (law, news, science, encyclopaedia, everyday documents, tables, long
articles, public bodies, business, culture, medicine and finance, conversations, tables again,
uploaded documents, land and building, education and society, short premises, stories, technology;
a letter of the files' names each); {words[0]} to {words[-1]} words a passage, half of them below
{words[len(words) // 2]}; {sum("|" in p.text for p in passages)} passages with a table.
{kept_out} passages, every tenth of a file, are kept out of training.

**Who wrote it.** A language model, in November 2026, for this project: each batch by a writer that
saw BRIEF.md and no data set. Nothing of it comes from an evaluation set. Our own, Apache-2.0.

**Kinds of error.** {kinds}. The passage says nothing of {sum(not t.said for t in twins):,} false
sides, and otherwise of the rest. True sides follow by: {ways}.

**What gives a false side away.** Shares near 0.5 tell nothing.

| | share of twins |
|---|--:|
{tells}

**Second labels.** {total} sentences, one side of each twin of every {SECOND}th passage of the
batches {batches}, labelled blind by another reader (a language model too):
{total - len(other)} agree ({(total - len(other)) / total:.3f}); `written.py --agree` lists the
others. The other batches had no second reader.
""",
        encoding="utf-8",
    )


def main(names: Sequence[str]) -> int:
    """Print what each file holds and what gives its false sides away."""
    if names[0] == "--blind":
        print_sheet([passage for name in names[1:] for passage in read(Path(name))])
        return 0
    if names[0] == "--agree":
        total, other = compare_labels(Path(names[1]))
        print(*other, f"{total - len(other)} of {total} labels agree", sep="\n")
        return 0
    if names[0] == "--card":
        write_card(Path(names[1]))
        return 0
    seen: dict[str, str] = {}
    wrong = 0
    every: list[Passage] = []
    for name in names:
        try:
            passages = list(read(Path(name)))
        except ValueError as mistake:
            print(mistake)
            wrong += 1
            continue
        for passage in passages:
            key = " ".join(_words(passage.text)[:8])
            if key in seen:
                print(f"{passage.place}: begins as {seen[key]} does")
                wrong += 1
            seen[key] = passage.place
        every += passages
    twins = [twin for passage in every for twin in passage.twins]
    words = sorted(len(passage.text.split()) for passage in every) or [0]
    print(f"{len(every)} passages, {len(twins)} twins, {len({p.genre for p in every})} genres")
    print(f"words of a passage: {words[0]} to {words[-1]}, median {words[len(words) // 2]}")
    print(f"with a table: {sum('|' in p.text for p in every)}")
    print("errors:", *(f"{k} {n}" for k, n in Counter(t.error for t in twins).most_common()))
    print("how:", *(f"{k} {n}" for k, n in Counter(t.how for t in twins).most_common()))
    print("unsaid:", round(sum(not t.said for t in twins) / max(1, len(twins)), 3))
    for what, share in tell(every).items():
        print(f"{what}: {share}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
