"""Schemas: which values are wanted, as a pydantic model or a JSON Schema says.

What has the property `context` is a field: its value is `value`, or all it has besides as parts of
one value (SafePassage, figure 2: a date of year, month and day, a judge of two names). A plain
string, number, boolean or enumeration is asked for as a field all the same, so that any schema will
do. In an answer every field, object and part may be null: a model that must answer invents. A
`format` says what kind of value a string is: those of JSON Schema, and "money" and "percent".
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from groundrules.claims.documents.formats.bounds import first_line
from groundrules.claims.english import singular, table
from groundrules.errors import ConfigError
from groundrules.files import read_bounded

#: Largest JSON Schema, in bytes; deepest nesting; most fields.
MAX_BYTES = 1_048_576
MAX_DEPTH = 12
MAX_FIELDS = 500
_CONTEXT = (
    "the shortest passage of the text that states the value, a sentence or a clause, copied "
    "character by character"
)
#: What a scalar may say besides its type.
_KEPT = ("enum", "const", "description")
_SCALARS = ("string", "number", "integer", "boolean")
#: The kinds of value that a schema can declare, and what is asked for them.
_FORMATS = table("formats")


@dataclass(frozen=True, slots=True)
class Schema:
    """What is to be extracted; `shape` is the JSON Schema of an answer.

    In a shape a field has its type in words as `title`, "Governing law". `formats` are those that
    the schema declares, by place: `tenants[].since`. They are not in the shape: an endpoint that
    holds an answer to a form makes the model invent what the form wants and the text leaves out.
    """

    name: str
    shape: Mapping[str, Any]
    formats: Mapping[str, str] = field(default_factory=dict)


def read_schema(source: type | Mapping[str, Any] | Path) -> Schema:
    """Return the schema of a pydantic model, a JSON Schema or a file with one.

    Local references are followed, no other. ConfigError, with the place in the schema, for what
    cannot be asked for: a recursive type, a union of objects, a map with free keys.
    """
    if isinstance(source, Path):
        return _Shaper(str(source)).schema(_load(source), source.stem)
    if isinstance(source, Mapping):
        return _Shaper("schema").schema(source, "record")
    describe = getattr(source, "model_json_schema", None)
    name = getattr(source, "__name__", repr(source))
    if describe is None:
        raise ConfigError(
            f"{name} is no schema; expected a pydantic model, a JSON Schema or a file with one"
        )
    try:
        described = describe()
    except Exception as error:  # pydantic's own, and whatever the user's model does
        raise ConfigError(f"{name} has no JSON Schema: {first_line(error)}") from None
    return _Shaper(name).schema(described, name)


def _load(path: Path) -> Any:
    name = str(path)
    try:
        data = read_bounded(path, MAX_BYTES)
        if len(data) > MAX_BYTES:
            raise ConfigError(f"larger than {MAX_BYTES:,} bytes", path=name)
        return json.loads(data.decode("utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", path=name) from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"not UTF-8 at byte {error.start}", path=name) from None
    except json.JSONDecodeError as error:
        raise ConfigError(
            f"not JSON: {error.msg}", path=name, line=error.lineno, column=error.colno
        ) from None
    except (RecursionError, ValueError) as error:  # a number of a million digits
        raise ConfigError(f"not JSON: {first_line(error)}", path=name) from None


class _Shaper:
    """Turns a JSON Schema into that of an answer and knows where it is."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.root: Mapping[str, Any] = {}
        self.count = 0
        self.formats: dict[str, str] = {}

    def schema(self, root: Any, name: str) -> Schema:
        if not isinstance(root, Mapping):
            raise ConfigError("not a JSON Schema: expected an object", path=self.name)
        try:  # it is sent as it is
            json.dumps(root, ensure_ascii=False, allow_nan=False).encode()
        except (TypeError, ValueError, RecursionError) as error:
            raise ConfigError(f"not JSON: {first_line(error)}", path=self.name) from None
        self.root = root
        title = root.get("title")
        shape = self.shape(root, "", (), ())
        if shape["type"] == "array" or is_field(shape):
            raise ConfigError(
                "describes no record: expected properties, and `context` only in those of a value",
                path=self.name,
            )
        known = " ".join(title.split())[:200] if isinstance(title, str) and title.strip() else name
        return Schema(known, shape, self.formats)

    def error(self, place: str, message: str) -> ConfigError:
        return ConfigError(f"{place or 'the schema'}: {message}", path=self.name)

    def resolve(
        self, node: Any, place: str, within: tuple[str, ...]
    ) -> tuple[Mapping[str, Any], tuple[str, ...]]:
        """Return a schema without references, optionality and wrappers, and what it lies within."""
        for _ in range(MAX_DEPTH):
            if not isinstance(node, Mapping):
                raise self.error(place, f"{node!r} is no schema; expected an object")
            for key in ("anyOf", "oneOf", "allOf"):
                if key in node:
                    options = node[key] if isinstance(node[key], list) else []
                    options = [o for o in options if o != {"type": "null"}]
                    if all(isinstance(o, Mapping) and o.get("type") in _SCALARS for o in options):
                        alike = len({str(o.get("format")) for o in options}) == 1
                        # pydantic's Decimal is a number or a string; a date or a string is any
                        options = [options[0] if alike else {"type": "string"}]
                    if len(options) != 1:
                        raise self.error(place, f"{key} of {len(options)}; expected one, or null")
                    rest = {name: value for name, value in node.items() if name != key}
                    node = {**options[0], **rest} if isinstance(options[0], Mapping) else options[0]
                    break
            else:
                reference = node.get("$ref")
                if reference is None:
                    return node, within
                if reference in within:
                    raise self.error(place, f"{reference} contains itself; expected a finite type")
                within = (*within, str(reference))
                rest = {name: value for name, value in node.items() if name != "$ref"}
                node = {**self.target(reference, place), **rest}
        raise self.error(place, f"nested more than {MAX_DEPTH} deep")

    def target(self, reference: object, place: str) -> Mapping[str, Any]:
        if not isinstance(reference, str) or not reference.startswith("#/"):
            raise self.error(place, f"$ref {reference!r} is not followed; expected #/$defs/…")
        node: Any = self.root
        for step in reference[2:].split("/"):
            step = step.replace("~1", "/").replace("~0", "~")
            node = node.get(step) if isinstance(node, Mapping) else None
        if not isinstance(node, Mapping):
            raise self.error(place, f"$ref {reference!r}: there is no such definition")
        return node

    def shape(
        self,
        node: Any,
        place: str,
        names: tuple[str, ...],
        within: tuple[str, ...],
    ) -> dict[str, Any]:
        """Return the schema of an answer to a node; `names` are the properties that lead to it."""
        if len(names) > MAX_DEPTH:
            raise self.error(place, f"nested more than {MAX_DEPTH} deep")
        own = node.get("title") if isinstance(node, Mapping) else None
        node, within = self.resolve(node, place, within)
        kinds = node.get("type")
        kinds = [kind for kind in (kinds if isinstance(kinds, list) else [kinds]) if kind != "null"]
        described = {"description": node["description"]} if _is_text(node, "description") else {}
        if kinds == ["array"] or (kinds == [None] and "items" in node):
            return {"type": "array", **described, "items": self.items(node, place, names, within)}
        properties = node.get("properties")
        if not isinstance(properties, Mapping):
            return self.field({"value": node, "context": {}}, node, place, names, own)
        if "context" in properties:
            return self.field(properties, node, place, names, own, within)
        if not properties:
            raise self.error(place, "has no properties; expected named ones")
        found = {}
        for name, child in properties.items():
            inner = f"{place}.{name}" if place else str(name)
            shape = self.shape(child, inner, (*names, str(name)), within)
            nullable = shape["type"] != "array"
            found[str(name)] = {"anyOf": [shape, {"type": "null"}]} if nullable else shape
        return {"type": "object", **described, "properties": found, **_closed(found)}

    def items(
        self, node: Mapping[str, Any], place: str, names: tuple[str, ...], within: tuple[str, ...]
    ) -> dict[str, Any]:
        items = node.get("items")
        if not isinstance(items, Mapping):
            raise self.error(place, "is a list of unlike things; expected `items`, one schema")
        names = (*names[:-1], singular(names[-1])) if names else ()
        shape = self.shape(items, f"{place}[]", names, within)
        if shape["type"] == "array":
            raise self.error(place, "is a list of lists; expected a list of values or objects")
        return shape

    def field(
        self,
        properties: Mapping[str, Any],
        node: Mapping[str, Any],
        place: str,
        names: tuple[str, ...],
        own: object,
        within: tuple[str, ...] = (),
    ) -> dict[str, Any]:
        self.count += 1
        if self.count > MAX_FIELDS:
            raise ConfigError(f"has more than {MAX_FIELDS} fields", path=self.name)
        if "value" in properties:
            for name in properties:
                if name not in ("value", "context"):
                    told = f"has {name!r} beside value and context; expected a field of its own"
                    raise self.error(place, told)
        found: dict[str, Any] = self.parts(properties, place, within)
        if not found:
            raise self.error(place, "has a context and no value; expected `value`, or its parts")
        found["context"] = {"type": "string", "description": _CONTEXT}
        # a title that the schema's author set, not one that pydantic made of the name or class
        made = "".join(names[-1:]).replace("_", "").casefold()
        titled = isinstance(own, str) and own.replace(" ", "").casefold() != made
        title = _words(str(own)) if titled else _words(" ".join(names[-2:]))
        text = {"description": node["description"]} if _is_text(node, "description") else {}
        return {"type": "object", "title": title, **text, "properties": found, **_closed(found)}

    def parts(
        self, properties: Mapping[str, Any], place: str, within: tuple[str, ...]
    ) -> dict[str, Any]:
        """Return the schemas of what makes up the value of the field at a place.

        That is `value`, or every other property: a scalar, or an object of scalars.
        """
        if "value" in properties:
            return {"value": self.scalar(properties["value"], place, f"{place}.value", within)}
        found: dict[str, Any] = {}
        for name, child in properties.items():
            if name == "context":
                continue
            inner = f"{place}.{name}"
            node, deeper = self.resolve(child, inner, within)
            members = node.get("properties")
            if isinstance(members, Mapping) and members and "context" not in members:
                parts = {
                    str(key): _nullable(self.scalar(part, "", f"{inner}.{key}", deeper))
                    for key, part in members.items()
                }
                found[str(name)] = _nullable(
                    {"type": "object", "properties": parts, **_closed(parts)}
                )
            elif "items" in node or isinstance(members, Mapping):
                raise self.error(
                    inner, "is no part of the value that has the context; expected a scalar or an "
                    "object of scalars, or no context beside it"
                )  # fmt: skip
            else:
                found[str(name)] = _nullable(self.scalar(child, "", inner, within))
        return found

    def scalar(self, node: Any, field: str, place: str, within: tuple[str, ...]) -> dict[str, Any]:
        """Return the schema of a scalar or enumeration at a place, the value of a field if named.

        A part of a value, which has no field of its own, declares no format.
        """
        node, _ = self.resolve(node, place, within)
        kinds = node.get("type")
        kinds = [kind for kind in (kinds if isinstance(kinds, list) else [kinds]) if kind != "null"]
        values = node.get("enum", [node["const"]] if "const" in node else None)
        if values is not None:
            # every field may be null
            values = [v for v in values if v is not None] if isinstance(values, list) else []
            if not values or not all(isinstance(v, str | int | float | bool) for v in values):
                raise self.error(place, "enumerates what is no string, number or boolean")
            return {"enum": values, **{k: node[k] for k in ("description",) if k in node}}
        if len(kinds) != 1 or kinds[0] not in _SCALARS:
            raise self.error(
                place,
                f"is of type {' or '.join(map(str, kinds))}; expected {', '.join(_SCALARS)}, an "
                "object with properties or a list"
                if kinds != [None]
                else f"has no type; expected {', '.join(_SCALARS)}, or an enumeration",
            )
        form = str(node.get("format"))
        text = {}
        if kinds == ["string"] and form in _FORMATS:
            if field:
                self.formats[field] = form
            text = {"description": _FORMATS[form]}
        return {"type": kinds[0], **text, **{k: node[k] for k in _KEPT if k in node}}


