"""What every test shares: golden files, rewritten by `pytest --golden` or GOLDEN=1.

HYPOTHESIS_PROFILE=full tries most laws on three times as many examples.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.strategies import SHORT

# what a test finds does not depend on what another has kept
os.environ.setdefault("GROUNDRULES_CACHE", "off")
os.environ["GROUNDRULES_CONFIG"] = "off"  # nor on the readers that its user has added
os.environ.setdefault("OMP_NUM_THREADS", "1")  # torch spins at barriers where cores are few
# what HermiT is asked here takes less time than to compile HermiT well
os.environ.setdefault("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
GOLDEN = Path(__file__).parent / "golden"
#: Files that have torch or scikit-learn imported, which takes seconds: one process runs them all.
HEAVY = frozenset(
    """
    tests/align/test_cluster.py tests/models/test_embed.py tests/models/test_readers.py
    tests/models/test_head.py tests/models/test_passage_scorer.py tests/cli/test_eval_documents.py
    tests/cli/test_trainscorer.py tests/evaluate/test_rows.py tests/evaluate/test_documents.py
    tests/models/test_metrics.py
    """.split()
)

#: Files of few tests that take long: what begins last must not leave a core idle at the end.
LONG = frozenset(
    """
    tests/audit/test_actors.py tests/audit/test_dossier_browser.py tests/audit/test_runner.py
    tests/integrations/test_hooks.py tests/integrations/test_mcpserver.py
    tests/service/test_page.py tests/test_backtracking.py tests/test_deploy.py tests/test_site.py
    """.split()
)

settings.register_profile(
    "full",
    deadline=None,
    derandomize=True,
    max_examples=100,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("short", settings.get_profile("full"), max_examples=SHORT)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "short"))


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()  # thousands of tests that stay: no collection need look at them again
    gc.set_threshold(50_000, 20, 100)  # as in the command line: a tenth of the time is else its


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object:
    """Run the tests of a file in one process, those of all heavy files in one, long files first."""
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):  # type: ignore[misc]  # its types are unknown
        def _split_scope(self, nodeid: str) -> str:
            file = super()._split_scope(nodeid)
            return "heavy" if file in HEAVY else file

        def schedule(self) -> None:
            begins = self.collection is None
            super().schedule()
            for file in LONG & self.workqueue.keys() if begins else ():
                self.workqueue.move_to_end(file, last=False)

    return Scheduling(config, log) if config.getoption("dist") == "loadfile" else None


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden", action="store_true", help="rewrite the golden files")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a text with `tests/golden/<name>`, or write it there when asked to."""
    rewrite = request.config.getoption("--golden") or os.environ.get("GOLDEN") == "1"

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if rewrite:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="")
        assert path.read_bytes().decode("utf-8") == text, f"{name} differs; see `make golden`"

    return compare


@pytest.fixture
def inside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Audits check their texts in this process, see tests/service/inside.py."""
    from groundrules.audit import runner
    from tests.service.inside import Inside

    monkeypatch.setattr(runner, "Process", Inside)
