"""The parses of sentences by themselves, each made once, many at a time where they are foreseen."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from groundrules.claims.facts.offline import load

#: Parses that are kept, and made at a time.
_KEPT, _AT_ONCE = 2048, 64
#: Nobody asks a sentence by itself for the names in it, which take as long as all else.
_LEFT_OUT = ["ner"]
_parses: OrderedDict[str, Any] = OrderedDict()
_lock = threading.Lock()


def parse(text: str) -> Any:
    """Return the spaCy Doc of a text by the embedded pipeline, without entities."""
    with _lock:
        found = _parses.get(text)
    if found is None:
        found = load()(text, disable=_LEFT_OUT)
        _keep({text: found})
    return found


def parse_ahead(texts: Sequence[str]) -> None:
    """Parse texts together, which takes half the time, and keep what `parse` returns of each."""
    with _lock:
        missing = [text for text in dict.fromkeys(texts) if text not in _parses]
    made = load().pipe(missing, batch_size=_AT_ONCE, disable=_LEFT_OUT)
    _keep(dict(zip(missing, made, strict=True)))


def _keep(made: dict[str, Any]) -> None:
    with _lock:
        _parses.update(made)
        while len(_parses) > _KEPT:
            _parses.popitem(last=False)
