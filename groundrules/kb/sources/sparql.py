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
from typing import TYPE_CHECKING

from rdflib.term import Node, URIRef

from groundrules.errors import ConfigError, without_secrets
from groundrules.kb.sources.bindings import pack_rows, read_rows
from groundrules.kb.sources.exchange import (
    BUILT_IN,
    JSON,
    LOGIN,
    FaultError,
    agent_of,
    line_of,
    split_url,
    writer,
)
from groundrules.kb.sources.query import columns_of, fill, fill_each
from groundrules.kb.sources.responses import EMPTY_DAYS, Cache, Response, record
from groundrules.kb.sources.source import LASTING, Answer, Calls, Fault, Item, Query, Row, Status
from groundrules.net import REDIRECTS, NetError, Reply, is_local, next_url, retry_after, send
from groundrules.sqlite import MOST_BYTES

if TYPE_CHECKING:
    import httpx

_FAILURES = 6  # in a row, and the endpoint is asked no more
_REQUESTS = 30  # for one batch, however it is split
_WAIT = 60.0  # the longest that an endpoint may make us wait before we give up
_BUDGET = 60.0  # seconds of query time at once
_REFILL = 0.5  # seconds of query time a second
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
#: How Virtuoso says that an update is not allowed.
_DENIED = re.compile(r"SECURITY|no permission", re.I)
_UNWELCOME = re.compile(r"user.agent|robot policy", re.I)
#: What an endpoint that does not work comes to, whatever it is asked; and what fails in a row.
_SILENCE = frozenset({"NETWORK", "OVERLOADED", "TRUNCATED", "TOO_LARGE"})
_COUNTED = _SILENCE | {"THROTTLED"}


@dataclass(slots=True)
class _Gathered:
    """What a query has brought so far: for each item its response and the rows of that.

    `texts` are the queries of each item alone, `columns` the variables that an item is the values
    of; `left` counts the requests the batch may still make.
    """

    texts: Mapping[Item, str]
    columns: tuple[str, ...] = ()
    left: int = _REQUESTS
    slow: bool = False
    found: dict[Item, tuple[Response, tuple[Row, ...]]] = field(default_factory=dict)


