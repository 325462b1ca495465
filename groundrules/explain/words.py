"""What reports say in fixed words, of outcomes, reasons and figures; `phrases.toml` has them."""

from __future__ import annotations

from pathlib import Path

from groundrules.align.kernel import KERNELS, metric_of
from groundrules.files import parse_toml
from groundrules.rules.packs import shipped
from groundrules.terms import Outcome, Violation

WORDS = parse_toml(Path(__file__).with_name("phrases.toml").read_text("utf-8"))
STANDINGS, COLOURS, MARKS, DECISIONS, ACCOUNTED, MEANING, METRICS, SUPPORTED = (
    dict[str, str](WORDS[name]) for name in (
        "standings", "colours", "marks", "decisions", "accounted", "meaning", "metrics", "supported"
    )
)  # fmt: skip
METRICS |= {one: METRICS["kernel"] for one in KERNELS if metric_of(one) == one}
DECIDED = tuple(DECISIONS)
ORDER = tuple(Outcome(one) for one in STANDINGS if one not in DECIDED)
NAMES = {one: STANDINGS[one.value].capitalize() for one in ORDER}


def summary_of(violation: Violation) -> str:
    """Return the fault that a rule finds, in its own words; empty for a rule of somebody else's."""
    rule = shipped().get(violation.rule)
    return rule.summary if rule and rule.name == violation.name else ""
