"""Latency, throughput and memory of `groundrules serve` on loopback, beside a plain check.

    python -m benchmarks.service [--data ../shared/data] [--clients 1,4,16] [--rounds 24]
                                 [--memory 2000] [--workers 2] [--json FILE] [--write PAGE]

An answer has about 200 words and its context about 700: lives that a language model wrote, and
what is known of these and of other people (`closed/wikibio`), each context as one document. No two
have a sentence in common, but where memory is measured. Every server is a process of its own, with
nothing kept on the disk; clients keep their connection, and each number of them has a new server.

cold       each client sends one request to a server that has just started
new        models are loaded; neither answer nor context was seen before
indexed    the context was indexed before, the answer was not seen before
again      answer and context were seen before; reports are not kept, so all but the reading is
           done again

The plain check is `api.check` in this process, one after the other, on the same texts in the same
run, new and again; its times and those of the server are wall seconds, so nothing else should run.
Memory: requests by 4 clients over 128 cases.
"""

from __future__ import annotations

import argparse
import gzip
import http.client
import json
import os
import re
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]

ANSWER, CONTEXT = 200, 700
HOST = "127.0.0.1"
#: Seconds that a request may take or wait: here all are to be answered.
PATIENCE = 300
#: What `groundrules.processes.resident` returns, without importing it before it is measured.
PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Case:
    """An answer and its context."""

    answer: str
    context: str

    def body(self, index: str = "") -> bytes:
        """Return the body of /check, with the context or its id."""
        source = {"index": index} if index else {"name": "context", "text": self.context}
        return json.dumps({"text": self.answer, "sources": [source]}).encode()


def read_cases(data: Path) -> list[Case]:
    """Return the cases, one for each person; SystemExit where the data is not there."""
    path = data / "closed" / "wikibio.jsonl.gz"
    if not path.is_file():
        raise SystemExit(f"left out: {path} is not there")
    lives: dict[str, tuple[str, str]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            lives.setdefault(row["doc_id"], (row["passage"], row["doc"]))
    found = list(lives.values())
    cases = []
    for start in range(len(found)):
        turned = found[start:] + found[:start]
        answer = cut((answer for answer, _ in turned), ANSWER)
        cases.append(Case(answer, cut((known for _, known in turned), CONTEXT)))
    return cases


def cut(texts: Iterator[str], words: int) -> str:
    """Return the first sentences of some texts, as many as have so many words."""
    sentences: list[str] = []
    for text in texts:
        for sentence in sentences_of(text):
            sentences.append(sentence)
            if sum(len(one.split()) for one in sentences) >= words:
                return " ".join(sentences)
    return " ".join(sentences)


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a text, as its stops tell them."""
    return re.split(r"(?<=[.!?]) +", text.strip())


def apart(cases: Sequence[Case]) -> list[Case]:
    """Return the cases that have no sentence of one before them, so that all of them is new."""
    known: set[str] = set()
    kept = []
    for case in cases:
        own = {*sentences_of(case.answer), *sentences_of(case.context)}
        if known.isdisjoint(own):
            kept.append(case)
            known |= own
    return kept


# --- a server and its clients -----------------------------------------------------------------


class Server:
    """A server that runs, and what it takes."""

    def __init__(self, process: subprocess.Popen[bytes], port: int, started: float) -> None:
        self.process, self.port, self.started = process, port, started

    def ask(
        self, way: str, body: bytes | None = None, line: http.client.HTTPConnection | None = None
    ) -> tuple[int, bytes]:
        """Return status and body of an answer."""
        connection = line or http.client.HTTPConnection(HOST, self.port, timeout=2 * PATIENCE)
        headers = {"Content-Type": "application/json"}
        connection.request("GET" if body is None else "POST", way, body, headers)
        answer = connection.getresponse()
        found = answer.status, answer.read()
        if line is None:
            connection.close()
        return found

    def seconds(self) -> float:
        """Return the seconds of the processor that the front process has taken."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def mib(self) -> tuple[float, float]:
        """Return the memory of the front process and of all workers, in MiB."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        told = self.ask("/metrics")[1].decode()
        found = re.search(r"^groundrules_workers_memory_bytes (\S+)", told, re.M)
        return pages * PAGE / 2**20, float(found[1]) / 2**20 if found else 0.0

    def replaced(self) -> int:
        """Return how many workers were replaced."""
        told = self.ask("/metrics")[1].decode()
        found = re.findall(r"^groundrules_workers_replaced_total\S* (\S+)", told, re.M)
        return sum(int(float(number)) for number in found)


@contextmanager
def serving(workers: int, *options: str) -> Iterator[Server]:
    """Serve until the context ends."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port = probe.getsockname()[1]
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "groundrules.cli.main", "serve", "--isolated", "--port", str(port),
         "--workers", str(workers), "--seconds", str(PATIENCE), *options],
        env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)},
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        server = Server(process, port, 0.0)
        while True:
            assert process.poll() is None, "the server has ended"
            try:
                told = json.loads(server.ask("/ready")[1])
                if told.get("workers") == workers:
                    break
            except OSError:
                pass
            time.sleep(0.02)
        server.started = time.perf_counter() - began
        yield server
    finally:
        process.terminate()
        process.wait()