class Endpoint:
    """A SPARQL endpoint; a `source.Graph`.

    It is asked one thing at a time, and unless it is on this machine for 30 seconds of its time a
    minute. `contact`, an e-mail address or URL, is told in the User-Agent. What the cache has is
    not asked; `offline` nothing is, and what was never asked is NOT_IN_SNAPSHOT. `now` is the time
    of the run. One that answers nothing for `deadline` seconds is asked no more in that run, and
    nothing is asked more than `tries` times. `login` are the name and value of a header that goes
    with each request (`exchange.login_of`). No proxy or cookie is used, and no other host is ever
    asked.

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
        self._begun = self._stamp = clock()
        self._budget = _BUDGET
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

        What is kept of an item is not asked again. ValueError as for `query.fill`. Each response
        that an answer came from is recorded (`responses.record`); those on the endpoint as such,
        which are read once, are `lasting`.
        """
        texts: dict[Item, str] = fill_each(query) if query.batch else {(): fill(query)}
        gathered = _Gathered(texts, columns_of(query) if query.batch else ())
        with self._lock:
            self._recall(query, gathered)
            items = [item for item in texts if item not in gathered.found]
            size = max(1, query.size)
            for start in range(0, len(items), size):
                gathered.left = _REQUESTS
                gathered.slow = False
                self._answer(query, items[start : start + size], gathered)
        return self._gather(query, gathered)

    def _recall(self, query: Query, gathered: _Gathered) -> None:
        """Take what the cache has of the items of a query."""
        keys = {
            item: Response(str(self.iri), text, "").key for item, text in gathered.texts.items()
        }
        kept = self._cache.get_all(keys.values()) if self._cache else {}
        for item, key in keys.items():
            response = kept.get(key)
            if response is None or not (self._offline or response.fresh(self._now)):
                continue
            with suppress(FaultError):  # what is not ours
                rows = () if response.fault else read_rows(response.body, ours=bool(query.batch))
                gathered.found[item] = response, rows
                answered = response.fault is None
                self._calls = replace(self._calls, cached=self._calls.cached + answered)

    def _answer(self, query: Query, items: list[Item], gathered: _Gathered) -> None:
        """Ask for some items, for each half of them where that is too much at once."""
        part = query
        if query.batch:
            part = replace(query, values={**query.values, query.batch: items})
        fetched = self._now.isoformat(timespec="seconds")
        try:
            body, rows = self._ask(fill(part), gathered)
        except FaultError as error:
            if error.split and len(items) > 1:
                gathered.slow |= error.fault.code == "QUERY_TIMEOUT"
                middle = (len(items) + 1) // 2
                self._answer(query, items[:middle], gathered)
                self._answer(query, items[middle:], gathered)
                return
            fault = error.fault
            outcome = f"{fault.status} {fault.code} {fault.message}"
            for item in items:
                failed = Response(str(self.iri), gathered.texts[item], fetched, query.days, outcome)
                gathered.found[item] = failed, ()
            return
        told: dict[Item, tuple[bytes, tuple[Row, ...]]] = {(): (body, rows)}
        if query.batch:
            shares = _shares(rows, items, gathered.columns)
            told = {item: (pack_rows(some), some) for item, some in shares.items()}
        for item, (own, some) in told.items():
            days = query.days if some else min(query.days, EMPTY_DAYS)
            digest = hashlib.sha256(own).hexdigest()
            text = gathered.texts[item]
            response = Response(str(self.iri), text, fetched, days, body=own, digest=digest)
            gathered.found[item] = response, some
        if self._cache:
            self._cache.keep(*(gathered.found[item][0] for item in told))

    def _gather(self, query: Query, gathered: _Gathered) -> Answer:
        """Return what was found of the items of a query, in their order."""
        rows: list[Row] = []
        seen = set[tuple[tuple[str, Node], ...]]()
        faults: dict[Item, Fault] = {}
        fetched: list[str] = []
        for item in gathered.texts:
            response, some = gathered.found[item]
            record(response)
            if query.days >= LASTING:
                self.lasting[response.key] = response
            if response.fault:
                faults[item] = response.fault
                continue
            fetched.append(response.fetched)
            for row in some:
                if query.batch and gathered.columns and gathered.columns[0] not in row:
                    mark = tuple(sorted(row.items(), key=str))
                    if mark in seen:
                        continue
                    seen.add(mark)
                rows.append(row)
        return Answer(tuple(rows), faults, min(fetched, default=""))

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
                    self._heard()
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
                self._failures = 0
                self._heard()
                return found
        raise AssertionError

    def _heard(self) -> None:
        """Begin anew with an endpoint that has answered, if only that it was asked too much."""
        self._silent = 0.0

    def _wait_turn(self) -> None:
        """Wait until the endpoint may be asked."""
        if self._offline:
            raise FaultError(
                "NOT_IN_SNAPSHOT", "offline, and never asked before", status=Status.NOT_IN_SNAPSHOT
            )
        now = self._clock()
        self._budget = min(_BUDGET, self._budget + (now - self._stamp) * _REFILL)
        self._stamp = now
        held = self._until - now
        if held > _WAIT:
            fault = self._refusal
            raise FaultError(fault.code, f"not asked: {fault.message}", status=Status.SKIPPED)
        if self._silent >= self._patience:
            message = f"not asked: no answer within {self._patience:g} s"
            raise FaultError("NETWORK", message, status=Status.SKIPPED)
        wait = max(held, 0.0 if self.local else -self._budget / _REFILL)
        if wait > 0:
            self._sleep(wait)

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
            self._budget -= seconds
            self._silent += seconds
            self._calls = replace(
                self._calls,
                requests=self._calls.requests + requests,
                sent=self._calls.sent + sent,
                received=self._calls.received + received,
                seconds=self._calls.seconds + seconds,
            )

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


