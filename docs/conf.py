"""The documentation as a site: `make site` builds it from docs/, and any dead link fails it.

The pages of the rules are made here and are not kept in git: there the links to a rule lead to its
file, here to its page.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[1]))  # `tools` is in no package

from groundrules import __version__
from groundrules.cli.main import COMMANDS, command
from tools.docs import shipped, write_pages

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "groundrules"
release = __version__
extensions = [
    "myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinxcontrib.mermaid",
]  # fmt: skip
exclude_patterns = ["conf.py"]
html_theme = "furo"
html_title = "groundrules"
nitpicky = True
nitpick_ignore_regex = [("py:.*", ".*")]  # the types in signatures have no pages
myst_heading_anchors = 4
autodoc_member_order = "bysource"
myst_fence_as_directive = ["mermaid"]
suppress_warnings = ["misc.highlighting_failure"]  # its SPARQL has no paths with `|`

_RULE = re.compile(
    r"\]\((?:\.\./)+groundrules/(?:rules/packs/[a-z]+|legal/pack)/([a-z0-9-]+)\.toml\)"
)
# a page outside docs, as the card of a model, is no page of the site: it is given as a file
_OUTSIDE = re.compile(
    r"\]\(((?:\.\./)+(?:(?:groundrules|training|benchmarks)/[^)#]+|CONTRIBUTING)\.md)\)"
)
_CONTENTS = """

```{toctree}
:hidden:
:glob:

tutorial
how-to/*
reference/*
reference/rules/README
reference/rules/*
explanation/*
decisions/README
decisions/*
```
"""


def _make_pages(app: Sphinx) -> None:
    write_pages(Path(app.srcdir) / "reference" / "rules", shipped())


def _read(app: Sphinx, name: str, source: list[str]) -> None:
    text = _OUTSIDE.sub(r"](path:\1)", _RULE.sub(r"](/reference/rules/\1.md)", source[0]))
    if name == "reference/commands":
        text += _all_help()
    source[0] = text + (_CONTENTS if name == app.config.root_doc else "")


def _all_help() -> str:
    said = ((name, command(name).parser().format_help()) for name in COMMANDS)
    return "".join(f"\n## groundrules {name}\n\n```text\n{text}```\n" for name, text in said)


def setup(app: Sphinx) -> None:
    """Make the pages of the rules, lead the links there, and list all pages in the contents."""
    app.connect("builder-inited", _make_pages)
    app.connect("source-read", _read)
