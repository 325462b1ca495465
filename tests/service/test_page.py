"""The page of the service in a real browser, against a real service: the journey and its ends."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
import pytest_socket

from groundrules.explain.formats import json as form_json
from groundrules.service.startup import Settings
from tests.browsers import chromium
from tests.loopback import Loopback, send
from tests.service.serving import SOURCE, TEXT, Served, serving

pytestmark = [pytest.mark.enable_socket, pytest.mark.allow_hosts(["127.0.0.1"])]

#: Longer than the example takes; only a failure waits so long.
PATIENCE = 60_000

Show = Callable[..., Any]


class SlowBase(BaseHTTPRequestHandler):
    """A knowledge base that answers when it is let go."""

    asked, let_go = threading.Event(), threading.Event()

    def do_GET(self) -> None:
        self.asked.set()
        self.let_go.wait(30)
        send(self, 503, {}, b"")

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        pass


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    pytest_socket.enable_socket()
    base = Loopback(("127.0.0.1", 0), SlowBase)
    threading.Thread(target=base.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{base.server_port}/sparql"
    try:
        with serving(Settings(workers=1, bases={"harbour register": url})) as found:
            yield found
    finally:
        SlowBase.let_go.set()
        base.shutdown()
        base.server_close()
        pytest_socket.disable_socket(allow_unix_socket=True)


@pytest.fixture(scope="module")
def browser(served: Served) -> Iterator[Any]:
    with chromium() as found:
        yield found


@pytest.fixture
def show(browser: Any, served: Served) -> Iterator[Show]:
    """Give a function that opens the page, which asks nobody else and complains of nothing."""
    opened: list[tuple[Any, list[str]]] = []

    def open_(before: Callable[[Any], None] | None = None, **options: Any) -> Any:
        context = browser.new_context(**options)
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        told: list[str] = []
        page.on("request", lambda one: told.append(one.url))
        page.on("console", lambda one: told.append(one.text))
        page.on("pageerror", lambda error: told.append(str(error)))
        page.on("dialog", lambda dialog: told.append(dialog.message))
        if before:
            before(page)
        page.goto(served.url)
        page.locator("#version:not(:empty), #key:visible").first.wait_for(state="attached")
        opened.append((context, told))
        return page

    yield open_
    expected = (f"{served.url}/", f"blob:{served.url}/", "data:,", "Failed to load resource")
    for context, told in opened:
        context.close()
        assert [one for one in told if not one.startswith(expected)] == []


def give(page: Any, text: str = TEXT, source: str = SOURCE) -> None:
    page.fill("#text", text)
    page.fill("#sources textarea", source)


def checked(page: Any) -> None:
    page.click("#check")
    page.wait_for_selector("#results .conclusion")


def told(page: Any, place: str, words: str) -> None:
    page.locator(place).filter(has_text=words).wait_for()


def test_from_the_example_to_the_corrected_text_and_the_report(show: Show, tmp_path: Path) -> None:
    page = show()
    page.click("#example")
    page.wait_for_selector("#results .conclusion")
    marks = page.locator("#marked .statement")
    outcomes = {name: page.locator(f"#marked .statement.{name}").count() for name in
                ("refuted", "not_enough_info", "supported")}  # fmt: skip
    assert min(outcomes.values()) > 0
    assert sum(outcomes.values()) == marks.count()
    assert page.locator("details.card").count() == marks.count()

    card = page.locator("details.card.refuted").first
    assert "2018" in card.locator(".sentence mark").inner_text()
    assert card.locator("figure.source mark").first.inner_text() == "2016"
    assert card.locator(".sentence").count() == 1

    card.locator("button.accept").first.click()
    assert marks.first.locator("ins").inner_text() == "2016"
    assert "edited: supported when checked again" in card.locator(":scope > summary").inner_text()
    assert card.evaluate("(card) => card.classList.contains('changed')")
    left = outcomes["refuted"] - 1
    assert f"Still refuted in it: {left} statement" in page.inner_text("#still")
    assert page.locator("#still a").count() == left
    page.click("#copy")
    told(page, "#copied", "Copied.")
    copied = page.evaluate("navigator.clipboard.readText()")
    example = page.input_value("#text")
    assert copied == example.replace("2018", "2016")
    card.locator("button.accept").first.click()
    assert not page.locator("#corrected").is_visible()
    assert marks.first.locator("ins").count() == 0

    openings = {"json": b"{", "html": b"<!doctype html>", "sarif": b"{"}
    for form, opening in openings.items():
        page.select_option("#form-name", form)
        with page.expect_download() as waiting:
            page.click("#download")
        waiting.value.save_as(tmp_path / form)
        assert (tmp_path / form).read_bytes().startswith(opening)
    report = form_json.loads((tmp_path / "json").read_text(encoding="utf-8"))
    assert len(report.statements) == marks.count()

    page.get_by_role("button", name="Accept all").click()
    page.click("#recheck")
    page.locator("#corrected").wait_for(state="detached")
    page.wait_for_selector("#results .conclusion")
    assert "2018" not in page.inner_text("#marked")
    again = page.locator("#marked .statement.refuted").count()
    assert again < outcomes["refuted"]


def test_offsets_hold_behind_an_emoji(show: Show) -> None:
    page = show()
    give(page, f"🦦🚢\n\n{TEXT}", f"👩‍👩‍👧\n\n{SOURCE}")
    checked(page)
    assert page.locator("#marked .statement mark").all_inner_texts() == ["1996"]
    assert page.locator("figure.source mark").first.inner_text() == "1994"
    page.locator("button.accept").first.click()
    assert page.inner_text("#corrected-text") == f"🦦🚢\n\n{TEXT.replace('1996', '1994')}"


def test_a_file_that_cannot_be_read_is_told_in_a_line_and_nothing_is_lost(show: Show) -> None:
    page = show()
    page.fill("#text", TEXT)
    broken = {"name": "plan.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.4 no more"}
    page.set_input_files("#source-files", [broken])
    page.wait_for_selector(".chip")
    page.click("#check")
    page.wait_for_selector("#problem .problem")
    assert page.inner_text("#problem p").count("\n") == 0
    assert "plan.pdf" in page.inner_text("#problem p")
    assert page.input_value("#text") == TEXT
    page.get_by_role("button", name="Remove plan.pdf").click()
    html = {"name": "register.html", "mimeType": "text/html", "buffer": f"<p>{SOURCE}".encode()}
    page.set_input_files("#source-files", [html])
    page.wait_for_selector("#source-box .chip")
    checked(page)
    assert page.locator("#marked .statement.refuted").count() == 1
    assert "register.html" in page.locator("figure.source figcaption").first.inner_text()


def test_without_text_or_source_it_says_what_is_missing(show: Show) -> None:
    page = show()
    page.click("#check")
    assert "no text yet" in page.inner_text("#problem")
    page.fill("#text", TEXT)
    page.click("#check")
    assert "add a source" in page.inner_text("#problem")


def test_a_lost_connection_loses_no_text(show: Show) -> None:
    page = show()
    page.route("**/check?*", lambda route: route.abort("connectionreset"))
    give(page)
    page.click("#check")
    page.wait_for_selector("#problem .problem")
    assert "connection" in page.inner_text("#problem")
    assert page.input_value("#text") == TEXT
    page.unroute("**/check?*")
    page.get_by_role("button", name="Try again").click()
    page.wait_for_selector("#results .conclusion")


def test_a_full_queue_is_asked_again_after_the_time_it_tells(show: Show) -> None:
    page = show()
    refused: list[str] = []

    def once(route: Any) -> None:
        if refused:
            route.continue_()
            return
        refused.append(route.request.url)
        error = {"error": {"status": 429, "message": "the queue is full; try again in 1 s"}}
        route.fulfill(status=429, headers={"Retry-After": "1"}, json=error)

    page.route("**/check?*", once)
    give(page)
    page.click("#check")
    told(page, "#phase", "busy")
    page.wait_for_selector("#results .conclusion")
    assert len(refused) == 1


def test_a_key_is_asked_for_and_kept_in_memory_until_the_service_ends(browser: Any) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    with serving(Settings(workers=1, keys=("open-sesame-123456",))) as keyed:
        page.goto(keyed.url)
        page.wait_for_selector("#key")
        give(page)
        page.fill("#key", "wrong")
        page.click("#check")
        page.wait_for_selector("#problem .problem")
        assert "key" in page.inner_text("#problem")
        page.fill("#key", "open-sesame-123456")
        checked(page)
        kept = "[localStorage.length, sessionStorage.length, document.cookie, location.search]"
        assert page.evaluate(kept) == [0, 0, "", ""]
    page.click("#change")
    page.click("#check")
    page.wait_for_selector("#problem .problem")
    assert "connection" in page.inner_text("#problem")
    assert page.input_value("#text") == TEXT
    context.close()


def test_no_window_is_scrolled_sideways(show: Show) -> None:
    width = 320
    page = show(viewport={"width": width, "height": 700})
    wide = "document.documentElement.scrollWidth"
    assert page.evaluate(wide) <= width
    give(page, f"{TEXT} {'x' * 300}", f"{SOURCE} {'y' * 300}")
    checked(page)
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
    page.locator("button.accept").first.click()
    assert page.evaluate(wide) <= width


def test_a_script_in_text_and_names_is_shown_and_never_run(show: Show) -> None:
    script = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
    name = "<img src=x onerror=document.title='owned'>.txt"
    page = show()
    page.fill("#text", f"{script} {TEXT}")
    source = {"name": name, "mimeType": "text/plain", "buffer": f"{script} {SOURCE}".encode()}
    page.set_input_files("#source-files", [source])
    page.wait_for_selector(".chip")
    assert name in page.inner_text(".chip")
    checked(page)
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
    assert page.title() == "Check a text against its sources"
    assert page.evaluate("document.images.length") == 0
    assert page.evaluate("document.scripts.length") == 1
    assert script in page.inner_text("#marked")
    assert name in page.inner_text("#given-told")
    assert name in page.inner_text("#results .cards")


def test_a_character_that_hides_is_shown_by_its_code_point(show: Show) -> None:
    page = show()
    give(page, f"\u202eabc\u202c {TEXT}")
    checked(page)
    assert page.locator("#marked .hidden-character").all_inner_texts() == ["U+202E", "U+202C"]


def test_keys_go_from_card_to_card_accept_and_close_and_a_statement_shows_its_passage(
    show: Show,
) -> None:
    page = show()
    give(page)
    page.focus("#text")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("#results .conclusion")
    page.locator("#marked .statement").first.hover()
    page.locator("#peek").wait_for(state="visible")
    assert page.locator("#peek mark").inner_text() == "1994"
    words, shown = (page.locator(one).bounding_box() for one in ("#marked", "#peek"))
    assert shown["x"] >= words["x"] + words["width"]  # it hides nothing of the text
    page.keyboard.press("Escape")
    assert page.locator("#peek").is_hidden()
    page.mouse.move(0, 0)
    page.locator("#results").focus()
    while not page.evaluate("document.activeElement.matches('.statement')"):
        page.keyboard.press("Tab")
    page.locator("#peek").wait_for(state="visible")
    here = page.locator("details.card.here")
    page.keyboard.press("j")
    assert "refuted" in (here.get_attribute("class") or "")
    page.keyboard.press("e")
    assert page.inner_text("#corrected-text") == TEXT.replace("1996", "1994")
    page.keyboard.press("e")
    assert page.locator("#corrected").is_hidden()
    page.keyboard.press("Escape")
    assert here.get_attribute("open") is None
    page.keyboard.press("j")
    assert "not_enough_info" in (here.get_attribute("class") or "")
    page.keyboard.press("Enter")
    assert here.get_attribute("open") is not None
    page.keyboard.press("k")
    assert "refuted" in (here.get_attribute("class") or "")
    page.keyboard.press("?")
    assert page.locator("#help").is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_but_what_is_minor(show: Show, scheme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = show(color_scheme=scheme, reduced_motion="reduce")
    faults: list[Any] = []

    def look() -> None:
        found = Axe().run(page).response["violations"]
        faults.extend(
            (one["id"], node["html"][:120])
            for one in found
            for node in one["nodes"]
            if one["impact"] != "minor"
        )

    page.click(".more > summary")
    page.click("#add-source")
    page.click("#check")
    look()
    page.click("#example")
    page.wait_for_selector("#results .conclusion")
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
    page.locator("button.accept").first.click()
    page.locator("#marked .statement").nth(3).hover()
    page.locator("#peek").wait_for(state="visible")
    look()
    assert faults == []


def test_what_is_printed_is_the_finding_and_not_the_form(show: Show) -> None:
    page = show()
    give(page)
    checked(page)
    page.emulate_media(media="print")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.locator("#form").is_hidden()
    assert page.locator(".given-bar").is_hidden()
    assert page.locator("details.card[open]").count() == page.locator("details.card").count()


# last: its worker is busy for a while
def test_while_a_knowledge_base_is_slow_it_says_whom_it_asks_and_can_be_cancelled(
    show: Show,
) -> None:
    SlowBase.asked.clear()
    SlowBase.let_go.clear()
    page = show()
    page.fill("#text", TEXT)
    page.get_by_label("harbour register").check()
    page.click("#check")
    assert SlowBase.asked.wait(30)
    told(page, "#phase", "Asking harbour register")
    page.click("#cancel")
    SlowBase.let_go.set()
    assert "Cancelled" in page.inner_text("#problem")
    assert page.input_value("#text") == TEXT
    assert page.locator("#results").is_hidden()
