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

_FIGURES = ("auc", "average_precision", "balanced_accuracy_fixed", "balanced_accuracy_cv")
#: What a row is called that has no value in the field by which figures are broken down.
_BLANK = "no value"


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
    add("--by", metavar="FIELD", help="break the figures down by a field of the rows")
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
    if args.calibrate and args.calibration:
        raise ConfigError("--calibrate and --calibration exclude each other")
    config = settings(args)
    for output in (args.output, args.calibrate, args.license):
        refuse_inputs(output, (args.file, args.calibration, args.config), config)
    if args.kb:
        return _run_kb(args, config, form)
    if args.on:
        raise ConfigError("--on needs --kb")
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
    _write(encode(found), form, render_documents, args.output)
    return 0


def _run_license(args: argparse.Namespace, config: Config, form: str) -> int:
    from groundrules.evaluate import documents, licences

    for option in ("by", "limit", "calibrate", "calibration", "licensed"):
        if getattr(args, option):
            raise ConfigError(f"--license and --{option} exclude each other")
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

    for option in ("calibrate", "calibration"):
        if getattr(args, option):
            raise ConfigError(f"--{option} and --kb exclude each other")
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


#: What the text says of the figures of answers, in its order.
_OF_ANSWERS = {
    "wrong_error": "wrong, with an error", "wrong_any": "wrong, error or warning",
    "wrong_supported": "wrong, passed as supported",
    "true_error": "true, with an error", "true_any": "true, error or warning",
    "true_supported": "true, passed as supported",
    "precision_error": "precision of errors", "auc": "auc of support",
    "figures_caught": "figures and logic caught", "span_hit": "finding at the wrong words",
}  # fmt: skip
_OF_ANSWERS_TOO = (
    "calibration_error", "brier", "findings_per_faulty_statement",
    "violations_per_faulty_statement", "not_read", "seconds_per_row",
)  # fmt: skip
#: The columns of a table of parts: the heading and the figure.
_OF_PARTS = (
    ("wrong", "wrong"), ("error", "wrong_error"), ("any", "wrong_any"),
    ("supported", "wrong_supported"), ("true", "true"), ("error", "true_error"),
    ("any", "true_any"), ("precision", "precision_error"), ("auc", "auc"),
)  # fmt: skip


