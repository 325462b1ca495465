"""Real SPARQL servers on a free loopback port, each a context manager that yields its query URL."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import ProxyHandler, build_opener

import pytest

_DEADLINE = 60.0  # seconds for a server to come up on a busy machine

_INI = """
[Database]
DatabaseFile = {folder}/virtuoso.db
ErrorLogFile = {folder}/virtuoso.log
LockFile = {folder}/virtuoso.lck
TransactionFile = {folder}/virtuoso.trx
xa_persistent_file = {folder}/virtuoso.pxa
[TempDatabase]
DatabaseFile = {folder}/virtuoso-temp.db
TransactionFile = {folder}/virtuoso-temp.trx
[Parameters]
ServerPort = 127.0.0.1:{sql}
DirsAllowed = {folder}
NumberOfBuffers = 10000
MaxDirtyBuffers = 6000
[HTTPServer]
ServerPort = 127.0.0.1:{http}
ServerRoot = {folder}/vsp
EnabledDavVSP = 0
[SPARQL]
ResultSetMaxRows = 100000
MaxQueryCostEstimationTime = 0
MaxQueryExecutionTime = 60
"""


#: The user that is not told may write.
_OPEN = "grant SPARQL_UPDATE to \"SPARQL\";\nDB.DBA.RDF_DEFAULT_USER_PERMS_SET('nobody', 7);\n"


@contextlib.contextmanager
def oxigraph(*files: Path) -> Iterator[str]:
    """Serve RDF files with `oxigraph serve` (PyPI package oxigraph)."""
    binary = shutil.which("oxigraph", path=f"{Path(sys.executable).parent}{os.pathsep}{os.defpath}")
    assert binary, "the package oxigraph is not installed"
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        load = [binary, "load", "--location", folder, *(f"--file={file}" for file in files)]
        if files:
            subprocess.run(load, check=True, capture_output=True, timeout=_DEADLINE)
        serve = [binary, "serve", "--location", folder, "--bind", f"127.0.0.1:{port}"]
        with running(serve, folder):
            await_answer(f"http://127.0.0.1:{port}/")
            yield f"http://127.0.0.1:{port}/query"


@contextlib.contextmanager
def virtuoso(*files: Path, update: bool = False) -> Iterator[str]:
    """Serve RDF files with Virtuoso (Debian's virtuoso-opensource); `update` lets all write.

    Where it is not installed the test is skipped, or fails if GROUNDRULES_REQUIRE_VIRTUOSO is 1.
    """
    server, isql = shutil.which("virtuoso-t"), shutil.which("isql-vt")
    if not server or not isql:
        if os.environ.get("GROUNDRULES_REQUIRE_VIRTUOSO") == "1":
            pytest.fail("virtuoso-t is not installed and GROUNDRULES_REQUIRE_VIRTUOSO is 1")
        pytest.skip("virtuoso-t is not installed (apt-get install virtuoso-opensource)")
    with tempfile.TemporaryDirectory() as folder:
        sql, http = free_port(), free_port()
        (Path(folder) / "vsp").mkdir()
        for file in files:
            shutil.copy(file, folder)
        ini = Path(folder) / "virtuoso.ini"
        ini.write_text(_INI.format(folder=folder, sql=sql, http=http), encoding="utf-8")
        with running([server, "+configfile", str(ini), "+foreground"], folder):
            await_answer(f"http://127.0.0.1:{http}/sparql?query=ASK%7B%7D")
            client = [isql, f"127.0.0.1:{sql}", "dba", "dba"]
            load = "".join(
                f"ld_dir('{folder}', '{file.name}', 'http://www.wikidata.org/');\n"
                for file in files
            )
            opened = _OPEN if update else ""
            done = subprocess.run(
                client,
                input=opened + load + "rdf_loader_run();\nselect ll_error from DB.DBA.load_list;\n",
                text=True, capture_output=True, check=True, timeout=600,
            )  # fmt: skip
            assert "Error" not in done.stdout, done.stdout
            yield f"http://127.0.0.1:{http}/sparql"
            subprocess.run(
                client, input="shutdown;\n", text=True, capture_output=True, timeout=_DEADLINE
            )


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def running(
    command: list[str], folder: str, environment: dict[str, str] | None = None
) -> Iterator[None]:
    """Run a server in a folder until the context ends."""
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def await_answer(url: str) -> None:
    """Wait until a server answers at all."""
    opener = build_opener(ProxyHandler({}))
    end = time.monotonic() + _DEADLINE
    while True:
        try:
            opener.open(url, timeout=5).close()
            return
        except HTTPError as error:
            error.close()
            return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)
