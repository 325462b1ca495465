"""A real browser without a window."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

_ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking"]


@contextlib.contextmanager
def chromium() -> Iterator[Any]:
    """Start Chromium (Debian's chromium) by Playwright, and give its browser.

    Where it is not installed the test is skipped, or fails if GROUNDRULES_REQUIRE_CHROMIUM is 1.
    """
    binary = shutil.which("chromium") or shutil.which("google-chrome")
    if not binary:
        if os.environ.get("GROUNDRULES_REQUIRE_CHROMIUM") == "1":
            pytest.fail("chromium is not installed and GROUNDRULES_REQUIRE_CHROMIUM is 1")
        pytest.skip("chromium is not installed (apt-get install chromium)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=binary, args=_ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()
