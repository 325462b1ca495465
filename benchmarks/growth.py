"""Time and memory of `groundrules.check` on inputs of the worst kinds, as they grow.

    python -m benchmarks.growth [--only NAMES] [--json FILE] [--write PAGE]

Each input is checked in a process of its own, one thread, models loaded by a check of another text,
nothing kept on disk. Seconds are CPU seconds of the check alone, memory is the peak of the whole
process in MiB; a process that needs more than --cap seconds or 8 GiB is ended. "As text" is the
input checked against a lease, "as context" the lease's answer checked against the input.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.alone import ROOT, run
from benchmarks.check import CITY, FAMILY, FIRST, HEAD, MONTH, TRADE, peak_mib

EXAMPLE = ROOT / "examples" / "lease"
CAP = 20
MOST_BYTES = 8 * 2**30
MEGABYTE = 1_000_000

SHORT = (
    "Karim Lund owns Amber Glass. The Tenant shall pay $40 to Karim Lund by May 2, 2021. "
    "The Landlord may not enter the premises without notice.\n"
)


@dataclass(frozen=True)
class Input:
    """A kind of input: `make` returns a text of a size and the context it is checked against."""

    name: str
    make: Callable[[int], tuple[str, str]]
    sizes: tuple[int, ...]
    unit: str = "characters"


def repeat(piece: str) -> Callable[[int], str]:
    """Return what makes texts of a number of characters from one piece."""
    return lambda size: (piece * (size // len(piece) + 1))[:size]


def write_prose(sentences: int, *, wrong: bool, seed: int = 1) -> str:
    """Return so many sentences of facts; where `wrong`, three of five differ from the facts."""
    dice, twist = random.Random(seed), random.Random(seed + 1)
    out = []
    for number in range(sentences):
        org = f"{dice.choice(HEAD)} {dice.choice(TRADE)} {number // 40 + 1}"
        person = f"{dice.choice(FIRST)} {dice.choice(FAMILY)}"
        other = f"{dice.choice(FIRST)} {dice.choice(FAMILY)}"
        day, month, year = dice.randint(1, 28), dice.choice(MONTH), dice.randint(1995, 2024)
        money, city = dice.randint(2, 900) * 250, dice.choice(CITY)
        fault = twist.choice(("", "", "date", "name", "negation")) if wrong else ""
        year += 2 * (fault == "date")
        person = other if fault == "name" else person
        does = "did not {}" if fault == "negation" else "{}"
        verb = dice.choice(("acquired", "leased", "sold", "inspected"))
        base = {"acquired": "acquire", "leased": "lease", "sold": "sell", "inspected": "inspect"}
        said = does.format(base[verb] if fault == "negation" else verb)
        date = f"{month} {day}, {year}"
        out.append(f"{person} {said} the office of {org} in {city} on {date} for ${money:,}.")
    return "\n\n".join(" ".join(out[n : n + 10]) for n in range(0, len(out), 10)) + "\n"


def write_sentences(sentence: Callable[[int], str]) -> Callable[[int], str]:
    """Return what makes texts of numbered pieces up to a number of characters."""

    def made(size: int) -> str:
        out: list[str] = []
        length = number = 0
        while length < size:
            out.append(sentence(number))
            length += len(out[-1])
            number += 1
        return "".join(out)[:size]

    return made


def _name(number: int) -> str:
    return f"{FIRST[number % 13]}{number % 89} {FAMILY[number // 13 % 12]}{number // 7 % 97}"


#: A megabyte of one kind each, by name.
KINDS: dict[str, Callable[[int], str]] = {
    "no white space": lambda size: "".join(
        random.Random(1).choices("abcdefghijklmnopqrstuvwxyz0123456789.,-ABC", k=size)
    ),
    "one line of prose": repeat("The tenant shall pay the rent on the first day of each month. "),
    "one sentence": repeat("and the tenant shall pay the rent of the premises "),
    "digits": repeat("1234567890"),
    "digits and blanks": repeat("12 345 6,789 0.5 "),
    "punctuation": repeat(".,;:!?-()[]{}'\"/"),
    "full stops": repeat(". "),
    "blanks": repeat(" "),
    "newlines": repeat("\n"),
    "newlines and a word": repeat("a\n\n\n\n\n\n\n\n"),
    "brackets": lambda size: "(" * (size // 2) + ")" * (size // 2),
    "quotation marks": repeat('"'),
    "headings": write_sentences(lambda n: f"{n}. Rights of the Landlord\n\n"),
    "table rows": write_sentences(lambda n: f"| {_name(n)} | ${n:,} | {1990 + n % 40}-03-01 |\n"),
    "names": write_sentences(lambda n: f"{_name(n)}, "),
    "quotes": write_sentences(lambda n: f'"{_name(n)}" means "{_name(n + 1)}". '),
    "dates": write_sentences(lambda n: f"{MONTH[n % 12]} {n % 28 + 1}, {1900 + n % 130}, "),
    "amounts": write_sentences(lambda n: f"${n:,} and {n} days, "),
    "sentences": write_sentences(
        lambda n: (
            f"{_name(n)} paid ${n * 7 % 9973:,} to {_name(n + 5)} on May {n % 28 + 1}, 2020.\n"
        )
    ),
}


def _answer() -> str:
    return (EXAMPLE / "answer.txt").read_text("utf-8")


def _lease() -> str:
    return (EXAMPLE / "lease.txt").read_text("utf-8")


def as_text(make: Callable[[int], str]) -> Callable[[int], tuple[str, str]]:
    """Return what makes an input that is checked against the lease."""
    return lambda size: (make(size), _lease())


def as_context(make: Callable[[int], str]) -> Callable[[int], tuple[str, str]]:
    """Return what makes an input that the answer of the lease is checked against."""
    return lambda size: (_answer(), make(size))


INPUTS: tuple[Input, ...] = (
    Input(
        "equal contradicted sentences",
        lambda n: ("The Tenant shall pay $50 to Karim Lund by May 9, 2021. " * n, SHORT),
        (50, 100, 200, 400),
        "sentences",
    ),
    Input(
        "equal denied sentences",
        lambda n: ("The Landlord may enter the premises without notice. " * n, SHORT),
        (50, 100, 200, 400),
        "sentences",
    ),
    Input(
        "mixed sentences beside their source",
        lambda n: (write_prose(n, wrong=True), write_prose(n, wrong=False)),
        (125, 250, 500, 1000),
        "sentences",
    ),
    Input(
        "'1 USD days '",
        lambda n: ("1 USD days " * n, SHORT),
        (136, 272, 545, 1090, 10_000),
        "times",
    ),
    Input(
        "'(the \"' and 2,000 blanks",
        lambda n: (('(the "' + " " * 2000) * n, SHORT),
        (10, 100, 500),
        "times",
    ),
    Input(
        "'🔥of '",
        lambda n: ("🔥of " * n, SHORT),
        (60, 120, 240, 480),
        "times",
    ),
    Input("no white space, as text", as_text(KINDS["no white space"]), (50_000, 100_000, 200_000)),
    *(Input(f"{name}, as text", as_text(make), (MEGABYTE,)) for name, make in KINDS.items()),
    *(Input(f"{name}, as context", as_context(make), (MEGABYTE,)) for name, make in KINDS.items()),
)


def measure(name: str, size: int, cap: int) -> dict[str, Any]:
    """Return seconds and peak memory of one check in this fresh process, and what came of it."""
    from groundrules import check
    from groundrules.errors import GroundrulesError

    warm_up = "Karim Lund owns Amber Glass. The Tenant shall pay $40 to Karim Lund by May 2, 2021."
    one = next(one for one in INPUTS if one.name == name)
    check(warm_up, context=[warm_up])
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + cap + 1, -1))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, -1))
    text, context = one.make(size)
    begun = time.process_time()
    try:
        report = check(text, context=[context])
    except GroundrulesError as error:
        outcome = f"refused: {error}"
    except (MemoryError, RecursionError) as error:
        outcome = f"ended by {type(error).__name__}"
    else:
        counts = Counter(one.outcome.value for one in report.statements)
        told = sorted(f"{count} {outcome}" for outcome, count in counts.items())
        reasons = Counter(one.note for one in report.statements if one.reason == "unread")
        told += [f"“{reason}”" for reason, _ in reasons.most_common(1)]
        outcome = ", ".join(told) or "nothing is stated"
    return {"seconds": time.process_time() - begun, "peak_mib": peak_mib(), "outcome": outcome}


def run_alone(name: str, size: int, cap: int) -> dict[str, Any]:
    """Return the figures of one input in a process of its own, those of the cap where it ends."""
    module = [sys.executable, "-m", "benchmarks.growth"]
    ran = run([*module, "--alone", name, str(size), "--cap", str(cap)])
    if ran.code == 0:
        return dict(json.loads(ran.out.splitlines()[-1]))
    ended, errors = ran.cpu >= cap, ran.errors.strip().splitlines()
    why = f"ended after {cap} s" if ended else (errors[-1] if errors else "ended")[:120]
    return {"seconds": float(cap) if ended else None, "peak_mib": ran.mib, "outcome": why}


def measure_all(chosen: Sequence[str], cap: int) -> Iterator[dict[str, Any]]:
    """Yield the figures of the inputs as they come, printed."""
    for one in INPUTS:
        if chosen and not any(part in one.name for part in chosen):
            continue
        for size in one.sizes:
            found = run_alone(one.name, size, cap)
            row = {"name": one.name, "size": size, "unit": one.unit, **found}
            seconds = "-" if row["seconds"] is None else f"{row['seconds']:.2f}"
            print(
                f"{one.name:40} {size:>9,} {seconds:>8} s {row['peak_mib']:7.0f} MiB  "
                f"{row['outcome'][:90]}",
                flush=True,
            )
            yield row


def table(rows: Sequence[dict[str, Any]]) -> str:
    """Return the figures as a Markdown table."""
    lines = ["| input | size | CPU, s | peak, MiB | what came of it |", "|---|--:|--:|--:|---|"]
    for row in rows:
        seconds = "-" if row["seconds"] is None else f"{row['seconds']:.1f}"
        if "ended" in row["outcome"]:
            seconds = f"> {seconds}"
        cells = [row["name"], f"{row['size']:,} {row['unit']}", seconds, f"{row['peak_mib']:,.0f}"]
        cells.append(row["outcome"])
        lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Print the figures, and write them where asked."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--only", default="", help="parts of names of inputs, by semicolons")
    parser.add_argument("--cap", type=int, default=CAP, help="the most CPU seconds of an input")
    parser.add_argument("--json", type=Path, help="write the figures there as well")
    parser.add_argument("--write", type=Path, help="put the table into this page")
    parser.add_argument("--alone", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.alone:
        print(json.dumps(measure(options.alone[0], int(options.alone[1]), options.cap)))
        return
    chosen = [part for part in options.only.split(";") if part]
    rows = list(measure_all(chosen, options.cap))
    figures = table(rows)
    print(f"\n{figures}", end="")
    if options.json:
        record = {"benchmark": "growth", "rows": rows}
        options.json.write_text(json.dumps(record) + "\n", "utf-8")
    if options.write:
        from benchmarks.__main__ import describe_machine, write_page

        write_page(
            options.write, f"{describe_machine()}; {time.strftime('%Y-%m-%d')}.\n\n{figures}"
        )


if __name__ == "__main__":
    main()
