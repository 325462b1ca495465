"""Choose the documents of GUM that the reader is trained and measured on besides EWT.

    git clone https://github.com/amir-zeldes/gum
    python training/reader/treebanks.py --gum gum --out build/treebanks

Writes the folders train (for `train.py --more`), dev, test and gentle, and tells each one's hash.
"""

from __future__ import annotations

import argparse
import hashlib
import re
from pathlib import Path

#: The genres of GUM whose texts are CC BY, CC BY-SA or in the public domain; of those, vlogs are
#: left out, which are chatted.
GENRES = "academic bio court interview news speech textbook voyage".split()
#: A text of the Santa Barbara Corpus, which is published as CC BY-ND.
LEFT_OUT = frozenset({"GUM_court_carpet"})


def parts(splits: str) -> dict[str, list[str]]:
    """Return the documents of each part that GUM's splits.md lists and that may be used."""
    out: dict[str, list[str]] = {}
    name = ""
    for line in splits.splitlines():
        if line.startswith("## "):
            name = {"test2": "gentle"}.get(line[3:].strip(), line[3:].strip())
        elif found := re.fullmatch(r"\s*\* ((?:GUM|GENTLE)_([a-z]+)_\w+)", line):
            document, genre = found.groups()
            if name == "gentle" or (genre in GENRES and document not in LEFT_OUT):
                out.setdefault(name, []).append(document)
    return out


def digest(folder: Path) -> str:
    """SHA-256 over the names and contents of a folder's files."""
    total = hashlib.sha256()
    for path in sorted(folder.glob("*.conllu")):
        total.update(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n".encode())
    return total.hexdigest()


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gum", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=Path("build/treebanks"))
    options = parser.parse_args()
    for part, documents in parts((options.gum / "splits.md").read_text("utf-8")).items():
        folder = options.out / part
        folder.mkdir(parents=True, exist_ok=True)
        for name in documents:
            text = (options.gum / "dep" / f"{name}.conllu").read_text("utf-8")
            (folder / f"{name}.conllu").write_text(text, "utf-8")
        print(part, digest(folder))


if __name__ == "__main__":
    main()
