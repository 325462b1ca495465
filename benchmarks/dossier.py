"""The dossier of an audit of 1,000 answers, and the pictures of it in docs.

    python -m benchmarks.dossier [--data ../shared/data] [--texts 1000] [--jobs 2]
                                 [--out build/dossier] [--pictures docs]

The answers are those of `benchmarks.audits` whose source has at most 4,000 code points, each with
id, date and source, and beside them an answer without words, one in French and one given twice.
All is done by the commands that an auditor would give: a key, an audit of 40 answers in which three
verdicts are overridden, the audit of all with log, name and purpose, a sample of 60, which the
labels of the sets fill in where a person would read, and the sign-off. What was done is not done
again. It then says how fast the pages open in headless Chromium, and with `--pictures` writes
dossier-light.png, dossier-phone.png and dossier-paper.png (the first two pages of the PDF).
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.audits import make_texts, write_rows
from benchmarks.pictures import open_browser
from groundrules.audit.dossier import refresh

ROOT = Path(__file__).parents[1]
FIRST, DECIDED, SAMPLE = 40, 3, 60
#: Names of pictures, how wide and high they are, and what is at their top.
LOOKS = (("light", 1160, 1240, "#outcomes"), ("phone", 390, 844, "body"))
LONGEST = 4_000  # code points of a source
BY, PURPOSE = "Ann Lee", "Answers about contracts and news, first half of 2026"
WHY = "read beside the source, which says so in other words"
#: What each label of the sets says of a statement.
LABELS = {"1": "supported", "Entailment": "supported", "0": "refuted", "Contradiction": "refuted",
          "NotMentioned": "not_enough_info"}  # fmt: skip
#: What is a text all the same, or is none.
BESIDE = (
    {"id": "no-words", "answer": "", "context": "The rent is $40 a month."},
    {"id": "in-french", "answer": "Le loyer est de 40 dollars par mois et se paie le premier jour.",
     "context": "The rent is $40 a month."},
    {"id": "no-answer", "context": "The rent is $40 a month."},
)  # fmt: skip


def read_labels(data: Path) -> dict[str, str]:
    """Return what holds of each claim of the sets, as far as it is the same wherever it stands."""
    found: dict[str, set[str]] = {}
    for name in ("legal/contract_qa", "legal/contract_nli", "closed/summeval"):
        with gzip.open(data / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                label = LABELS[str(row.get("label3", row.get("label")))]
                found.setdefault(row["claim"].strip(), set()).add(label)
    return {claim: labels.pop() for claim, labels in found.items() if len(labels) == 1}


def give(folder: Path, *words: str) -> None:
    """Give a command of groundrules in a folder; SystemExit where it ends by no exit code of it."""
    print("$ groundrules", " ".join(words), file=sys.stderr)
    done = subprocess.run(
        [sys.executable, "-m", "groundrules.cli.main", *words],
        cwd=folder,
        env={**os.environ, "GROUNDRULES_CACHE": "off", "OMP_NUM_THREADS": "1",
             "PYTHONPATH": str(ROOT)},
        check=False,
    )  # fmt: skip
    if done.returncode not in (0, 1, 2):
        raise SystemExit(f"ended with {done.returncode}")


def make(data: Path, folder: Path, texts: int, jobs: int) -> Path:
    """Make the dossier as an auditor would; return its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = make_texts(data, texts, longest=LONGEST)
    write_rows(folder / "first.jsonl", rows[:FIRST])
    write_rows(folder / "answers.jsonl", [*rows, *BESIDE, rows[0]])
    plain = ("--jobs", str(jobs), "--isolated")
    if not (folder / "audit.key").exists():
        give(folder, "log", "key", "audit.key")
    if not (folder / "overrides.jsonl").exists():
        give(folder, "audit", "first.jsonl", "-o", "first", *plain)
        for fingerprint in refuted(folder / "first"):
            give(
                folder, "override", fingerprint, "--verdict", "supported", "--by", BY, "--why", WHY
            )
    audit = [*"audit answers.jsonl -o audit --log audit.log --log-key audit.key".split(), *plain]
    audit += ["--overrides", "overrides.jsonl", "--by", BY, "--purpose", PURPOSE]
    give(folder, *audit)
    if not (folder / "audit" / "sample.csv").exists():
        give(folder, *audit, "--sample", str(SAMPLE))
        fill_in(folder / "audit" / "sample.csv", read_labels(data))
        give(folder, "audit", "--sample-read", "audit/sample.csv")
        give(folder, "log", "sign-off", "audit.log", "audit", "--by", BY, "--why",
             "read, with the statements drawn", "--log-key", "audit.key")  # fmt: skip
    refresh(folder / "audit", paper=True)
    return folder / "audit"


