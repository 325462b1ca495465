"""Any SPARQL 1.1 endpoint over HTTP, asked politely and believed only where it answers.

The request of the protocol is written and sent by us (`exchange.py`): what a client library sends
follows a redirect to anywhere, reads without end and takes an apology in a 200 for an answer. The
table of what counts as which fault was checked against Blazegraph, QLever, Virtuoso and Oxigraph.
"""

from __future__ import annotations

import hashlib
import random
import re
import threading
import time
import urllib.parse
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from rdflib.term import URIRef

from groundrules.errors import without_secrets
from groundrules.kb.sources.exchange import (
    BUILT_IN,
    JSON,
    LOGIN,
    FaultError,
    agent_of,
    read_rows,
    split_url,
    writer,
)
from groundrules.kb.sources.query import fill
from groundrules.kb.sources.responses import EMPTY_DAYS, Cache, Response, record
from groundrules.kb.sources.source import LASTING, Answer, Calls, Fault, Item, Query, Row, Status
from groundrules.net import REDIRECTS, NetError, Reply, is_local, next_url, retry_after, send
from groundrules.sqlite import MOST_BYTES

_FAILURES = 6  # in a row, and the endpoint is asked no more
_REQUESTS = 30  # for one batch, however it is split
_WAIT = 60.0  # the longest that an endpoint may make us wait before we give up
_DEADLINE = 90.0  # for all of a response
_HOPS = 3
_MOST_ERROR_BYTES = 100_000
_CODES = {"": "NETWORK", "damaged": "TRUNCATED", "large": "TOO_LARGE"}  # by what NetError says
_PAGES = ("text/html", "application/xhtml+xml")
_TOO_SLOW = re.compile(
    r"TimeoutException|timed out|cancell?ed|deadline is expired|estimated execution time", re.I
)
#: How Virtuoso says that a block has too many rows.
_TOO_LONG = re.compile(r"too many arguments|maximum size \(\d+\) of a code vector", re.I)
_UNWELCOME = re.compile(r"user.agent|robot policy", re.I)
#: What an endpoint that does not work comes to, whatever it is asked; and what fails in a row.
_SILENCE = frozenset({"NETWORK", "OVERLOADED", "TRUNCATED", "TOO_LARGE"})
_COUNTED = _SILENCE | {"THROTTLED"}


@dataclass(slots=True)
class _Gathered:
    """What a query has brought so far: what each request brought of which items.

    `left` counts the requests that the batch may still make.
    """

    left: int = _REQUESTS
    slow: bool = False
    found: list[tuple[Response, Sequence[Item], tuple[Row, ...]]] = field(default_factory=list)


