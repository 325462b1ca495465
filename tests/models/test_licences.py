"""Licences: what a reader may do follows from what it was measured to be, and from nothing else."""

from __future__ import annotations

import math
import random
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.errors import ConfigError
from groundrules.evaluate.licences import Told, measure
from groundrules.models.licences import RIGHT, Bound, Licence, Own, bounds, read_licence, wilson
from groundrules.models.readers import Entailment, Reader
from groundrules.terms import Outcome

READER = Reader("told", lambda _: [])
SHARES = st.floats(0, 1)


def reading(entailed: float, contradicted: float) -> Entailment:
    return Entailment(entailed, contradicted, max(0.0, 1 - entailed - contradicted))


def told(read: Sequence[tuple[Entailment, int]], languages: Sequence[str] = ()) -> list[Told]:
    """Return sentences that the rules leave open, as a reader reads them, in English by default."""
    names = languages or ["English"] * len(read)
    return [
        Told(label, Outcome.NOT_ENOUGH_INFO, one, language=name)
        for (one, label), name in zip(read, names, strict=True)
    ]


def strong(label: int, draw: random.Random) -> Entailment:
    """Return what a reader that is nearly always right finds, and is surer the righter it is."""
    sure = draw.betavariate(8, 1.2)
    return reading(sure, (1 - sure) / 2) if label else reading((1 - sure) / 2, sure)


def at_random(_: int, draw: random.Random) -> Entailment:
    one, other = sorted((draw.random(), draw.random()))
    return reading(one, other - one)


def constant(_: int, __: random.Random) -> Entailment:
    return reading(0.97, 0.02)


def against(_: int, __: random.Random) -> Entailment:
    return reading(0.02, 0.97)


def turned(label: int, draw: random.Random) -> Entailment:
    return strong(1 - label, draw)


def measured(
    say: Callable[[int, random.Random], Entailment], seed: int, right: float = 0.6, count: int = 900
) -> Licence:
    draw = random.Random(seed)
    labels = [int(draw.random() < right) for _ in range(count)]
    return measure(told([(say(label, draw), label) for label in labels]), READER, "told")


@pytest.mark.parametrize("right", [0.1, 0.5, 0.9, 0.97, 0.995])
@pytest.mark.parametrize("say", [at_random, constant, against, turned])
def test_a_random_a_constant_and_a_reversed_reader_may_do_nothing_however_much_is_right(
    say: Callable[[int, random.Random], Entailment], right: float
) -> None:
    for seed in range(40):
        found = measured(say, seed, right)

        assert (found.supports, found.refutes, found.doubts) == (None, None, None)
        assert found.power(reading(1, 0)) == found.power(reading(0, 1)) == ""


def test_a_strong_reader_supports_doubts_and_refutes_and_keeps_what_its_licence_says() -> None:
    for seed in range(10):
        found = measured(strong, seed)
        assert found.supports
        assert found.refutes
        assert found.doubts
        draw = random.Random(seed + 1000)
        labels = [draw.random() < 0.5 for _ in range(4000)]
        kept: dict[str, list[bool]] = {}
        for label in labels:
            kept.setdefault(found.power(strong(label, draw)), []).append(label)

        assert sum(kept["supports"]) / len(kept["supports"]) >= 0.95
        assert sum(kept["refutes"]) / len(kept["refutes"]) <= 0.10


def test_too_few_statements_license_nobody() -> None:
    found = measured(strong, 3, count=60)

    assert found.supports is None
    assert "decides nothing" in found.told()


def test_a_reader_that_does_not_tell_contradicted_from_neither_refutes_nothing() -> None:
    def alone(label: int, draw: random.Random) -> Entailment:
        share = strong(label, draw).entailed
        return Entailment(share, (1 - share) / 2, (1 - share) / 2)

    found = measured(alone, 1)

    assert found.supports
    assert found.refutes is None
    assert found.doubts


@given(SHARES, SHARES)
def test_no_reading_may_both_support_and_refute(one: float, other: float) -> None:
    entailed, contradicted = sorted((one, other))
    licence = Licence("r", "d", "f", 9, 3, Bound(0, 1, 9), Bound(0, 1, 9), Bound(1, 1, 9))
    found = reading(entailed, contradicted - entailed)

    if licence.power(found) == "supports":
        assert found.entailed > found.contradicted
    if licence.power(found) == "refutes":
        assert found.contradicted > max(found.entailed, found.neither)


@given(st.integers(1, 300), st.data())
def test_the_interval_holds_the_share_and_narrows(total: int, data: st.DataObject) -> None:
    hits = data.draw(st.integers(0, total))
    low, high = wilson(hits, total)
    nearer = wilson(10 * hits, 10 * total)

    assert 0 <= low <= hits / total + 1e-9
    assert hits / total - 1e-9 <= high <= 1
    assert nearer[1] - nearer[0] < high - low


def test_the_interval_is_wilsons() -> None:
    # R 4.3: prop.test(81, 263, correct = FALSE)$conf.int, of Newcombe 1998, table II
    assert wilson(81, 263, 1.959964) == pytest.approx((0.2553, 0.3662), abs=1e-4)


def test_without_both_labels_no_bound_holds() -> None:
    found = [reading(0.9, 0.05)] * 500

    assert bounds(found, [1] * 500) == (None, None, None)
    assert bounds([reading(0.05, 0.9)] * 500, [0] * 500) == (None, None, None)


def in_two(german: Callable[[int, random.Random], Entailment], count: int) -> Licence:
    """Return the licence of a reader that is strong in English and something else in German."""
    draw = random.Random(3)
    labels = [int(draw.random() < 0.6) for _ in range(3000 + count)]
    read = [(strong(one, draw), one) for one in labels[:3000]]
    read += [(german(one, draw), one) for one in labels[3000:]]
    languages = [*["English"] * 3000, *["German"] * count]
    return measure(told(read, languages), READER, "told")


