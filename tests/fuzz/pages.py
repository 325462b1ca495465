"""Pages of HTML with styles, attributes and elements at random, held against a browser."""

from __future__ import annotations

import atexit
import functools
import shutil
from typing import Any

from hypothesis import strategies as st

from groundrules.claims.formats.styles import UNDERSTOOD
from tests.browsers import chromium
from tests.claims.test_pages import alike, drawn, read

_TAGS = [*" ".join(UNDERSTOOD["elements"].values()).split(), *"svg math marquee ruby x-y".split()]
_NAMES = [
    *sorted({name for one in UNDERSTOOD["styles"] for name in one["properties"].split()}),
    "order", "content", "rotate", "scale", "translate", "clip", "offset-path", "all", "quotes",
    "content-visibility", "flex-direction", "grid-row", "-webkit-text-security",
    "-webkit-text-fill-color", "text-combine-upright", "initial-letter", "counter-reset",
]  # fmt: skip
_VALUES = (
    "0", "1", "-1", ".01", "50%", "-9px", "9px", "99px", "-999px", "9em", "none", "auto", "hidden",
    "visible", "block", "inline", "inline-block", "flex", "grid", "contents", "table-cell", "right",
    "left", "absolute", "relative", "fixed", "rtl", "bidi-override", "white", "transparent", "#000",
    "super", "sub", "uppercase", "small-caps", "line-through", "nowrap", "pre", "'9'", "inherit",
    "scaleX(-1)", "row-reverse", "collapse", "0/0 a", "url(x)", "var(--x)", "calc(1px - 99px)",
)  # fmt: skip
_ATTRIBUTES = (
    "", "", "", " hidden", " dir=rtl", " open", " value=9", " start=9", " bgcolor=black",
    " color=white", " popover", " multiple", " reversed", " alt=9", " label=9",
)  # fmt: skip
_SELECTORS = """.a;.b;.c;.B;#d;.a .b;.a > .b;p;*;p + .a;.a:hover;.b:not(.x);.b.c;.x, .b;.b, $
[class];:root;.a::before;.b:first-child;} .b;body .b;.x .b""".replace("\n", ";").split(";")
_AT = """@media print;@media screen;@media (max-width: 600px);@media (min-width: 600px)
.a;@font-face;@supports (display: grid);@layer x;@media (orientation: landscape)""".replace(
    "\n", ";"
).split(";")


def pages() -> st.SearchStrategy[str]:
    """Draw a sentence with a part of it in an element, in another one."""
    declared = st.builds("{}:{}{}".format, st.sampled_from(_NAMES), st.sampled_from(_VALUES),
                         st.sampled_from(("", "", "!important")))  # fmt: skip
    style = st.lists(declared, max_size=3).map(";".join)
    rule = st.builds("{} {{{}}}".format, st.sampled_from(_SELECTORS), style)
    within = st.builds("{} {{ {} }}".format, st.sampled_from(_AT), rule)
    sheet = st.just("") | st.lists(rule | within, max_size=3).map("\n".join)
    element = st.tuples(st.sampled_from(_TAGS), st.sampled_from(_ATTRIBUTES), style)

    def made(outer: tuple[str, str, str], inner: tuple[str, str, str], said: str) -> str:
        (first, had, drawn_so), (second, has, styled) = outer, inner
        within = f'$5<{second}{has} class="b c" style="{styled}">9</{second}>,100'
        whole = f'<{first}{had} class=a id=d style="{drawn_so}">The rent is {within}.</{first}>'
        return f"<style>{said}</style>" * bool(said) + f"<p>One.</p>{whole}"

    return st.builds(made, element, element, sheet)


@functools.cache
def _tab() -> Any:
    started = chromium()
    atexit.register(started.__exit__, None, None, None)
    return started.__enter__().new_page(viewport={"width": 1280, "height": 2000})


def hold_page(page: str) -> None:
    """Fail where a browser shows what is neither read nor named."""
    text, unread = read(page)
    assert unread or alike(text) == alike(drawn(_tab(), page)), page


def has_browser() -> bool:
    """Return whether there is a browser to hold pages against."""
    return bool(shutil.which("chromium") or shutil.which("google-chrome"))
