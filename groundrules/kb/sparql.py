"""Any SPARQL 1.1 endpoint over HTTP, asked politely and believed only where it answers.

The request of the protocol is written and sent here: what a client library sends follows a redirect
to anywhere, reads without end and takes an apology in a 200 for an answer. The table of what counts
as which fault was checked against Blazegraph, QLever, Virtuoso and Oxigraph.
"""

from __future__ import annotations

import base64
import hashlib
import http.client
import ipaddress
import json
import random
import re
import socket
import ssl
import threading
import time
import urllib.parse
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from rdflib.namespace import RDF, XSD
from rdflib.term import BNode, Literal, Node, URIRef

from groundrules.errors import ConfigError
from groundrules.kb.query import columns_of, fill, fill_each, is_iri, is_language, is_text
from groundrules.kb.responses import EMPTY_DAYS, Cache, Response, record
from groundrules.kb.source import LASTING, Answer, Calls, Fault, Item, Query, Row, Status
from groundrules.sqlite import MOST_BYTES

if TYPE_CHECKING:
    from urllib.request import Request

_FAILURES = 6  # in a row, and the endpoint is asked no more
_REQUESTS = 30  # for one batch, however it is split
_WAIT = 60.0  # the longest that an endpoint may make us wait before we give up
_BUDGET = 60.0  # seconds of query time at once
_REFILL = 0.5  # seconds of query time a second
_CONNECT = 10.0
_READ = 65.0  # public endpoints stop a query at 60
_DEADLINE = 90.0  # for all of a response, and for an endpoint that has answered to do so again
_HALVED_MILLISECONDS = 20_000
_LONGEST_URL = 6_000
_HOPS = 3
_MOST_ERROR_BYTES = 100_000
_MOST_VALUES = 4_000_000  # in the JSON of a response

_JSON = ("application/sparql-results+json", "application/json")
_PAGES = ("text/html", "application/xhtml+xml")
_TOO_SLOW = re.compile(
    r"TimeoutException|timed out|cancell?ed|deadline is expired|estimated execution time", re.I
)
#: How Virtuoso says that a block has too many rows.
_TOO_LONG = re.compile(r"too many arguments|maximum size \(\d+\) of a code vector", re.I)
#: How Virtuoso says that an update is not allowed.
_DENIED = re.compile(r"SECURITY|no permission", re.I)
_UNWELCOME = re.compile(r"user.agent|robot policy", re.I)
#: The labels that blank nodes get here.
_OURS = re.compile("b[0-9a-f]{24}")
_COUNTED = frozenset({"THROTTLED", "OVERLOADED", "NETWORK", "TRUNCATED", "TOO_LARGE"})


#: What an endpoint that does not work comes to, whatever it is asked.
_SILENCE = frozenset({"NETWORK", "OVERLOADED", "TRUNCATED", "TOO_LARGE"})


