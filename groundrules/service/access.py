"""Who may ask: the keys of clients, compared in constant time."""

from __future__ import annotations

import hashlib
import hmac
import os
import socket
from collections.abc import Sequence
from contextvars import ContextVar
from pathlib import Path

from groundrules.errors import ConfigError
from groundrules.files import read_bounded

#: The environment variable with the keys, between them spaces or commas.
KEYS = "GROUNDRULES_API_KEYS"
#: A shorter key could be guessed.
SHORTEST = 16
_MOST_BYTES = 1_048_576
#: The key of who asks, empty where there are none.
ASKING: ContextVar[str] = ContextVar("asking", default="")
#: Names by which this machine calls itself, which a browser that was led astray does not use.
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def read_keys(file: str | None = None) -> tuple[str, ...]:
    """Return the keys of a file, one a line, `#` begins a comment, and those of the environment.

    ConfigError, which names the line and never the key, where one is too short or is not ASCII.
    """
    found: list[tuple[str, str, int | None]] = []
    if file is not None:
        try:
            text = read_bounded(Path(file), _MOST_BYTES).decode()
        except OSError as error:
            raise ConfigError(f"cannot be read: {error.strerror}", path=file) from None
        except UnicodeDecodeError:
            raise ConfigError("is not UTF-8; expected a key a line", path=file) from None
        for number, line in enumerate(text.splitlines(), 1):
            if key := line.partition("#")[0].strip():
                found.append((key, file, number))
    found += [(key, KEYS, None) for key in os.environ.get(KEYS, "").replace(",", " ").split()]
    for key, place, at in found:
        if len(key) < SHORTEST or not key.isascii() or any(c.isspace() for c in key):
            wanted = f"expected at least {SHORTEST} characters of ASCII without spaces"
            raise ConfigError(f"a key is no good; {wanted}", path=place, line=at)
    if file is not None and not found:
        raise ConfigError("has no key; expected one a line", path=file)
    return tuple(dict.fromkeys(key for key, _, _ in found))


def listen(host: str, port: int, keys: Sequence[str]) -> socket.socket:
    """Return a socket at an address, on which nobody listens yet.

    ConfigError where it is taken or none, or other machines could ask without a key.
    """
    if not keys and host not in (*LOOPBACK, "::1"):
        raise ConfigError(
            f"{host} lets other machines ask without a key; expected 127.0.0.1, --keys FILE, or "
            f"keys in ${KEYS}"
        )
    line = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        line.bind((host.strip("[]"), port))
    except (OSError, OverflowError) as error:
        line.close()
        why = getattr(error, "strerror", None) or str(error)
        raise ConfigError(f"{host}:{port} cannot be listened on: {why}") from None
    return line


def admits(keys: Sequence[str], header: str) -> bool:
    """Return whether an Authorization header has one of the keys; whose it is takes no time."""
    kind, _, given = header.partition(" ")
    asked = hashlib.sha256(given.strip().encode(errors="replace")).digest()
    same = [hmac.compare_digest(hashlib.sha256(key.encode()).digest(), asked) for key in keys]
    ASKING.set(given.strip() if any(same) else "")
    return kind.lower() == "bearer" and any(same)
