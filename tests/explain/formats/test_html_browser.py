"""The HTML report in a real browser: accessible, silent, whole without a script, quick with one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from groundrules.explain.formats import Look
from groundrules.explain.formats.html import render
from groundrules.terms import Report
from tests.browsers import chromium
from tests.explain import cases
from tests.explain.formats.test_html import HOSTILE, overridden, record, twenty_pages, unread
from tests.explain.rewritten import rewritten

REPORTS: dict[str, Callable[[], tuple[Report, ...]]] = {
    "lease": lambda: (overridden(cases.lease()),),
    "policy": lambda: (cases.policy(),),
    "wide": lambda: (cases.wide(),),
    "unread": lambda: (unread(),),
    "empty": lambda: (cases.empty(),),
    "record": lambda: (record(),),
    "several": lambda: (cases.policy(), cases.empty(), cases.lease()),
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    import pytest_socket

    pytest_socket.enable_socket()  # Playwright speaks to its driver over one
    try:
        with chromium() as found:
            yield found
    finally:
        pytest_socket.disable_socket(allow_unix_socket=True)


@pytest.fixture
def show(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Give a function that opens a page of reports, which asks and complains of nothing."""
    opened: list[tuple[Any, list[str]]] = []

    def open_(*reports: Report, fragment: str = "", **options: Any) -> Any:
        path = tmp_path / f"{len(opened)}.html"
        path.write_text(render(reports, Look()), encoding="utf-8")
        page = browser.new_page(**options)
        told: list[str] = []
        page.on("request", lambda request: told.append(request.url))
        page.on("console", lambda message: told.append(message.text))
        page.on("pageerror", lambda error: told.append(str(error)))
        page.on("dialog", lambda dialog: told.append(dialog.message))
        page.goto(path.as_uri() + fragment)
        opened.append((page, told))
        return page

    yield open_
    for page, told in opened:
        address = page.url.partition("#")[0]
        assert [one for one in told if one.partition("#")[0] != address] == []
        page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", REPORTS)
def test_axe_finds_nothing_but_what_is_minor(
    show: Callable[..., Any], name: str, scheme: str
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = show(*REPORTS[name](), color_scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
    found = Axe().run(page).response["violations"]

    assert [
        (one["id"], [node["html"][:120] for node in one["nodes"][:3]])
        for one in found
        if one["impact"] != "minor"
    ] == []


def test_without_a_script_a_mark_opens_its_card(show: Callable[..., Any]) -> None:
    page = show(cases.policy(), java_script_enabled=False)

    assert page.locator(".filters").count() == 1
    assert not page.locator(".filters").is_visible()
    assert not page.locator("#s2").is_visible()
    page.locator("a.statement").nth(2).click()
    page.locator("#s2").wait_for(state="visible")
    assert "£11,400" in page.locator("#s2").inner_text()
    page.locator("details.card", has=page.locator("#s5")).locator("summary").click()
    assert page.locator("#s5").is_visible()


def test_the_filter_leaves_the_statements_that_fit(show: Callable[..., Any]) -> None:
    page = show(cases.policy())
    cards = page.locator("details.card:visible")
    whole = cards.count()

    page.select_option("select[name=verdict]", "refuted")
    assert cards.count() == 3
    assert page.locator(".shown").inner_text() == f"3 of {whole} shown"
    assert page.locator("a.statement.away").count() == 4
    page.select_option("select[name=rule]", "GR306")
    assert cards.count() == 1
    page.keyboard.press("Escape")
    assert cards.count() == whole
    page.fill("input[name=words]", "quakers")
    assert cards.count() == 1


def test_keys_go_from_card_to_card_and_open_them(show: Callable[..., Any]) -> None:
    page = show(cases.policy())
    here = page.locator("details.card.here")

    page.keyboard.press("j")
    page.keyboard.press("j")
    assert here.get_attribute("data-outcome") == "refuted"
    assert page.locator("a.statement.here").get_attribute("href") == "#s1"
    assert here.get_attribute("open") is None
    page.keyboard.press("Enter")
    assert here.get_attribute("open") is not None
    page.keyboard.press("Escape")
    assert here.get_attribute("open") is None
    page.keyboard.press("k")
    assert here.get_attribute("data-outcome") == "unverifiable"
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.name") == "words"
    page.keyboard.type("j?")
    assert page.input_value("input[name=words]") == "j?"
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    assert page.locator("dialog").is_visible()
    page.keyboard.press("Escape")
    assert not page.locator("dialog").is_visible()


def test_an_address_with_a_statement_opens_its_card(show: Callable[..., Any]) -> None:
    page = show(cases.lease(), fragment="#s3")

    page.locator("#s3").wait_for(state="visible")
    assert page.locator("details.card.here #s3").count() == 1


@pytest.mark.parametrize("hostile", HOSTILE[:4])
def test_a_script_in_text_or_names_does_nothing(show: Callable[..., Any], hostile: str) -> None:
    report = rewritten(
        cases.policy(), lambda text: f"{text}{hostile}", lambda text: f"{text}'onclick='alert(1)"
    )
    page = show(report)

    assert page.evaluate("document.scripts.length") == 1
    assert page.evaluate("document.images.length") == 0
    assert page.title() != "owned"
    for attribute in ("onmouseover", "onerror", "onclick", "style"):
        assert page.locator(f"[{attribute}]").count() == 0


def test_the_policy_stops_what_an_error_of_ours_would_let_in(browser: Any, tmp_path: Path) -> None:
    let_in = (
        "<script>document.title = 'owned'</script><style>body { display: none }</style>"
        "<img src='http://127.0.0.1:9/x.png' onerror='document.title = 1'>"
        "<p id='x' style='display: none'>x</p></body>"
    )
    made = render([cases.lease()], Look()).replace("</body>", let_in)
    path = tmp_path / "broken.html"
    path.write_text(made, encoding="utf-8")
    page = browser.new_page()
    stopped: list[str] = []
    page.on("requestfailed", lambda request: stopped.append(request.failure))
    page.goto(path.as_uri())

    assert page.title() == "Check of answer.txt"
    assert page.locator("#x").is_visible()
    assert stopped == ["csp"]
    page.close()


@pytest.mark.parametrize("width", [375, 768, 1440])
@pytest.mark.parametrize("name", ["lease", "several"])
def test_no_page_is_wider_than_its_window(show: Callable[..., Any], name: str, width: int) -> None:
    page = show(*REPORTS[name](), viewport={"width": width, "height": 900})
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")

    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_all_cards_are_printed_without_a_script_too(show: Callable[..., Any]) -> None:
    page = show(cases.policy(), java_script_enabled=False)
    page.emulate_media(media="print")

    assert page.locator("#s5").is_visible()
    assert not page.locator(".filters").is_visible()


def test_twenty_pages_are_filtered_and_stepped_through(show: Callable[..., Any]) -> None:
    page = show(twenty_pages())

    page.select_option("select[name=verdict]", "refuted")
    assert page.locator("details.card:visible").count() == 108
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    assert page.locator("details.card.here").count() == 1