class _FaultError(Exception):
    """A request that failed: whether to ask again, after how many seconds, or for each half."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        again: bool = False,
        split: bool = False,
        wait: float | None = None,
        status: Status = Status.ERROR,
    ) -> None:
        super().__init__(message)
        self.fault = Fault(status, code, _line(message))
        self.again = again
        self.split = split
        self.wait = wait


@dataclass(frozen=True, slots=True)
class _Reply:
    """A response as far as it was read; `received` counts its bytes on the wire."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    received: int
    damage: _FaultError | None


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
    of the run. One that has not answered anything within `deadline` seconds is asked no more, and
    nothing is asked more than `tries` times. No proxy, cookie or password is used, and no other
    host is ever asked.

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
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.url = url
        self.local = _is_local(_split(url).hostname or "")
        self.agent = _agent(contact, required=not (self.local or offline), url=url)
        self.lasting: dict[str, Response] = {}
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
        """Its URL without the scheme."""
        return self.url.partition("://")[2]

    @property
    def iri(self) -> URIRef:
        """Its URL."""
        return URIRef(self.url)

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
        keys = {item: Response(self.url, text, "").key for item, text in gathered.texts.items()}
        kept = self._cache.get_all(keys.values()) if self._cache else {}
        for item, key in keys.items():
            response = kept.get(key)
            if response is None or not (self._offline or response.fresh(self._now)):
                continue
            with suppress(_FaultError):  # what is not ours
                rows = () if response.fault else _rows(response.body, ours=bool(query.batch))
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
        except _FaultError as error:
            if error.split and len(items) > 1:
                gathered.slow |= error.fault.code == "QUERY_TIMEOUT"
                middle = (len(items) + 1) // 2
                self._answer(query, items[:middle], gathered)
                self._answer(query, items[middle:], gathered)
                return
            fault = error.fault
            outcome = f"{fault.status} {fault.code} {fault.message}"
            for item in items:
                failed = Response(self.url, gathered.texts[item], fetched, query.days, outcome)
                gathered.found[item] = failed, ()
            return
        told: dict[Item, tuple[bytes, tuple[Row, ...]]] = {(): (body, rows)}
        if query.batch:
            shares = _shares(rows, items, gathered.columns)
            told = {item: (_pack(some), some) for item, some in shares.items()}
        for item, (own, some) in told.items():
            days = query.days if some else min(query.days, EMPTY_DAYS)
            digest = hashlib.sha256(own).hexdigest()
            text = gathered.texts[item]
            response = Response(self.url, text, fetched, days, body=own, digest=digest)
            gathered.found[item] = response, some
        if self._cache:
            self._cache.keep(*(gathered.found[item][0] for item in told))

    def _gather(self, query: Query, gathered: _Gathered) -> Answer:
        """Return what was found of the items of a query, in their order."""
        rows: list[Row] = []
        seen = set[tuple[tuple[str, Node], ...]]()
        faults: dict[Item, Fault] = {}
        answered: list[Response] = []
        for item in gathered.texts:
            response, some = gathered.found[item]
            record(response)
            if query.days >= LASTING:
                self.lasting[response.key] = response
            if response.fault:
                faults[item] = response.fault
                continue
            answered.append(response)
            for row in some:
                if query.batch and gathered.columns and gathered.columns[0] not in row:
                    mark = tuple(sorted(row.items(), key=str))
                    if mark in seen:
                        continue
                    seen.add(mark)
                rows.append(row)
        digests = "".join(response.digest for response in answered)
        return Answer(
            tuple(rows),
            faults,
            min((response.fetched for response in answered), default=""),
            hashlib.sha256(digests.encode()).hexdigest() if digests else "",
        )

    def _ask(self, text: str, gathered: _Gathered) -> tuple[bytes, tuple[Row, ...]]:
        """Return the body of the answer and its rows, after as many requests as that takes."""
        for attempt in range(self._tries):
            self._wait_turn()
            if not gathered.left:
                message = f"not asked: its batch has taken {_REQUESTS} requests"
                raise _FaultError("BUDGET", message, status=Status.SKIPPED)
            gathered.left -= 1
            try:
                reply = self._request(text, gathered.slow)
                found = reply.body, self._read(reply)
            except _FaultError as error:
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
        """Be patient with an endpoint that has answered, if only that it was asked too much."""
        self._silent, self._patience = 0.0, max(self._patience, _DEADLINE)

    def _wait_turn(self) -> None:
        """Wait until the endpoint may be asked."""
        if self._offline:
            raise _FaultError(
                "NOT_IN_SNAPSHOT", "offline, and never asked before", status=Status.NOT_IN_SNAPSHOT
            )
        now = self._clock()
        self._budget = min(_BUDGET, self._budget + (now - self._stamp) * _REFILL)
        self._stamp = now
        held = self._until - now
        if held > _WAIT:
            fault = self._refusal
            raise _FaultError(fault.code, f"not asked: {fault.message}", status=Status.SKIPPED)
        if self._silent >= self._patience:
            message = f"not asked: no answer within {self._patience:g} s"
            raise _FaultError("NETWORK", message, status=Status.SKIPPED)
        wait = max(held, 0.0 if self.local else -self._budget / _REFILL)
        if wait > 0:
            self._sleep(wait)

    def _count(self, error: _FaultError) -> None:
        """Stop asking an endpoint that refuses us, or that has failed too often in a row."""
        code = error.fault.code
        self._failures = self._failures + 1 if code in _COUNTED else 0
        if code in ("BANNED", "UA_REJECTED") or self._failures >= _FAILURES:
            self._until = float("inf")
            self._refusal = error.fault
            error.again = False

    def _request(self, text: str, slow: bool) -> _Reply:
        """Send a query and return what comes, whatever it is."""
        request = write_request(self.url, text, self.agent, slow=slow)
        begun = self._clock()
        requests = sent = received = 0
        try:
            for _ in range(_HOPS + 1):
                requests += 1
                sent += len(request.full_url) + len(_data(request) or b"")
                reply = _send(request, min(_DEADLINE, max(self._patience - self._silent, 1.0)))
                received += reply.received
                if reply.status not in (301, 302, 303, 307, 308):
                    return reply
                request.full_url = _next_url(request.full_url, reply.headers.get("location", ""))
            raise _FaultError("NETWORK", f"redirected more than {_HOPS} times")
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

    def _read(self, reply: _Reply) -> tuple[Row, ...]:
        """Return the rows of a reply, or say what is wrong with it."""
        start = reply.body[:_MOST_ERROR_BYTES].decode("utf-8", "replace")
        headers = reply.headers
        if reply.status != 200:
            raise self._fault(reply.status, headers, start)
        if reply.damage:
            raise reply.damage
        form = headers.get("content-type", "").partition(";")[0].strip().lower()
        if form not in _JSON:
            if _UNWELCOME.search(start):
                raise _FaultError("UA_REJECTED", start)
            if form in _PAGES:
                raise _FaultError("NOT_SPARQL", "answered a web page: no SPARQL endpoint")
            raise _FaultError("TRUNCATED", f"answered {form or 'no type'}, not JSON", again=True)
        try:
            rows = _rows(reply.body)
        except _FaultError as error:
            # An exception may come after half an answer, when the 200 is long out.
            if error.again and _TOO_SLOW.search(reply.body[-20_000:].decode("utf-8", "replace")):
                raise _FaultError("QUERY_TIMEOUT", "stopped halfway", split=True) from None
            if error.again and len(start) < 10_000 and _UNWELCOME.search(start):
                raise _FaultError("UA_REJECTED", start) from None
            raise
        # Virtuoso says in headers alone that it has left rows out.
        if "x-sql-state" in headers:
            raise _FaultError("QUERY_TIMEOUT", "answered in part", split=True)
        if "x-sparql-maxrows" in headers:
            raise _FaultError("TRUNCATED", f"cut off after {len(rows)} rows", split=True)
        return rows

    def _fault(self, status: int, headers: Mapping[str, str], text: str) -> _FaultError:
        """Return what a status other than 200 means."""
        message = f"HTTP {status}: {re.sub('<[^<>]*>', ' ', text[:2_000])}"
        wait = self._retry_after(headers)
        # QLever says 429 of a query that took too long.
        slow = _TOO_SLOW.search(text) is not None and wait is None
        if status == 206 or (status in (429, 500) and slow):
            return _FaultError("QUERY_TIMEOUT", message, split=True)
        if status in (413, 414) or (status in (400, 500) and _TOO_LONG.search(text)):
            return _FaultError("BAD_QUERY", message, split=True)
        if status == 429:
            return _FaultError("THROTTLED", message, again=True, wait=wait)
        if status == 403:
            return _FaultError("BANNED" if "banned" in text.lower() else "UA_REJECTED", message)
        if status >= 500 or status == 408:
            return _FaultError("OVERLOADED", message, again=True, wait=wait)
        if status == 400:
            return _FaultError("BAD_QUERY", message)
        return _FaultError("NETWORK", message)

    def _retry_after(self, headers: Mapping[str, str]) -> float | None:
        """Return the seconds that Retry-After asks for, None if it does not."""
        value = headers.get("retry-after", "").strip()
        if re.fullmatch(r"[0-9]{1,9}", value):
            return float(value)
        until = _date(value)
        if until is None:
            return None
        elapsed = timedelta(seconds=self._clock() - self._begun)
        now = _date(headers.get("date", "")) or self._now + elapsed
        return max(0.0, (until - now).total_seconds())


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
    from urllib.request import Request

    parts = _split(url)
    if parts.scheme != "https" and not _is_local(parts.hostname or ""):
        raise ConfigError(f"{parts.hostname} is not this machine; expected https://")
    request = Request(url, text.encode(), method="POST")  # noqa: S310 - HTTP: see _split
    request.add_header("Content-Type", "application/sparql-update; charset=utf-8")
    request.add_header("User-Agent", _agent("", required=False, url=url))
    request.add_header("Connection", "close")
    try:
        reply = _send(request)
        asked = reply.headers.get("www-authenticate", "")
        if reply.status == 401 and login and (answer := _authorization(asked, login, request)):
            request.add_header("Authorization", answer)
            reply = _send(request)
    except _FaultError as error:
        return Refused(error.fault.message, again=error.again, wait=error.wait)
    if 200 <= reply.status < 300:
        return None
    start = reply.body[:_MOST_ERROR_BYTES].decode("utf-8", "replace")
    message = _line(f"HTTP {reply.status}: {re.sub('<[^<>]*>', ' ', start[:2_000])}")
    wait = reply.headers.get("retry-after", "")
    return Refused(
        message,
        again=reply.status in (408, 429) or (reply.status >= 500 and not _DENIED.search(start)),
        split=reply.status == 413 or (reply.status in (400, 500) and bool(_TOO_LONG.search(start))),
        wait=float(wait) if re.fullmatch("[0-9]{1,9}", wait) else None,
    )


