"""What is owed, allowed and forbidden, and whose law governs, in one wording."""

from __future__ import annotations

from groundrules.legal.duties import plainly_put
from tests.rows import each


@each("said put")
def test_what_is_owed_allowed_and_forbidden_has_one_wording(said: str, put: str) -> None:
    assert plainly_put(said) == put