def _nullable(shape: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [shape, {"type": "null"}]}


def _closed(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {"required": list(properties), "additionalProperties": False}


def _is_text(node: Mapping[str, Any], key: str) -> bool:
    return isinstance(node.get(key), str)


def fields_of(schema: Schema) -> Iterator[tuple[str, str]]:
    """Yield type and format of each field whose value is the document's, in their order."""

    def walk(shape: Mapping[str, Any], place: str) -> Iterator[tuple[str, str]]:
        shape = shape["anyOf"][0] if "anyOf" in shape else shape
        if shape["type"] == "array":
            yield from walk(shape["items"], f"{place}[]")
        elif not is_field(shape):
            for name, child in shape["properties"].items():
                yield from walk(child, f"{place}.{name}" if place else name)
        elif not all(is_worded(part) for _, part in parts_of(shape)):
            yield shape["title"], schema.formats.get(place, "")

    return walk(schema.shape, "")


def parts_of(shape: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], Mapping[str, Any]]]:
    """Yield the schemas of the scalars that make up the value of a field, by their place in it."""
    for name, child in shape["properties"].items():
        part = child["anyOf"][0] if "anyOf" in child else child
        if "properties" in part:
            for key, inner in part["properties"].items():
                yield (name, key), inner["anyOf"][0]
        elif name != "context":
            yield (name,), part


def is_worded(value: Mapping[str, Any]) -> bool:
    """Return whether a schema words a value, so that the document need not have it."""
    return "enum" in value or value["type"] == "boolean"


def is_field(shape: Mapping[str, Any]) -> bool:
    """Return whether a shape is that of a field."""
    return shape["type"] == "object" and "context" in shape["properties"] and "title" in shape


def _words(name: str) -> str:
    """Return an identifier as words: `GoverningLaw` and `governing_law` as "Governing law"."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name.replace("_", " ").replace("-", " "))
    words = [w if w.isupper() and len(w) > 1 else w.lower() for w in apart.split()]
    text = " ".join(words)[:200]
    return text[:1].upper() + text[1:]