def _authorization(asked: str, login: tuple[str, str], request: Request) -> str:
    """Return what answers the question of a server for a password, empty if that is not known."""
    from urllib.request import (
        AbstractDigestAuthHandler,
        HTTPPasswordMgr,
        parse_http_list,
        parse_keqv_list,
    )

    kind, _, rest = asked.partition(" ")
    if kind.lower() == "basic":
        return "Basic " + base64.b64encode(":".join(login).encode()).decode()
    if kind.lower() != "digest":
        return ""
    passwords = HTTPPasswordMgr()
    try:
        told = parse_keqv_list(parse_http_list(rest))
        passwords.add_password(told["realm"], request.full_url, *login)
        answer = AbstractDigestAuthHandler(passwords).get_authorization(request, told)
        return f"Digest {answer}" if answer else ""
    except (KeyError, ValueError):  # no realm, or an algorithm that is not known
        return ""


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


def _pack(rows: Iterable[Row]) -> bytes:
    """Return rows as a SPARQL 1.1 JSON result that `_rows` reads back as they are."""
    bindings = [{name: _packed(node) for name, node in row.items()} for row in rows]
    whole = {"results": {"bindings": bindings}}
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":")).encode()


def _packed(node: Node) -> dict[str, str]:
    if isinstance(node, URIRef | BNode):
        return {"type": "uri" if isinstance(node, URIRef) else "bnode", "value": str(node)}
    assert isinstance(node, Literal)  # there is no other term in a result
    found = {"type": "literal", "value": str(node)}
    if node.language:
        return {**found, "xml:lang": node.language}
    return {**found, "datatype": str(node.datatype)} if node.datatype else found


