"""The container file, the compose file and the Kubernetes example: what can be tried without them.

No engine runs where the project is written. The commands in the files are run here as they stand,
at other ports and paths; the rest is read.
"""

from __future__ import annotations

import http.client
import json
import re
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from groundrules.cli.main import command
from groundrules.service.gate import OPEN
from tests.servers import free_port, running

ROOT = Path(__file__).parents[1]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
DEPLOYMENT, BUDGET, SERVICE, POLICY = yaml.safe_load_all(
    (ROOT / "deploy" / "kubernetes.yaml").read_text(encoding="utf-8")
)
POD = DEPLOYMENT["spec"]["template"]
(CONTAINER,) = POD["spec"]["containers"]
PORT, USER = 8765, 10001
#: Seconds until a replica that is to end is told so.
WAITS = int(CONTAINER["lifecycle"]["preStop"]["exec"]["command"][1])


def instructions() -> list[tuple[str, str]]:
    """Return the instructions of the container file, each with what follows its name."""
    lines = [line for line in DOCKERFILE.splitlines() if not line.lstrip().startswith("#")]
    joined = re.sub(r" *\\\n *", " ", "\n".join(lines))
    parted = (line.partition(" ") for line in joined.splitlines() if line.strip())
    return [(name, rest) for name, _, rest in parted]


STEPS = instructions()
#: How each file starts the service.
STARTS = {
    "Dockerfile": json.loads(dict(STEPS)["CMD"]),
    "compose": COMPOSE["services"]["groundrules"]["command"],
    "kubernetes": CONTAINER["args"],
}


def copied() -> set[str]:
    """Return what the image takes of the repository."""
    given = [rest for name, rest in STEPS if name == "COPY" and "--from" not in rest]
    return {part.removeprefix("./") for rest in given for part in rest.split()[:-1]}


def test_the_image_copies_what_is_there_and_has_no_secret_and_no_script_of_the_network() -> None:
    ignored = (ROOT / ".dockerignore").read_text().splitlines()

    assert copied() == {line.removeprefix("!") for line in ignored if line.startswith("!")}
    assert all((ROOT / name).exists() for name in copied())
    assert ignored[1] == "*"
    assert not {name for name, _ in STEPS} & {"ADD", "ARG", "ONBUILD", "SHELL", "VOLUME"}
    assert not re.search(r"curl|wget|sudo|chmod 777|KEY=|PASSWORD=", DOCKERFILE)


PIN = re.compile(r"^([\w.-]+)==([^\s;\\]+)[^\n]*\\\n((?: +--hash=sha256:[0-9a-f]{64}.*\n?)+)", re.M)


def test_what_the_image_installs_is_locked_by_hash_in_the_versions_that_the_tests_run() -> None:
    image, tested = (
        {name: version for name, version, _ in PIN.findall((ROOT / path).read_text())}
        for path in ("deploy/requirements.lock", "requirements.lock")
    )
    lines = (ROOT / "deploy" / "requirements.lock").read_text().splitlines()
    installs = [part for name, rest in STEPS if name == "RUN" for part in rest.split(" && ")
                if "pip install" in part]  # fmt: skip
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (given,) = re.findall(r"--extra serve .*--extra mcp", (ROOT / "Makefile").read_text()
                          .replace("\\\n\t", " "))  # fmt: skip
    extras = re.findall(r"--extra (\w+)", given)
    needs = [*project["dependencies"]]
    needs += [one for extra in extras for one in project["optional-dependencies"][extra]]

    assert len(image) == sum("==" in line for line in lines) > 50  # none is without a hash
    assert image.items() <= tested.items()
    assert not {"torch", "pytest"} & set(image)
    assert all("--require-hashes" in one or "--no-deps --no-build-isolation" in one
               for one in installs)  # fmt: skip
    assert extras == ["serve", "llm", "mcp"]
    assert {re.split(r"[^\w.-]", one)[0].lower().replace("_", "-") for one in needs} <= set(image)


# --- what the three have in common


