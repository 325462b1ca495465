"""Train the English pipeline from the data folder, in one command.

python training/english/train.py --data ../shared/data --out groundrules/models/english
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from assemble import assemble, write
from corpora import build, read_treebank
from score import measure

HERE = Path(__file__).parent
SEED = 0


def start(name: str, work: Path, gpu: int) -> subprocess.Popen[bytes]:
    """Start the training of one configuration."""
    command = [
        *(sys.executable, "-m", "spacy", "train", str(HERE / f"{name}.cfg")),
        *("--code", str(HERE / "augment.py"), "--output", str(work / name)),
        *("--paths.train", str(work / f"{name}-train.spacy")),
        *("--paths.dev", str(work / f"{name}-dev.spacy")),
        *("--system.seed", str(SEED), "--gpu-id", str(gpu)),
    ]
    return subprocess.Popen(command, env={**os.environ, "PYTHONHASHSEED": "0"})


def train(data: Path, out: Path, work: Path, gpu: int) -> None:
    """Build the corpora, train both parts side by side, join, score and write the card."""
    build(data, work, SEED)
    running = [start(name, work, gpu) for name in ("syntax", "ner")]
    codes = [process.wait() for process in running]
    if any(codes):
        raise SystemExit("training failed")
    finish(data, out, work)


def finish(data: Path, out: Path, work: Path) -> None:
    """Join the trained parts, write the artefact and its card."""
    trees = read_treebank(data / "train" / "parse" / "en_ewt-ud-train.conllu.gz")
    sentences = [sentence for document in trees for sentence in document]
    write(assemble(work / "syntax" / "model-best", work / "ner" / "model-best", sentences), out)
    measure(out, data)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--out", type=Path, default=Path("groundrules/models/english"))
    parser.add_argument("--gpu", type=int, default=-1, help="a GPU's number; -1 for the CPU")
    parser.add_argument("--work", type=Path, help="keep corpora and checkpoints in this folder")
    parser.add_argument("--reuse", action="store_true", help="join the checkpoints in --work")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        work = options.work or Path(scratch)
        if options.reuse:
            finish(options.data, options.out, work)
        else:
            train(options.data, options.out, work, options.gpu)


if __name__ == "__main__":
    main()