def _rows(body: bytes, *, ours: bool = False) -> tuple[Row, ...]:
    """Return the rows of a SPARQL 1.1 JSON result; the labels of blank nodes are made unique.

    Those of a body that is `ours` are so already. Lexical forms stay as they are. A fault if it is
    none, or if a term of it is none.
    """
    if sum(body.count(sign) for sign in (b",", b"[", b"{")) > _MOST_VALUES:
        raise _FaultError("TOO_LARGE", f"more than {_MOST_VALUES:,} values")
    try:
        bindings = json.loads(body.decode("utf-8-sig"))["results"]["bindings"]
    except (ValueError, TypeError, KeyError, RecursionError):
        bindings = None
    if not isinstance(bindings, list):
        raise _FaultError("TRUNCATED", "not a SPARQL JSON result", again=True)
    scope = "" if ours else hashlib.sha256(body).hexdigest()
    known: dict[tuple[object, ...], Node] = {}

    def read(data: Any) -> Node:
        key = (data["type"], data["value"], data.get("xml:lang"), data.get("datatype"))
        if key not in known:
            known[key] = _term(*key, scope)
        return known[key]

    try:
        return tuple({_text(name): read(data) for name, data in row.items()} for row in bindings)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        message = f"a bad term: {error}" if isinstance(error, ValueError) else "a bad row"
        # The next answer would be as bad; only the item that has it is lost.
        raise _FaultError("TRUNCATED", message, split=True) from None


