"""What reads a file that somebody else wrote: it returns, or raises one of our errors."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

from groundrules import api
from groundrules.cache import release, save
from groundrules.claims.documents.document import from_text, plain, read
from groundrules.claims.evidence.schemas import read_schema
from groundrules.claims.facts.corpus import read_corpus
from groundrules.claims.facts.offline import extract
from groundrules.config import Config, LLMConfig
from groundrules.config import load as load_config
from groundrules.dataset import Dataset
from groundrules.evaluate.kb import _row
from groundrules.evaluate.rows import read_each, read_rows
from groundrules.evaluate.values import read_runs
from groundrules.explain.formats.json import loads
from groundrules.kb.sources.bindings import read_rows as read_bindings
from groundrules.kb.sources.exchange import FaultError
from groundrules.kb.sources.triplestore import build_store, open_graph, read_build
from groundrules.llm.client import Client
from groundrules.models import labels as labelled
from groundrules.models.passage_scorer import read_head, read_scorer
from groundrules.ontology.load import load
from groundrules.ontology.read.lexicon import read_lexicon
from groundrules.ontology.termlist import vocabulary
from groundrules.rules.rule import load_rule, refuse_slow
from groundrules.rules.shapes import validate
from groundrules.terms import Report

Read = Callable[[Path], object]

config, graph, rows, schema = load_config, open_graph, read_rows, read_schema
labels = labelled.read_rows


def rule(path: Path) -> object:
    refuse_slow([path])
    return load_rule(path)


def shapes(path: Path) -> object:
    return validate(Dataset(), [path], claims={})


def ontology(path: Path) -> object:
    return vocabulary(load(path)).text()


def lexicon(path: Path) -> object:
    (path.parent / "own.ttl").write_text("<http://a> a owl:Class .", encoding="utf-8")
    return read_lexicon(load(path.parent / "own.ttl"))


def store(path: Path) -> object:
    return build_store([path], path.parent / "store")


def kb_rows(path: Path) -> object:
    return read_each(path, _row)


def runs(path: Path) -> object:
    return read_runs([path])


def head(path: Path) -> object:
    return read_head(path.parent)


def scorer(path: Path) -> object:
    return read_scorer(path.parent)


def corpus(path: Path) -> object:
    return read_corpus(path.parent)


def build(path: Path) -> object:
    return read_build(path.parent)


def report(path: Path) -> object:
    return loads(path.read_text("utf-8", "replace"))


def recorded(path: Path) -> object:
    return Client(LLMConfig(), answers=path)


def document(path: Path) -> object:
    return extract(from_text(plain(read(path))[:3_000]))


def kept(path: Path) -> object:
    """Check a text against an index whose one document is a file of somebody's own making."""

    body = path.read_bytes()
    save(path.parent / "1.kept", body)
    row = {"file": "a.txt", "sha256": "", "kept": hashlib.sha256(body).hexdigest()}
    contents = {"groundrules": release(), "format": 1, "documents": [row]}
    (path.parent / "index.json").write_text(json.dumps(contents), encoding="utf-8")
    return api.check("The rent is $5.", context=[path.parent])


def endpoint(path: Path) -> object:
    """Read the response of a SPARQL endpoint; a fault of it is no crash."""

    with contextlib.suppress(FaultError):
        return read_bindings(path.read_bytes())
    return None


def response(path: Path) -> object:
    """Check a text with a language model whose server answers all with one body."""
    return checked(lambda *_: path.read_bytes())


def answer(path: Path) -> object:
    """Check a text with a language model that answers every question with one text."""
    said = path.read_bytes().decode("utf-8", "surrogateescape")
    body = json.dumps({"choices": [{"message": {"content": said}}]}).encode()
    return checked(lambda *_: body)


LEASE = (
    'This Lease is between Alpine Holdings LLC (the "Landlord") and Bright Harbor Books, Inc. '
    '(the "Tenant"). The Tenant shall pay a base rent of $4,850 per month. '
    "It may not sublet the Premises. The roof was repaired by Northgate in May 2020."
)
SAID = (
    "Northgate insures the roof. The rent of Bright Harbor Books goes up in 2027. "
    "The Landlord pays for the garden. The Tenant pays a base rent of $4,850 per month."
)


def checked(post: Callable[[dict[str, Any]], bytes]) -> Report:
    """Return the report on a text that its source bears out in part, with forged answers."""
    asked = LLMConfig(model="http://127.0.0.1:9/v1#forged", retries=0)
    client = Client(asked)
    with patch.object(client._transport, "post", post):
        return api.check(SAID, context=[LEASE], config=Config(llm=asked), client=client)
