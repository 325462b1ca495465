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
from pathlib import Path
from types import ModuleType

from groundrules import __version__
from groundrules.cli.terminal import plain
from groundrules.errors import ConfigError, GroundrulesError, did_you_mean
from groundrules.files import parse_toml

_WORDS = parse_toml(Path(__file__).with_name("main.toml").read_text("utf-8"))
#: Each command is the module of its name, but for `_MODULES`, with `parser()` and `run(args)`.
COMMANDS: dict[str, str] = _WORDS["commands"]
#: How seldom garbage is looked for: by default that takes a tenth of a check of a long document.
_COLLECTED = (50_000, 20, 100)
#: Why stdout takes no more.
_FULL = frozenset({errno.EPIPE, errno.ENOSPC, errno.EFBIG})
_MODULES = {
    "eval": "labelled.evaluate", "label": "labelled.label", "kb": "kb.stores",
    "train-scorer": "labelled.trainscorer", "score-models": "labelled.scoremodels",
}  # fmt: skip


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
    return str(_WORDS["help"]["text"]).format(commands=lines)


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
