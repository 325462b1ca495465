"""`groundrules check`: what is wrong in a text, why, and what would make it right."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from groundrules.cli.logged import add_log, command_of, logged, public_half
from groundrules.cli.options import Parser, add_format, one_of, output_format
from groundrules.cli.override import decide, read_decisions, tell_unused
from groundrules.cli.settings import LEVELS, add_checking, add_decided, checking
from groundrules.cli.terminal import (
    columns,
    progress,
    refuse_inputs,
    wants_color,
    write,
    write_over,
)
from groundrules.config import documents_for
from groundrules.errors import ConfigError, GroundrulesError, SourceError
from groundrules.explain import formats

if TYPE_CHECKING:
    from groundrules.claims.documents.document import Document
    from groundrules.config import Config, HeldTo
    from groundrules.terms import Report

#: The formats whose text is the file itself, so that a change of the text changes the file.
_PLAIN = ("txt", "md")
_TOLD = 5  # edits that --fix names
#: What keeps the words, by option, and why it cannot do without.
_KEEP = {
    "log": "the log keeps text and sources, to check them again",
    "diff": "a diff is made of the words",
    "write_baseline": "a baseline has hashes of the statements, which a guess can confirm",
    "snapshot": "a snapshot has what was asked of the words",
}


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "check",
        "Check what a text asserts against the documents it was written from, or knowledge bases.",
        (
            "groundrules check answer.txt --context lease.txt",
            "groundrules check answer.txt --context lease.pdf --context annex.docx --diff",
            "groundrules check claims.txt --kb wikidata",
            "groundrules check answer.txt --context lease.txt --llm http://127.0.0.1:8000/v1",
            "git diff --name-only main | xargs groundrules check --changed",
            "cat answer.txt | groundrules check - --stdin-name answer.txt --context lease.txt",
        ),
    )
    result.epilog = (
        "exit codes: 0 the text passes; 1 something speaks against it, or a finding reaches\n"
        "--fail-level; 2 it is not settled (too little is supported, or no source has a figure\n"
        "or a name), not all could be read or asked, or an option, file, rule or model is wrong"
    )
    add = result.add_argument
    add("files", nargs="+", metavar="FILE", help="a text to check; - is stdin")
    add("--context", action="append", default=[], metavar="FILE|DIR",
        help="a document to check against, or a folder that `groundrules index` wrote; may be "
             "given several times")  # fmt: skip
    add("--changed", action="store_true",
        help="the files are those that have changed: of them, check the texts that the table "
             "`context` of the config file names, and those whose documents are among them"
        )  # fmt: skip
    add("--snapshot", metavar="FILE",
        help="write there what endpoints of --kb answer, for --offline")  # fmt: skip
    add("--question", default="", metavar="TEXT",
        help="what the text answers: what it names is known, and what it says is no evidence"
        )  # fmt: skip
    add_checking(result)
    add_decided(result)
    add("--write-baseline", metavar="FILE",
        help="write a baseline of all that is found, by which it is judged at once")  # fmt: skip
    add_log(result)
    add_format(result, *formats.names())
    add("-o", "--output", metavar="FILE", help="write the report to a file")
    add("--fix", action="store_true", help="make the safe edits in the files (txt, md)")
    add("--diff", action="store_true",
        help="show what --fix would change, change nothing; -o has it to the byte, stdout without "
             "what could steer a terminal")  # fmt: skip
    add("--unsafe-fixes", action="store_true", help="with --fix or --diff: the unsafe edits too")
    add("--exit-zero", action="store_true", help="exit 0 in spite of violations")
    add("--color", type=one_of("auto", "always", "never"), default="auto",
        metavar="auto|always|never", help="colour the text (default auto)")  # fmt: skip
    add("--stdin-name", metavar="NAME", help="how to call the text of stdin")
    add("--redact", action="store_true",
        help="keep the words of texts and sources out of all that is written, hashes of them too; "
             "verdicts and places stay, and nothing is cached")  # fmt: skip
    add("--redact-key", metavar="FILE",
        help="with --redact: write what its names stand for to a new file, which only you may read"
        )  # fmt: skip
    add("--statistics", action="store_true", help="show counts and times by rule")
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command; return 1 if something speaks against a text, 2 if not all could be read."""
    from groundrules import api
    from groundrules.claims.documents.document import read

    form = output_format(args)
    if args.stdin_name and "-" not in args.files:
        raise ConfigError("--stdin-name needs the file -")
    _refuse_unredacted(args)
    formats.load(form)  # what it lacks is told before the work
    config = checking(args)
    if args.snapshot:
        from groundrules.audit.answered import asks

        if len(args.files) > 1 or not asks(config):
            raise ConfigError("--snapshot keeps what an endpoint answers of one text; expected "
                              "one FILE, and --kb with an endpoint")  # fmt: skip
    table = () if args.context else config.held_to()
    if args.changed:
        if not table:
            raise ConfigError(
                "--changed needs the table `context` of a config file, and no --context; expected "
                '[tool.groundrules.context] and "answers/*.md" = ["sources/*.txt"]'
            )
        args.files = _concerned(args.files, table)
        if not args.files:
            write(_render([], form, args), args.output)
            return 0
    inputs = _inputs(args, config)
    inputs += [str(path) for _, documents in table for path in documents]
    for output in (args.output, args.write_baseline, args.log, args.snapshot):
        refuse_inputs(output, inputs, config)
    # Only stdin is read here: whether a file is a text or RDF is for the pipeline to tell.
    context = [read(name) if name == "-" else Path(name) for name in args.context]
    # One time for all texts: the knowledge bases stay open, and one that refused us stays unasked.
    now = None if config.offline else datetime.now(UTC)
    check = partial(api.check, question=args.question, config=config, now=now)
    if args.snapshot:
        check = partial(check, snapshot=Path(args.snapshot))
    new = bool(args.write_baseline)
    known = () if new else read_decisions(config, config.baseline)
    said = read_decisions(config, config.overrides)
    reports: list[Report] = []
    patches: list[str] = []
    errors: list[Exception] = []
    faults: list[Exception] = []  # of ours
    with logged(args, config) as log:
        if log:
            check = partial(check, **log.asked)
        if config.llm.model != "never":
            from groundrules.llm.client import connect

            # One client for all texts: its limits are those of the whole run.
            check = partial(check, client=log.client(config) if log else connect(config.llm))
        for name in progress(args.files, label="checking"):
            try:
                document = read(name, stdin_name=args.stdin_name, blank=True)
                against = context or documents_for(document.name, table)
                report = check(document, context=against)
                if args.fix or args.diff:
                    again = partial(check, context=against)
                    report, patch = _repair(document, report, again, args, name)
                    patches.append(patch)
                report = decide(report, (*known, *said), new=new)
                reports.append(report)
                if log:
                    log.record(report)
            except Exception as fault:  # the reports of the other texts are not lost
                if isinstance(fault, GroundrulesError) and not isinstance(fault, SourceError):
                    raise
                if log:
                    log.fail(name, fault)
                (errors if isinstance(fault, SourceError) else faults).append(fault)
        if log:
            stands = log.finish()
            reports = [replace(report, logged=stands) for report in reports]
    if errors and not reports and len(args.files) == 1:
        raise errors[0]
    if new:
        from groundrules.audit import overrides

        overrides.write(Path(args.write_baseline), overrides.baseline(reports))
    tell_unused(reports, known, said)
    if args.diff:
        if patches:
            patch = "".join(patches)
            write(patch if args.output else _steerless(patch), args.output)
        code = int(any(patches))
    else:
        if args.redact_key and reports:
            from groundrules.explain.redact import redact, write_key

            write_key(Path(args.redact_key), {"texts": [redact(one)[1] for one in reports]})
        if reports and not (args.fix and "-" in args.files):  # then stdout has the text
            write(_render(reports, form, args), args.output)
        code = _code(reports, args.fail_level)
        for one in () if args.exit_zero else reports:
            if told := _reached(one, args.fail_level):
                print(f"{one.source}: {told}", file=sys.stderr)
    if errors:
        from groundrules.cli.main import _complain

        # one that they have in common, such as a context that is missing, is told once
        for message in dict.fromkeys(map(str, errors)):
            _complain(message)
    if faults:
        raise faults[0]
    if errors:
        return 2
    return 0 if args.exit_zero else code


