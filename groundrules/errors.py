"""The errors a user can cause, each one clear line and exit code 2."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from hashlib import sha256
from typing import Literal

#: Why a language model gave no answer; see `LLMError`.
Unanswered = Literal["unreachable", "refused", "malformed", "budget"]
#: A URL: what goes before its password, what it is without it, and its query.
_URL = re.compile(
    r"(\w:/+)(?:[^\s/?#]*@|[^\s/?#@]*:[^\s/?#@0-9]\S*@)?([^\s?]*)"
    r"(?:\?(?!sha256-[0-9a-f]{8}\b)(\S*?)(?=['\"]?[:;,.]?(?:\s|\Z)))?"
)


def without_secrets(text: str) -> str:
    """Return a text whose URLs have no password, and a digest for a query, which may be a key."""

    def plain(url: re.Match[str]) -> str:
        digest = sha256((url[3] or "").encode("utf-8", "replace")).hexdigest()
        return url[1] + url[2] + (f"?sha256-{digest[:8]}" if url[3] else "")

    return _URL.sub(plain, text)


class GroundrulesError(Exception):
    """A fault the user can mend; `str()` is the one line that says how.

    The line reads `place: what is wrong; what was expected; did you mean …`, where the place is
    `file`, `file:line` or `file:line:column`, as far as it is known; URLs are `without_secrets`.
    """

    exit_code = 2

    def __init__(
        self, message: str, *, path: str = "", line: int | None = None, column: int | None = None
    ) -> None:
        self.message, self.path = without_secrets(message), without_secrets(path)
        super().__init__(self.message)
        self.line, self.column = line, column

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.path, self.line, self.column) if part)
        return f"{place}: {self.message}" if place else self.message


class ConfigError(GroundrulesError):
    """A config file, an option or a missing extra."""


class RuleError(GroundrulesError):
    """A rule file that cannot be used: syntax, unknown key, bad query."""


class SourceError(GroundrulesError):
    """A document or RDF file that cannot be read."""


class ModelError(GroundrulesError):
    """A spaCy, embedding or scoring model that is missing or cannot be loaded."""


class LLMError(GroundrulesError):
    """A language model that could not be asked, or did not answer as asked.

    `kind` is "unreachable" (no answer came, or the server could not give one), "refused" (the model
    or the provider declined), "malformed" (the answer does not obey the schema), or "budget" (a
    limit of calls, cost, tokens or time would have been broken). `cause` is what happened, without
    the name of the model; that of a prompt which was not sent is why no more are.
    """

    def __init__(self, message: str, kind: Unanswered, *, cause: str = "") -> None:
        super().__init__(message)
        self.kind, self.cause = kind, cause or message


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return `; did you mean 'x'?` for the nearest known word, or an empty string."""
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f"; did you mean {near[0]!r}?" if near else ""


def type_of(value: object) -> str:
    """Return what a value is, for a message: `an int`, `a str`, `None`."""
    name = type(value).__name__
    return "None" if value is None else f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"
