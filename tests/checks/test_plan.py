"""What a text is checked against and by what."""

from __future__ import annotations

from typing import Any

import pytest

from groundrules import Config, ConfigError, SourceError
from groundrules.checks.plan import Plan, kb_rules, make_plan, text_rules
from groundrules.claims.documents.document import from_text

TEXT, SOURCE = from_text("The fee is $900."), from_text("The fee is $800.", "source")
KB = Config(kb=("facts.ttl",))


def plan(*contexts: Any, config: Config | None = None, **more: Any) -> Plan:
    return make_plan(TEXT, contexts, config or Config(), **more)


def test_beside_documents_all_that_gives_no_verdict_judges_the_text() -> None:
    found = plan(SOURCE, config=KB)

    every = [rule for pack in found.packs for rule in pack.rules]
    # no document takes the place of another, so nothing rests on an earlier one
    assert list(text_rules(found).rules) == [
        rule for rule in every if rule.verdict is None and rule.traits.rests_on != "order"
    ]
    assert list(kb_rules(found).rules) == [rule for rule in every if rule.verdict is not None]
    assert not found.alone


def test_without_a_document_nothing_is_missing_in_it() -> None:
    found = plan(config=Config(ontology="legal"))

    assert not [
        rule
        for rule in text_rules(found).rules
        if rule.traits.misses and not rule.traits.of_a_model
    ]


def test_a_knowledge_base_alone_is_judged_by_no_rule_of_documents() -> None:
    found = plan(config=KB)

    assert found.alone
    of_documents = {
        rule.id for pack in found.packs if pack.name in ("core", "values") for rule in pack.rules
    }
    assert of_documents
    assert not of_documents & {rule.id for rule in text_rules(found).rules}


def test_what_is_set_of_a_rule_goes_where_the_rule_is_and_of_none_is_refused() -> None:
    found = plan(SOURCE, config=Config(kb=KB.kb, rules={"GR101": {}, "KB401": {}}))

    assert "GR101" in text_rules(found).overrides
    assert kb_rules(found).overrides.keys() == {"KB401"}
    assert "KB401" not in text_rules(found).overrides
    with pytest.raises(ConfigError, match=r"rules\.XX1: no such rule"):
        plan(SOURCE, config=Config(kb=KB.kb, rules={"XX1": {}}))


def test_the_question_has_a_name_of_its_own() -> None:
    taken = from_text("What?", "question")

    named = plan(taken, SOURCE, question="Who pays?").question
    assert named is not None
    assert (named.name, named.text) == ("question#2", "Who pays?")
    assert plan(SOURCE, question=" \n").question is None


def test_there_must_be_something_to_check_against() -> None:
    with pytest.raises(SourceError, match="nothing to check against"):
        plan()
