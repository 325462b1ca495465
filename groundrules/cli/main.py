"""The command line: finds the command, imports only its module, and turns errors into one line.

Exit codes: 0 nothing at or above the fail level, 1 violations, 2 not settled or not all checked, or
a usage, config, rule, source or model error, 130 interrupted, 141 the reader of stdout went away.
"""

from __future__ import annotations

import contextlib
import errno
import gc
import hashlib
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType

from groundrules import __version__
from groundrules.cli.terminal import plain
from groundrules.errors import ConfigError, GroundrulesError, did_you_mean

#: Each command is the module of its name (`eval` is `evaluate`), with `parser()` and `run(args)`.
COMMANDS = {
    "check": "check a text against the documents it was written from",
    "audit": "check many texts: a folder, a table, a query; go on where it was ended",
    "index": "read documents once, to check texts against them often",
    "override": "decide on a statement or finding, with a reason",
    "log": "make a key for an audit log, verify it, show it, erase what is kept beside it",
    "replay": "check logged texts again from what was kept, and say what differs",
    "facts": "show what a rule sees of a text: statements, claims, scores",
    "extract": "extract values to a schema, and reject those without evidence",
    "ask": "answer a question from records, with citations",
    "serve": "check over HTTP, with a page to try it",
    "score-models": "rank the models that extracted values by how many are safe",
    "rule": "explain a rule, or list the rules",
    "test": "run the tests that stand beside the rules",
    "new": "write a rule, a pack or a domain that passes its tests, to begin with",
    "ontology": "check an ontology and its data",
    "kb": "build a knowledge base, look names and statements up",
    "query": "ask a store of results by SPARQL",
    "mcp": "serve checks to agents as tools, by the Model Context Protocol",
    "lsp": "show findings in an editor while one writes, by the Language Server Protocol",
    "train-scorer": "fit the support scorer to a few hundred labels",
    "readers": "list the readers of meaning, what each costs and how good it was",
    "eval": "measure the verdicts on labelled data",
    "config": "show the settings in force",
}
#: How seldom garbage is looked for: by default that takes a tenth of a check of a long document.
_COLLECTED = (50_000, 20, 100)
#: Why stdout takes no more.
_FULL = frozenset({errno.EPIPE, errno.ENOSPC, errno.EFBIG})
_MODULES = {"eval": "evaluate", "kb": "kb.stores"}

_HELP = """\
examples:
  groundrules check answer.txt --context lease.txt
  cat answer.txt | groundrules check - --stdin-name answer.txt --context lease.txt
  groundrules rule GR201

usage: groundrules COMMAND ...

commands:
{commands}

options:
  -h, --help     show this help; `groundrules COMMAND --help` shows that of a command
  --version      show the versions of the tool, its rule packs and its models
  --traceback    show where an internal error, or that of a plugin, arose

exit codes: 0 no violation, 1 violations, 2 not settled, not all checked, or an error in usage,
config, rules, sources or models
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line (without the program name) and return its exit code."""
    if argv is None:  # the process is ours, and most of what it makes stays until it ends
        gc.set_threshold(*_COLLECTED)
    arguments = list(sys.argv[1:] if argv is None else argv)
    traceback = "--traceback" in arguments
    arguments = [argument for argument in arguments if argument != "--traceback"]
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        if sys.stdout is None:
            raise ConfigError("stdout is closed; expected somewhere to write to")
        code = _dispatch(arguments)
        sys.stdout.flush()
        return code
    except GroundrulesError as error:
        if traceback and (cause := error.__cause__):
            sys.excepthook(type(cause), cause, cause.__traceback__)
        _complain(str(error))
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    except SystemExit as error:  # argparse after --help
        return error.code if isinstance(error.code, int) else 0
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _FULL and error.filename is None:
            # Whatever is still buffered must not raise again when the interpreter closes stdout.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            if isinstance(error, BrokenPipeError):
                return 141
            _complain(f"stdout: cannot write: {error.strerror}")
        elif traceback:
            raise
        else:
            hint = "please report it; --traceback shows where it arose"
            _complain(f"internal error: {type(error).__name__}: {error}; {hint}")
        return 2


def _complain(message: str) -> None:
    # Names of files and words of a text may hold anything; a message is one line all the same.
    with contextlib.suppress(OSError):  # where stderr is full the exit code says it alone
        print(f"groundrules: {plain(message)}", file=sys.stderr)


def _dispatch(arguments: list[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        if arguments[1:] and arguments[0] == "help":
            return _dispatch([arguments[1], "--help"])
        print(help_text(), end="")
        return 0
    name, *rest = arguments
    if name == "--version":
        print(version_text())
        return 0
    if name not in COMMANDS:
        kind = "option" if name.startswith("-") else "command"
        known = ("--help", "--version", "--traceback") if kind == "option" else COMMANDS
        raise ConfigError(
            f"unknown {kind} {name!r}; expected {', '.join(known)}{did_you_mean(name, known)}"
        )
    module = command(name)
    args = module.parser().parse(rest)
    code: int = module.run(args)
    return code


def command(name: str) -> ModuleType:
    """Return the module of a command."""
    module = _MODULES.get(name, name.replace("-", ""))
    return import_module(f"groundrules.cli.{module}")


def help_text() -> str:
    """Return the help of the program."""
    width = max(map(len, COMMANDS))
    lines = "\n".join(f"  {name:<{width}}  {text}" for name, text in COMMANDS.items())
    return _HELP.format(commands=lines)


def version_text() -> str:
    """Return the versions of the tool, its packs and its models, one a line with its digest."""
    from groundrules.cli.settings import packs
    from groundrules.config import Config
    from groundrules.models import shipped

    lines = [f"groundrules {__version__}"]
    lines += [f"pack {pack.name} {pack.digest[:12]}" for pack in packs(Config())]
    for name in shipped.names():
        folder, total = shipped.folder(name), hashlib.sha256()
        for path in sorted(one for one in folder.rglob("*") if one.is_file()):
            total.update(path.relative_to(folder).as_posix().encode() + b"\0")
            total.update(hashlib.sha256(path.read_bytes()).digest())
        lines.append(f"model {name} {total.hexdigest()[:12]}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
