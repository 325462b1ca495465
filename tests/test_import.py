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
NAMES = [
    "Account", "Claim", "Conclusion", "Config", "ConfigError", "Document", "Edit", "EditOperation",
    "Evidence", "GroundrulesError", "GuardError", "Guarded", "LLMError", "Mention",
    "Metric", "Modality", "ModelError",
    "Outcome", "Policy", "Report", "RuleError", "Run", "Severity", "SourceError", "Span",
    "Statement", "Triple",
    "Verdict", "Violation", "__version__", "aguard", "ask", "check", "extract", "guard",
]  # fmt: skip


def loaded(statement: str) -> set[str]:
    """Return which of the heavy libraries a fresh interpreter has after a statement."""
    code = f"{statement}\nimport sys\nprint('\\n', *sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    return set(done.stdout.splitlines()[-1].split()) & set(HEAVY)


def test_the_public_names_are_these() -> None:
    assert groundrules.__all__ == NAMES
    assert set(NAMES) <= set(dir(groundrules))


@pytest.mark.parametrize("name", NAMES)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(groundrules, name) is not None


def test_a_name_that_is_not_public_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'chekc'"):
        _ = groundrules.chekc


def test_check_is_the_check_of_the_pipeline() -> None:
    from groundrules import api, check

    assert check is api.check


def test_importing_the_package_imports_no_library() -> None:
    assert loaded("import groundrules") == set()


def test_importing_check_imports_no_model_and_no_reader() -> None:
    assert loaded("from groundrules import check") <= {"rdflib", "pyoxigraph"}


def test_a_page_of_a_rule_needs_no_model_and_no_reader() -> None:
    statement = "from groundrules.cli.main import main; assert main(['rule', 'GR201']) == 0"

    assert loaded(statement) <= {"rdflib", "pyoxigraph"}


def test_the_embedded_pipeline_leaves_torch_alone() -> None:
    found = loaded("from groundrules.claims.offline import load; load()")

    assert "spacy" in found
    assert "torch" not in found


def test_the_embedded_pipeline_leaves_the_command_line_of_spacy_to_who_asks_for_it() -> None:
    code = """
import sys
from groundrules.claims.offline import load
load()
assert "spacy.cli" not in sys.modules
import spacy
assert spacy.info(silent=True)["spacy_version"] == spacy.__version__
assert spacy.cli.download.__module__ == "spacy.cli.download"
assert not hasattr(spacy, "clI")
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
