"""One module an output format, each an entry point of the group `groundrules.formats`.

A format is a function of reports and of how they are shown, `(reports, look) -> text`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import TYPE_CHECKING

from groundrules import plugins
from groundrules.errors import type_of

if TYPE_CHECKING:
    from groundrules.terms import Report

#: In which order the formats are named: the default first, those of others after these.
_ORDER = (
    "text", "full", "concise", "html", "markdown", "json", "jsonl", "sarif", "junit", "github",
    "turtle", "trig", "jsonld",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Look:
    """How a text is shown: in colours, `columns` wide if that is known.

    `level` is the severity from which on a finding fails a text.
    `redact` keeps the words of texts and sources out; `load` has done so before a format is asked.
    `command` is the one that the report is of, `log` and `public_key` the files where it was logged
    and by which the log is verified; each is empty where there is none.
    """

    color: bool = False
    columns: int | None = None
    level: str = "error"
    redact: bool = False
    command: str = ""
    log: str = ""
    public_key: str = ""


Format = Callable[[Sequence["Report"], Look], str]


def names() -> tuple[str, ...]:
    """Return the names of the formats of a report, the default first."""
    found = plugins.registered(plugins.FORMATS)
    return (*(name for name in _ORDER if name in found), *(n for n in found if n not in _ORDER))


def load(name: str) -> Format:
    """Return the format of a name; ConfigError where there is none or it cannot be loaded.

    ConfigError of the format itself where it fails or returns no text.
    """
    form = plugins.load(plugins.FORMATS, name, FunctionType)

    def render(reports: Sequence[Report], look: Look) -> str:
        if look.redact:
            from groundrules.explain.redact import redacted

            reports = [redacted(report) for report in reports]
        with plugins.blame(plugins.FORMATS, name):
            made = form(reports, look)
            if not isinstance(made, str):
                raise TypeError(f"returned {type_of(made)}; expected a str")
        return made

    return render
