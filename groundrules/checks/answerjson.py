"""An answer to a question as JSON."""

from __future__ import annotations

import json
from typing import Any

from groundrules.checks.answers import Response


def encode(response: Response) -> str:
    """Return an answer as JSON."""
    cited = {number for said in response.sentences for number in said.cites}
    sentences = [
        {"text": one.text, "records": list(one.cites), "outcome": one.outcome.value,
         "reason": one.reason or None}
        for one in response.sentences
    ]  # fmt: skip
    records = [
        {"number": one.number, "iri": one.thing, "label": one.label, "text": one.text,
         "places": [{"file": place.file, "record": place.number, "sha256": place.digest}
                    for place in one.places]}
        for one in response.grounds if one.number in cited
    ]  # fmt: skip
    data: dict[str, Any] = {
        "schema": 1, "question": response.question, "by": response.by,
        "answer": " ".join(said.text for said in response.kept) or None,
        "refusal": response.refusal or None, "sentences": sentences, "records": records,
        "times": {name: round(seconds, 4) for name, seconds in response.times},
    }  # fmt: skip
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"
