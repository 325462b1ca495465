"""One request to a SPARQL endpoint: written, sent to its host alone, the reply read to a limit."""

from __future__ import annotations

import base64
import http.client
import ipaddress
import re
import socket
import ssl
import threading
import urllib.parse
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundrules.errors import ConfigError
from groundrules.kb.query import is_iri
from groundrules.kb.source import Fault, Status
from groundrules.sqlite import MOST_BYTES

if TYPE_CHECKING:
    from urllib.request import Request

_CONNECT = 10.0
_READ = 65.0  # public endpoints stop a query at 60
_HALVED_MILLISECONDS = 20_000
_LONGEST_URL = 6_000
MOST_ERROR_BYTES = 100_000
#: The variable of the environment that has the passwords of endpoints.
LOGIN = "GROUNDRULES_KB_LOGIN"
JSON = ("application/sparql-results+json", "application/json")


class FaultError(Exception):
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
        self.fault = Fault(status, code, line_of(message))
        self.again = again
        self.split = split
        self.wait = wait


@dataclass(frozen=True, slots=True)
class Reply:
    """A response as far as it was read; `received` counts its bytes on the wire."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    received: int
    damage: FaultError | None


def split_url(url: str) -> urllib.parse.SplitResult:
    """Return the parts of the URL of an endpoint; ConfigError if it is none."""
    try:
        parts = urllib.parse.urlsplit(url)
        host, _ = (parts.hostname or "").encode("idna"), parts.port
    except ValueError:
        raise ConfigError(f"{line_of(url)!r} is not a URL") from None
    if parts.scheme not in ("http", "https") or not host or not is_iri(url) or not url.isascii():
        raise ConfigError(f"{line_of(url)!r} is not the URL of an endpoint; expected https://…")
    if "@" in parts.netloc or parts.fragment:
        raise ConfigError(f"the URL of {parts.hostname} has a password or fragment; leave it out")
    return parts


def is_local(host: str) -> bool:
    """Return whether a host is this machine."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def login_of(url: str, told: str) -> tuple[str, str] | None:
    """Return the header with which an endpoint knows who asks, None where none is told for it.

    A line of what is `told` has the scheme and host of an endpoint, and USER:PASSWORD or a header,
    NAME: VALUE. ConfigError, which says nothing of the line, if that is none, or would be sent in
    the clear to another machine.
    """
    parts = urllib.parse.urlsplit(url)
    for number, line in enumerate(told.splitlines(), 1):
        host, _, secret = line.strip().partition(" ")
        if not host:
            continue
        header = re.fullmatch(r"([A-Za-z][A-Za-z0-9-]*):[ ]+([!-~][ -~]*)", secret)
        if not (header or re.fullmatch(r"[!-9;-~]+:[!-~]+", secret)) or "://" not in host:
            raise ConfigError(
                f"${LOGIN}, line {number}: expected https://HOST USER:PASSWORD or "
                "https://HOST NAME: VALUE"
            )
        if host.rstrip("/").lower() != f"{parts.scheme}://{parts.netloc}".lower():
            continue
        if parts.scheme != "https" and not is_local(parts.hostname or ""):
            raise ConfigError(f"{parts.hostname}: a password is sent over https:// alone")
        if header:
            return header[1], header[2]
        return "Authorization", "Basic " + base64.b64encode(secret.encode()).decode()
    return None


def agent_of(contact: str, *, required: bool, url: str) -> str:
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
    request = Request(asked, body)  # noqa: S310 - HTTP: see split_url
    if body is not None:
        request.add_header("Content-Type", "application/x-www-form-urlencoded")
    for name, value in (("User-Agent", agent), ("Accept", JSON[0]),
                        ("Accept-Encoding", "gzip"), ("Connection", "close")):  # fmt: skip
        request.add_header(name, value)
    return request


def next_url(url: str, location: str) -> str:
    """Return where a redirect leads, if that is the same host."""
    try:
        old = urllib.parse.urlsplit(url)
        new = urllib.parse.urlsplit(urllib.parse.urljoin(url, location))
        ports = {"http": 80, "https": 443}
        before = (old.hostname, old.port or ports[old.scheme])
        after = (new.hostname, new.port or ports.get(new.scheme))
    except ValueError:
        raise FaultError("NETWORK", "redirected to what is no URL") from None
    upgraded = (before, new.scheme, after) == ((old.hostname, 80), "https", (old.hostname, 443))
    same = old.scheme == new.scheme and before == after
    if not location or not is_iri(new.geturl()) or "@" in new.netloc or not (same or upgraded):
        raise FaultError("NETWORK", f"redirected to {new.netloc or 'nowhere'}; not followed")
    return new._replace(fragment="").geturl()


def data_of(request: Request) -> bytes | None:
    """Return the body of a request, None where it has none."""
    return request.data if isinstance(request.data, bytes) else None


def send(request: Request, seconds: float) -> Reply:
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
            connection.request(request.get_method(), target, data_of(request), headers)
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
            raise FaultError("NETWORK", f"no whole answer within {seconds:g} s") from None
        # a forged certificate stays one, and where nobody listens a minute changes nothing
        lasting = isinstance(error, (ssl.SSLCertVerificationError, ConnectionRefusedError))
        message = getattr(error, "strerror", "") or str(error) or type(error).__name__
        raise FaultError("NETWORK", message, again=not lasting) from None


def _hang_up(link: socket.socket, late: threading.Event) -> None:
    late.set()
    with suppress(OSError):
        link.shutdown(socket.SHUT_RDWR)


def _reply(response: http.client.HTTPResponse) -> Reply:
    """Read a response as far as it is worth it."""
    headers = {name.lower(): value for name, value in response.getheaders()}
    coding = headers.get("content-encoding", "identity").strip().lower()
    inflater = zlib.decompressobj(wbits=31) if coding in ("gzip", "x-gzip") else None
    most = MOST_BYTES if response.status == 200 else MOST_ERROR_BYTES
    chunks: list[bytes] = []
    size = received = 0
    damage = None
    if coding != "identity" and not inflater:
        damage = FaultError("TRUNCATED", f"sent as {coding}, which was not asked for")
    while not damage and (chunk := response.read1(65_536)):
        received += len(chunk)
        try:
            chunk = inflater.decompress(chunk, most + 1 - size) if inflater else chunk
        except zlib.error:
            damage = FaultError("TRUNCATED", "damaged on the way", again=True)
            break
        size += len(chunk)
        chunks.append(chunk)
        if size > most or received > most:
            damage = FaultError("TOO_LARGE", f"more than {most:,} bytes")
    if not damage and inflater and not inflater.eof:
        damage = FaultError("TRUNCATED", "cut off on the way", again=True)
    return Reply(response.status, headers, b"".join(chunks), received, damage)


def line_of(text: str) -> str:
    """Return the start of a text as one line without control characters."""
    line = " ".join(text[:2_000].split())
    return "".join(character for character in line if character.isprintable())[:200]