@dataclass(frozen=True, slots=True)
class Refused:
    """Why an update was not taken: whether to send it again, after how many seconds, or halved."""

    message: str
    again: bool = False
    split: bool = False
    wait: float | None = None


def send_update(url: str, text: str, login: tuple[str, str] | None = None) -> Refused | None:
    """Send a SPARQL 1.1 Update once; return None if it was taken.

    User and password are told to a server that asks for them, by Basic or Digest. No redirect is
    followed and no proxy used. ConfigError if the URL is none, or is http:// and not of this
    machine.
    """
    import httpx

    parts = split_url(url)
    if parts.scheme != "https" and not is_local(parts.hostname or ""):
        raise ConfigError(f"{parts.hostname} is not this machine; expected https://")
    headers = {"Content-Type": "application/sparql-update; charset=utf-8", "Connection": "close",
               "User-Agent": agent_of("", required=False, url=url)}  # fmt: skip
    request = httpx.Request("POST", url, headers=headers, content=text.encode())
    try:
        reply = send(request, _DEADLINE, MOST_BYTES, _MOST_ERROR_BYTES)
        if reply.status == 401 and login and _authorize(request, reply, login):
            reply = send(request, _DEADLINE, MOST_BYTES, _MOST_ERROR_BYTES)
    except NetError as error:
        return Refused(line_of(str(error)), again=error.again)
    if 200 <= reply.status < 300:
        return None
    start = reply.body[:_MOST_ERROR_BYTES].decode("utf-8", "replace")
    message = line_of(f"HTTP {reply.status}: {re.sub('<[^<>]*>', ' ', start[:2_000])}")
    return Refused(
        message,
        again=reply.status in (408, 429) or (reply.status >= 500 and not _DENIED.search(start)),
        split=reply.status == 413 or (reply.status in (400, 500) and bool(_TOO_LONG.search(start))),
        wait=retry_after(reply.headers),
    )


def _authorize(request: httpx.Request, reply: Reply, login: tuple[str, str]) -> bool:
    """Answer the question of a server for a password; False if it is not known."""
    import httpx

    kind = reply.headers.get("www-authenticate", "").partition(" ")[0].lower()
    ways = {"basic": httpx.BasicAuth, "digest": httpx.DigestAuth}
    if kind not in ways:
        return False
    asked = httpx.Response(401, headers=dict(reply.headers), request=request)
    flow = ways[kind](*login).auth_flow(request)
    try:
        next(flow)
        if kind == "digest":
            flow.send(asked)
    except (httpx.ProtocolError, LookupError, NotImplementedError, ValueError, StopIteration):
        return False  # a question that is none, or asks for an algorithm or quality not known
    return "authorization" in request.headers


def _shares(
    rows: Sequence[Row], items: Sequence[Item], columns: Sequence[str]
) -> dict[Item, tuple[Row, ...]]:
    """Return the rows of each item: those that have its terms in the columns of the batch.

    A row without any of these (a label of what others name) goes to the items that have a row with
    a term of it, else to all; so does one of which it cannot be told.
    """
    told: dict[Item, list[Row]] = {item: [] for item in items}
    apart: list[Row] = []
    by_columns: dict[tuple[int, ...], dict[Item, list[Item]]] = {}
    for row in rows:
        places = tuple(n for n, column in enumerate(columns) if column in row)
        if places and places not in by_columns:
            index: dict[Item, list[Item]] = {}
            for item in items:
                index.setdefault(tuple(item[n] for n in places), []).append(item)
            by_columns[places] = index
        terms = tuple(row[columns[n]] for n in places)
        owners = by_columns[places].get(terms, []) if places else []
        for item in owners:
            told[item].append(row)
        if not owners:
            apart.append(row)
    holders: dict[Node, dict[Item, None]] = {}
    for item, some in told.items() if apart else ():
        for row in some:
            for node in row.values():
                holders.setdefault(node, {})[item] = None
    for row in apart:
        owners = list(dict.fromkeys(i for node in row.values() for i in holders.get(node, ())))
        for item in owners or items:
            told[item].append(row)
    return {item: tuple(some) for item, some in told.items()}