def render_documents(data: Mapping[str, Any]) -> str:
    """Return the figures of answers as text: the whole, by field, by rule, trivial scores."""

    def line(said: str, name: str) -> str:
        low_high = data["ci"].get(name)
        interval = f"   {_figure(low_high[0])} to {_figure(low_high[1])}" if low_high else ""
        return f"{said:<32}{_figure(data[name]):>9}{interval}"

    lines = [
        f"{data['documents']} documents, {data['statements']} statements, {data['wrong']} wrong",
        "",
        *(line(said, name) for name, said in _OF_ANSWERS.items()),
        *(line(name.replace("_", " "), name) for name in _OF_ANSWERS_TOO),
    ]
    mean = data["probability"]
    for name, texts in (("right", "right_texts"), ("others", "other_texts")):
        if mean[texts]:
            said = f"probability, {texts.replace('_', ' ')}"
            lines.append(f"{said:<32}{_figure(mean[name]):>9}   of {mean[texts]}")
    for label, counts in data["outcomes"].items():
        told = ", ".join(f"{n} {outcome.replace('_', ' ')}" for outcome, n in counts.items())
        lines.append(f"{label + ' ones':<32}{told or 'none'}")
    for field, parts in data["by"].items():
        lines += ["", *_parts(field, parts)] if parts else []
    if rules := data["by_rule"]:
        head = "errors and warnings"
        width = max(len(head), *(len(f"{rule} {one['name']}") for rule, one in rules.items()))
        lines += ["", f"{head:<{width}}   on wrong    on true  precision"]
        for rule, one in rules.items():
            lines.append(
                f"{rule + ' ' + one['name']:<{width}}  {one['wrong']:>9}  {one['true']:>9}  "
                f"{_figure(one['precision']):>9}"
            )
    lines += ["", f"{'trivial scores':<16}  {'auc':>9}"]
    for name, one in data["baselines"].items():
        lines.append(f"{name:<16}  {_figure(one['auc']):>9}")
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _parts(field: str, parts: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the figures by value of a field; those of true ones are the same for all errors."""
    columns = [
        (head, key)
        for head, key in _OF_PARTS
        if field != "error" or not key.startswith(("true", "precision"))
    ]
    width = max(map(len, [field, *parts]))
    lines = [f"{field:<{width}}" + "".join(f"  {head:>9}" for head, _ in columns)]
    for value, part in parts.items():
        shown = {**part, "true": part["statements"] - part["wrong"]}
        figures = "".join(f"  {_figure(shown[key]):>9}" for _, key in columns)
        lines.append(f"{value:<{width}}{figures}")
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
    """Return the figures as text: each with its interval, then the breakdown, the rest below."""
    ci = data.get("ci") or {}
    lines = [f"{data['rows']} rows"]
    for name in _FIGURES:
        low_high = ci.get(name)
        interval = f"   {_figure(low_high[0])} to {_figure(low_high[1])}" if low_high else ""
        lines.append(f"{name.replace('_', ' '):<24}{_figure(data.get(name))}{interval}")
    if by := data.get("by"):
        width = max(8, *(len(str(value) or _BLANK) for value in by))
        lines += ["", f"{'':<{width}}  {'rows':>6}  {'auc':>9}  {'ap':>9}  {'fixed':>9}  {'cv':>9}"]
        for value, part in by.items():
            figures = "  ".join(f"{_figure(part.get(name)):>9}" for name in _FIGURES)
            lines.append(f"{str(value) or _BLANK:<{width}}  {part['rows']:>6}  {figures}")
        if "" in by:
            lines += [f"rows of one label alone are set beside those of the other with {_BLANK}"]
    if three := data.get("three_way"):
        lines += ["", *_outcomes(three, data.get("baselines") or {}, data.get("by") or {})]
    known = {"rows", "ci", "by", "three_way", "baselines", *_FIGURES}
    rest = [(key, value) for key, value in data.items() if key not in known and value is not None]
    lines += [""] if rest else []
    for key, value in rest:
        if isinstance(value, Mapping):
            value = ", ".join(f"{name} {_figure(one)}" for name, one in value.items())
        elif isinstance(value, list):
            value = ", ".join(
                " ".join(map(_figure, one)) if isinstance(one, list) else _figure(one)
                for one in value
            )
        lines.append(f"{key.replace('_', ' '):<24}{_figure(value)}")
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _outcomes(
    three: Mapping[str, Any], baselines: Mapping[str, Any], by: Mapping[str, Any]
) -> list[str]:
    """Return the three-way figures beside the baselines and by value, and the confusion."""
    parts = {f"= {value}": part["three_way"] for value, part in by.items() if part["three_way"]}
    rows = {"these verdicts": three, **baselines, **parts}
    names = [name.replace("_", " ") for name in three["f1"]]
    width = max(map(len, rows))
    widths = [max(9, len(name)) for name in names]
    head = "  ".join(f"{name:>{size}}" for name, size in zip(names, widths, strict=True))
    lines = [f"{'three outcomes':<{width}}  {'accuracy':>9}  {'macro F1':>9}  F1: {head}"]
    for name, found in rows.items():
        f1 = "  ".join(
            f"{_figure(value):>{size}}"
            for value, size in zip(found["f1"].values(), widths, strict=True)
        )
        lines.append(
            f"{name:<{width}}  {_figure(found['accuracy']):>9}  {_figure(found['macro_f1']):>9}"
            f"      {f1}"
        )
    lines += ["", f"{'labelled':<{width}}  {'judged':>9}  {'':>9}      {head}"]
    for name, counts in zip(names, three["confusion"], strict=True):
        found = "  ".join(f"{n:>{size}}" for n, size in zip(counts, widths, strict=True))
        lines.append(f"{name:<{width}}  {'':>9}  {'':>9}      {found}")
    return lines


def _figure(value: object) -> str:
    if value is None:
        return "undefined"
    return f"{value:.3f}" if isinstance(value, float) else str(value)
