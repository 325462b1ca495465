"""What the description of the service (OpenAPI) says of bodies and answers."""

from __future__ import annotations

from typing import Any

#: The media type and the end of the name of each form of a report; of another: a plain text.
FORMS = {
    "json": ("application/json", "json"),
    "jsonl": ("application/x-ndjson", "jsonl"),
    "html": ("text/html; charset=utf-8", "html"),
    "pdf": ("application/pdf", "pdf"),
    "markdown": ("text/markdown; charset=utf-8", "md"),
    "sarif": ("application/sarif+json", "sarif"),
    "junit": ("application/xml", "xml"),
    "gitlab": ("application/json", "json"),
    "shacl": ("text/turtle; charset=utf-8", "ttl"),
    "turtle": ("text/turtle; charset=utf-8", "ttl"),
    "trig": ("application/trig; charset=utf-8", "trig"),
    "jsonld": ("application/ld+json", "jsonld"),
}
PLAIN = ("text/plain; charset=utf-8", "txt")
LINES = "application/x-ndjson"

ERROR: dict[str, Any] = {
    "description": "One line that says what is wrong",
    "content": {
        "application/json": {
            "schema": {
                "type": "object",
                "required": ["error"],
                "properties": {
                    "error": {
                        "type": "object",
                        "required": ["status", "message"],
                        "properties": {
                            "status": {"type": "integer"},
                            "message": {"type": "string"},
                        },
                    }
                },
            }
        }
    },
}
_FAULTS = (400, 401, 404, 408, 413, 415, 422, 429, 500, 503, 504)
ERRORS: dict[int | str, dict[str, Any]] = dict.fromkeys(_FAULTS, ERROR)
_ANY = {"type": "string"}
REPORT: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The report: see docs/json-schema.md; with a policy what was decided",
        "content": {
            "text/event-stream": {"schema": _ANY},
            **{kind.partition(";")[0]: {"schema": _ANY} for kind, _ in FORMS.values()},
            PLAIN[0].partition(";")[0]: {"schema": _ANY},
        }
        | {"application/json": {"schema": {"type": ["object", "array"]}}},
    }
}
ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": 'A line of JSON for each: {"id", "report"} or {"id", "error"}',
        "content": {LINES: {"schema": _ANY}},
    }
}
CHAT: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {
                    "type": "object",
                    "properties": {
                        "model": {"type": "string"},
                        "messages": {"type": "array", "items": {"type": "object"}},
                        "stream": {"type": "boolean"},
                        "groundrules": {"type": "object"},
                    },
                }
            }
        },
    }
}
BATCH: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "description": "A body of /check in each line",
        "content": {
            LINES: {
                "schema": _ANY,
                "example": '{"id": 1, "text": "It sank.", "sources": [{"text": "It sails."}]}\n',
            }
        },
    }
}
