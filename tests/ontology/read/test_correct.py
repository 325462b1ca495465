"""Correct texts that look odd: nothing is an error."""

from __future__ import annotations

import pytest

from groundrules import Config, check
from groundrules.terms import Severity

CORRECT = [
    "Acme, Inc. is the plaintiff in the case. The court decided the case on May 3, 2011.",
    "Acme, Inc. is the plaintiff in the case. Bolt Co. was the defendant. Judge Ann Lee decided "
    "the case on May 3, 2011.",
    'This Lease is between Robert Lee Properties, LLC ("Landlord") and Robert Lee ("Tenant").',
    'This Lease is between Robert Lee, Inc. ("Landlord") and Robert Lee, an individual ("Tenant").',
    "The application was filed on March 2, 2016. The inventors are Maria Lopez and Chen Wei. The "
    "assignee is Chen Wei Robotics, Inc.",
    "John Smith is the landlord of the house. Mary Jones is the tenant. Mary Jones subleases the "
    "house to Carl Brown. In the sublease Mary Jones is the landlord.",
    "Acme Widgets, Inc. is the plaintiff. Bolt Supply Co. is the defendant. On the counterclaim, "
    "Bolt Supply Co. is the plaintiff and Acme Widgets, Inc. is the defendant.",
]


@pytest.mark.parametrize("text", CORRECT)
def test_what_is_right_is_no_error(text: str) -> None:
    # without a source: what one states is never refuted by an ontology
    found = check(text, config=Config(ontology="legal")).violations

    assert [v.message for v in found if v.severity is Severity.ERROR] == []


def test_what_is_forbidden_without_consent_is_allowed_with_it() -> None:
    found = check(
        "Tenant may assign this Lease with Landlord's prior written consent.",
        context="Tenant shall not assign this Lease without Landlord's prior written consent.",
    ).violations

    assert "GR205" not in {v.rule for v in found}
