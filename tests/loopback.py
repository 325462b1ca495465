"""What the servers of the tests share: a reply as told, and a server that ends when it is told."""

from __future__ import annotations

from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Loopback(ThreadingHTTPServer):
    """A server whose threads and errors nobody waits for."""

    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        pass


def send(
    handler: BaseHTTPRequestHandler,
    status: int,
    headers: dict[str, str],
    body: bytes | Iterable[bytes],
) -> None:
    """Send a reply and close; a body in pieces is sent as they come, without a length."""
    handler.close_connection = True
    try:
        handler.send_response_only(status)
        handler.send_header("Connection", "close")
        for name, value in headers.items():
            handler.send_header(name, value)
        if isinstance(body, bytes):
            if "Content-Length" not in headers:
                handler.send_header("Content-Length", str(len(body)))
            handler.end_headers()
            handler.wfile.write(body)
        else:
            handler.end_headers()
            for piece in body:
                handler.wfile.write(piece)
    except OSError:
        pass  # the client has hung up