def test_a_licence_holds_for_each_language_of_which_it_has_enough_and_tells_what_that_alone_would(
    tmp_path: Path,
) -> None:
    found = in_two(strong, 110)
    (tmp_path / "licence.toml").write_text(found.dumps(), encoding="utf-8")

    assert found.supports
    assert found.holds_for("German")
    assert not found.holds_for("French")
    assert found.languages["German"].alone < RIGHT < found.languages["English"].alone
    assert "110 in German, which alone would tell 0." in found.told()
    assert read_licence(tmp_path / "licence.toml") == found
    assert not in_two(strong, 90).holds_for("German")


def test_a_language_that_tells_against_the_bounds_is_no_part_of_a_licence() -> None:
    def erring(label: int, draw: random.Random) -> Entailment:
        return strong(label ^ (draw.random() < 0.1), draw)

    found = in_two(erring, 110)

    assert found.supports
    assert not found.holds_for("German")
    assert found.holds_for("English")


def test_where_each_language_tells_against_a_bound_nothing_is_decided_in_any() -> None:
    right, wrong = reading(0.98, 0.01), reading(0.01, 0.98)
    one = [(right, 1)] * 1000 + [(wrong, 0)] * 100 + [(wrong, 1)] * 20
    other = [(wrong, 0)] * 1000 + [(right, 1)] * 100 + [(right, 0)] * 10
    languages = ["German"] * len(one) + ["French"] * len(other)

    found = measure(told([*one, *other], languages), READER, "told")

    assert measure(told([*one, *other]), READER, "told").supports
    assert not found.languages
    assert (found.supports, found.refutes, found.doubts) == (None, None, None)


def test_a_bound_keeps_all_that_was_found_so_where_no_fault_lies_beyond() -> None:
    found = [reading(0.6 + n / 1000, 0.1) for n in range(300)]
    missed = [reading(0.3, 0.1)] * 30
    wrong = [reading(0.01, 0.95)] * 300
    supports, _, _ = bounds([*found, *missed, *wrong], [1] * 330 + [0] * 300)

    assert supports
    assert supports.at == 0.3
    refutes = bounds([*found, *wrong[:270], *missed], [1] * 300 + [0] * 300)[1]
    assert refutes
    assert refutes.at == 0.95


def test_what_is_held_back_gives_no_leave_to_support_and_takes_none() -> None:
    wrong, right = reading(0.98, 0.01), reading(0.97, 0.01)
    read = told([(right, 1)] * 300 + [(wrong, 0)] * 200 + [(reading(0.02, 0.95), 0)] * 200)
    held = [replace(one, held=one.found is wrong) for one in read]

    assert measure(read, READER, "told").supports is None
    found = measure(held, READER, "told").supports
    assert found
    assert found.at == right.entailed


def test_a_licence_is_read_as_it_was_written_and_a_person_can_read_it(tmp_path: Path) -> None:
    for seed, say in enumerate((strong, at_random)):
        found = measured(say, seed)
        path = tmp_path / "licence.toml"
        path.write_text(found.dumps(), encoding="utf-8")

        assert read_licence(path) == found
        assert "# What a reader may do" in found.dumps()


NAME = st.text(st.characters(codec="utf-8"), max_size=20)


@given(NAME)
def test_any_name_survives_the_file(name: str) -> None:
    assert tomllib.loads(Licence(name, "d", "f", 2, 1).dumps())["reader"] == name


@pytest.mark.parametrize(
    "text",
    [
        "",
        "not toml [",
        "reader = 1",
        Licence("r", "d", "f", 2, 5).dumps(),
        Licence("r", "d", "f", 9, 1, Bound(0.1, 0.5, 9)).dumps(),
        Licence("r", "d", "f", 9, 1, Bound(1.5, 0.97, 9)).dumps(),
        Licence("r", "d", "f", 9, 1, Bound(float("nan"), 0.97, 9)).dumps(),
        Licence("r", "d", "f", 9, 1, refutes=Bound(0.1, 0.5, 9)).dumps(),
        Licence("r", "d", "f", 9, 1, languages={"German": Own(9, 1, float("nan"))}).dumps(),
        Licence("r", "d", "f", 9, 1, languages={"German": Own(2, 5, 0.9)}).dumps(),
        Licence("r", "d", "f", 9, 1).dumps().replace("= 9", "= inf"),
        "[" * 5000,
        "\x00",
    ],
)
def test_what_is_no_licence_is_one_clear_error(tmp_path: Path, text: str) -> None:
    path = tmp_path / "licence.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match="`groundrules readers remove licence` takes") as error:
        read_licence(path)
    assert "\n" not in str(error.value)


def test_a_licence_that_is_not_there_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        read_licence(tmp_path / "gone.toml")


@pytest.mark.parametrize(("passed", "needed"), [(0, 130), (1, 165), (2, 290), (3, 660)])
def test_so_many_wrong_statements_it_takes_before_a_reader_may_support(
    passed: int, needed: int
) -> None:
    def supports(wrong: int) -> bool:
        found = [reading(0.9 + n / 1e6, 0.0) for n in range(wrong)]
        slips = math.ceil(wrong * passed / 100)
        step = max(1, wrong // max(1, slips))
        found += [found[n] for n in range(0, wrong, step)][:slips]
        found += [reading(0.0, 0.9)] * (wrong - slips)
        return bounds(found, [1] * wrong + [0] * wrong)[0] is not None

    assert supports(needed)
    assert not any(supports(one) for one in range(20, needed, 5))
