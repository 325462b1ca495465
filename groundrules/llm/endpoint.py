"""Endpoints: where a model is asked, and which key, if any, may be sent there."""

from __future__ import annotations

import os
import re
import urllib.parse
from collections.abc import Iterable

from groundrules.errors import ConfigError
from groundrules.net import is_local

_OPENAI = "https://api.openai.com/v1"
KEY = "GROUNDRULES_LLM_KEY"
OPENAI_KEY = "OPENAI_API_KEY"
_SHORTEST_SECRET = 8  # "EMPTY" and the like, which local servers are given, may stand in an answer

_ADDRESS = re.compile(r"[A-Za-z0-9.-]+(:\d{1,5})?|\[[0-9A-Fa-f:.]+\](:\d{1,5})?")


def read_endpoint(model: str) -> tuple[str, str]:
    """Return the base URL and the model, empty for the first; ConfigError if it is neither."""
    if "://" not in model:
        if re.fullmatch(r"[\w.-]+:\d+(/.*)?", model, re.A):
            raise ConfigError(f"llm.model: {model!r} has no scheme; did you mean 'http://{model}'?")
        if not re.fullmatch(r"[\w./:@+-]+", model, re.A) or model == "never":
            raise ConfigError(
                f"llm.model: {model!r}; expected a URL, URL#model, or a model of OpenAI's API"
            )
        return _OPENAI, model
    url, _, name = model.partition("#")
    try:
        parts = urllib.parse.urlsplit(url)
    except ValueError:
        parts = urllib.parse.urlsplit("")
    for what, given in (("a password", "@" in parts.netloc), ("a query", parts.query)):
        if given:  # not repeated: it may be a key
            raise ConfigError(f"llm.model: a URL with {what}; expected the key in ${KEY}")
    if (
        parts.scheme not in ("http", "https")
        or not _ADDRESS.fullmatch(parts.netloc)
        or not model.isprintable()
        or re.search(r"[\s\\]", url)
    ):
        raise ConfigError(
            f"llm.model: {model!r}; expected http:// or https://, a host and a path, as in "
            "http://127.0.0.1:8000/v1"
        )
    path = parts.path.rstrip("/").removesuffix("/chat/completions")
    return f"{parts.scheme}://{parts.netloc}{path}", name


def withheld(url: str, *, named: bool) -> str:
    """Return why our key is not sent to an endpoint, empty if it is.

    It goes to what the user or a program names, and in the clear to this machine alone.
    """
    parts = urllib.parse.urlsplit(url)
    if not named:
        return "a config file names it; expected --llm"
    if parts.scheme != "https" and not is_local(parts.hostname or ""):
        return "http:// would carry it in the clear; expected https://"
    return ""


def secret_for(url: str, *, named: bool = True, variable: str = "") -> str:
    """Return the key for an endpoint, of a variable or our own; OpenAI's is for OpenAI alone."""
    parts = urllib.parse.urlsplit(url)
    ours = parts.scheme == "https" and parts.netloc.lower() in (
        "api.openai.com", "api.openai.com:443",
    )  # fmt: skip
    secret = "" if withheld(url, named=named) else os.environ.get(variable or KEY, "").strip()
    if not secret and ours and not variable:
        secret = os.environ.get(OPENAI_KEY, "").strip()
    if not secret and (ours or variable):
        raise ConfigError(f"{parts.netloc} needs a key; set {variable or f'{KEY} or {OPENAI_KEY}'}")
    if not re.fullmatch(r"[!-~]*", secret):
        raise ConfigError("the key in the environment has characters that no key has")
    return secret


def redact(text: str, secrets: Iterable[str]) -> str:
    """Return a text without the keys that must not be shown."""
    for secret in secrets:
        text = text.replace(secret, "[key]")
    return text


def read_secrets(*more: str) -> tuple[str, ...]:
    """Return the keys of the environment that must not be shown."""
    return tuple(
        value
        for name in (KEY, OPENAI_KEY, *more)
        if len(value := os.environ.get(name, "").strip()) >= _SHORTEST_SECRET
    )