def ask_all(server: Server, bodies: Sequence[bytes], clients: int) -> tuple[list[float], float]:
    """Return the seconds of each request, and of all; each client asks one after the other."""
    todo = list(bodies)[::-1]
    taken: list[float] = []
    lock = threading.Lock()

    def client() -> None:
        line = http.client.HTTPConnection(HOST, server.port, timeout=2 * PATIENCE)
        while True:
            with lock:
                if not todo:
                    return
                body = todo.pop()
            began = time.perf_counter()
            status, said = server.ask("/check", body, line)
            seconds = time.perf_counter() - began
            assert status == 200, said
            with lock:
                taken.append(seconds)

    began = time.perf_counter()
    with ThreadPoolExecutor(clients) as threads:
        for one in [threads.submit(client) for _ in range(clients)]:
            one.result()
    return taken, time.perf_counter() - began


def figures(taken: Sequence[float], wall: float) -> dict[str, float]:
    """Return percentiles in milliseconds, and requests a second."""
    ordered = sorted(taken)

    def at(share: float) -> float:
        return 1000 * ordered[min(len(ordered) - 1, round(share * (len(ordered) - 1)))]

    return {
        "requests": len(taken),
        "p50": at(0.5),
        "p95": at(0.95),
        "p99": at(0.99),
        "rate": len(taken) / wall,
    }


# --- the parts --------------------------------------------------------------------------------


def measure_plain(cases: Sequence[Case]) -> dict[str, Any]:
    """Return the times of `api.check` in this process, new and again."""
    from groundrules import api
    from groundrules.claims.documents.document import Document

    api.check("The lease began on May 2, 2021.", context="The lease began on May 2, 2021.")
    found: dict[str, Any] = {}
    for state in ("new", "again"):
        taken = []
        for case in cases:
            began = time.perf_counter()
            api.check(Document("text", case.answer), context=Document("context", case.context))
            taken.append(time.perf_counter() - began)
        found[state] = figures(taken, sum(taken))
    return found


