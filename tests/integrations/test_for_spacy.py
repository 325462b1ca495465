"""spaCy: the component in pipelines, what it leaves on a document, and how that is shown."""

from __future__ import annotations

from pathlib import Path

import pytest
import spacy
from spacy import displacy
from spacy.language import Language
from spacy.tokens import Doc

from groundrules import Outcome, Report, guard
from groundrules.integrations.for_spacy import DISPLACY

SOURCE = "The Otter was built in 1994. The Otter carries 80 passengers."
WRONG = "The Otter was built in 1994. The Otter carries 120 passengers. It is pink."


@pytest.fixture
def nlp() -> Language:
    made = spacy.blank("en")
    made.add_pipe("groundrules", config={"sources": [SOURCE]})
    return made


def test_a_document_has_its_report_statements_and_a_span_for_each(nlp: Language) -> None:
    doc = nlp(WRONG)

    assert isinstance(doc._.groundrules, Report)
    assert doc._.statements == doc._.groundrules.statements
    assert [(span.text, span.label_) for span in doc.spans["groundrules"]] == [
        ("The Otter was built in 1994.", "supported"),
        ("The Otter carries 120 passengers.", "refuted"),
        ("It is pink.", "not_enough_info"),
    ]


def test_a_document_may_have_sources_of_its_own(nlp: Language) -> None:
    doc = nlp.make_doc("The Otter carries 120 passengers. The Otter is pink.")
    doc._.sources = ["The Otter is pink."]
    labels = [span.label_ for span in nlp(doc).spans["groundrules"]]

    assert labels[-1] == "supported"
    assert "refuted" not in labels


def test_documents_pass_through_a_pipe_in_several_processes(nlp: Language) -> None:
    docs = list(nlp.pipe([WRONG, SOURCE], n_process=2))

    assert [doc._.groundrules.conforms for doc in docs] == [False, True]
    assert docs[0].spans["groundrules"][1].label_ == "refuted"


def test_a_document_that_is_saved_keeps_its_report(nlp: Language) -> None:
    doc = nlp(WRONG)
    again = Doc(nlp.vocab).from_bytes(doc.to_bytes())

    assert again._.groundrules == doc._.groundrules
    assert [span.label_ for span in again.spans["groundrules"]] == [
        span.label_ for span in doc.spans["groundrules"]
    ]


def test_a_pipeline_that_is_saved_keeps_its_sources(nlp: Language, tmp_path: Path) -> None:
    nlp.to_disk(tmp_path / "pipeline")
    again = spacy.load(tmp_path / "pipeline")

    doc = again(WRONG)
    assert doc.spans["groundrules"][1].label_ == "refuted"


def test_displacy_shows_each_verdict_in_its_colour(nlp: Language) -> None:
    page = displacy.render(nlp(WRONG), style="span", options=DISPLACY, page=True, jupyter=False)

    assert set(DISPLACY["colors"]) == set(Outcome)
    for outcome in ("supported", "refuted", "not_enough_info"):
        assert outcome in page
        assert DISPLACY["colors"][outcome] in page


@pytest.mark.parametrize("text", ["", "  \n"])
def test_a_document_without_words_has_no_statements(nlp: Language, text: str) -> None:
    doc = nlp(text)

    assert doc._.groundrules is None
    assert (doc._.statements, list(doc.spans["groundrules"])) == ((), [])


@pytest.mark.parametrize("sources", [[], ["", " "]])
def test_without_a_source_a_document_asks_for_sources(sources: list[str]) -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("groundrules", config={"sources": sources})
    doc = nlp(WRONG)

    assert doc._.decision == "retrieve_again"
    assert doc._.groundrules.unread == ("there is no source to check it against",)
    assert (doc._.statements, list(doc.spans["groundrules"])) == ((), [])


def test_a_document_has_the_decision_of_a_guard(nlp: Language) -> None:
    assert nlp(SOURCE)._.decision == "pass"
    assert nlp(WRONG)._.decision == guard(WRONG, context=SOURCE).decision == "fix"
    said = "claimed “The Otter carries 120 passengers.”; source1:1:30"
    assert nlp(WRONG)._.reason.startswith(said)
    assert nlp("")._.decision is None


def test_offsets_are_those_of_spacy_beyond_the_basic_plane(nlp: Language) -> None:
    doc = nlp(f"🚢 {WRONG}")

    assert doc.spans["groundrules"][1].text == "The Otter carries 120 passengers."


def test_the_settings_of_a_file_count(tmp_path: Path) -> None:
    (tmp_path / "groundrules.toml").write_text('select = ["GR101"]\n')
    nlp = spacy.blank("en")
    config = {"sources": [SOURCE], "config": str(tmp_path / "groundrules.toml")}
    nlp.add_pipe("groundrules", config=config)

    assert "GR306" not in [one.rule for one in nlp(WRONG)._.groundrules.violations]
