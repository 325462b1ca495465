"""The vectors of the names of properties that ship are those of the model and of the names."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from groundrules.kb.link import name_vectors
from groundrules.kb.link.name_vectors import FILE, encode_names
from groundrules.kb.link.properties import property_names
from groundrules.kb.sources import wikidata
from groundrules.models.embed import encode


def test_every_name_of_a_property_of_wikidata_ships_and_no_other() -> None:
    names = {name for _, name in property_names(wikidata.load_properties())}
    assert set(name_vectors._shipped()) == names


def test_a_vector_that_ships_is_that_of_the_model() -> None:
    names = sorted(name_vectors._shipped())[::400]
    cosines = (encode_names(names) * encode(names)).sum(axis=1)

    assert cosines.min() > 0.9995
    assert np.allclose(np.linalg.norm(encode_names(names), axis=1), 1.0, atol=1e-5)


def test_a_name_that_does_not_ship_is_encoded(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["place of birth", "frobnication quotient"]
    assert np.array_equal(encode_names(names)[1], encode(names)[1])
    monkeypatch.setattr(name_vectors, "_shipped", dict)
    assert np.array_equal(encode_names(names), encode(names))
    assert encode_names([]).shape == (0, 384)


def test_the_card_of_the_vectors_is_of_this_file() -> None:
    digest = hashlib.sha256(FILE.read_bytes()).hexdigest()
    assert digest in (FILE.parent.parent / "sources/properties.md").read_text("utf-8")
