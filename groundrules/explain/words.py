"""What reports say in fixed words: of outcomes, reasons, figures and rules."""

from __future__ import annotations

from groundrules.align.kernel import KERNELS, metric_of
from groundrules.rules.packs import shipped
from groundrules.terms import Outcome, Violation

#: What a statement is counted as, in words: its outcome, unless something was decided of it. What
#: could not be checked comes first, then the worst.
STANDINGS = {
    Outcome.ERROR.value: "could not be asked",
    Outcome.UNVERIFIABLE.value: "not checkable",
    Outcome.REFUTED.value: "refuted",
    Outcome.CONFLICTING.value: "conflicting",
    Outcome.NOT_ENOUGH_INFO.value: "open",
    Outcome.SUPPORTED.value: "supported",
    "baseline": "hidden by a baseline",
    "override": "decided by a person",
    "inline": "set aside by a comment in the text",
    "disabled": "set aside, as the rule is disabled",
}
DECIDED = ("baseline", "override", "inline", "disabled")
#: The colours of the parts of a bar where no style sheet is read.
COLOURS = {
    "error": "#33363b",
    "unverifiable": "#596575",
    "refuted": "#a8380f",
    "conflicting": "#7a3f8c",
    "not_enough_info": "#94690a",
    "supported": "#00694f",
    "baseline": "#2b5a8c",
    "override": "#3b6ea5",
    "inline": "#7fa6cf",
    "disabled": "#6c7a89",
}
ORDER = tuple(Outcome(one) for one in STANDINGS if one not in DECIDED)
NAMES = {one: STANDINGS[one.value].capitalize() for one in ORDER}
#: A mark beside the colour, so that none is told by colour alone.
MARKS = {
    Outcome.ERROR: "!",
    Outcome.UNVERIFIABLE: "–",
    Outcome.REFUTED: "✗",
    Outcome.CONFLICTING: "≠",
    Outcome.NOT_ENOUGH_INFO: "?",
    Outcome.SUPPORTED: "✓",
}
DECISIONS = {
    "baseline": "Accepted as there before",
    "override": "Overridden",
    "inline": "Overridden by a comment in the text",
    "disabled": "Set aside",
}
ACCOUNTED = {
    "stated": "a source states it",
    "derived": "it follows",
    "miscalculated": "the sources' figures give another result",
    "conflict": "a source gives another figure in its place",
    "absent": "no source gives it, and it follows from nothing near",
}
REPLAYED = {
    None: "not replayed",
    True: "identical: checked again from what was kept, the same report came out",
    False: "differs: this is what came out when it was checked again",
}
MEANING = {
    Outcome.ERROR: "a source could not be asked, so nothing is known of it",
    Outcome.UNVERIFIABLE: "it could not be read, or nothing in it could be asked",
    Outcome.REFUTED: "a source, the ontology or the knowledge base says otherwise",
    Outcome.CONFLICTING: "the sources contradict each other",
    Outcome.NOT_ENOUGH_INFO: "no source says it, and none says otherwise",
    Outcome.SUPPORTED: "the sources say it",
}
METRICS = {
    "EG": "share of the names and values in the text that the sources, or the question, have",
    "RP": "share of the relations of the text that the sources, or the question, state",
    "CFI": "EG and RP in one figure",
    "Support": "how well the sources support the triples of the text, on the average",
    "WL": "likeness of the graphs of text and sources, whose statements count by their neighbours",
    **{
        kernel: "likeness of the graphs of text and sources, by the kernel of that name"
        for kernel in KERNELS
        if metric_of(kernel) == kernel
    },
    "SafePassage": "share of the values whose passage was found and supports them",
    "TranscriptionErrors": "share of the passages found that were not copied word for word",
}
#: Why a statement is supported, by the stage that settled it; `{}` is where its passage stands.
SUPPORTED = {
    "exact": "{} says it in the same words",
    "restated": "{} says the same",
    "graded": "a language model finds it in {}, and quotes the words that decide",
    "read": "a licensed reader finds it in {}",
    "embedding": "its words, figures and names are in {}",
}


def summary_of(violation: Violation) -> str:
    """Return the fault that a rule finds, in its own words; empty for a rule of somebody else's."""
    rule = shipped().get(violation.rule)
    return rule.summary if rule and rule.name == violation.name else ""
