"""spaCy: a component of a pipeline that checks each document against its sources.

    nlp.add_pipe("groundrules", config={"sources": ["The Otter carries 80 passengers."]})
    doc = nlp("The Otter carries 120 passengers.")
    doc._.groundrules, doc._.statements, doc._.decision, doc.spans["groundrules"]
    displacy.render(doc, style="span", options=DISPLACY)

`doc._.sources` of a single document goes before those of the pipeline: set it on
`nlp.make_doc(text)`, and call `nlp` on that.
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING

from spacy.language import Language
from spacy.tokens import Doc, SpanGroup

if TYPE_CHECKING:
    from groundrules.config import Config
    from groundrules.terms import Report, Statement

#: The key of the spans, and where a document keeps its report: as JSON, so that it can be saved.
KEY = "groundrules"
#: How displacy shows verdicts.
DISPLACY = {
    "spans_key": KEY,
    "colors": {
        "supported": "#b7e1c0",
        "refuted": "#f4b6b0",
        "conflicting": "#f6cfa5",
        "not_enough_info": "#f3e3a1",
        "unverifiable": "#d5d5d5",
        "error": "#d5d5d5",
    },
}


@Language.factory(
    KEY, default_config={"sources": [], "config": ""}, assigns=["doc._.groundrules", "doc.spans"]
)
def make(nlp: Language, name: str, sources: list[str], config: str) -> partial[Doc]:
    """Return the component: `sources` are texts, `config` is the path of a config file."""
    from pathlib import Path

    from groundrules.config import Config, read

    return partial(
        check_doc, sources=tuple(sources), config=read(Path(config)) if config else Config()
    )


def check_doc(doc: Doc, *, sources: tuple[str, ...], config: Config) -> Doc:
    """Check a document: its report, and a span for each statement, labelled by its outcome.

    Where no source has a word the report says so, and the decision is "retrieve_again".

    Raises:
        SourceError, ConfigError, RuleError, ModelError: as `groundrules.check`.
    """
    from groundrules.explain.formats.json import dumps
    from groundrules.guardrail import guard
    from groundrules.integrations.grounds import documents

    given = sources if doc._.sources is None else doc._.sources
    context = documents(("", text) for text in given)
    spans = SpanGroup(doc, name=KEY)
    if doc.text.strip():
        found = guard(doc.text, context=context, config=config)
        report = found.report
        doc.user_data[KEY] = dumps(report)
        doc.user_data[f"{KEY}.decision"] = found.decision
        doc.user_data[f"{KEY}.reason"] = found.reason
        for one in report.statements:
            span = doc.char_span(
                one.span.start,
                one.span.end,
                label=report.outcome_of(one).value,
                alignment_mode="expand",
            )
            spans.append(span)
    doc.spans[KEY] = spans
    return doc


def _report(doc: Doc) -> Report | None:
    return _loaded(doc.user_data[KEY]) if KEY in doc.user_data else None


@lru_cache(maxsize=4)
def _loaded(text: str) -> Report:
    from groundrules.explain.formats.json import loads

    return loads(text)


def _statements(doc: Doc) -> tuple[Statement, ...]:
    report = _report(doc)
    return report.statements if report else ()


Doc.set_extension("groundrules", getter=_report, force=True)
Doc.set_extension("statements", getter=_statements, force=True)
for _said in ("decision", "reason"):
    Doc.set_extension(
        _said, getter=lambda doc, of=f"{KEY}.{_said}": doc.user_data.get(of), force=True
    )
Doc.set_extension("sources", default=None, force=True)
