"""What the description of the service (OpenAPI) says of bodies and answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute

from groundrules.explain.formats import json as form_json
from groundrules.service.refusals import PROBLEM

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
    "turtle": ("text/turtle; charset=utf-8", "ttl"),
    "trig": ("application/trig; charset=utf-8", "trig"),
    "jsonld": ("application/ld+json", "jsonld"),
}
PLAIN = ("text/plain; charset=utf-8", "txt")
LINES = "application/x-ndjson"

ERROR: dict[str, Any] = {
    "description": "One line that says what is wrong (RFC 9457)",
    "content": {PROBLEM: {"schema": {"$ref": "#/components/schemas/Error"}}},
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
        | {
            "application/json": {
                "schema": {
                    "anyOf": [
                        {"$ref": f"#/components/schemas/{name}"}
                        for name in ("Report", "Findings", "Summary", "Guarded")
                    ]
                    # another form in JSON, of ?format=
                    + [{"type": "array", "items": {"type": "object"}}]
                    + [{"type": "object", "required": ["@context"]}]
                }
            }
        },
    }
}
_COUNTS = {"type": "object", "additionalProperties": {"type": "integer"}}
_TEXT = {"type": "string"}
_NUMBER = {"type": "integer"}
_PLACE = dict.fromkeys(("start", "end", "line", "column"), _NUMBER)
_SUMMARY: dict[str, Any] = {
    "source": _TEXT,
    "conforms": {"type": ["boolean", "null"]},
    "conclusion": {"enum": ["passes", "fails", "not settled", "not all checked"]},
    "guardrail": {"enum": ["pass", "retrieve again", "human"]},
    "reason": _TEXT,
    "fixed": {"type": ["string", "null"]},
    "probability": {"type": ["number", "null"]},
    "unchecked": {"type": "array", "items": _TEXT},
    "outcomes": _COUNTS,
    "rules": _COUNTS,
}


def _object(properties: Mapping[str, Any], *optional: str) -> dict[str, Any]:
    return {
        "type": "object",
        "required": [name for name in properties if name not in optional],
        "properties": dict(properties),
        "additionalProperties": False,
    }


_STATEMENT = _object(
    {"number": _NUMBER, "text": _TEXT, **_PLACE, "outcome": _TEXT, "standing": _TEXT,
     "reason": _TEXT, "note": _TEXT, "fingerprint": _TEXT}, "line", "column",
)  # fmt: skip
_FINDING = _object(
    {"rule": _TEXT, "name": _TEXT, "severity": {"enum": ["error", "warning", "info"]},
     "message": _TEXT, "statement": _NUMBER, "counts": {"type": "boolean"}, **_PLACE,
     "evidence": {"type": "array", "items": _TEXT}, "edit": {"type": ["string", "null"]},
     "fingerprint": _TEXT}, "line", "column",
)  # fmt: skip
_SCHEMAS = {
    "Summary": _object(_SUMMARY),
    "Findings": _object(
        {**_SUMMARY, "statements": {"type": "array", "items": _STATEMENT},
         "findings": {"type": "array", "items": _FINDING}}
    ),
    "Guarded": _object(
        {"decision": _TEXT, "text": _TEXT, "reason": _TEXT, "fixed": {"type": ["string", "null"]},
         "report": {"anyOf": [{"$ref": f"#/components/schemas/{name}"}
                              for name in ("Report", "Findings", "Summary")]}}
    ),
    "Error": _object(
        {"type": {"type": "string", "format": "uri-reference"}, "title": _TEXT, "status": _NUMBER,
         "detail": _TEXT, "error": _object({"status": _NUMBER, "message": _TEXT})}
    ),
}  # fmt: skip


def operation(route: APIRoute) -> str:
    """Return what a way is called: the function of a client that is generated has that name."""
    return route.name


class Described(FastAPI):
    """A service whose description has the schemas of its reports and says how keys are given."""

    def openapi(self) -> dict[str, Any]:
        """Return the description, made once, when it is first asked for."""
        if self.openapi_schema is None:
            made = get_openapi(
                title=self.title, version=self.version, summary=self.summary, routes=self.routes
            )
            parts = made.setdefault("components", {})
            parts.setdefault("schemas", {}).update(_reports() | _SCHEMAS)
            parts["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer"}}
            made["security"] = [{"key": []}, {}]  # none is asked for where the service has none
            self.openapi_schema = made
        return self.openapi_schema


@cache
def _reports() -> dict[str, Any]:
    """Return the schema of a report, and those that it names, as components."""
    text = form_json.schema()
    whole = json.loads(text.replace('"#/$defs/', '"#/components/schemas/Report_'))
    found = {f"Report_{name}": one for name, one in whole.pop("$defs").items()}
    return {"Report": {key: one for key, one in whole.items() if key[0] != "$"}, **found}


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
