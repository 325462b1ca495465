"""The dossier in a real browser: axe, a narrow window, no address asked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_socket

from groundrules.cli.main import main
from tests.browsers import chromium

RULES = "Adults pay £150 a year. Visitors must not run. Irma Voss teaches on Mondays.\n"
ANSWERS = (
    "Adults pay £150 a year.",
    "Adults pay £180 a year. Visitors must not run.",
    "Kayaks cost more.",
    "Les adultes paient 150 livres par an, et les enfants ne paient rien.",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    pytest_socket.enable_socket()
    try:
        with chromium() as started:
            yield started
    finally:
        pytest_socket.disable_socket(allow_unix_socket=True)


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder of an audit with a row that is no text, and a sample."""
    folder = tmp_path_factory.mktemp("audit")
    rows = [
        {"id": f"q{n}", "answer": one, "context": {"name": "rules.txt", "text": RULES},
         "date": f"2026-03-0{n + 1}"}
        for n, one in enumerate(ANSWERS)
    ]  # fmt: skip
    table = folder / "t.jsonl"
    table.write_text("".join(json.dumps(row) + "\n" for row in rows) + '{"id": "broken"}\n')
    made, log = str(folder / "out"), str(folder / "a.log")
    main(["audit", str(table), "-o", made, "--jobs", "1", "--isolated", "--log", log,
          "--by", "Ann Lee", "--purpose", "Answers of May", "--sample", "4"])  # fmt: skip
    return folder / "out"


PAGES = ("report.html",)


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_but_what_is_minor(
    browser: Any, out: Path, name: str, scheme: str
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = browser.new_page(color_scheme=scheme)
    page.goto((out / name).as_uri())
    found = Axe().run(page).response["violations"]
    page.close()

    assert [
        (one["id"], [node["html"][:120] for node in one["nodes"][:3]])
        for one in found
        if one["impact"] != "minor"
    ] == []


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
@pytest.mark.parametrize("name", PAGES)
def test_no_page_is_wider_than_a_phone_nor_asks_for_anything(
    browser: Any, out: Path, name: str
) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((out / name).as_uri())

    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert asked == [(out / name).as_uri()]
    page.close()
