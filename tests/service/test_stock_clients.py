"""Programs of stock clients, of which only the base URL is ours, get answers that were checked."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from groundrules.claims.documents.document import Document
from groundrules.service.startup import Settings
from tests.llm_server import Server, chat
from tests.service.serving import serving

pytestmark = [pytest.mark.enable_socket, pytest.mark.allow_hosts(["127.0.0.1"])]
ROOT = Path(__file__).parents[2]
PROGRAMS = ROOT / "examples" / "clients"
#: Where `make test` installs clients that ask for another release of openai than ours.
APART = ROOT / "build" / "clients" / "bin" / "python"
NEEDS = {"openai": "openai", "langchain": "langchain_openai",
         "llamaindex": "llama_index.llms.openai"}  # fmt: skip
WRONG, RIGHT = "The Otter carries 120 passengers.", "The Otter carries 80 passengers."


def interpreter(module: str) -> str:
    """Return the Python that has a module; the test is skipped where none has it."""
    try:
        if importlib.util.find_spec(module) is not None:
            return sys.executable
    except ModuleNotFoundError:
        pass
    if not APART.exists():
        pytest.skip(f"{module} is not installed (make test does)")
    return str(APART)


@pytest.mark.parametrize("client", NEEDS)
def test_a_program_that_sets_the_base_url_alone_prints_the_answer_that_the_context_mends(
    client: str,
) -> None:
    python = interpreter(NEEDS[client])
    program = PROGRAMS / f"with_{client}.py"
    with ExitStack() as stack:
        upstream = stack.enter_context(Server(lambda request: chat(WRONG)))
        given = Settings(
            workers=1, upstream=upstream.url, upstream_key="none", on_fail="fix",
            context=(Document("register.txt", f"The Otter was built in 1994. {RIGHT}"),),
        )  # fmt: skip
        served = stack.enter_context(serving(given))
        environment = {name: value for name, value in os.environ.items() if "PROXY" not in
                       name.upper()}  # fmt: skip
        done = subprocess.run(
            [python, str(program), f"{served.url}/v1"],
            capture_output=True, text=True, check=False, timeout=120,
            env={**environment, "LANGSMITH_TRACING": "false", "NO_PROXY": "127.0.0.1"},
        )  # fmt: skip

    assert done.stdout.strip() == RIGHT, done.stderr
    assert len(program.read_text("utf-8").splitlines()) <= 20
