"""`groundrules serve` as a process: its start, its end and what it refuses."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from groundrules.cli.main import main
from groundrules.cli.serve import named
from groundrules.errors import ConfigError
from tests.servers import free_port


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["serve", "--isolated", *arguments]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    return line


def test_it_is_not_open_to_others_without_a_key(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GROUNDRULES_API_KEYS", raising=False)
    line = refusal(capsys, "--host", "0.0.0.0")
    assert line.startswith("groundrules: 0.0.0.0 lets other machines ask")


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_wrong_setting_is_a_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "no such file" in refusal(capsys, "--schema", str(tmp_path / "none.json"))
    assert "cannot be read" in refusal(capsys, "--keys", str(tmp_path / "none"))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"127.0.0.1:{port} cannot be listened on" in refusal(capsys, "--port", str(port))
    assert "expected NAME=" in refusal(capsys, "--kb", "a/x.ttl", "--kb", "b/x.ttl")
    assert "expected --upstream URL" in refusal(capsys, "--context", "a.txt")
    assert "has no scheme" in refusal(capsys, "--upstream", "localhost:8000/v1")
    upstream = ("--upstream", "http://127.0.0.1:8000/v1")
    assert "no such file" in refusal(capsys, *upstream, "--context", str(tmp_path / "none.txt"))


def test_what_is_named_has_a_name_for_clients() -> None:
    assert named(["wikidata", "facts=/srv/a.ttl", "/srv/b.ttl"]) == {
        "wikidata": "wikidata",
        "facts": "/srv/a.ttl",
        "b": "/srv/b.ttl",
    }
    assert named(["https://kb.example/sparql?x=1", "c=https://kb.example/s?x=1"]) == {
        "sparql": "https://kb.example/sparql?x=1",
        "c": "https://kb.example/s?x=1",
    }
    with pytest.raises(ConfigError):
        named(["=x"])


@pytest.mark.slow
@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_it_serves_until_it_is_told_to_end_and_keeps_nothing(tmp_path: Path) -> None:
    port = free_port()
    environment = {key: value for key, value in os.environ.items() if key != "GROUNDRULES_CACHE"}
    command = [sys.executable, "-m", "groundrules.cli.main", "serve", "--isolated"]
    process = subprocess.Popen(
        [*command, "--port", str(port), "--workers", "1"],
        env={**environment, "XDG_CACHE_HOME": str(tmp_path / "cache"), "HOME": str(tmp_path)},
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        url, end = f"http://127.0.0.1:{port}", time.monotonic() + 120
        while not ready(url):
            assert time.monotonic() < end
            assert process.poll() is None, process.communicate()
            time.sleep(0.1)
        body = {
            "text": "The Marlin was built in 1996.",
            "sources": [{"name": "a.txt", "text": "The Marlin was built in 1994."}],
        }
        answer = httpx.post(f"{url}/check?q=halibut", json=body, trust_env=False, timeout=60)
        assert answer.json()["conforms"] is False
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 0, err
    assert out == ""
    assert "Traceback" not in err
    assert f"127.0.0.1:{port}" in err
    assert "POST /check 200" in err
    assert "Marlin" not in err
    assert "halibut" not in err
    assert [one.name for one in tmp_path.rglob("*") if one.is_file()] == []


def ready(url: str) -> bool:
    try:
        return httpx.get(f"{url}/ready", trust_env=False).status_code == 200
    except httpx.TransportError:
        return False


@pytest.mark.slow
@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_model_that_is_missing_at_the_start_is_a_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "groundrules.cli.main", "serve", "--isolated"]
    done = subprocess.run(
        [*command, "--model", "en_core_web_none", "--port", str(free_port()), "--workers", "1"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stderr.splitlines()[-1].startswith("groundrules: ")
    assert "en_core_web_none" in done.stderr
