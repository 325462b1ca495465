"""What `import groundrules` gives, and what it leaves alone."""

from __future__ import annotations

import subprocess
import sys

import pytest

import groundrules

#: Libraries that take a tenth of a second and more to import.
HEAVY = (
    "spacy", "thinc", "onnxruntime", "numpy", "torch", "sklearn", "scipy", "eyecite", "lxml",
    "docx", "pypdf", "rdflib", "pyoxigraph", "openai", "pydantic", "jsonschema",
)  # fmt: skip


def loaded(statement: str) -> set[str]:
    """Return which of the heavy libraries a fresh interpreter has after a statement."""
    code = f"{statement}\nimport sys\nprint('\\n', *sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    return set(done.stdout.splitlines()[-1].split()) & set(HEAVY)


@pytest.mark.parametrize(
    ("statement", "most"),
    [
        ("import groundrules", ""),
        ("from groundrules import check", "rdflib pyoxigraph"),
        ("from groundrules.cli.main import main; main(['rule', 'GR201'])", "rdflib pyoxigraph"),
    ],
)
def test_what_needs_no_library_imports_none(statement: str, most: str) -> None:
    assert loaded(statement) <= {*most.split()}


def test_every_public_name_is_there_and_no_other() -> None:
    assert all(getattr(groundrules, name) is not None for name in groundrules.__all__)
    assert set(groundrules.__all__) <= set(dir(groundrules))
    with pytest.raises(AttributeError, match="has no attribute 'chekc'"):
        _ = groundrules.chekc


def test_the_embedded_pipeline_leaves_the_command_line_of_spacy_to_who_asks_for_it() -> None:
    code = """
import sys
from groundrules.claims.facts.offline import load
load()
assert not {"spacy.cli", "torch"} & {*sys.modules}
import spacy
assert spacy.info(silent=True)["spacy_version"] == spacy.__version__
assert spacy.cli.download.__module__ == "spacy.cli.download"
assert not hasattr(spacy, "clI")
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