def refuted(out: Path) -> Iterator[str]:
    """Yield the fingerprints of the first statements of an audit that are refuted."""
    found = 0
    for path in sorted((out / "reports").iterdir()):
        for one in json.loads(path.read_text("utf-8"))["statements"]:
            if one["outcome"] == "refuted" and found < DECIDED:
                found += 1
                yield one["fingerprint"]


def fill_in(path: Path, labels: dict[str, str]) -> None:
    """Fill a sample in from the labels of the sets: a verdict that is not the label is wrong.

    A sentence of a claim that its source carries is carried; of another claim nothing is known of
    its sentences, and their rows stay as they are, like those of what could not be read.
    """
    carried = [claim for claim, label in labels.items() if label == "supported"]
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        words = row["text"].strip()
        label = labels.get(words)
        if label is None and any(words in claim for claim in carried):
            label = "supported"
        if label is not None and row["verdict"] in LABELS.values():
            row["wrong"] = "no" if row["verdict"] == label else "yes"
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, list(rows[0]))
        table.writeheader()
        table.writerows(rows)


# --- how it looks, and how fast it opens --------------------------------------------------------


def look(browser: Any, out: Path) -> None:
    """Say how long the pages take to open, and how large they are."""
    for name, paths in (
        ("the dossier", [out / "report.html"]),
        ("a page behind it", sorted((out / "html").iterdir())[:40]),
    ):
        taken, sizes = [], []
        for path in paths:
            page = browser.new_page()
            began = time.perf_counter()
            page.goto(path.as_uri())
            taken.append(1000 * (time.perf_counter() - began))
            sizes.append(path.stat().st_size / 1024)
            page.close()
        print(
            f"{name}: {statistics.median(taken):.0f} ms, at most {max(taken):.0f} ms; "
            f"{statistics.median(sizes):.0f} KiB, at most {max(sizes):.0f} KiB"
        )


def shoot(browser: Any, out: Path, pictures: Path) -> None:
    """Write the pictures: a desk, a phone, and paper."""
    for name, width, height, place in LOOKS:
        page = browser.new_page(viewport={"width": width, "height": height}, color_scheme="light")
        page.goto((out / "report.html").as_uri())
        page.locator(place).evaluate("(part) => part.scrollIntoView()")
        page.screenshot(path=pictures / f"dossier-{name}.png")
        page.close()
    command = ["pdftoppm", "-png", "-r", "60", "-f", "1", "-l", "2", str(out / "report.pdf"),
               str(out.parent / "paper")]  # fmt: skip
    subprocess.run(command, check=True)
    sheets = "".join(
        f'<img src="{one.resolve().as_uri()}">' for one in sorted(out.parent.glob("paper-*.png"))
    )
    frame = out.parent / "paper.html"
    frame.write_text(
        "<style>body{margin:16px;background:#ccc;display:flex;gap:16px}</style>" + sheets, "utf-8"
    )
    page = browser.new_page(viewport={"width": 1060, "height": 740})
    page.goto(frame.as_uri())
    page.screenshot(path=pictures / "dossier-paper.png")
    page.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the dossier, say how fast it opens, and write the pictures where asked."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--texts", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "dossier")
    parser.add_argument("--pictures", type=Path, metavar="FOLDER", help="write the pictures there")
    args = parser.parse_args(arguments)
    out = make(args.data, args.out.resolve(), args.texts, args.jobs)
    binary = shutil.which("chromium")
    if binary is None:
        print("chromium is not installed; apt-get install chromium", file=sys.stderr)
        return 2
    with open_browser(binary) as browser:
        look(browser, out)
        if args.pictures:
            shoot(browser, out, args.pictures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
