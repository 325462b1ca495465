"""The `markdown` format: a report for a comment, an issue or a page, in CommonMark with tables.

Nothing of the checked text is read as Markdown or HTML, and it makes no link.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, Template
from markupsafe import Markup

from groundrules.explain import view
from groundrules.explain.contrast import clip
from groundrules.explain.formats import Look
from groundrules.explain.listing import UNSETTLED_PAGE, page_of, position, results
from groundrules.explain.place import locate, printable
from groundrules.rules.packs import shipped
from groundrules.terms import Conclusion, Report

#: What CommonMark or GitHub reads within a line, and what it reads at the beginning of one.
_SIGNS = re.compile(r"([\\`*_{}\[\]<>|~&$^!#])")
_OPENING = re.compile(r"^([0-9]{0,9})([-+=.)])(?=[-=\s]|$)")
_LINKS = re.compile(r"(?i)(https?|ftp|mailto|www|xmpp)([:.])")


def render(reports: Sequence[Report], look: Look) -> str:
    """Return the reports one below the other."""
    return "\n".join(_rendered(report) for report in reports)


def _rendered(report: Report) -> str:
    found = results(report)
    counting = [one for one in found if one.override is None]
    made = _template().render(
        report=report,
        unchecked=[one for one in found if one.kind == "unchecked"],
        standing=[one for one in counting if one.kind == "fail"],
        opened=[one for one in counting if one.kind == "open" and one.statement],
        aside=[one for one in found if one.override],
        v=view,
        clip=clip,
        locate=locate,
        page_of=page_of,
        position=position,
        shipped=shipped(),
        unsettled_page=UNSETTLED_PAGE,
        Conclusion=Conclusion,
    )
    return re.sub(r"\n{3,}", "\n\n", made).rstrip() + "\n"


@cache
def _template() -> Template:
    """Return the template, in which all that is printed is shown as it is but for our links."""

    def told(value: Any) -> Markup:  # `plain` escapes what Markdown and HTML read
        return value if isinstance(value, Markup) else Markup(plain(str(value)))  # noqa: S704

    made = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        finalize=told,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["link"] = Markup
    return made.get_template("markdown.jinja")


def plain(text: str) -> str:
    """Return a text as one line of Markdown that shows it, whatever it holds."""
    escaped = _SIGNS.sub(r"\\\1", printable(" ".join(text.split())))
    # names, numbers and addresses are linked without any sign: a joiner that none sees parts them
    parted = _LINKS.sub("\\1\u2060\\2", re.sub("([@#])", "\\1\u2060", escaped))
    return _OPENING.sub(r"\1\\\2", parted)
