"""HTTP with strangers: bounds of bytes and seconds, no other host, and what is this machine."""

from __future__ import annotations

import ipaddress
import re
import socket
import ssl
import threading
import urllib.parse
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any
from typing import Literal as OneOf

if TYPE_CHECKING:
    import httpx

#: The seconds that a connection may take.
CONNECTING = 10.0
#: The statuses that send a request elsewhere.
REDIRECTS = frozenset({301, 302, 303, 307, 308})
_SILENT = 65.0  # seconds without a byte; public endpoints stop a query at 60
_PORTS = {"http": 80, "https": 443}
Trace = Callable[[str, Mapping[str, Any]], None]


class NetError(Exception):
    """Why no whole answer came, and whether the same may be asked `again`."""

    def __init__(
        self, message: str, kind: OneOf["", "damaged", "large"] = "", *, again: bool = False
    ) -> None:
        super().__init__(message)
        self.kind, self.again = kind, again


@dataclass(frozen=True, slots=True)
class Reply:
    """A response as far as it was read; `received` counts its bytes on the wire."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    received: int
    damage: NetError | None


def is_local(host: str) -> bool:
    """Return whether a host is this machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Return the seconds that Retry-After asks for, None if it does not."""
    value = headers.get("retry-after", "").strip()
    if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", value, re.A):
        return float(value)
    until = _date(value)
    if until is None:
        return None
    now = _date(headers.get("date", "")) or now or datetime.now(UTC)
    return max(0.0, (until - now).total_seconds())


def _date(value: str) -> datetime | None:
    try:
        found = parsedate_to_datetime(value)
    except (ValueError, TypeError):
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def next_url(url: str, location: str) -> str:
    """Return where a redirect leads, if that is the same host; NetError if it is not."""
    try:
        old = urllib.parse.urlsplit(url)
        new = urllib.parse.urlsplit(urllib.parse.urljoin(url, location))
        before = (old.hostname, old.port or _PORTS[old.scheme])
        after = (new.hostname, new.port or _PORTS.get(new.scheme))
    except ValueError:
        raise NetError("redirected to what is no URL") from None
    upgraded = (before, new.scheme, after) == ((old.hostname, 80), "https", (old.hostname, 443))
    same = old.scheme == new.scheme and before == after
    plain = re.fullmatch(r"[!#-;=?-\[\]_a-z~]{1,60000}", new.geturl())
    if not location or not plain or "@" in new.netloc or not (same or upgraded):
        raise NetError(f"redirected to {new.netloc or 'nowhere'}; not followed")
    return new._replace(fragment="").geturl()


def read_within(parts: Iterable[bytes], most: int) -> tuple[bytes, bool]:
    """Return what comes until it is too much, and whether it was."""
    body = bytearray()
    for part in parts:
        body += part
        if len(body) > most:
            break
    return bytes(body), len(body) > most


@contextmanager
def hung_up_after(seconds: float) -> Iterator[tuple[Trace, threading.Event]]:
    """Give what traces a request of httpx, whose connections end then, and whether they did."""
    # The timeouts of httpx are for one byte; a server that drips never meets them.
    late = threading.Event()
    links: list[socket.socket] = []
    with ExitStack() as held:

        def watch(event: str, info: Mapping[str, Any]) -> None:
            if event == "connection.connect_tcp.complete":
                link = info["return_value"].get_extra_info("socket").dup()
                links.append(held.enter_context(link))
                if late.is_set():
                    end()

        def end() -> None:
            late.set()
            for link in links:
                with suppress(OSError):
                    link.shutdown(socket.SHUT_RDWR)

        timer = threading.Timer(seconds, end)
        timer.daemon = True
        timer.start()
        held.callback(timer.cancel)
        yield watch, late


def send(request: httpx.Request, seconds: float, most: int, most_of_an_error: int) -> Reply:
    """Send a request to its host and return the reply, decompressed; nothing is followed.

    No proxy or password of the environment is used. NetError if nothing comes, or not in time;
    what comes damaged, or is too much, is a reply with that.
    """
    import httpx

    limits = httpx.Timeout(min(_SILENT, seconds), connect=min(CONNECTING, seconds))
    secure = ssl.create_default_context() if request.url.scheme == "https" else False
    # not a Client, which reads where a redirect leads although it follows none
    with ExitStack() as held:
        watch, late = held.enter_context(hung_up_after(seconds))
        request.extensions |= {"trace": watch, "timeout": limits.as_dict()}
        transport = held.enter_context(httpx.HTTPTransport(verify=secure, trust_env=False))
        try:
            response = transport.handle_request(request)
            held.callback(response.close)
            reply = _received(response, most if response.status_code == 200 else most_of_an_error)
        except (httpx.HTTPError, OSError) as error:
            # a forged certificate stays one, and where nobody listens a minute changes nothing
            last = _cause(error)
            lasting = isinstance(last, (ssl.SSLCertVerificationError, ConnectionRefusedError))
            message = getattr(last, "strerror", "") or str(last) or type(last).__name__
            if not late.is_set():
                raise NetError(message, again=not lasting) from None
        if late.is_set():
            raise NetError(f"no whole answer within {seconds:g} s")
        return reply


def _cause(error: BaseException) -> BaseException:
    while (before := error.__cause__ or error.__context__) is not None:
        error = before
    return error


def _received(response: httpx.Response, most: int) -> Reply:
    """Read a response as far as it is worth it."""
    import httpx

    headers = {name.lower(): value for name, value in response.headers.items()}
    coding = headers.get("content-encoding", "identity").strip().lower()
    inflater = zlib.decompressobj(wbits=31) if coding in ("gzip", "x-gzip") else None
    body, damage = b"", None
    if coding != "identity" and not inflater:
        damage = NetError(f"sent as {coding}, which was not asked for", "damaged")
        return Reply(response.status_code, headers, body, 0, damage)

    def plain() -> Iterator[bytes]:
        nonlocal damage
        left = most + 1
        try:
            for part in response.iter_raw():
                chunk = inflater.decompress(part, left) if inflater else part
                left -= len(chunk)
                yield chunk
                if response.num_bytes_downloaded > most:
                    return
        except (zlib.error, httpx.RemoteProtocolError):
            damage = NetError("damaged or cut off on the way", "damaged", again=True)

    body, large = read_within(plain(), most)
    if large or response.num_bytes_downloaded > most:
        damage = NetError(f"more than {most:,} bytes", "large")
    elif not damage and inflater and (not inflater.eof or inflater.unused_data):
        damage = NetError("cut off on the way, or followed by more", "damaged", again=True)
    return Reply(response.status_code, headers, body, response.num_bytes_downloaded, damage)