def _term(kind: object, value: object, language: object, datatype: object, scope: str) -> Node:
    """Return a term; ValueError if the dataset of a check could not hold it."""
    text = _text(value)
    if kind == "uri":
        if is_iri(text):
            return URIRef(text)
    elif kind == "bnode":
        if scope:
            return BNode("b" + hashlib.sha256(f"{scope} {text}".encode()).hexdigest()[:24])
        if _OURS.fullmatch(text):
            return BNode(text)
    elif kind in ("literal", "typed-literal"):  # as in drafts of the standard, and in Virtuoso
        if language is not None:
            if is_language(_text(language)) and datatype in (None, str(RDF.langString)):
                return Literal(text, lang=_text(language).lower())
        elif datatype in (None, str(XSD.string)):
            return Literal(text)
        elif is_iri(_text(datatype)) and datatype != str(RDF.langString):
            return Literal(text, datatype=URIRef(_text(datatype)), normalize=False)
    raise ValueError(f"{kind} {text[:80]!r} {language or ''} {datatype or ''}")


def _text(value: object) -> str:
    if isinstance(value, str) and is_text(value):
        return value
    raise ValueError(f"{str(value)[:80]!r} is no text")


def _split(url: str) -> urllib.parse.SplitResult:
    """Return the parts of the URL of an endpoint; ConfigError if it is none."""
    try:
        parts = urllib.parse.urlsplit(url)
        host, _ = (parts.hostname or "").encode("idna"), parts.port
    except ValueError:
        raise ConfigError(f"{_line(url)!r} is not a URL") from None
    if parts.scheme not in ("http", "https") or not host or not is_iri(url) or not url.isascii():
        raise ConfigError(f"{_line(url)!r} is not the URL of an endpoint; expected https://…")
    if "@" in parts.netloc or parts.fragment:
        raise ConfigError(f"the URL of {parts.hostname} has a password or fragment; leave it out")
    return parts