@pytest.mark.parametrize("start", STARTS.values(), ids=STARTS)
def test_every_option_is_one_that_serve_has(start: Sequence[str]) -> None:
    name, *options = start
    args = command(name).parser().parse(options)

    assert (name, args.host, args.port) == ("serve", "0.0.0.0", PORT)


def test_user_and_port_are_the_same_everywhere_and_nothing_may_become_more() -> None:
    service = COMPOSE["services"]["groundrules"]
    pod, held = POD["spec"]["securityContext"], CONTAINER["securityContext"]

    assert dict(STEPS)["USER"] == service["user"] == f"{USER}:{USER}"
    assert (pod["runAsUser"], pod["runAsGroup"], pod["runAsNonRoot"]) == (USER, USER, True)
    assert re.search(rf"useradd .*--uid {USER} .*--gid {USER}", DOCKERFILE)
    assert dict(STEPS)["EXPOSE"] == str(PORT)
    assert service["ports"] == [f"127.0.0.1:{PORT}:{PORT}"]
    assert [one["containerPort"] for one in CONTAINER["ports"]] == [PORT]
    for name in ("groundrules", "oxigraph"):
        one = COMPOSE["services"][name]
        assert (one["read_only"], one["cap_drop"]) == (True, ["ALL"])
        assert one["security_opt"] == ["no-new-privileges:true"]
        assert one["mem_limit"]
    assert (held["readOnlyRootFilesystem"], held["allowPrivilegeEscalation"]) == (True, False)
    assert held["capabilities"] == {"drop": ["ALL"]}
    assert [one["mountPath"] for one in CONTAINER["volumeMounts"]] == ["/tmp"]


def test_memory_is_that_of_the_workers_and_the_grace_that_of_a_check() -> None:
    service = COMPOSE["services"]["groundrules"]
    grace = POD["spec"]["terminationGracePeriodSeconds"]
    for start, limit, seconds in (
        (STARTS["compose"], service["mem_limit"], int(service["stop_grace_period"].rstrip("s"))),
        (STARTS["kubernetes"], CONTAINER["resources"]["limits"]["memory"], grace - WAITS),
    ):
        args = command("serve").parser().parse(start[1:])
        # a worker has some 400 MiB before a check, the server 100
        needed = args.workers * (args.memory + 400) + 100
        assert needed <= int(limit.rstrip("gGi")) * 1024
        assert args.seconds + 10 < seconds


def test_no_image_is_of_whatever_release() -> None:
    images = [one["image"] for one in COMPOSE["services"].values()] + [CONTAINER["image"]]

    assert all(re.search(r":\d+\.\d+\.\d+(@sha256:[0-9a-f]{64})?$", image) for image in images)
    # those of others by their digest, ours by where it is pushed to
    assert all("@sha256:" in image or "groundrules:" in image for image in images)


def test_the_keys_come_from_a_secret_alone() -> None:
    text = (ROOT / "deploy" / "kubernetes.yaml").read_text(encoding="utf-8")

    assert CONTAINER["envFrom"] == [{"secretRef": {"name": "groundrules-keys"}}]
    assert "env" not in CONTAINER
    assert re.search(r"^# +--from-literal=GROUNDRULES_API_KEYS=", text, re.MULTILINE)
    secret = COMPOSE["services"]["groundrules"]["secrets"]
    assert secret == list(COMPOSE["secrets"]) == ["keys"]
    assert "--keys=/run/secrets/keys" in STARTS["compose"]


# --- Kubernetes


def test_names_can_be_looked_up_and_nothing_else_reached_and_probes_need_no_key() -> None:
    (rule,) = POLICY["spec"]["egress"]
    probes = {one: CONTAINER[f"{one}Probe"]["httpGet"] for one in ("startup", "liveness",
                                                                  "readiness")}  # fmt: skip

    assert {(one["protocol"], one["port"]) for one in rule["ports"]} == {("UDP", 53), ("TCP", 53)}
    assert rule["to"][0]["podSelector"]["matchLabels"] == {"k8s-app": "kube-dns"}
    assert [probe["path"] for probe in probes.values()] == ["/health", "/health", "/ready"]
    assert {"/health", "/ready"} <= set(OPEN)
    assert {probe["port"] for probe in probes.values()} == {CONTAINER["ports"][0]["name"]}