def _refuse_unredacted(args: argparse.Namespace) -> None:
    """Let nothing be cached where words are kept out; ConfigError where an option keeps them."""
    if not args.redact:
        return
    if args.redact_key and Path(args.redact_key).exists():
        raise SourceError("is there already; expected a new file", path=args.redact_key)
    for name, why in _KEEP.items():
        if getattr(args, name, None):
            option = f"--{name.replace('_', '-')}"
            raise ConfigError(f"--redact and {option} exclude each other: {why}")
    if args.offline == "cache":
        raise ConfigError("--redact reads and writes no cache; expected --offline with a snapshot")
    args.no_cache = True


def _concerned(changed: Sequence[str], held_to: HeldTo) -> list[str]:
    """Return the texts that the config file names and whose words or documents have changed."""
    paths = {Path(name).resolve() for name in changed}
    found: set[Path] = set()
    for texts, documents in held_to:
        found |= texts & paths if paths.isdisjoint(documents) else texts
    return [os.path.relpath(path) for path in sorted(found)]


def _inputs(args: argparse.Namespace, config: Config) -> list[str | None]:
    """Return the files that a check reads."""
    settled = [config.ontology, config.names, config.overrides]
    settled = [name for name in (*settled, *config.readers) if name]
    here = (*args.files, *args.context, *config.bases, args.config, config.offline)
    return [name for name in (*here, *(str(config.base / name) for name in settled)) if name != "-"]


