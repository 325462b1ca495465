"""The pictures in docs: the HTML report of the shipped lease, and the page of `groundrules serve`.

    python -m benchmarks.pictures [--out docs]

Checks the example, opens its report in headless Chromium (Debian's chromium, by Playwright) and
writes report-light.png and report-dark.png; the time on them is fixed. Then it starts the service,
tries the page's own example and writes page-light.png, page-dark.png and page-phone.png. Only a
change of a page, the verdicts or the fonts of the machine changes them.
"""

from __future__ import annotations

import argparse
import contextlib
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.request import ProxyHandler, build_opener

from groundrules import check
from groundrules.explain.formats import Look
from groundrules.explain.formats.html import render

ROOT = Path(__file__).parents[1]
EXAMPLE = Path("examples/lease")
AT = "2026-11-22T09:00:00Z"
#: Colours, what is shown first, and how high the picture is.
PICTURES = {"light": ("", 930), "dark": ("#s3", 800)}
_WIDTH = 1440
_PORT = 8798
#: Of the page of the service: colours, and how wide and high the picture is.
PAGES = {"light": ("light", 1160, 900), "dark": ("dark", 1160, 900), "phone": ("light", 390, 844)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the pictures into a folder."""
    parser = argparse.ArgumentParser(description="The pictures in docs.")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "pictures", metavar="FOLDER")
    args = parser.parse_args(arguments)
    binary = shutil.which("chromium")
    if binary is None:
        print("chromium is not installed; apt-get install chromium", file=sys.stderr)
        return 2
    with contextlib.chdir(ROOT):  # so that the files have short names
        report = check(EXAMPLE / "answer.txt", context=EXAMPLE / "lease.txt")
    report = replace(report, run=replace(report.run, at=AT))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.html"
        path.write_text(render([report], Look()), encoding="utf-8")
        with open_browser(binary) as browser, _service() as address:
            _shoot_report(browser, path, args.out)
            _shoot_page(browser, address, args.out)
    return 0


@contextlib.contextmanager
def open_browser(binary: str) -> Iterator[Any]:
    """Give a browser without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=binary, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        yield browser
        browser.close()


@contextlib.contextmanager
def _service() -> Iterator[str]:
    """Start the service and give its address."""
    command = [sys.executable, "-m", "groundrules.cli.main", "serve", "--workers", "1"]
    command += ["--port", str(_PORT)]
    address = f"http://127.0.0.1:{_PORT}"
    opener = build_opener(ProxyHandler({}))
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL) as process:
        try:
            while process.poll() is None:
                with contextlib.suppress(OSError):
                    opener.open(f"{address}/ready", timeout=5).close()
                    break
                time.sleep(0.2)
            yield address
        finally:
            process.terminate()


def _shoot_report(browser: Any, path: Path, out: Path) -> None:
    for scheme, (shown, height) in PICTURES.items():
        page = browser.new_page(viewport={"width": _WIDTH, "height": height}, color_scheme=scheme)
        page.goto(path.as_uri() + shown)
        page.screenshot(path=out / f"report-{scheme}.png")
        page.close()


def _shoot_page(browser: Any, address: str, out: Path) -> None:
    """Take the page with what was found: an edit accepted, and on a phone the first card."""
    for name, (scheme, width, height) in PAGES.items():
        page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
        page.goto(address)
        page.click("#example")
        page.wait_for_selector("#results .conclusion")
        if name == "phone":
            page.locator("details.card").first.evaluate("(card) => card.scrollIntoView()")
        else:
            page.locator("button.accept").first.click()
        page.mouse.move(0, 0)
        page.screenshot(path=out / f"page-{name}.png")
        page.close()


if __name__ == "__main__":
    sys.exit(main())
