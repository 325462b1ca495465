"""What is said where a framework is not installed."""

from __future__ import annotations

import subprocess
import sys

from tests.rows import each


@each("module package what install")
def test_one_line_says_what_to_install(module: str, package: str, what: str, install: str) -> None:
    code = f"import sys; sys.modules[{package!r}] = None; import groundrules.integrations.{module}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)

    line = f"{what} is not installed; run: pip install {install}"
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == f"groundrules.errors.ConfigError: {line}"
    assert "During handling" not in done.stderr


@each("command package what")
def test_a_command_says_in_one_line_what_to_install(command: str, package: str, what: str) -> None:
    code = (
        f"import sys; sys.modules[{package!r}] = None; from groundrules.cli.main import main; "
        f"sys.exit(main([{command!r}]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)

    line = f"which is not installed; run: pip install 'groundrules[{command}]'"
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"groundrules: {what}, {line}\n"
