"""What the description of the service (OpenAPI) says of bodies and answers."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from pydantic import ConfigDict, TypeAdapter, with_config
from typing_extensions import TypedDict

from groundrules.explain.formats import json as form_json
from groundrules.service.refusals import PROBLEM

#: The media type and the end of the name of each form of a report; of another: a plain text.
FORMS = {
    "json": ("application/json", "json"),
    "jsonl": ("application/x-ndjson", "jsonl"),
    "html": ("text/html; charset=utf-8", "html"),
    "markdown": ("text/markdown; charset=utf-8", "md"),
    "sarif": ("application/sarif+json", "sarif"),
    "junit": ("application/xml", "xml"),
    "turtle": ("text/turtle; charset=utf-8", "ttl"),
    "trig": ("application/trig; charset=utf-8", "trig"),
    "jsonld": ("application/ld+json", "jsonld"),
}
PLAIN = ("text/plain; charset=utf-8", "txt")


# what of a report is written is not tested once more, as any text may be in it; so no models
Model = with_config(ConfigDict(extra="forbid"))


@Model
class Told(TypedDict):
    """What clients of OpenAI read of an error."""

    status: int
    message: str


@Model
class Error(TypedDict):
    """One line that says what is wrong (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    error: Told


@Model
class Guarded(TypedDict):
    """What was decided by a policy, and the report."""

    decision: str
    text: str
    reason: str
    fixed: str | None
    report: dict[str, Any]


ERROR: dict[str, Any] = {
    "description": "One line that says what is wrong (RFC 9457)",
    "content": {PROBLEM: {"schema": {"$ref": "#/components/schemas/Error"}}},
}
_FAULTS = (400, 401, 404, 408, 413, 415, 422, 429, 500, 503, 504)
ERRORS: dict[int | str, dict[str, Any]] = dict.fromkeys(_FAULTS, ERROR)
_ANY = {"type": "string"}
REPORT: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The report: see json-schema.md; with a policy what was decided",
        "content": {
            **{kind.partition(";")[0]: {"schema": _ANY} for kind, _ in FORMS.values()},
            PLAIN[0].partition(";")[0]: {"schema": _ANY},
        }
        | {
            "application/json": {
                "schema": {
                    "anyOf": [
                        {"$ref": f"#/components/schemas/{name}"} for name in ("Report", "Guarded")
                    ]
                    # another form in JSON, of ?format=
                    + [{"type": "array", "items": {"type": "object"}}]
                    + [{"type": "object", "required": ["@context"]}]
                }
            }
        },
    }
}


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
            parts.setdefault("schemas", {}).update(_reports() | _schemas())
            parts["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer"}}
            made["security"] = [{"key": []}, {}]  # none is asked for where the service has none
            self.openapi_schema = made
        return self.openapi_schema


@cache
def _schemas() -> dict[str, Any]:
    """Return the schemas of what is answered beside a report, as components."""
    found = TypeAdapter(Guarded | Error).json_schema(
        ref_template="#/components/schemas/{model}", mode="serialization"
    )
    return dict(found["$defs"])


@cache
def _reports() -> dict[str, Any]:
    """Return the schema of a report, and those that it names, as components."""
    text = form_json.schema()
    whole = json.loads(text.replace('"#/$defs/', '"#/components/schemas/Report_'))
    found = {f"Report_{name}": one for name, one in whole.pop("$defs").items()}
    return {"Report": {key: one for key, one in whole.items() if key[0] != "$"}, **found}


CHAT: dict[str, Any] = json.loads(Path(__file__).with_name("openapi.json").read_text("utf-8"))
