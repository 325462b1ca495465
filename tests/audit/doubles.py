"""A stand-in for the check, which reads what shall befall it; and an audit with it as a process.

python -m tests.audit.doubles TABLE OUT JOBS [ENGINE]
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from groundrules.audit import overrides
from groundrules.audit.overrides import Decision
from groundrules.audit.runner import Audit, Done, run
from groundrules.audit.summary import write_summary
from groundrules.claims.documents.document import Document
from groundrules.config import Config
from groundrules.terms import STATEMENT, Outcome, Report, Run, Severity, Span, Statement, Violation

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def check(
    document: Document,
    *,
    context: Sequence[Document],
    policy: tuple[str, ...] = (),
    decisions: Sequence[Decision] = (),
    **_: Any,
) -> Report:
    """Return a report of which each word is a statement; some words do what they say."""
    words = document.text.split()
    for word in words:
        befall(word)
    statements, start = [], 0
    for number, word in enumerate(words):
        start = document.text.index(word, start)
        outcome = Outcome(word) if word in list(Outcome) else Outcome.SUPPORTED
        span = Span(document.name, start, start + len(word))
        passages = (Span(context[0].name, 0, 5),) if context else ()
        statements.append(
            Statement(STATEMENT[f"s{number}"], number, word, span, outcome, passages=passages)
        )
    report = Report(
        document.name,
        document.text,
        statements=tuple(statements),
        violations=tuple(
            Violation("GR301", "date-mismatch", Severity.ERROR, "says otherwise")
            if word == "refuted"
            else Violation("GR900", "low-fidelity", Severity.WARNING, "little is said")
            for word in words
            if word in ("refuted", "warned")
        ),
        policy=policy,
        sources={one.name: one.text for one in (document, *context)},
        unread=("page 2 of 3 has no text",) if "scanned" in words else (),
        run=Run(version="1", times=(("total", time.perf_counter()),)),
    )
    return overrides.apply(report, decisions)


def befall(word: str) -> None:
    """Do what a word says: hang, die, grow, fail, nap, or be killed once (`once-FILE`)."""
    if word == "hang":
        time.sleep(600)
    if word == "die":
        os._exit(3)
    if word == "grow":
        bytearray(2**34)
    if word == "fail":
        raise RuntimeError("a fault of ours")
    if word == "nap":
        time.sleep(0.05)
    if word.startswith("once-") and not Path(word[5:]).exists():
        Path(word[5:]).touch()
        os.kill(os.getpid(), signal.SIGKILL)


def write_table(path: Path, answers: Sequence[str]) -> Path:
    """Write a table of answers, of which each ten have one source."""
    rows = (
        {"id": f"t{number:03}", "answer": answer, "context": f"source {number // 10}"}
        for number, answer in enumerate(answers)
    )
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def audit(table: Path | str, out: Path, **settings: Any) -> Audit:
    """Return an audit with the stand-in."""
    usual: dict[str, Any] = {"jobs": 1, "config": Config(), "now": NOW, "check": check}
    return Audit((str(table),), out, **{**usual, **settings})


def run_all(table: Path | str, out: Path, **settings: Any) -> Done:
    """Run an audit and write its report."""
    done = run(audit(table, out, **settings))
    write_summary(out, done)
    return done


def main() -> None:
    """Audit as the arguments say."""
    table, out, jobs, *engine = sys.argv[1:]
    run_all(table, Path(out), jobs=int(jobs), engine=(*engine, "processes")[0])