# --- run


KEY = "a-key-that-is-long-enough"


@contextmanager
def started(options: Sequence[str], port: int, folder: Path) -> Iterator[None]:
    """Run `groundrules serve` as a file starts it, on this machine alone and at a port."""
    given = ["--host=127.0.0.1" if one.startswith("--host=") else one for one in options]
    given = [f"--keys={folder / 'keys.txt'}" if "--keys=" in one else one for one in given]
    (folder / "keys.txt").write_text(KEY)
    serve = [sys.executable, "-m", "groundrules.cli.main", *given, f"--port={port}"]
    with running(serve, str(folder)):
        deadline = time.monotonic() + 120
        while get(port, "/ready")[0] != 200:
            assert time.monotonic() < deadline, "the service is not ready"
            time.sleep(0.2)
        yield


def get(port: int, way: str, body: object = None) -> tuple[int, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    try:
        method, data = ("POST", json.dumps(body)) if body else ("GET", None)
        connection.request(method, way, data, headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    except OSError:
        return 0, None
    finally:
        connection.close()


def healthy(port: int) -> int:
    """Run the health check of the container file at a port; return its exit code."""
    _, _, said = dict(STEPS)["HEALTHCHECK"].partition(" CMD ")
    program, *arguments = json.loads(said)
    assert program == "python"
    arguments = [one.replace(str(PORT), str(port)) for one in arguments]
    done = subprocess.run([sys.executable, *arguments], capture_output=True, timeout=30)
    return done.returncode


@pytest.mark.slow
@pytest.mark.enable_socket
def test_the_compose_file_starts_a_service_that_asks_the_oxigraph_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    oxigraph = Path(sys.executable).with_name("oxigraph")
    (tmp_path / "facts.ttl").write_text(
        (ROOT / "examples" / "kb" / "facts.ttl").read_text(encoding="utf-8")
    )
    port, query = free_port(), free_port()
    places = {"/data": str(tmp_path / "store"), "/facts": str(tmp_path),
              "0.0.0.0:7878": f"127.0.0.1:{query}"}  # fmt: skip

    def here(words: Sequence[str]) -> list[str]:
        for old, new in places.items():
            words = [word.replace(old, new, 1) if word.startswith(old) else word for word in words]
        return [word.replace("http://oxigraph:7878", f"http://127.0.0.1:{query}") for word in words]

    services = COMPOSE["services"]
    subprocess.run(
        [oxigraph, *here(services["load"]["command"])], check=True, capture_output=True, timeout=60
    )
    assert services["load"]["volumes"][0] == services["oxigraph"]["volumes"][0]
    folder, _, _ = services["load"]["volumes"][1].partition(":")
    assert (ROOT / folder / "facts.ttl").is_file()
    for name, value in services["groundrules"]["environment"].items():
        monkeypatch.setenv(name, value)
    claim = (ROOT / "examples" / "kb" / "claims.txt").read_text(encoding="utf-8")
    with ExitStack() as stack:
        asked = [str(oxigraph), *here(services["oxigraph"]["command"])]
        stack.enter_context(running(asked, str(tmp_path)))
        assert healthy(port) != 0
        stack.enter_context(started(here(STARTS["compose"]), port, tmp_path))
        status, report = get(port, "/check", {"text": claim, "kb": ["facts"]})
        shown = re.search(r"-d '({.*})'", (ROOT / "compose.yaml").read_text(encoding="utf-8"))
        assert shown
        told = get(port, "/check", json.loads(shown[1]))[1]
        assert healthy(port) == 0

    assert status == 200
    assert {one["outcome"] for one in told["statements"]} == {"supported"}
    outcomes = {one["outcome"] for one in report["statements"]}
    assert outcomes >= {"supported", "refuted"}
    assert "error" not in outcomes
