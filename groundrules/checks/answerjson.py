"""An answer to a question as JSON."""

from __future__ import annotations

import json
from typing import Any

from groundrules.checks.answers import Response


def encode(response: Response) -> str:
    """Return an answer as JSON."""
    return json.dumps({"schema": 1, **_object(response)}, ensure_ascii=False, indent=2) + "\n"


def _object(response: Response) -> dict[str, Any]:
    cited = {number for said in response.sentences for number in said.cites}
    return {
        "question": response.question,
        "by": response.by,
        "answer": " ".join(said.text for said in response.kept) or None,
        "refusal": response.refusal or None,
        "sentences": [
            {
                "text": said.text,
                "records": list(said.cites),
                "outcome": said.outcome.value,
                "reason": said.reason or None,
            }
            for said in response.sentences
        ],
        "records": [
            {
                "number": one.number,
                "iri": one.thing,
                "label": one.label,
                "text": one.text,
                "places": [
                    {"file": place.file, "record": place.number, "sha256": place.digest}
                    for place in one.places
                ],
            }
            for one in response.grounds
            if one.number in cited
        ],
        "compared": [_object(rival) for rival in response.rivals],
        "times": {name: round(seconds, 4) for name, seconds in response.times},
    }
