"""`ontology` alone, and what is neither of its two commands."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.conftest import Outcome

Cli = Callable[..., Outcome]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["chekc"], "ontology: argument check|read: 'chekc' is not known; expected check, read; "
                    "did you mean 'check'?; see `groundrules ontology --help`"),
        ([], "ontology: the following arguments are required: check|read; "
             "see `groundrules ontology --help`"),
    ],
)  # fmt: skip
def test_an_unknown_word_is_code_2_and_one_line(cli: Cli, arguments: list[str], line: str) -> None:
    assert cli("ontology", *arguments) == Outcome(2, "", f"groundrules: {line}\n")
