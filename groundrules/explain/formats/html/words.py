"""What the page says in fixed words: of outcomes, figures, scores and rules."""

from __future__ import annotations

from markupsafe import Markup

from groundrules.align.kernel import KERNELS, metric_of
from groundrules.explain.formats.html.markup import attribute, joined, within
from groundrules.explain.listing import page_of
from groundrules.rules.packs import shipped
from groundrules.terms import Outcome, Violation

#: What could not be checked comes first, then the worst.
ORDER = (
    Outcome.ERROR,
    Outcome.UNVERIFIABLE,
    Outcome.REFUTED,
    Outcome.CONFLICTING,
    Outcome.NOT_ENOUGH_INFO,
    Outcome.SUPPORTED,
)
NAMES = {
    Outcome.ERROR: "Source not asked",
    Outcome.UNVERIFIABLE: "Not checkable",
    Outcome.REFUTED: "Refuted",
    Outcome.CONFLICTING: "Conflicting",
    Outcome.NOT_ENOUGH_INFO: "Not enough information",
    Outcome.SUPPORTED: "Supported",
}
#: A mark beside the colour, so that none is told by colour alone.
MARKS = {
    Outcome.ERROR: "!",
    Outcome.UNVERIFIABLE: "–",
    Outcome.REFUTED: "✗",
    Outcome.CONFLICTING: "≠",
    Outcome.NOT_ENOUGH_INFO: "?",
    Outcome.SUPPORTED: "✓",
}
#: The colours of the parts of a bar where no style sheet is read, and the patterns of some.
FILLS = {
    "error": "#33363b",
    "unverifiable": "#596575",
    "refuted": "#a8380f",
    "conflicting": "#7a3f8c",
    "not_enough_info": "#94690a",
    "supported": "#00694f",
    "decided": "#3b6ea5",
}
PATTERNS = {
    "refuted": "hatch",
    "conflicting": "hatch",
    "not_enough_info": "dots",
    "unverifiable": "back",
    "error": "back",
}
DECISIONS = {
    "baseline": "Accepted as there before",
    "override": "Overridden",
    "inline": "Overridden by a comment in the text",
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
    Outcome.CONFLICTING: "two sources disagree",
    Outcome.NOT_ENOUGH_INFO: "no source says it and none says otherwise: it is left open",
    Outcome.SUPPORTED: "the sources say it",
}
METRICS = {
    "EG": "Entity grounding: the share of the names and values in the text that the sources, or "
    "the question, have.",
    "RP": "Relation preservation: the share of the relations of the text that the sources, or the "
    "question, state.",
    "CFI": "Composite fidelity index: EG and RP in one figure.",
    "Support": "How well the sources support the triples of the text, on the average.",
    "WL": "How alike the graphs of text and sources are (Weisfeiler-Lehman kernel); one wrong fact "
    "hardly moves it.",
    **{
        kernel: "How alike the graphs of text and sources are, by the kernel of that name."
        for kernel in KERNELS
        if metric_of(kernel) == kernel
    },
    "SafePassage": "The share of the values whose passage was found and supports them.",
    "TranscriptionErrors": "The share of the passages found that were not copied word for word.",
}
#: What a part of the score says where it speaks for a statement, and where against it.
WEIGHED = {
    "base": ("where every statement begins", "where every statement begins"),
    "entailed": ("the scorer finds it entailed", "the scorer does not find it entailed"),
    "contradicted": ("the scorer finds it not contradicted", "the scorer finds it contradicted"),
    "wording": ("its words are those of the passages", "it is worded otherwise"),
    "derived": ("figures that follow from the sources", "figures that do not follow"),
    "missing": ("its figures and names are given", "figures or names that the sources do not give"),
    "lacking": ("its words are in the passages", "words that no passage has"),
    "covered": ("its words are in the passages", "its words are not in the passages"),
    "copied": (
        "much of it is copied from a source",
        "copied in part, worded otherwise in the rest",
    ),
    "error": ("no rule finds an error", "a rule finds an error"),
    "warning": ("no rule warns", "a rule warns"),
}
REASONS = {
    "exact": "the very words stand in a source",
    "restated": "a source says just that in other words: another order, voice or polarity, or more",
    "graded": "a language model finds it entailed, and quotes the words that decide",
    "read": "a reader finds it entailed, within the licence that it was measured for",
    "embedding": "its words, figures and names are in the passages, and its score reaches the "
    "threshold",
    "support": "no passage supports it",
    "added": "a source adds a condition, a restriction or an exception to what it says",
    "apart": "no one sentence of a source says all of it",
    "unread": "it could not be read",
    "ungraded": "a language model or reader was asked about it, and gave no answer that holds",
    "figure": "a figure of it is neither stated nor derived",
    "name": "it names what no source names",
}


def summary_of(violation: Violation) -> str:
    """Return the fault that a rule finds, in its own words; empty for a rule of somebody else's."""
    rule = shipped().get(violation.rule)
    return rule.summary if rule and rule.name == violation.name else ""


def rule_link(violation: Violation) -> Markup:
    """Return id and name of a rule, linked to its page where it ships."""
    told = joined(within("b", violation.rule), " ", violation.name)
    if not summary_of(violation):
        return within("span", told, "rule")
    return Markup('<a class="rule" href="{}">{}</a>').format(
        attribute(page_of(violation.name)), told
    )
