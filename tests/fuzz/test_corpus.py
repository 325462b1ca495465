"""What once failed, or is of special interest: each parser returns, or raises our error."""

from __future__ import annotations

import pytest

from tests.fuzz.parsers import CORPUS, PARSERS, hold, kept

SEEDS = [(kind, number) for kind, one in PARSERS.items() for number in range(len(one.seeds))]


@pytest.mark.parametrize(("kind", "number"), SEEDS)
def test_a_seed_is_read(kind: str, number: int) -> None:
    hold(kind, PARSERS[kind].seeds[number])


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, path.name) for kind in PARSERS for path in kept(kind)]
)
def test_what_once_failed_is_read_or_refused(kind: str, name: str) -> None:
    (path,) = (path for path in kept(kind) if path.name == name)
    hold(kind, path.read_bytes())


def test_every_input_of_the_corpus_is_of_a_parser() -> None:
    folders = {kind.replace(" ", "-") for kind in (*PARSERS, "forged")}

    assert {path.name for path in CORPUS.iterdir()} <= folders
    assert all(path.stat().st_size < 4_096 for path in CORPUS.rglob("*") if path.is_file())