def _steerless(patch: str) -> str:
    """Return a diff without what could steer a terminal; its tabs and line ends are left."""
    from groundrules.explain.place import printable

    parts = re.split(r"(\t|\r?\n)", patch)
    return "".join(part if place % 2 else printable(part) for place, part in enumerate(parts))


def _repair(
    document: Document,
    report: Report,
    check: Callable[[Document], Report],
    args: argparse.Namespace,
    name: str,
) -> tuple[Report, str]:
    """Return the report of the repaired text and its diff; write the text if asked to."""
    from groundrules.explain import edits, repair

    if document.format not in _PLAIN:
        expected = " and ".join(_PLAIN)
        raise SourceError(f"cannot rewrite {document.format}; expected {expected}", path=name)

    def again(text: str) -> Report:
        return check(replace(document, text=text, sha256=""))

    fixed, _ = repair.fix(report, again, unsafe=args.unsafe_fixes)
    if args.diff:
        return report, edits.diff(report.text, fixed.text, document.name)
    if name == "-":
        sys.stdout.write(fixed.text)
    elif fixed.text != document.text:
        write_over(name, document.text, fixed.text)
    print(f"{name}: {_written(edits.exchanged(document.text, fixed.text))}", file=sys.stderr)
    return fixed, ""


def _written(made: Sequence[tuple[str, str]]) -> str:
    """Return in words what was written over what, the first few of many."""
    if not made:
        return "nothing was written, as no edit is safe"
    told = [
        f"“{new}” in place of “{old}”" if new else f"nothing in place of “{old}”"
        for old, new in made[:_TOLD]
    ]
    more = f" and {len(made) - _TOLD} more" if len(made) > _TOLD else ""
    return f"wrote {', '.join(told)}{more}"


def _render(reports: list[Report], form: str, args: argparse.Namespace) -> str:
    stream = sys.stdout
    to_file = args.output is not None
    look = formats.Look(
        color=wants_color("never" if to_file and args.color == "auto" else args.color, stream),
        columns=None if to_file else columns(stream),
        statistics=args.statistics,
        redact=args.redact,
        command="" if args.redact else command_of(args, "check"),
        log=str(args.log or ""),
        public_key=public_half(args),
    )
    return formats.load(form)(reports, look)


def _reached(report: Report, level: str) -> str:
    """Return how many findings fail by the level a text that nothing else fails."""
    failing = LEVELS[: LEVELS.index(level) + 1]
    found = sum(v.severity.value in failing and report.stands(v) for v in report.violations)
    if not found or report.conforms is False:
        return ""
    return f"fails, as {found} finding{'s reach' if found > 1 else ' reaches'} --fail-level {level}"


def _code(reports: list[Report], level: str) -> int:
    """Return 1 if a violation reaches the level or a text fails, 2 if not all could be read."""
    if any(report.conforms is False or _reached(report, level) for report in reports):
        return 1
    return 2 if any(report.conforms is None for report in reports) else 0
