"""Recorded answers: asked in place of the network, one line of JSON each."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from groundrules.errors import ConfigError
from groundrules.files import read_bounded
from groundrules.llm.prompt import Prompt, key
from groundrules.llm.transport import count_tokens, read_json

_MOST_RECORDED = 500_000_000

#: Answer, tokens of the request and of the answer: by key, or by job and names of texts.
Recorded = Mapping[str | tuple[str, ...], tuple[object, int, int]]


def row(prompt: Prompt, answer: object, prompt_tokens: int = 0, completion_tokens: int = 0) -> str:
    """Return the line of a recorded answer: JSON with its key, job, names of texts and tokens."""
    data = {
        "key": key(prompt),
        "job": prompt.job,
        "texts": [name for name, _ in prompt.texts],
        "answer": answer,
        "prompt_tokens": prompt_tokens,
        "completion_tokens": completion_tokens,
    }
    return json.dumps(data, ensure_ascii=False) + "\n"


def read_rows(path: Path) -> Recorded:
    """Return the recorded answers of a file; ConfigError with the line of a bad one.

    An answer without a key is known by its job, values if it names none, and its texts' names.
    """
    try:
        raw = read_bounded(path, _MOST_RECORDED)
        text = raw.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8"
        raise ConfigError(f"cannot be read: {reason}", path=str(path)) from None
    if len(raw) > _MOST_RECORDED:
        raise ConfigError(f"larger than {_MOST_RECORDED:,} bytes", path=str(path))
    rows: dict[str | tuple[str, ...], tuple[object, int, int]] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            data = read_json(line.encode())
            sent, received = (
                count_tokens(data.get(name, 0), 0)
                for name in ("prompt_tokens", "completion_tokens")
            )
            known: str | tuple[str, ...] = str(data.get("key", ""))
            if not known:
                names = data["texts"] if isinstance(data["texts"], list) else [data["texts"]]
                known = (str(data.get("job", "values")), *map(str, names))
            rows[known] = (data["answer"], sent, received)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise ConfigError(
                'not a recorded answer; expected {"texts": ["FILE NAME"], "answer": …}, or "key"',
                path=str(path),
                line=number,
            ) from None
    return rows


def find_row(recorded: Recorded, prompt: Prompt) -> tuple[object, int, int] | None:
    """Return the recorded answer to a prompt and its tokens, None if there is none."""
    names = tuple(name for name, _ in prompt.texts)
    return recorded.get(key(prompt)) or recorded.get((prompt.job, *names))
