"""JSON as language models write it: read where it says one thing, repaired without invention."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from groundrules.errors import ConfigError


class MalformedError(ValueError):
    """An answer that is no JSON, or does not obey its schema."""


def read_answer(text: str, validate: Callable[[object], None]) -> tuple[Any, bool]:
    """Return the JSON of an answer and whether it had to be repaired; or MalformedError."""
    value = parse(text)
    validate(value)
    return value, False


def parse(text: str) -> Any:
    """Return the value of a JSON text; MalformedError if it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise MalformedError(f"no JSON: {error}") from None


def validator(schema: Mapping[str, object]) -> Callable[[object], None]:
    """Return a function that raises MalformedError, with place and reason, on what breaks a schema.

    ConfigError if the schema is none, or the package jsonschema is missing.
    """
    try:
        import jsonschema
        import referencing
    except ImportError:
        raise ConfigError(
            "asking a language model needs jsonschema, which is not installed; run: "
            "pip install 'groundrules[llm]'"
        ) from None
    kind = jsonschema.Draft202012Validator
    try:
        kind.check_schema(schema)
    except jsonschema.SchemaError as error:
        raise ConfigError(f"not a JSON Schema at {error.json_path}: {error.message}") from None
    # an empty registry: nothing that the schema refers to is fetched
    judge = kind(schema, registry=referencing.Registry())

    def validate(value: object) -> None:
        error = jsonschema.exceptions.best_match(judge.iter_errors(value))
        if error is not None:
            raise MalformedError(f"{error.json_path}: {error.message}")

    return validate
