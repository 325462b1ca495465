"""Laws of rows: a row of a table is a statement, held against rows with the same columns."""

from __future__ import annotations

import pytest

from groundrules import check, guard
from groundrules.claims.documents.document import Document, from_text

TABLE = """\
| Town | People | Area |
| --- | --: | --- |
| Alder | 12,000 | 40 km² |
| Birch | 7,500 | 22 km² |
"""
OFFICES = """\
| Office | Head | Phone |
|---|---|---|
| North | Ann Lee | 555 |
| South | Bob Roy | 777 |
"""
TABBED = "Town\tPeople\tArea\nAlder\t12,000\t40 km²\nBirch\t7,500\t22 km²\n"
SOURCE = f"The register of towns is kept by the county.\n\n{TABLE}\nIt is renewed every year."


def outcomes(text: str | Document, source: str | Document = SOURCE) -> list[str]:
    return [str(one.outcome) for one in check(text, context=source, verify=False).statements]


@pytest.mark.parametrize("form", ["txt", "md"])
@pytest.mark.parametrize(
    "text",
    [
        TABLE,
        TABLE.replace("| --- | --: | --- |", "|:---|---|---|"),
        TABLE.replace("Alder", "**Alder**"),
        TABLE.replace("12,000", "12000"),
        "| Town | Area |\n|---|---|\n| Birch | 22 km² |\n| Alder | 40 km² |\n",
    ],
)
def test_a_copy_of_a_table_is_supported_row_by_row(text: str, form: str) -> None:
    source = from_text(SOURCE, "source", form)
    assert outcomes(from_text(text, "answer", form), source) == ["supported", "supported"]


def test_a_table_is_one_whether_drawn_with_bars_or_tabs() -> None:
    page = from_text(f"Towns\n\n{TABBED}", "page.html", "html")
    assert outcomes(TABLE, page) == ["supported", "supported"]
    assert outcomes(TABLE.replace("7,500", "12,000"), page) == ["supported", "refuted"]


@pytest.mark.parametrize(
    ("text", "source", "expected"),
    [
        (
            TABLE.replace("12,000", "X").replace("7,500", "12,000").replace("X", "7,500"),
            SOURCE,
            ["refuted", "refuted"],
        ),
        (
            TABLE.replace("Alder", "X").replace("Birch", "Alder").replace("X", "Birch"),
            SOURCE,
            ["refuted", "refuted"],
        ),
        (TABLE.replace("People", "X").replace("Area", "People").replace("X", "Area"), SOURCE,
         ["refuted", "refuted"]),
        (OFFICES.replace("Ann Lee", "Bob Roy"), OFFICES, ["refuted", "supported"]),
        # what is worded otherwise, of another table or of nothing known, is open
        (OFFICES.replace("Ann Lee", "A. Lee"), OFFICES, ["not_enough_info", "supported"]),
        (TABLE.replace("Town", "Place"), SOURCE, ["not_enough_info", "not_enough_info"]),
        (f"In 2020:\n{TABLE}", f"In 2019:\n\n{TABLE}", ["not_enough_info"] * 3),
        (TABLE.replace("Alder", "Cedar"), SOURCE, ["not_enough_info", "supported"]),
        (TABLE, f"{TABLE}\nLater:\n\n{TABLE.replace('12,000', '13,000')}",
         ["not_enough_info", "supported"]),
    ],
)  # fmt: skip
def test_a_row_with_other_cells_is_not_supported(
    text: str, source: str, expected: list[str]
) -> None:
    assert outcomes(text, source) == expected
    assert not guard(text, context=source).passes or "refuted" not in expected


def test_the_names_of_columns_are_no_statement() -> None:
    found = check(TABLE, context=SOURCE, verify=False)
    assert [one.text for one in found.statements] == [
        "| Alder | 12,000 | 40 km² |",
        "| Birch | 7,500 | 22 km² |",
    ]


YEARS = "| Town | 2022 | 2023 |\n| Alder | 12 | 15 |\n| Birch | 30 | 28 |\n"


@pytest.mark.parametrize(
    ("text", "source", "expected"),
    [
        (TABLE.replace("| --- | --: | --- |\n", ""), SOURCE, ["supported", "supported"]),
        (OFFICES.replace("|---|---|---|\n", "").replace("Ann Lee", "Bob Roy"), OFFICES,
         ["refuted", "supported"]),
        ("Town | People\nAlder | 12,000\nBirch | 7,500\n", TABLE, ["supported", "supported"]),
        ("Town | People\nAlder | 7,500\nBirch | 12,000\n", TABLE, ["refuted", "refuted"]),
        # a head with figures may be a row, unless a source's table has it
        (YEARS, YEARS, ["supported", "supported"]),
        (YEARS.replace("2023", "2024"), YEARS, ["not_enough_info"] * 3),
        ("| Ann | Chair |\n| Bob | Clerk |\n",
         "| Name | Role |\n| Ann | Chair |\n| Bob | Clerk |\n",
         ["not_enough_info"]),
    ],
)  # fmt: skip
def test_a_head_is_one_without_a_rule_under_it(text: str, source: str, expected: list[str]) -> None:
    assert outcomes(text, source) == expected


def test_a_row_without_a_head_is_a_statement() -> None:
    rows = "| Birch | 12,000 | 22 km² |\n| Alder | 7,500 | 40 km² |\n"
    assert "supported" not in outcomes(rows)
    assert len(outcomes(rows)) == 2
