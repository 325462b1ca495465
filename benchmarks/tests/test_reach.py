"""What the table of reach counts."""

from __future__ import annotations

import json

from benchmarks.reach import judge, table


def test_a_statement_is_judged_alone_and_in_an_answer() -> None:
    source = "The rent is 900 euros a month. The flat has three rooms."
    alone = {"statement": "The rent is 800 euros a month.", "source": source, "label": "refuted"}
    said = [
        {"s": "The flat has three rooms.", "label": 1},
        {"s": "The flat has four rooms.", "label": 0},
    ]
    judged = list(judge(map(json.dumps, (alone, {"doc": source, "answer": said}))))

    assert [(one.label, one.supported, one.error) for one in judged] == [
        ("refuted", False, True),
        ("supported", True, False),
        ("refuted", False, True),
    ]
    assert table("few", judged) == "| few | 1 of 1 | 0 of 1 | 0 of 2 | 2 of 2 |"
