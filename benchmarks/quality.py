"""How good the verdicts are on the labelled sets, as a table.

    python -m benchmarks.quality --data ../shared/data --out build/quality [--write docs/quality.md]

One shipped configuration for all sets. Each set's figures are what `groundrules eval FILE
--output-format json` prints; they are kept in the folder and taken from there if they are there.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks import folder_of_code
from groundrules.cli.evaluate import encode
from groundrules.config import AlignConfig, Config
from groundrules.evaluate.rows import evaluate

BEGIN = "<!-- figures: written by python -m benchmarks.quality -->"
END = "<!-- end of figures -->"
#: The graphs, the kernel and the depth with which KEA's published scores come out.
KEA = Config(align=AlignConfig(threshold=0.0, h=5, relation_nodes=False))
#: File, field to break down by, and what is aimed at.
SETS = (
    ("legal/contract_qa.jsonl.gz", "error", "0.90; date_shift 0.95, role_swap 0.80"),
    ("closed/qags_c.jsonl.gz", None, "0.82"),
    ("closed/summeval.jsonl.gz", None, "0.86"),
    ("closed/bump.jsonl.gz", None, "0.70"),
    ("legal/contract_nli.jsonl.gz", "split", "–"),
    ("kea/summeval.jsonl.gz", None, "0.03 above KEA's"),
    ("kea/qags_c.jsonl.gz", None, "0.03 above KEA's"),
    ("kea/wikibio.jsonl.gz", None, "–"),
)


def measured(path: Path, by: str | None, kept: Path) -> dict[str, Any]:
    """Return the figures of a file, from the folder if this code has measured them."""
    if not kept.exists():
        found = encode(evaluate(path, by=by))
        if found.get("kea_auc") is not None:
            found["kea_form_auc"] = evaluate(path, config=KEA).kernel_auc
        kept.write_text(json.dumps(found, indent=1) + "\n")
    kept_figures: dict[str, Any] = json.loads(kept.read_text())
    return kept_figures


def rows(name: str, found: dict[str, Any], aim: str) -> Iterator[str]:
    """Yield the lines of a set: the whole, then each part of its breakdown."""
    low, high = found["ci"]["auc"]
    cells = [
        name,
        str(found["rows"]),
        f"{found['auc']:.3f} ({low:.3f} to {high:.3f})",
        f"{found['average_precision']:.3f}",
        f"{found['balanced_accuracy_fixed']:.3f}",
        f"{found['balanced_accuracy_cv']:.3f}",
        f"{found['seconds_per_row']:.2f}",
        aim,
    ]
    yield f"| {' | '.join(cells)} |"
    if found.get("kea_auc") is not None:
        kea, kernel = found["kea_auc"], found["kernel_auc"]
        yield f"| – KEA's own score | | {kea:.3f} | | | | | |"
        if found.get("kea_form_auc") is not None:
            yield f"| – its kernel at its settings | | {found['kea_form_auc']:.3f} | | | | | |"
        yield f"| – our kernel alone | | {kernel:.3f} | | | | | |"
    for value, part in found["by"].items():
        if value and part["auc"] is not None:
            yield f"| – {value} | {part['rows']} | {part['auc']:.3f} | | | | | |"


def outcomes(found: dict[str, Any]) -> Iterator[str]:
    """Yield the table of three-way verdicts beside those of simpler judges."""
    names = [name.replace("_", " ") for name in found["three_way"]["f1"]]
    yield "| judge | accuracy | macro-F1 | " + " | ".join(f"F1 {name}" for name in names) + " |"
    yield "|---|" + "--:|" * (2 + len(names))
    parts = {f"– {value}": part["three_way"] for value, part in found["by"].items()}
    for name, judged in {"groundrules": found["three_way"], **parts, **found["baselines"]}.items():
        figures = [judged["accuracy"], judged["macro_f1"], *judged["f1"].values()]
        yield f"| {name} | " + " | ".join(f"{figure:.3f}" for figure in figures) + " |"


def main() -> None:
    """Measure what is there, print the table, write it into the page if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--write", type=Path)
    arguments = parser.parse_args()
    out = folder_of_code(arguments.out)
    lines = [
        "| set | rows | AUC (95 %) | average precision | balanced accuracy, fixed threshold "
        "| learned | s/row | aim, AUC |",
        "|---|--:|---|--:|--:|--:|--:|---|",
    ]
    more: list[str] = []
    for name, by, aim in SETS:
        path = arguments.data / name
        if not path.exists():
            print(f"skipped {name}: not in {arguments.data}", file=sys.stderr)
            continue
        short = name.removesuffix(".jsonl.gz")
        kept = out / f"{short.replace('/', '-')}.json"
        found = measured(path, by, kept)
        lines += rows(short, found, aim)
        if found.get("three_way"):
            more += ["", f"Three outcomes on {short}:", "", *outcomes(found)]
    table = "\n".join([*lines, *more])
    print(table)
    if arguments.write:
        page = arguments.write.read_text(encoding="utf-8")
        head, _, rest = page.partition(BEGIN)
        _, _, tail = rest.partition(END)
        page = f"{head}{BEGIN}\n\n{table}\n\n{END}{tail}"
        arguments.write.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
