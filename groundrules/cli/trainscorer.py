"""`groundrules train-scorer`: fit the support scorer to a few hundred labels of one's own."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from groundrules.cli.options import Parser
from groundrules.cli.settings import add_llm, add_settings, print_usage, settings
from groundrules.cli.terminal import write
from groundrules.errors import ConfigError
from groundrules.files import write_atomically

if TYPE_CHECKING:
    from groundrules.config import Config
    from groundrules.models.head import Fit, Point
    from groundrules.models.labels import Row

#: The best scorer of SafePassage (arXiv 2510.00276, figure 4), drawn as a line to compare with.
PAPER = 0.891


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "train-scorer",
        "Fit the support scorer to labels of `groundrules label`: 100 to 500 are enough. Takes "
        "seconds, and gives the same scorer for the same labels.",
        (
            "groundrules train-scorer labels.jsonl -o scorer/",
            "groundrules train-scorer labels.jsonl -o scorer/ --silver more.jsonl --llm MODEL",
            'then: scorer = "scorer/" in [tool.groundrules]',
        ),
    )
    add = result.add_argument
    add("file", metavar="FILE", help="labelled rows of JSON lines: premise, type, value, label")
    add("-o", "--output", metavar="DIR", required=True, help="the folder of the scorer")
    add("--silver", metavar="FILE",
        help="more rows, learned first; --llm labels those that have no label")  # fmt: skip
    add_settings(result)
    add_llm(result)
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    from groundrules.models.head import fit
    from groundrules.models.labels import read_rows
    from groundrules.models.metrics import scikit_learn
    from groundrules.models.passage_scorer import HEAD, write_head

    config = settings(args)
    scikit_learn("linear_model")  # before a model is asked
    rows = read_rows(Path(args.file))
    known = {row.pair for row in rows if row.label is not None}
    silver = (
        [row for row in read_rows(Path(args.silver)) if row.pair not in known]
        if args.silver
        else []
    )
    graded = grade(silver, config, args.silver)
    found = fit(rows, graded, name=args.file)
    folder = Path(args.output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()) and not (folder / HEAD).is_file():
            raise ConfigError("has other files; expected a new folder", path=args.output)
        write_head(found.head, folder)
        write_atomically(folder / "curve.svg", plot(found.curve).encode())
        write_atomically(folder / "CARD.md", card(found).encode())
    except OSError as error:
        raise ConfigError(f"cannot write: {error.strerror}", path=args.output) from None
    write(table(found) + f"\nwritten to {folder}\n", None)
    return 0


def grade(rows: Sequence[Row], config: Config, name: str) -> list[Row]:
    """Return the rows with labels, those that have none graded by the LLM of a configuration."""
    from groundrules.llm.client import connect
    from groundrules.models.passage_scorer import LLM, score_support

    open_ = [row for row in rows if row.label is None]
    if not open_:
        return list(rows)
    client = connect(config.llm)
    if client is None:
        raise ConfigError(
            f"{len(open_)} rows have no label; name a model that grades them with --llm", path=name
        )
    try:
        scores = score_support([row.pair for row in open_], LLM, client=client)
    finally:  # what was asked has cost, whatever came of it
        print_usage(client)
    labels = {row.pair: int(score) for row, score in zip(open_, scores, strict=True)}
    return [replace(row, label=labels.get(row.pair, row.label)) for row in rows]


def table(found: Fit) -> str:
    """Return the learning curve as text."""
    lines = ["labels  precision  recall     F1   of flagging unsafe passages, cross-validated"]
    for point in found.curve:
        figures = f"{point.precision:>9.3f}  {point.recall:>6.3f}  {point.f1:>5.3f}"
        note = "   as shipped" if not point.labels else ""
        lines.append(f"{point.labels:>6}  {figures}{note}")
    return "\n".join(lines) + "\n"


def card(found: Fit) -> str:
    """Return the page that says what the scorer was made of and how good it is."""
    apart = f"by {found.groups} documents" if found.groups else "row by row: fewer than 5 documents"
    rows = "\n".join(
        f"| {point.labels or 'as shipped'} | {point.precision:.3f} | {point.recall:.3f} | "
        f"{point.f1:.3f} |"
        for point in found.curve
    )
    return f"""# A support scorer

Made by `groundrules train-scorer`; use it by `scorer = "FOLDER"` in `[tool.groundrules]`.

Logistic regression on the vectors of the shipped scorer (digest `{found.head.scorer[:12]}`) and its
log odds: {found.rows} labels, {found.unsafe} of them unsafe, after {found.silver} silver labels;
C is {found.strengths[1]:g}, for silver {found.strengths[0]:g}, where F1 was best (0: as shipped).

Flagging unsafe passages at 0.5, cross-validated, split {apart}. C was chosen on the same
rows, so the figures are a little too good.

| labels | precision | recall | F1 |
|--:|--:|--:|--:|
{rows}

![learning curve](curve.svg)
"""


def plot(curve: Sequence[Point]) -> str:
    """Return the learning curve as an SVG picture: F1 over labels."""
    width, height, left, top = 480, 280, 48, 16
    most = max(point.labels for point in curve)
    low = min(0.5, *(point.f1 for point in curve))

    def place(labels: float, score: float) -> tuple[float, float]:
        x = left + (width - left - 16) * labels / most
        return round(x, 1), round(top + (height - top - 40) * (1 - score) / (1 - low), 1)

    def text(x: float, y: float, words: str, anchor: str = "middle") -> str:
        return f'<text x="{x}" y="{y}" text-anchor="{anchor}">{words}</text>'

    bottom = place(0, low)[1]
    ticks = [round(low + (1 - low) * i / 5, 2) for i in range(6)]
    parts = [text(left - 8, place(0, tick)[1] + 4, f"{tick:.2f}", "end") for tick in ticks]
    parts += [text(place(p.labels, low)[0], bottom + 16, str(p.labels)) for p in curve[::-2]]
    parts.append(text(width / 2, bottom + 34, "labels"))
    y = place(0, PAPER)[1]
    parts.append(f'<path d="M{left} {y}H{width - 16}" stroke="#999" stroke-dasharray="4 3"/>')
    parts.append(text(width - 20, bottom - 8, f"dashed: SafePassage's best, {PAPER}", "end"))
    parts.append(f'<path d="M{left} {top}V{bottom}H{width - 16}" stroke="#333" fill="none"/>')
    places = [place(point.labels, point.f1) for point in curve]
    line = "L".join(f"{x} {y}" for x, y in places)
    parts.append(f'<path d="M{line}" stroke="#06c" stroke-width="2" fill="none"/>')
    parts += [f'<circle cx="{x}" cy="{y}" r="3" fill="#06c"/>' for x, y in places]
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" font-size="11">\n<title>F1 of flagging unsafe passages</title>\n'
        f"{body}\n</svg>\n"
    )