class Endpoint:
    """A SPARQL endpoint; a `source.Graph`.

    It is asked one thing at a time. `contact`, an e-mail address or URL, is told in the User-Agent.
    What the cache has is not asked; `offline` nothing is, and what was never asked is
    NOT_IN_SNAPSHOT. `now` is the time of the run. What answers nothing for `deadline` seconds is
    asked no more in that run, and nothing more than `tries` times. `login` is a header that
    goes with each request (`exchange.login_of`). No proxy or cookie is used, and no other host is
    ever asked.

    ConfigError if the URL is none of HTTP, has a password, or is not on this machine and there is
    no contact.
    """

    def __init__(
        self,
        url: str,
        *,
        now: datetime,
        contact: str = "",
        cache: Cache | None = None,
        offline: bool = False,
        deadline: float = 25.0,
        tries: int = 5,
        client: str = BUILT_IN,
        login: tuple[str, str] | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.url = url
        self.local = is_local((parts := split_url(url)).hostname or "")
        self.iri = URIRef(without_secrets(url))
        self.agent = agent_of(contact, required=not (self.local or offline), url=url)
        self.lasting: dict[str, Response] = {}
        self._login = login
        self._secrets = [v for _, v in urllib.parse.parse_qsl(parts.query) if len(v) > 5]
        self._secrets += [login[1].rpartition(" ")[2]] if login else []
        self._write = writer(client)
        self._now = now.astimezone(UTC)
        self._cache = cache
        self._offline = offline
        self._clock = clock
        self._sleep = sleep
        self._calls = Calls()
        self._lock = threading.Lock()
        self._begun = clock()
        self._failures = 0
        self._tries = tries
        self._patience = deadline  # the seconds it may go on without an answer
        self._silent = 0.0
        self._until = 0.0
        self._refusal = Fault(Status.SKIPPED, "OVERLOADED")

    @property
    def name(self) -> str:
        """Its IRI without the scheme."""
        return self.iri.partition("://")[2]

    @property
    def calls(self) -> Calls:
        """What asking it has cost so far."""
        return self._calls

    @property
    def note(self) -> str:
        """Why answers are not cached although they were to be, empty where all is well."""
        return self._cache.note if self._cache else ""

    def select(self, query: Query) -> Answer:
        """Answer a query; all that an endpoint can do wrong is a fault of the items it concerns.

        What is kept of a request is not asked again. ValueError as for `query.fill`. Each response
        that an answer came from is recorded (`responses.record`); those on the endpoint as such,
        which are read once, are `lasting`.
        """
        fill(query)  # is it one?
        items = list(dict.fromkeys(query.values[query.batch])) if query.batch else [()]
        gathered = _Gathered()
        size = max(1, query.size)
        with self._lock:
            for start in range(0, len(items), size):
                gathered.left = _REQUESTS
                gathered.slow = False
                self._answer(query, items[start : start + size], gathered)
        faults: dict[Item, Fault] = {}
        for response, of, _ in gathered.found:
            record(response)
            if query.days >= LASTING:
                self.lasting[response.key] = response
            if response.fault:
                faults |= dict.fromkeys(of, response.fault)
        return Answer(
            tuple(row for _, _, rows in gathered.found for row in rows),
            faults,
            min((one.fetched for one, *_ in gathered.found if not one.fault), default=""),
        )

    def _answer(self, query: Query, items: Sequence[Item], gathered: _Gathered) -> None:
        """Ask for some items, for each half of them where that is too much at once."""
        values = {**query.values, query.batch: items} if query.batch else query.values
        text = fill(replace(query, values=values))
        rows: tuple[Row, ...] = ()
        try:
            response, rows = self._kept(text) or self._asked(text, query.days, gathered)
        except FaultError as error:
            if error.split and len(items) > 1:
                gathered.slow |= error.fault.code == "QUERY_TIMEOUT"
                middle = (len(items) + 1) // 2
                self._answer(query, items[:middle], gathered)
                self._answer(query, items[middle:], gathered)
                return
            fault = error.fault
            outcome = f"{fault.status} {fault.code} {fault.message}"
            response = replace(self._response(text, query.days), outcome=outcome)
        gathered.found.append((response, items, rows))

    def _kept(self, text: str) -> tuple[Response, tuple[Row, ...]] | None:
        """Return what the cache has of a request, None where it must be asked."""
        response = self._cache.get(self._response(text).key) if self._cache else None
        if response is None or not (self._offline or response.fresh(self._now)):
            return None
        if response.fault:
            return response, ()
        with suppress(FaultError):  # what is not ours
            rows = read_rows(response.body)
            self._calls += Calls(cached=1)
            return response, rows
        return None

    def _asked(
        self, text: str, days: float, gathered: _Gathered
    ) -> tuple[Response, tuple[Row, ...]]:
        """Ask the endpoint and keep what it answers."""
        body, rows = self._ask(text, gathered)
        good = days if rows else min(days, EMPTY_DAYS)
        digest = hashlib.sha256(body).hexdigest()
        response = replace(self._response(text, good), body=body, digest=digest)
        if self._cache:
            self._cache.keep(response)
        return response, rows

    def _response(self, text: str, days: float = 1.0) -> Response:
        fetched = self._now.isoformat(timespec="seconds")
        return Response(str(self.iri), text, fetched, days)

    def _ask(self, text: str, gathered: _Gathered) -> tuple[bytes, tuple[Row, ...]]:
        """Return the body of the answer and its rows, after as many requests as that takes."""
        for attempt in range(self._tries):
            self._wait_turn()
            if not gathered.left:
                message = f"not asked: its batch has taken {_REQUESTS} requests"
                raise FaultError("BUDGET", message, status=Status.SKIPPED)
            gathered.left -= 1
            try:
                reply = self._request(text, gathered.slow)
                found = reply.body, self._read(reply)
            except FaultError as error:
                self._count(error)
                if error.fault.code not in _SILENCE:
                    self._silent = 0.0  # it has answered, if only that it was asked too much
                wait = error.wait
                if wait is None:
                    wait = min(_WAIT, random.uniform(0.5, 1.0) * 2**attempt)
                    self._silent += wait if error.again else 0.0
                if error.again:
                    self._until = self._clock() + wait
                    self._refusal = error.fault
                if not error.again or attempt + 1 == self._tries or wait > _WAIT:
                    raise
            else:
                self._failures, self._silent = 0, 0.0
                return found
        raise AssertionError

    def _wait_turn(self) -> None:
        """Wait until the endpoint may be asked."""
        if self._offline:
            # what was asked in halves is kept so
            raise FaultError(
                "NOT_IN_SNAPSHOT", "offline, and never asked before", split=True,
                status=Status.NOT_IN_SNAPSHOT,
            )  # fmt: skip
        held = self._until - self._clock()
        if held > _WAIT:
            fault = self._refusal
            raise FaultError(fault.code, f"not asked: {fault.message}", status=Status.SKIPPED)
        if self._silent >= self._patience:
            message = f"not asked: no answer within {self._patience:g} s"
            raise FaultError("NETWORK", message, status=Status.SKIPPED)
        if held > 0:
            self._sleep(held)

    def _count(self, error: FaultError) -> None:
        """Stop asking an endpoint that refuses us, or that has failed too often in a row."""
        code = error.fault.code
        self._failures = self._failures + 1 if code in _COUNTED else 0
        if code in ("BANNED", "UA_REJECTED") or self._failures >= _FAILURES:
            self._until = float("inf")
            self._refusal = error.fault
            error.again = False

    def _request(self, text: str, slow: bool) -> Reply:
        """Send a query and return what comes, whatever it is."""
        import httpx

        request = self._write(self.url, text, self.agent, slow)
        if self._login:
            request.headers[self._login[0]] = self._login[1]
        begun = self._clock()
        requests = sent = received = 0
        try:
            for _ in range(_HOPS + 1):
                requests += 1
                sent += len(str(request.url)) + len(request.content)
                seconds = min(_DEADLINE, max(self._patience - self._silent, 1.0))
                reply = send(request, seconds, MOST_BYTES, _MOST_ERROR_BYTES)
                received += reply.received
                if reply.status not in REDIRECTS:
                    return reply
                leads = next_url(str(request.url), reply.headers.get("location", ""))
                request.url = httpx.URL(leads)
            raise NetError(f"redirected more than {_HOPS} times")
        except NetError as error:
            raise _fault_of(error) from None
        finally:
            seconds = self._clock() - begun
            self._silent += seconds
            self._calls += Calls(requests, 0, sent, received, seconds)

    def _read(self, reply: Reply) -> tuple[Row, ...]:
        """Return the rows of a reply, or say what is wrong with it."""
        start = reply.body[:_MOST_ERROR_BYTES].decode("utf-8", "replace")
        for secret in self._secrets:  # what a server says back stands in reports
            start = start.replace(secret, "…")
        headers = reply.headers
        if reply.status != 200:
            raise self._fault(reply.status, headers, start)
        if reply.damage:
            raise _fault_of(reply.damage)
        form = headers.get("content-type", "").partition(";")[0].strip().lower()
        if form not in JSON:
            if _UNWELCOME.search(start):
                raise FaultError("UA_REJECTED", start)
            if form in _PAGES:
                raise FaultError("NOT_SPARQL", "answered a web page: no SPARQL endpoint")
            raise FaultError("TRUNCATED", f"answered {form or 'no type'}, not JSON", again=True)
        try:
            rows = read_rows(reply.body)
        except FaultError as error:
            # An exception may come after half an answer, when the 200 is long out.
            if error.again and _TOO_SLOW.search(reply.body[-20_000:].decode("utf-8", "replace")):
                raise FaultError("QUERY_TIMEOUT", "stopped halfway", split=True) from None
            if error.again and len(start) < 10_000 and _UNWELCOME.search(start):
                raise FaultError("UA_REJECTED", start) from None
            raise
        # Virtuoso says in headers alone that it has left rows out.
        if "x-sql-state" in headers:
            raise FaultError("QUERY_TIMEOUT", "answered in part", split=True)
        if "x-sparql-maxrows" in headers:
            raise FaultError("TRUNCATED", f"cut off after {len(rows)} rows", split=True)
        return rows

    def _fault(self, status: int, headers: Mapping[str, str], text: str) -> FaultError:
        """Return what a status other than 200 means."""
        message = f"HTTP {status}: {re.sub('<[^<>]*>', ' ', text[:2_000])}"
        wait = retry_after(headers, self._now + timedelta(seconds=self._clock() - self._begun))
        # QLever says 429 of a query that took too long.
        slow = _TOO_SLOW.search(text) is not None and wait is None
        if status == 206 or (status in (429, 500) and slow):
            return FaultError("QUERY_TIMEOUT", message, split=True)
        if status in (413, 414) or (status in (400, 500) and _TOO_LONG.search(text)):
            return FaultError("BAD_QUERY", message, split=True)
        if status == 429:
            return FaultError("THROTTLED", message, again=True, wait=wait)
        if status == 403:
            return FaultError("BANNED" if "banned" in text.lower() else "UA_REJECTED", message)
        if status >= 500 or status == 408:
            return FaultError("OVERLOADED", message, again=True, wait=wait)
        if status == 401:
            message = f"HTTP 401: it asks for a password, and ${LOGIN} has none that it takes"
        return FaultError("BAD_QUERY" if status == 400 else "NETWORK", message)


def _fault_of(error: NetError) -> FaultError:
    return FaultError(_CODES[error.kind], str(error), again=error.again)
