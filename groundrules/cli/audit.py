"""`groundrules audit`: many texts checked by several processes, and one report of all."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from groundrules.cli.logged import add_log, command_of, log_of, public_half, tell_head
from groundrules.cli.options import Parser, amount, one_of, positive
from groundrules.cli.override import read_decisions
from groundrules.cli.settings import add_checking, add_decided, checking
from groundrules.cli.terminal import progress_bar, table, write
from groundrules.errors import ConfigError, SourceError
from groundrules.explain import formats
from groundrules.explain.formats import Look

if TYPE_CHECKING:
    from groundrules.audit.runner import Done, Tally
    from groundrules.audit.summary import Summary
    from groundrules.terms import Logged

#: How many faults of the inputs are told.
_TOLD = 20


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "audit",
        "Check many texts and write one report of all. What was done is not done again: the same "
        "command goes on where the last one was ended.",
        (
            "groundrules audit answers.jsonl -o audit",
            "groundrules audit answers/ --context lease.pdf -o audit --jobs 8",
            "groundrules audit answers.jsonl -o audit --log audit.log",
            "groundrules audit answers.jsonl -o audit --by 'Ann Lee' --purpose 'Answers of May'",
            "groundrules audit answers.jsonl -o audit --sample 100",
            "groundrules audit --sample-read audit/sample.csv",
        ),
    )
    add = result.add_argument
    add("inputs", nargs="*", metavar="IN",
        help="a text, a folder of texts, or a table (jsonl, csv) with answer, and context or "
             "sources, id, question, date")  # fmt: skip
    add("-o", "--output", metavar="DIR", help="the folder of the results")
    add("--context", action="append", default=[], metavar="FILE|DIR",
        help="a document that every text is checked against, or a folder that `groundrules index` "
             "wrote; may be given several times")  # fmt: skip
    add_checking(result)
    add_decided(result)
    add_log(result)
    add("--jobs", type=positive, metavar="N", default=os.cpu_count() or 1,
        help="how many processes check (default: as many as there are cores)")  # fmt: skip
    add("--engine", type=one_of("processes", "ray"), default="processes", metavar="processes|ray",
        help="what runs them: this machine, or a Ray cluster whose machines see the same files "
             "($RAY_ADDRESS, else a local one)")  # fmt: skip
    add("--time-limit", type=amount, metavar="SECONDS", default=300.0,
        help="what one text may take (default 300)")  # fmt: skip
    add("--memory-limit", type=positive, metavar="MB", default=4096,
        help="what one text may take (default 4096)")  # fmt: skip
    add("--output-format", type=one_of(*formats.names()), metavar="|".join(formats.names()),
        help="write the report of each text in this form too")  # fmt: skip
    add("--by", default="", metavar="NAME", help="who asks for the audit: it stands in the report")
    add("--purpose", default="", metavar="TEXT", help="what the audit is for: likewise")
    add("--sample", type=positive, metavar="N",
        help="draw N statements, of each verdict as many, for a person to read, into sample.csv"
        )  # fmt: skip
    add("--sample-read", metavar="FILE",
        help="say what a filled-in sample shows, the share of each verdict that is wrong, and put "
             "it into the report beside it")  # fmt: skip
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command; return 1 if a text fails, 2 if not all could be checked or is settled."""
    if args.sample_read:
        _tell_share(Path(args.sample_read))
        return 0
    if not args.output:
        raise ConfigError("-o is missing; expected the folder of the results", path="audit")
    out = Path(args.output)
    if not args.inputs:
        raise ConfigError("nothing to audit; expected IN", path="audit")
    from groundrules.audit.dossier import DOSSIER, write_dossier
    from groundrules.audit.entries import RunLog
    from groundrules.audit.kept import hash_of
    from groundrules.audit.runner import Audit
    from groundrules.audit.runner import run as run_audit
    from groundrules.audit.sampling import draw_sample
    from groundrules.audit.summary import REPORT_JSON, write_forms, write_summary
    from groundrules.cli.main import _complain

    config = checking(args)
    log = log_of(args)
    run = RunLog(log, config) if log else None
    _refuse((*args.inputs, *args.context), out)
    audit = Audit(
        inputs=tuple(args.inputs),
        out=out,
        config=config,
        contexts=tuple(args.context),
        jobs=args.jobs,
        seconds=args.time_limit,
        memory=args.memory_limit * 2**20,
        engine=args.engine,
        asked={"by": args.by, "purpose": args.purpose, "command": command_of(args, "audit")},
        decisions=(
            *read_decisions(config, config.baseline),
            *read_decisions(config, config.overrides),
        ),
        kept=run.kept.folder if run else None,
    )
    if args.output_format:  # what it lacks is told before a night's work
        formats.load(args.output_format)
    with progress_bar() as bar:

        def show(tally: Tally) -> None:
            bar("audit", tally.kept + tally.done, tally.total, _counted(tally))

        finished, told = (run.finished, run.told()) if run else (None, set())
        done = run_audit(audit, show=show, finished=finished, told=told)
    for number, fault in enumerate(done.faults):
        if number == _TOLD:
            _complain(f"and {len(done.faults) - _TOLD:,} more: see {out / DOSSIER}")
            break
        _complain(str(fault))
    summary = write_summary(out, done, args.fail_level)
    logged = None
    if log and run:
        folder = os.path.relpath(out, log.path.parent)
        logged = run.finish(audit=folder, report=hash_of(out / REPORT_JSON))
        tell_head(log, logged.head)
    if args.sample:
        draw_sample(out, done.keys, args.sample)
    look = _look(args, done)
    write_dossier(out, done.keys, look, _where(args, logged))
    if args.output_format and args.output_format != "html":
        write_forms(out, done.keys, args.output_format, look, logged)
    if args.sample:
        _tell_drawn(out)
    print(_told(summary, len(done.faults), out / DOSSIER))
    return summary.code(done.faults)


