"""The keys by which an audit log signs itself: Ed25519, in files, of the package cryptography."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from groundrules.errors import ConfigError, SourceError
from groundrules.files import read_whole

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


def write(path: Path) -> Path:
    """Write a new key that only this user may read, and return its public half beside it.

    SourceError where a file is there already, or cannot be written.
    """
    serialization, ed25519 = _cryptography()
    private = ed25519.Ed25519PrivateKey.generate()
    secret = private.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    public = private.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    beside = path.with_name(f"{path.name}.pub")
    for place, data, mode in ((path, secret, 0o600), (beside, public, 0o644)):
        try:
            handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
            with os.fdopen(handle, "wb") as file:
                file.write(data)
        except FileExistsError:
            raise SourceError("is there already; expected a new file", path=str(place)) from None
        except OSError as error:
            raise SourceError(f"cannot be written: {error.strerror}", path=str(place)) from None
    return beside


def _cryptography() -> tuple[Any, Any]:
    try:
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError:
        raise ConfigError(
            "signatures need the extra audit; expected `pip install 'groundrules[audit]'`"
        ) from None
    return serialization, ed25519


def read_private(path: Path) -> Ed25519PrivateKey:
    """Return the key of a file; ConfigError where it has none."""
    serialization, ed25519 = _cryptography()
    key = _key(path, lambda data: serialization.load_pem_private_key(data, None))
    if isinstance(key, ed25519.Ed25519PrivateKey):
        return cast("Ed25519PrivateKey", key)
    told = "is no Ed25519 key; expected one of `groundrules log key`"
    raise ConfigError(told, path=str(path))


def read_public(path: Path) -> Any:
    """Return the public key of a file; ConfigError where it has none."""
    serialization, ed25519 = _cryptography()
    key = _key(path, serialization.load_pem_public_key)
    if isinstance(key, ed25519.Ed25519PublicKey):
        return key
    told = "is no Ed25519 public key; expected the .pub of `groundrules log key`"
    raise ConfigError(told, path=str(path))


def _key(path: Path, load: Callable[[bytes], Any]) -> Any:
    from cryptography.exceptions import UnsupportedAlgorithm

    try:
        return load(read_whole(path))
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", path=str(path)) from None
    except (ValueError, TypeError, UnsupportedAlgorithm):
        return None


def name_of(public: Any) -> str:
    """Return a public key as a log names it, its bytes in hexadecimal."""
    serialization, _ = _cryptography()
    raw: bytes = public.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    return raw.hex()


def is_signed(key: str, signature: str, data: bytes) -> bool:
    """Return whether a signature is that of a named key on some bytes."""
    from cryptography.exceptions import InvalidSignature

    _, ed25519 = _cryptography()
    try:
        ed25519.Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(
            bytes.fromhex(signature), data
        )
    except (InvalidSignature, ValueError):
        return False
    return True