def measure_load(
    cases: Sequence[Case], workers: int, clients: Sequence[int], rounds: int
) -> list[dict[str, Any]]:
    """Return the figures of each state and number of clients."""
    rows: list[dict[str, Any]] = []

    def note(state: str, count: int, taken: list[float], wall: float, **more: float) -> None:
        rows.append({"state": state, "clients": count, **figures(taken, wall), **more})
        print(json.dumps(rows[-1]), file=sys.stderr)

    for count in clients:
        taken: list[float] = []
        walls = started = 0.0
        for turn in range(max(1, 4 // count)):
            with serving(workers) as server:
                some = [case.body() for case in cases[turn : turn + count]]
                more, wall = ask_all(server, some, count)
                taken, walls, started = taken + more, walls + wall, server.started
        note("cold", count, taken, walls, started=started)
    some_ = cases[2 * workers : 2 * workers + rounds]
    for count in clients:
        with serving(workers) as server:
            for case in cases[: 2 * workers]:  # every worker has its models
                server.ask("/check", case.body())
            before = server.seconds()
            taken, wall = ask_all(server, [case.body() for case in some_], count)
            front = (server.seconds() - before) / len(taken)
            note("new", count, taken, wall, front=1000 * front)
            taken, wall = ask_all(server, [case.body() for case in some_], count)
            note("again", count, taken, wall)
    for count in clients:
        with serving(workers) as server:
            for case in cases[: 2 * workers]:
                server.ask("/check", case.body())
            ids = []
            for case in some_:
                source = {"name": "context", "text": case.context}
                body = json.dumps({"sources": [source]}).encode()
                ids.append(json.loads(server.ask("/index", body)[1])["id"])
            bodies = [case.body(one) for case, one in zip(some_, ids, strict=True)]
            taken, wall = ask_all(server, bodies, count)
            note("indexed", count, taken, wall)
    return rows


def measure_memory(cases: Sequence[Case], workers: int, requests: int) -> list[dict[str, Any]]:
    """Return memory and time after each eighth of many requests."""
    rows = []
    with serving(workers) as server:
        step = max(1, requests // 8)
        for start in range(0, requests, step):
            some = [cases[n % len(cases)].body() for n in range(start, start + step)]
            taken, wall = ask_all(server, some, 4)
            front, all_ = server.mib()
            rows.append({
                "requests": start + step,
                "front": front,
                "workers": all_,
                "replaced": server.replaced(),
                **{key: value for key, value in figures(taken, wall).items() if key != "requests"},
            })  # fmt: skip
            print(json.dumps(rows[-1]), file=sys.stderr)
    return rows


# --- the page ---------------------------------------------------------------------------------


def as_page(record: dict[str, Any]) -> str:
    """Return the figures as the page has them."""
    parts: list[str] = []
    add = parts.append
    plain, rows = record.get("plain"), record.get("load")
    if rows and plain:
        base = {"cold": plain["new"], "new": plain["new"], "indexed": plain["again"],
                "again": plain["again"]}  # fmt: skip
        add("| state | clients | p50 ms | p95 ms | p99 ms | requests a second | p50 to plain |")
        add("|---|--:|--:|--:|--:|--:|--:|")
        for state in ("cold", "new", "indexed", "again"):
            for row in (one for one in rows if one["state"] == state):
                add(
                    f"| {state} | {row['clients']} | {row['p50']:,.0f} | {row['p95']:,.0f} | "
                    f"{row['p99']:,.0f} | {row['rate']:.2f} | "
                    f"{row['p50'] / base[state]['p50']:.2f}x |"
                )
        for state in ("new", "again"):
            one = plain[state]
            add(
                f"| plain check, {state} | 1 | {one['p50']:,.0f} | {one['p95']:,.0f} | "
                f"{one['p99']:,.0f} | {one['rate']:.2f} | 1.00x |"
            )
        add("")
        started = next((row["started"] for row in rows if "started" in row), 0.0)
        fronts = [row["front"] for row in rows if "front" in row]
        add(
            f"A server of {record['workers']} workers is ready after {started:.1f} s. The front "
            f"process takes {statistics.median(fronts):.1f} ms of the processor for a request. "
            "“p50 to plain” compares with a plain check of new texts, and for `indexed` and "
            "`again` of texts seen before."
        )
        add("")
    if memory := record.get("memory"):
        add("| requests | MiB of the front | MiB of all workers | replaced | p50 ms | p99 ms |")
        add("|--:|--:|--:|--:|--:|--:|")
        for row in memory:
            add(
                f"| {row['requests']:,} | {row['front']:,.0f} | {row['workers']:,.0f} | "
                f"{row['replaced']} | {row['p50']:,.0f} | {row['p99']:,.0f} |"
            )
        add("")
    return "\n".join(parts)


def main() -> None:
    """Print the figures, and write them where asked."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--clients", default="1,4,16", help="numbers of clients, by commas")
    parser.add_argument("--rounds", type=int, default=24, help="requests of each state")
    parser.add_argument("--memory", type=int, default=2000, help="requests; 0 leaves it out")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--only", default="plain,load,memory")
    parser.add_argument("--json", type=Path, help="write the figures there as well, and add to it")
    parser.add_argument("--write", type=Path, help="put the tables into this page")
    options = parser.parse_args()
    os.environ["GROUNDRULES_CACHE"] = "off"
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    every = read_cases(options.data)
    cases = apart(every)
    clients = [int(one) for one in options.clients.split(",")]
    record: dict[str, Any] = {"workers": options.workers}
    if options.json and options.json.is_file():
        record |= json.loads(options.json.read_text("utf-8"))
    parts: dict[str, Callable[[], Any]] = {
        "plain": lambda: measure_plain(cases[2 * options.workers :][: options.rounds]),
        "load": lambda: measure_load(cases, options.workers, clients, options.rounds),
        "memory": lambda: measure_memory(every, options.workers, options.memory),
    }
    for part in options.only.split(","):
        if part != "memory" or options.memory:
            record[part] = parts[part]()
            if options.json:
                options.json.write_text(json.dumps(record) + "\n", "utf-8")
    page = as_page(record)
    print(page)
    if options.write:
        from benchmarks.__main__ import describe_machine, write_page

        write_page(options.write, f"{describe_machine()}; {time.strftime('%Y-%m-%d')}.\n\n{page}")


if __name__ == "__main__":
    main()