def _is_local(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _agent(contact: str, *, required: bool, url: str) -> str:
    """Return the User-Agent; ConfigError if it lacks a contact or the contact is none."""
    from importlib.metadata import PackageNotFoundError, version

    if contact and not re.fullmatch(r"(?=[!-'*-~]*?(?:@|://).)[!-'*-~]+", contact):
        raise ConfigError(f"contact = {contact!r}; expected an e-mail address or a URL")
    if required and not contact:
        raise ConfigError(
            f"{urllib.parse.urlsplit(url).hostname} wants to know who asks; set `contact` in the "
            "configuration, or GROUNDRULES_CONTACT, to an e-mail address or URL"
        )
    try:
        name = f"groundrules/{version('groundrules')}"
    except PackageNotFoundError:  # run from a checkout
        name = "groundrules"
    return f"{name} ({contact})" if contact else name


def write_request(url: str, text: str, agent: str, *, slow: bool = False) -> Request:
    """Return the request of the SPARQL 1.1 protocol for a SELECT.

    It is a GET, which is cached on the way, unless its URL would be too long; what the URL of the
    endpoint asks for besides goes with it. Of a `slow` endpoint a time limit is asked, as
    Blazegraph knows it. The form of the answer is asked for in the header Accept alone.
    """
    from urllib.request import Request

    parts = urllib.parse.urlsplit(url)
    fields = urllib.parse.parse_qsl(parts.query, keep_blank_values=True)
    fields += [("maxQueryTimeMillis", str(_HALVED_MILLISECONDS))] if slow else []
    form = urllib.parse.urlencode([*fields, ("query", text)], safe="/")
    endpoint = parts._replace(query="").geturl()
    asked, body = f"{endpoint}?{form}", None
    if len(asked) >= _LONGEST_URL:
        asked, body = endpoint, form.encode("ascii")
    request = Request(asked, body)  # noqa: S310 - HTTP: see _split
    if body is not None:
        request.add_header("Content-Type", "application/x-www-form-urlencoded")
    for name, value in (("User-Agent", agent), ("Accept", _JSON[0]),
                        ("Accept-Encoding", "gzip"), ("Connection", "close")):  # fmt: skip
        request.add_header(name, value)
    return request


def _next_url(url: str, location: str) -> str:
    """Return where a redirect leads, if that is the same host."""
    try:
        old = urllib.parse.urlsplit(url)
        new = urllib.parse.urlsplit(urllib.parse.urljoin(url, location))
        ports = {"http": 80, "https": 443}
        before = (old.hostname, old.port or ports[old.scheme])
        after = (new.hostname, new.port or ports.get(new.scheme))
    except ValueError:
        raise _FaultError("NETWORK", "redirected to what is no URL") from None
    upgraded = (before, new.scheme, after) == ((old.hostname, 80), "https", (old.hostname, 443))
    same = old.scheme == new.scheme and before == after
    if not location or not is_iri(new.geturl()) or "@" in new.netloc or not (same or upgraded):
        raise _FaultError("NETWORK", f"redirected to {new.netloc or 'nowhere'}; not followed")
    return new._replace(fragment="").geturl()


def _data(request: Request) -> bytes | None:
    return request.data if isinstance(request.data, bytes) else None


def _send(request: Request, seconds: float = _DEADLINE) -> _Reply:
    """Send a request and return the reply, decompressed; a fault if it takes or is too much."""
    parts = urllib.parse.urlsplit(request.full_url)
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    late = threading.Event()
    try:
        link = socket.create_connection((host, port), min(_CONNECT, seconds))
        # The timeout of a socket is for one byte; a server that drips never meets it.
        other = link.dup()
        timer = threading.Timer(seconds, _hang_up, (other, late))
        timer.daemon = True
        timer.start()
        try:
            connection = http.client.HTTPConnection(host, port)
            if parts.scheme == "https":
                context = ssl.create_default_context()
                connection = http.client.HTTPSConnection(host, port, context=context)
                link = context.wrap_socket(link, server_hostname=host)
            link.settimeout(min(_READ, seconds))
            connection.sock = link
            target = parts._replace(scheme="", netloc="").geturl()
            headers = dict(request.header_items())
            connection.request(request.get_method(), target, _data(request), headers)
            with connection.getresponse() as response:
                reply = _reply(response)
            if late.is_set():
                raise TimeoutError
            return reply
        finally:
            timer.cancel()
            other.close()
            link.close()
    except (OSError, http.client.HTTPException) as error:
        if late.is_set():
            raise _FaultError("NETWORK", f"no whole answer within {seconds:g} s") from None
        # a forged certificate stays one, and where nobody listens a minute changes nothing
        lasting = isinstance(error, (ssl.SSLCertVerificationError, ConnectionRefusedError))
        message = getattr(error, "strerror", "") or str(error) or type(error).__name__
        raise _FaultError("NETWORK", message, again=not lasting) from None


def _hang_up(link: socket.socket, late: threading.Event) -> None:
    late.set()
    with suppress(OSError):
        link.shutdown(socket.SHUT_RDWR)


def _reply(response: http.client.HTTPResponse) -> _Reply:
    """Read a response as far as it is worth it."""
    headers = {name.lower(): value for name, value in response.getheaders()}
    coding = headers.get("content-encoding", "identity").strip().lower()
    inflater = zlib.decompressobj(wbits=31) if coding in ("gzip", "x-gzip") else None
    most = MOST_BYTES if response.status == 200 else _MOST_ERROR_BYTES
    chunks: list[bytes] = []
    size = received = 0
    damage = None
    if coding != "identity" and not inflater:
        damage = _FaultError("TRUNCATED", f"sent as {coding}, which was not asked for")
    while not damage and (chunk := response.read1(65_536)):
        received += len(chunk)
        try:
            chunk = inflater.decompress(chunk, most + 1 - size) if inflater else chunk
        except zlib.error:
            damage = _FaultError("TRUNCATED", "damaged on the way", again=True)
            break
        size += len(chunk)
        chunks.append(chunk)
        if size > most or received > most:
            damage = _FaultError("TOO_LARGE", f"more than {most:,} bytes")
    if not damage and inflater and not inflater.eof:
        damage = _FaultError("TRUNCATED", "cut off on the way", again=True)
    return _Reply(response.status, headers, b"".join(chunks), received, damage)


def _date(value: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(value)
        return date if date.tzinfo else None
    except (ValueError, TypeError):
        return None


def _line(text: str) -> str:
    """Return the start of a text as one line without control characters."""
    line = " ".join(text[:2_000].split())
    return "".join(character for character in line if character.isprintable())[:200]
