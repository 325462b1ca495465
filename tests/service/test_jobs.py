"""What a worker of the service does with what it is given, in this process."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from groundrules.align import alignments
from groundrules.align.words import source_sentences
from groundrules.config import Config, LLMConfig
from groundrules.explain import formats
from groundrules.guardrail import Policy
from groundrules.service.jobs import Worker
from groundrules.service.refusals import RefusedError
from groundrules.service.startup import Settings
from groundrules.service.work import Check, Extract, Given, Index
from tests.service.serving import SOURCE, TEXT

FACTS = """
@prefix ex: <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:otter rdfs:label "Otter"@en ; ex:capacity 80 .
"""
GIVEN = Check(Given("text", TEXT), (Given("register.txt", SOURCE),))


@pytest.fixture(scope="module")
def worker() -> Worker:
    return Worker(Settings())


def test_every_form_is_written(worker: Worker) -> None:
    for form in formats.names():
        answer = worker.work(Check(GIVEN.text, GIVEN.sources, form=form))
        assert isinstance(answer.body, bytes), (form, answer)
        assert answer.body


def test_a_text_that_is_too_long_for_its_time_is_refused_before_it_is_read() -> None:
    worker = Worker(Settings(seconds=1))
    text = Given("text", "word " * (Settings(seconds=1).words + 1))
    for task in (
        Check(text, GIVEN.sources),
        Check(text, policy=Policy()),
    ):
        found = worker.work(task)
        assert isinstance(found, RefusedError)
        assert (found.status, found.message) == (413, "151 words to check; at most 150 at once; "
                                                      "split the text")  # fmt: skip


def test_a_text_is_read_as_its_name_says() -> None:
    assert Given("a.md", "**x** y").read().format == "md"
    assert Given("a.html", "<p>x</p>").read().text.strip() == "x"
    assert Given("a.txt", "<p>x</p>").read().text == "<p>x</p>"
    assert Given("a.pdf", "no pdf, a text").read().text == "no pdf, a text"


def test_a_name_is_no_path(worker: Worker, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("The Otter was built in 1996.")
    for name in (str(secret), "../../etc/passwd", "file:///etc/passwd", "http://x.example/"):
        answer = worker.work(Check(GIVEN.text, (Given(name, SOURCE),)))
        report = json.loads(answer.body)
        assert report["sources"] == {"text": TEXT, name: SOURCE}


def test_contexts_are_read_once_for_all(worker: Worker) -> None:
    documents = worker.work(Index((Given("b.txt", SOURCE), Given("a.md", "# A\n\nThe Otter."))))
    assert [one.name for one in documents] == ["a.md", "b.txt"]
    known = worker.work(Check(GIVEN.text, known=tuple(documents)))
    assert json.loads(known.body)["conforms"] is False


def test_nothing_of_a_context_that_was_indexed_is_read_for_a_check(worker: Worker) -> None:
    context = Given("a.txt", "The Otter, a ferry of 1994, sails to Skern. It carries 80 people.")
    documents = worker.work(Index((context,)))
    read = (source_sentences._segments, alignments._of_texts)
    before = [one.cache_info().misses for one in read]
    checked = worker.work(Check(Given("text", "The Otter carries 90 people."), known=documents))
    assert b"90" in checked.body
    assert [one.cache_info().misses for one in read] == before


def test_no_path_of_the_service_is_told(tmp_path: Path) -> None:
    (tmp_path / "facts.ttl").write_text(FACTS)
    worker = Worker(
        Settings(
            config=Config(baseline=str(tmp_path / "known.jsonl")),
            bases={"facts": str(tmp_path / "facts.ttl"), "gone": str(tmp_path / "gone.ttl")},
        )
    )
    answer = worker.work(Check(GIVEN.text, GIVEN.sources, kb=("facts",)))
    assert str(tmp_path) not in answer.body.decode()
    inputs = json.loads(answer.body)["run"]["inputs"]
    assert [one["name"] for one in inputs] == ["text", "register.txt", "facts"]
    gone = worker.work(Check(GIVEN.text, GIVEN.sources, kb=("gone",)))
    assert isinstance(gone, RefusedError)
    assert gone.status == 503
    assert str(tmp_path) not in gone.message
    assert str(tmp_path) in gone.log


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_knowledge_base_that_is_down_is_told_where_it_was_all_there_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("groundrules.kb.sources.sparql._WAIT", 0.0)  # it is asked again at once
    worker = Worker(Settings(bases={"down": "http://127.0.0.1:1/sparql"}))
    alone = worker.work(Check(GIVEN.text, kb=("down",)))
    assert isinstance(alone, RefusedError), alone
    assert (alone.status, alone.message) == (503, "down of the service cannot be asked now")
    beside = worker.work(Check(GIVEN.text, GIVEN.sources, kb=("down",)))
    report = json.loads(beside.body)
    assert report["unasked"]
    assert report["statements"][0]["outcome"] == "refuted"


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_language_model_that_is_down_is_told(tmp_path: Path) -> None:
    schema = tmp_path / "lease.json"
    schema.write_text('{"type": "object", "properties": {"rent": {"type": "string"}}}')
    llm = LLMConfig(model="http://127.0.0.1:1/v1#none", retries=0, timeout=1)
    worker = Worker(Settings(config=Config(llm=llm), schemas={"lease": schema}))
    answer = worker.work(Extract((Given("a.txt", SOURCE),), (), "lease"))
    assert isinstance(answer, RefusedError)
    assert answer.status == 503
    assert "Otter" not in answer.log


def test_an_error_of_ours_tells_its_place_and_no_words(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ValueError(TEXT)

    monkeypatch.setattr("groundrules.service.jobs.api.check", fail)
    answer = worker.work(GIVEN)
    assert isinstance(answer, RefusedError)
    assert (answer.status, answer.message) == (500, "internal error: ValueError")
    assert answer.log.startswith("ValueError at test_jobs.py:")
    assert TEXT not in answer.log
