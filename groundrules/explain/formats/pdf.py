"""The format `pdf`: the page of `html` on paper, by WeasyPrint (extra `pdf`)."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from groundrules.errors import ConfigError
from groundrules.explain.formats import Look, html

if TYPE_CHECKING:
    from groundrules.terms import Report


def render(reports: Sequence[Report], look: Look) -> bytes:
    """Return reports as a PDF; ConfigError where WeasyPrint, or what it draws with, is missing.

    The same reports give the same bytes on the same machine, and no address is asked.
    """
    return print_page(html.render(reports, look, paper=True))


def print_page(page: str) -> bytes:
    """Return a page as a PDF; ConfigError as of `render`."""
    weasyprint = _weasyprint()
    page = page.encode("utf-8", errors="backslashreplace").decode("utf-8")
    logging.getLogger("weasyprint").setLevel(logging.CRITICAL)  # it tells what CSS it does not know
    # no protocol is allowed: a report fetches nothing
    nothing = weasyprint.urls.URLFetcher(allowed_protocols=())
    made: bytes = weasyprint.HTML(string=page, url_fetcher=nothing).write_pdf(
        pdf_tags=True, pdf_identifier=b"groundrules"
    )
    return made


def _weasyprint() -> Any:
    try:
        import weasyprint
    except ImportError as error:
        raise ConfigError(
            "the format pdf needs WeasyPrint; pip install 'groundrules[pdf]'"
        ) from error
    except OSError as error:  # it loads the libraries of the system when it is imported
        raise ConfigError(
            "the format pdf needs the library Pango of the system; apt-get install libpango-1.0-0 "
            "libpangoft2-1.0-0, or write html and print it"
        ) from error
    return weasyprint
