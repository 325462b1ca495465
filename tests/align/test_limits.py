import re
from pathlib import Path

from groundrules.align import limits
from tools.docs import limits_page

ROOM = Path(limits.__file__).parent
NAMES = re.findall(r"^([A-Z_]+): Final", Path(limits.__file__).read_text("utf-8"), re.MULTILINE)


def test_each_limit_is_in_the_page_with_what_it_bounds_and_what_it_was_fitted_on():
    rows = dict(re.findall(r"^\| `([A-Z_]+)` \| [\d.]+ \| (.+) \|$", limits_page(), re.MULTILINE))
    assert list(rows) == NAMES
    assert all(row.endswith(".") and row.count(". ") >= 1 for row in rows.values())


def test_each_limit_bounds_something():
    sources = (
        path.read_text("utf-8") for path in ROOM.parent.rglob("*.py") if path.stem != "limits"
    )
    told = " ".join(sources)
    assert [name for name in NAMES if not re.search(rf"\b{name}\b", told)] == []
