"""What readers in turn cost and find: rules, a licensed reader, a grader for what is between.

    python -m benchmarks.cascade --data ../shared/data [--write PAGE] [--plot FILE]

All are told of `prose/unseen-2`, and what is recorded also of field/dev, with licences measured on
the sets that `benchmarks.readers` has.
The reader is what a language model answered to the token reader's question, the grader what one
answered to that of grades, each recorded once; a drawn reader stands for one that runs beside the
rules and costs no token. The tokens are those of questions and answers at three bytes a token, of
an answer of twelve statements on the average: all of them, and those that are new where a server
keeps the prefix that questions share. What `--llm` asks besides grades is the same in all rows that
have it, and left out.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from benchmarks.letters import FIELD, Letters, sets
from benchmarks.marks import put_between
from benchmarks.readers import (
    ERRORS,
    MEASURED_ON,
    RECORDED,
    STATEMENTS,
    TOLD_OF,
    Meter,
    Recorded,
    checked,
    licensed,
    readers,
)
from benchmarks.recorded import Recorded as Grader
from benchmarks.recorded import replayed
from groundrules.checks import plan as plans
from groundrules.config import Config
from groundrules.errors import LLMError
from groundrules.evaluate.documents import DocumentEvaluation, summarize
from groundrules.evaluate.rows import Row, read_rows
from groundrules.llm.prompt import Prompt
from groundrules.models.licences import Licence
from groundrules.models.readers import Reader

BEGIN, END = "<!-- cascade: begin -->", "<!-- cascade: end -->"
_PROSE = Path(__file__).parent / "prose"
GRADES = _PROSE / "grades.jsonl"
DRAWN = f"drawn, {ERRORS[0]} of 100 wrong"


class Metered(Grader):
    """Recorded grades, of which the tokens are counted."""

    def __init__(self, meter: Meter) -> None:
        super().__init__(GRADES)
        self._meter = meter

    def ask(self, prompt: Prompt) -> Any:
        """Return the recorded grades of a question."""
        found = super().ask(prompt)
        if prompt.job == "grades":
            self._meter.count(prompt, found)
        return found


@dataclass(frozen=True)
class Found:
    """What a run found, and its tokens for an answer of `STATEMENTS` statements."""

    name: str
    figures: DocumentEvaluation
    whole: float
    new: float


@contextmanager
def _metered(client: Letters, meter: Meter) -> Iterator[None]:
    ask_all = client.ask_all

    def counted(prompts: Sequence[Prompt]) -> tuple[Any | LLMError, ...]:
        found = ask_all(prompts)
        for prompt, answer in zip(prompts, found, strict=True):
            meter.count(prompt, answer)
        return found

    with patch.object(client, "ask_all", counted):
        yield


def run(
    name: str,
    rows: Sequence[Row],
    turn: Sequence[tuple[Reader, Licence]],
    recorded: Recorded,
    *,
    graded: bool,
) -> Found:
    """Return what readers in turn make of some rows, the grader last if there is one."""
    meter = Meter()
    known = {reader.name: reader for reader, _ in turn}
    with TemporaryDirectory() as folder, ExitStack() as stack:
        for n, (_, licence) in enumerate(turn):
            text = replace(licence, model=licence.reader).dumps()
            (Path(folder) / f"{n}.toml").write_text(text, encoding="utf-8")
        config = Config(readers=tuple(f"{n}.toml" for n in range(len(turn))), base=Path(folder))
        stack.enter_context(patch.object(plans, "open_named", lambda name, *_: known[name]))
        stack.enter_context(_metered(recorded.client, meter))
        if graded:
            config = stack.enter_context(replayed(Metered(meter), [], config))
        for reader in known.values():
            reader.known.clear()
        found = checked(rows, config, recorded.about)
    count = sum(len(one.sentences) for one in found) / STATEMENTS
    print(f"{name}: {meter.whole / count:,.0f} tokens", file=sys.stderr, flush=True)
    return Found(name, summarize(found), meter.whole / count, meter.new / count)


def table(runs: Sequence[Found]) -> str:
    """Return the runs as a table."""
    heads = ["in turn", f"tokens for {STATEMENTS} statements", "where a prefix is kept",
             "true found supported", "wrong passed as supported", "wrong with an error",
             "true with an error"]  # fmt: skip
    out = [f"| {' | '.join(heads)} |", "|---|" + "--:|" * (len(heads) - 1)]
    for one in runs:
        f = one.figures
        shares = (f.true_supported, f.wrong_supported, f.wrong_error, f.true_error)
        told = " | ".join("–" if share is None else f"{share:.3f}" for share in shares)
        out.append(f"| {one.name} | {one.whole:,.0f} | {one.new:,.0f} | {told} |")
    return "\n".join(out)


def plot(runs: Sequence[Found], path: Path) -> None:
    """Draw what is found against tokens; the same figures give the same file."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "groundrules", "svg.fonttype": "none"})
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7.6, 4.4), layout="constrained")
    shares: dict[str, tuple[str, Callable[[DocumentEvaluation], float | None]]] = {
        "wrong with an error": ("C3s", lambda f: f.wrong_error),
        "true found supported": ("C0o", lambda f: f.true_supported),
    }
    for label, (style, share) in shares.items():
        points = sorted((one.new, share(one.figures) or 0.0) for one in runs)
        axes.plot(*zip(*points, strict=True), style, ms=6, label=label)
    for number, one in enumerate(sorted(runs, key=lambda one: one.new), 1):
        top = max(one.figures.wrong_error or 0, one.figures.true_supported or 0)
        axes.annotate(str(number), (one.new, top), (0, 7), textcoords="offset points",
                      ha="center", fontsize=9)  # fmt: skip
    key = [f"{n} {one.name}" for n, one in enumerate(sorted(runs, key=lambda one: one.new), 1)]
    axes.set(xlabel=f"tokens for an answer of {STATEMENTS} statements, a kept prefix not counted",
             ylabel="share of the statements", ylim=(-0.03, 1.1))  # fmt: skip
    axes.text(0.98, 0.3, "\n".join(key), transform=axes.transAxes, ha="right", va="center",
              fontsize=8.5, linespacing=1.6)  # fmt: skip
    axes.set_title("what readers in turn find, and what it costs")
    axes.legend(fontsize=8.5, frameon=False, loc="lower right")
    axes.grid(alpha=0.2)
    figure.savefig(path, format="svg", metadata={"Date": None})


