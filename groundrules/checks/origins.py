"""Origins: the report of texts as they are shown, said of the files that they were made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from rdflib.term import Literal

from groundrules.claims.documents.shown import Shown
from groundrules.explain.replacements import exchange, removal
from groundrules.terms import Report, Span, Violation


def of_files(report: Report, texts: Sequence[Shown]) -> Report:
    """Return a report whose places are those of the files; what markup divides is not edited.

    The first of the texts is the one that was checked. The words of a statement stay as they are
    shown; an edit stays safe where it is the same in the file.
    """
    originals = {one.original.name: one.original.text for one in texts}
    changed = {one.document.name: one for one in texts if one.layers}
    report = replace(report, sources={**report.sources, **originals})
    if not changed:
        return replace(report, text=texts[0].original.text)
    moved = replace(
        report,
        text=texts[0].original.text,
        **{
            name: _moved(getattr(report, name), changed)
            for name in ("statements", "claims", "verdicts", "violations", "assertions")
        },
    )
    if texts[0].document.name not in changed:
        return moved
    pairs = zip(report.violations, moved.violations, strict=True)
    return replace(
        moved,
        violations=tuple(_editable(one, other, report, moved, texts[0]) for one, other in pairs),
    )


def _moved(value: Any, texts: Mapping[str, Shown]) -> Any:
    """Return a part of a report with every place in it moved."""
    if isinstance(value, Span):
        found = texts.get(value.source)
        return found.in_file(value) if found and value.end <= len(found.document.text) else value
    if isinstance(value, tuple) and type(value) is tuple:
        return tuple(_moved(one, texts) for one in value)
    if not is_dataclass(value) or isinstance(value, type):
        return value
    parts = {one.name: getattr(value, one.name) for one in fields(value) if one.init}
    new = {name: _moved(part, texts) for name, part in parts.items()}
    if isinstance(value, Violation):
        new["bindings"] = _moved_row(value, texts)
    changed = {name: part for name, part in new.items() if part is not parts[name]}
    return replace(value, **changed) if changed else value


def _moved_row(violation: Violation, texts: Mapping[str, Shown]) -> tuple[tuple[str, Any], ...]:
    """Return the row of a rule, whose `start` and `end` are a place in the checked text."""
    row = dict(violation.bindings)
    if violation.claim is None or not {"start", "end"} <= row.keys():
        return violation.bindings
    start, end = (str(row[name]) for name in ("start", "end"))
    if not (start.isdecimal() and end.isdecimal() and int(start) <= int(end)):
        return violation.bindings
    span = _moved(Span(violation.claim.span.source, int(start), int(end)), texts)
    place = {"start": Literal(span.start), "end": Literal(span.end)}
    return tuple((name, place.get(name, node)) for name, node in violation.bindings)


def _editable(
    violation: Violation, moved: Violation, report: Report, of_file: Report, text: Shown
) -> Violation:
    """Return a violation whose edit is to be shown alone where the file would not be the same."""
    edit = moved.edit
    if edit is None or edit.applicability == "display":
        return moved
    make = exchange if edit.applicability == "safe" else removal
    wanted = make(report, violation)
    spans = [text.in_file(Span(text.document.name, one.start, one.end)) for one in wanted]
    as_in_file = [
        replace(one, start=s.start, end=s.end) for one, s in zip(wanted, spans, strict=True)
    ]
    if as_in_file == list(make(of_file, moved)) and all(
        text.document.text[one.start : one.end] == text.original.text[other.start : other.end]
        for one, other in zip(wanted, as_in_file, strict=True)
    ):
        return moved
    return replace(moved, edit=replace(edit, applicability="display", verified=None))
