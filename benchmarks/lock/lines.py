"""What a check says of the statements of a text: a line each."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.lock.sets import Item, Unit
from groundrules.checks.inputs import distinct
from groundrules.checks.plan import make_plan
from groundrules.checks.report import check_text
from groundrules.claims.documents.document import from_text
from groundrules.config import Config
from groundrules.evaluate.documents import WORST
from groundrules.explain.contrast import focus
from groundrules.terms import Outcome, Severity, Statement, Violation

Line = Mapping[str, Any]
#: What the present tense means to a graph.
NOW = datetime(2024, 6, 1, tzinfo=UTC)
_ROOT = Path(__file__).parents[2]


def lines_of(unit: Unit, place: Path) -> list[Line]:
    """Return the lines of a text; graphs are unpacked to a folder."""
    if unit.contract:
        return [_alarmed(unit)]
    config = Config(kb=(_graph(unit.graph, place),) if unit.graph else (), ontology=unit.ontology)
    document = from_text(unit.text, "text")
    sources = [from_text(text, f"source{n}") for n, text in enumerate(unit.sources)]
    plan = make_plan(document, distinct(sources, document), config, now=NOW)
    # edits are tried after the verdicts and change none
    report = check_text(document, plan, edits=False)
    told = report.statements
    items = unit.items or tuple(Item(s.span.start, s.span.end, "") for s in told)
    return [_line(unit, n, item, told, report.violations) for n, item in enumerate(items)]


def _line(
    unit: Unit,
    number: int,
    item: Item,
    statements: Sequence[Statement],
    violations: Sequence[Violation],
) -> Line:
    own = [one for one in statements if _touches(one.span.start, one.span.end, item)]
    worst = min(own, key=lambda one: WORST.index(one.outcome), default=None)
    rules = []
    loud = False
    for one in violations:
        span = focus(one)
        if one.severity is Severity.INFO:
            continue
        if span is not None and _touches(span.start, span.end, item):
            at = f"{span.start - item.start}-{span.end - item.start}"
            rules.append(f"{one.rule} {one.severity} {at}")
            loud = True
    outcome = worst.outcome if worst else Outcome.UNVERIFIABLE
    if unit.loud:
        outcome = Outcome.REFUTED if loud else Outcome.NOT_ENOUGH_INFO
    return {
        "n": f"{unit.name}:{number}" if len(unit.items) != 1 else unit.name,
        "is": item.label,
        "verdict": str(outcome),
        "reason": worst.reason if worst else "no statement",
        "rules": sorted(set(rules)),
    }


def _alarmed(unit: Unit) -> Line:
    """Return the line of a whole contract: the alarms in it."""
    from benchmarks.alarms import found

    rules = []
    loud = False
    for one in found(unit.name, unit.text, *_of_contracts()):
        if one.severity is not Severity.INFO:
            span = one.claim.span if one.claim else None
            rules.append(
                f"{one.rule} {one.severity} " + (f"{span.start}-{span.end}" if span else "")
            )
            loud = True
    return {
        "n": unit.name,
        "is": unit.items[0].label,
        "verdict": str(Outcome.REFUTED if loud else Outcome.NOT_ENOUGH_INFO),
        "reason": "",
        "rules": sorted(set(rules)),
    }


@cache
def _of_contracts() -> tuple[Any, Any]:
    from groundrules.ontology.load import load
    from groundrules.rules.packs import load_packs

    return load("legal"), [rule for pack in load_packs(("owl", "legal")) for rule in pack.rules]


def _graph(graph: str, place: Path) -> str:
    """Return the file of a graph, of a packed one or of one in so many words a copy."""
    path = _ROOT / graph if "\n" not in graph else None
    if path is not None and path.suffix != ".gz":
        return str(path)
    body = gzip.decompress(path.read_bytes()) if path else graph.encode()
    target = place / f"{hashlib.sha256(body).hexdigest()[:16]}.ttl"
    if not target.exists():
        part = target.with_suffix(f".{os.getpid()}")
        part.write_bytes(body)
        part.replace(target)
    return str(target)


def _touches(start: int, end: int, item: Item) -> bool:
    return start < item.end and item.start < end


def dump(line: Line) -> str:
    """Return a line as it stands in its file."""
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"