def main() -> None:
    """Run the readers in turn, print the table, write it and draw it if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, help="folder of field/dev, left out where it is not")
    parser.add_argument("--write", type=Path)
    parser.add_argument("--plot", type=Path)
    arguments = parser.parse_args()
    rows = {name: read_rows(_PROSE / f"{name}.jsonl") for name in (*MEASURED_ON, TOLD_OF)}
    items = [item for some in rows.values() for row in some for item in row.fields["answer"]]
    cheap = readers({item["s"]: int(item["label"]) for item in items})[DRAWN]
    measured = [row for name in MEASURED_ON for row in rows[name]]
    recorded = Recorded()
    small = cheap, licensed(measured, cheap, Config())
    letters = recorded.reader, licensed(measured, recorded.reader, Config(), recorded.about)
    none: tuple[tuple[Reader, Licence], ...] = ()
    turns = {
        "rules alone": (none, False),
        f"rules, a reader {DRAWN}": ((small,), False),
        f"rules, {RECORDED}": ((letters,), False),
        f"rules, {RECORDED}, the grader": ((letters,), True),
        f"rules, a reader {DRAWN}, the grader": ((small,), True),
        "rules, the grader": (none, True),
    }
    runs = [
        run(name, rows[TOLD_OF], turn, recorded, graded=graded)
        for name, (turn, graded) in turns.items()
    ]
    text = table(runs)
    if other := sets(arguments.data).get(FIELD):
        names = [name for name, (turn, graded) in turns.items() if small not in turn]
        also = [
            run(name, read_rows(other), turns[name][0], recorded, graded=turns[name][1])
            for name in names
        ]
        text += f"\n\nOn {FIELD}, with the same licence:\n\n{table(also)}"
    print(text)
    if arguments.plot:
        plot(runs, arguments.plot)
    if arguments.write:
        put_between(arguments.write, text, BEGIN, END)


if __name__ == "__main__":
    main()
