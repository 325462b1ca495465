"""`groundrules eval`: how good the verdicts are on labelled data."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from groundrules.cli.files import refuse_inputs
from groundrules.cli.options import Parser, add_format, names, output_format, positive
from groundrules.cli.settings import add_readers, add_scorer, add_settings, settings
from groundrules.cli.terminal import progress, write_as
from groundrules.errors import ConfigError, SourceError, did_you_mean

if TYPE_CHECKING:
    from groundrules.config import Config
    from groundrules.evaluate.licences import Measured

#: What a row is called that has no value in the field by which figures are broken down.
_BLANK = "no value"
#: What only JSON tells of a part of the rows.
_LEFT_OUT = ("ci", "confusion")


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "eval",
        "Measure the verdicts on labelled data: JSON Lines with doc (or context), claim and label, "
        "or with claim_graph and reference_graph. Rows with label3 (Entailment, Contradiction, "
        "NotMentioned) are also judged three ways, beside baselines on the same rows. Rows with "
        "doc and answer, a list of objects with s and label, are checked as whole texts and "
        "measured by sentence. With --kb: rows with text and label, or also s, p, o and their "
        "labels, judged by a knowledge base; label is 0 or 1, or an outcome by name.",
        (
            "groundrules eval contract_qa.jsonl.gz --by error",
            "groundrules eval contract_nli.jsonl.gz --by label3",
            "groundrules eval rows.jsonl --limit 200 --seed 1 --output-format json",
            "groundrules eval answers.jsonl",
            "groundrules eval labelled.jsonl --calibrate ours.json",
            "groundrules eval answers.jsonl --reader owner/model --license model.toml",
            "groundrules eval others.jsonl --reader owner/model --licensed model.toml",
            "groundrules eval codex_claims.jsonl.gz --kb STORE",
        ),
    )
    add = result.add_argument
    add("file", metavar="FILE", help="a .jsonl or .jsonl.gz file")
    add("--kb", action="append", metavar="KB",
        help="judge by a knowledge base: wikidata, endpoint, RDF file or store")  # fmt: skip
    add("--on", type=names, metavar="LEVELS",
        help="with --kb: judge on ids, labels, text (default all that rows allow)")  # fmt: skip
    add(
        "--by",
        metavar="FIELD",
        help="break the figures down by a field of the rows; a "
        "value of one label is set beside the rows of the other without one",
    )
    add("--limit", type=positive, metavar="N", help="take a sample of about N rows, by document")
    add("--seed", type=int, default=0, metavar="S", help="the seed of the sample (default 0)")
    add("--calibrate", metavar="OUT", help="fit score to probability on the rows, write it there")
    add("--calibration", metavar="FILE", help="use a calibration that --calibrate wrote")
    add("--license", metavar="OUT",
        help="measure the one --reader on what the rules leave open in answers, and write there "
             "what it may do")  # fmt: skip
    add("--model", metavar="NAME", help="another spaCy pipeline, such as en_core_web_lg")
    add("--no-cache", action="store_true", help="read and write no cache")
    add("-o", "--output", metavar="FILE", help="write the figures to a file")
    add_format(result, "text", "json")
    add_settings(result)
    add_scorer(result)
    add_readers(result)
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    form = output_format(args)
    config = settings(args)
    for output in (args.output, args.calibrate, args.license):
        refuse_inputs(output, (args.file, args.calibration, args.config), config)
    if args.kb:
        return _run_kb(args, config, form)
    from groundrules.evaluate import documents
    from groundrules.evaluate import rows as evaluation

    if args.license:
        return _run_license(args, config, form)
    if documents.has_answers(args.file):
        return _run_documents(args, config, form)
    found = evaluation.evaluate(
        args.file,
        config=config,
        by=args.by,
        limit=args.limit,
        seed=args.seed,
        calibrate=args.calibrate,
        calibration=args.calibration,
        progress=lambda rows, total: progress(rows, total=total, label="evaluating"),
    )
    _write(encode(found), form, render, args.output)
    return 0


def _run_documents(args: argparse.Namespace, config: Config, form: str) -> int:
    from groundrules.evaluate import documents, licences

    if args.by:
        fields = ", ".join(documents.FIELDS)
        raise ConfigError(f"--by: the figures of answers are broken down by {fields} as they are")
    licences.refuse_own_data(args.file, config)
    found = documents.evaluate(
        args.file,
        config=config,
        limit=args.limit,
        seed=args.seed,
        calibrate=args.calibrate,
        calibration=args.calibration,
        progress=lambda rows, total: progress(rows, total=total, label="evaluating"),
    )
    _write(encode(found), form, render, args.output)
    return 0


def _run_license(args: argparse.Namespace, config: Config, form: str) -> int:
    from groundrules.evaluate import documents, licences

    if len(args.readers or ()) != 1:
        raise ConfigError("--license needs one --reader, which is measured")
    if not documents.has_answers(args.file):
        raise SourceError(
            "no answers to measure a reader on; expected doc and answer, a list of objects with s "
            "and label",
            path=args.file,
        )
    found = licences.license_reader(
        args.file,
        config.readers[0],
        args.license,
        config=config,
        progress=lambda rows, total: progress(rows, total=total, label="measuring"),
    )
    _write(encode(found), form, lambda _: render_license(found), args.output)
    return 0


def render_license(found: Measured) -> str:
    """Return as text what a reader was measured to be and may do."""
    licence = found.licence
    lines = [
        f"{licence.reader}: {found.open:,} sentences that the rules leave open, "
        f"{licence.wrong:,} of the {licence.sentences:,} it has read are wrong",
        f"{'auc of the share entailed':<32}{_figure(found.auc):>9}",
        licence.told(),
    ]
    lines += [f"{found.unread:,} were not read: {'; '.join(found.causes)}"] if found.unread else []
    return "\n".join(lines) + "\n"


def _run_kb(args: argparse.Namespace, config: Config, form: str) -> int:
    from datetime import UTC, datetime

    from groundrules.evaluate import kb

    for level in args.on or ():
        if level not in kb.LEVELS:
            expected = ", ".join(kb.LEVELS)
            near = did_you_mean(level, kb.LEVELS)
            raise ConfigError(f"--on: {level!r} is not known; expected {expected}{near}")
    found = kb.evaluate(
        args.file,
        config=config,
        now=datetime.now(UTC),
        levels=args.on or (),
        by=args.by,
        limit=args.limit,
        seed=args.seed,
        progress=lambda rows, total: progress(rows, total=total, label="evaluating"),
    )
    _write(encode(found), form, render_kb, args.output)
    return 0


def _write(
    data: dict[str, Any], form: str, text: Callable[[Mapping[str, Any]], str], output: str | None
) -> None:
    write_as(form, lambda: data, lambda: text(data), output)


#: The columns of a table of levels: the heading and the figure.
_COLUMNS = {
    "supported": "precision_supported", "recall": "recall_supported",
    "refuted": "precision_refuted", "recall ": "recall_refuted", "coverage": "coverage",
    "auc": "auc", "balanced": "balanced_accuracy",
}  # fmt: skip


def render_kb(data: Mapping[str, Any]) -> str:
    """Return the figures of a knowledge base as text: by level, held out, by field, by rule."""
    lines = [f"{data['rows']} rows against {data['source']}", ""]
    lines += _table({f"on {level}": tally for level, tally in data["levels"].items()})
    lines += ["", "supported and refuted are precisions, each followed by its recall"]
    if data["by"]:
        lines += ["", *_table(data["by"])]
    if held := data["held_out"]:
        lines += ["", "true rows, their statements in the knowledge base and held out of it:"]
        for level, counts in held.items():
            lines.append(
                f"on {level:<7} supported {counts['supported']} and {counts['supported_without']}, "
                f"refuted {counts['refuted']} and {counts['refuted_without']} of {counts['rows']}"
            )
    for level, tally in data["levels"].items():
        lines += ["", *_matrix(level, tally)]
    for level, tally in data["levels"].items():
        lines += ["", f"on {level}:"]
        lines += [f"{count:>7}  {reason}" for reason, count in tally["reasons"].items()]
    asked = ", ".join(f"{count:,} {name}" for name, count in data["calls"].items())
    return "\n".join([*lines, "", f"asked: {asked}"]) + "\n"


def _matrix(level: str, tally: Mapping[str, Any]) -> list[str]:
    """Return what rows were judged by their label, and what each confusion costs."""
    matrix = tally["matrix"]
    outcomes = [one for one in next(iter(matrix.values()), {})
                if one in matrix or any(row[one] for row in matrix.values())]  # fmt: skip
    head = f"on {level}, labelled"
    width = max([len(head), *map(len, matrix)])
    lines = [f"{head:<{width}}" + "".join(f"  {one.replace('_', ' '):>15}" for one in outcomes)]
    for label, row in matrix.items():
        figures = "".join(f"  {row[one]:>15}" for one in outcomes)
        lines.append(f"{label.replace('_', ' '):<{width}}{figures}")
    told = [f"{name.replace('_', ' ')} {cost:g}" for name, cost in tally["costs"].items() if cost]
    costs = f": {', '.join(told)}" if told else ""
    lines.append(f"right {_figure(tally['right'])}, cost {_figure(tally['cost'])} a row{costs}")
    return lines


def _table(tallies: Mapping[str, Mapping[str, Any]]) -> list[str]:
    width = max(map(len, tallies))
    lines = [f"{'':<{width}}  {'rows':>6}" + "".join(f"  {name:>9}" for name in _COLUMNS)]
    for name, tally in tallies.items():
        figures = "".join(f"  {_figure(tally[key]):>9}" for key in _COLUMNS.values())
        lines.append(f"{name:<{width}}  {tally['rows']:>6}{figures}")
    return lines


def encode(value: Any) -> Any:
    """Return an evaluation as dictionaries, lists and scalars; what is undefined is null."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = dataclasses.fields(value)
        return {field.name: encode(getattr(value, field.name)) for field in fields}
    if isinstance(value, Mapping):
        return {str(key): encode(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [encode(one) for one in value]
    if isinstance(value, float) and value != value:
        return None
    return value


def render(data: Mapping[str, Any]) -> str:
    """Return figures as text under the names that JSON has: each with its interval, then tables."""
    intervals = data.get("ci") or {}
    lines, tables = [], []
    for name, value in data.items():
        if isinstance(value, Mapping) and name != "ci":
            tables += _part(name, value)
        elif name != "ci":
            ends = " to ".join(map(_figure, intervals.get(name, ())))
            line = f"{_words(name):<32}{_figure(value):>9}" + (f"   {ends}" if ends else "")
            lines.append(line.rstrip())
    return "\n".join(lines + tables) + "\n"


def _part(name: str, part: Mapping[str, Any]) -> list[str]:
    """Return the lines of figures that belong together: one line, or a table of those alike."""
    rows = {key or _BLANK: value for key, value in part.items() if isinstance(value, Mapping)}
    alone = {key: value for key, value in part.items() if not isinstance(value, Mapping)}
    told = ", ".join(f"{_words(key)} {_figure(value)}" for key, value in alone.items())
    lines = ["", f"{_words(name)}: {told}"] if told else []
    cells = {
        key: {one: value for one, value in row.items() if not isinstance(value, Mapping)}
        for key, row in rows.items()
    }
    cells = {key: row for key, row in cells.items() if row}
    heads = list(dict.fromkeys(one for row in cells.values() for one in row))
    table = (
        {_words(name): dict(zip(heads, map(_words, heads), strict=True)), **cells} if heads else {}
    )
    drawn = {key: [_figure(row.get(one, 0)) for one in heads] for key, row in table.items()}
    widths = [max(9, *map(len, column)) for column in zip(*drawn.values(), strict=True)]
    left = max(map(len, drawn), default=0)
    lines += [""] if drawn else []
    for key, figures in drawn.items():
        told = "".join(f"  {one:>{width}}" for one, width in zip(figures, widths, strict=True))
        lines.append(f"{key:<{left}}{told}")
    for key, row in rows.items():
        deeper = {inner: one for inner, one in row.items() if isinstance(one, Mapping)}
        if key not in cells:
            lines += _part(key, deeper)
        for inner, one in deeper.items() if key in cells else ():
            lines += _part(f"{key}, {inner}", one) if inner not in _LEFT_OUT else []
    return lines


def _words(name: str) -> str:
    return name.replace("_", " ")


def _figure(value: object) -> str:
    if value is None:
        return "undefined"
    return f"{value:.3f}" if isinstance(value, float) else str(value)