def _where(args: argparse.Namespace, logged: Logged | None) -> dict[str, str]:
    """Return where an audit was logged and with which key, empty where it was not."""
    if logged is None:
        return {}
    return {
        "log": str(args.log),
        "head": logged.head,
        "key": logged.key,
        "public_key": public_half(args),
    }


def _look(args: argparse.Namespace, done: Done) -> Look:
    """Return how the report of each text is shown."""
    return Look(
        command=str(done.manifest["asked"].get("command", "")),
        log=str(args.log or ""),
        public_key=public_half(args),
    )


def _refuse(named: Iterable[str], out: Path) -> None:
    """Raise ConfigError where the folder of the results is read by the audit itself."""
    for name in named:
        path = Path(name)
        if path.is_dir() and out.resolve().is_relative_to(path.resolve()):
            raise ConfigError(
                f"stands in {name}, which is audited; expected another folder for -o",
                path=str(out),
            )
    if out.exists() and not out.is_dir():
        raise ConfigError("is a file; expected a folder for -o", path=str(out))


def _told(summary: Summary, faults: int, page: Path) -> str:
    from groundrules.audit.summary import told_counts
    from groundrules.explain.words import DECIDED, STANDINGS

    texts = summary.texts
    parts = [f"{texts.total():,} texts: {told_counts(texts, faults)}"]
    parts.append("statements: " + ", ".join(
        f"{summary.outcomes[one]:,} {told}" for one, told in STANDINGS.items()
        if one not in DECIDED or summary.outcomes[one]
    ))  # fmt: skip
    return "\n".join([*parts, f"report: {page}"])


# --- the sample -------------------------------------------------------------------------------


def _tell_drawn(out: Path) -> None:
    from groundrules.audit.sampling import SAMPLE, read_sample
    from groundrules.explain.words import STANDINGS

    found = read_sample(out / SAMPLE)
    parts = [f"{STANDINGS[told]} of {one.of:,}" for told, one in found.verdicts.items()]
    command = shlex.join(["groundrules", "audit", "--sample-read", str(out / SAMPLE)])
    print(
        f"{out / SAMPLE}: {found.blank:,} statements, as many of each verdict as there are "
        f"({', '.join(parts)}); fill in wrong, whether the verdict is (yes, no), then: {command}"
    )


def _tell_share(path: Path) -> None:
    from groundrules.audit.dossier import DOSSIER, refresh
    from groundrules.audit.sampling import SAMPLE, read_sample
    from groundrules.explain.words import STANDINGS

    found = read_sample(path)
    if not found.read:
        raise SourceError("nothing is filled in; expected yes or no in wrong", path=str(path))
    rows = [(STANDINGS[told], f"{one.of:,}", f"{one.read:,}", f"{one.wrong:,}",
             f"{one.low:.1%} to {one.high:.1%}")
            for told, one in found.verdicts.items()]  # fmt: skip
    heads = ("verdict", "there are", "read", "wrong", "share wrong, 95 % (Wilson)")
    write(table(heads, rows), None)
    if found.blank:
        print(f"{found.blank:,} not filled in")
    if path.name == SAMPLE and (path.parent / DOSSIER).exists():
        refresh(path.parent)
        print(f"report: {path.parent / DOSSIER}")


def _counted(tally: Tally) -> str:
    from groundrules.explain.words import STANDINGS

    found = [f"{n:,} {STANDINGS[name]}" for name, n in tally.outcomes.items() if n]
    errors = [f"{tally.errors:,} not checked"] if tally.errors else []
    return ", ".join([*errors, *found])
