"""Options: an argument parser that puts examples first and errors into one line."""

from __future__ import annotations

import argparse
import contextlib
import math
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from groundrules.errors import ConfigError, did_you_mean

#: Options of which a command line has one at most, by the names of what they set.
_APART = (
    ("config", "isolated"), ("fix", "diff"), ("baseline", "write_baseline"), ("llm", "answers"),
    ("snapshot", "log"), ("snapshot", "offline"), ("readers", "no_reader"),
)  # fmt: skip
#: What names texts, of which one may be stdin.
_TEXTS = ("file", "files", "context")


class Parser(argparse.ArgumentParser):
    """The parser of one command; a bad argument is a ConfigError, `--help` starts with examples."""

    def __init__(self, command: str, summary: str, examples: Sequence[str]) -> None:
        super().__init__(
            prog=f"groundrules {command}",
            description=summary,
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        self._command = command
        self._examples = examples

    def format_help(self) -> str:
        """Return the help, examples first."""
        examples = "".join(f"  {example}\n" for example in self._examples)
        return f"examples:\n{examples}\n{super().format_help()}"

    def error(self, message: str) -> NoReturn:
        """Raise the message as one line that names the command."""
        raise ConfigError(f"{message}; see `{self.prog} --help`", path=self._command)

    def parse(self, arguments: Sequence[str]) -> argparse.Namespace:
        """Return the parsed arguments, options and others in any order.

        ConfigError with the nearest option for an unknown one.
        """
        args, unknown = self.parse_known_intermixed_args(list(arguments))
        if unknown:
            first = unknown[0].split("=", 1)[0]
            if first.startswith("-"):
                near = did_you_mean(first, self._option_string_actions)
                self.error(f"unknown option {first!r}{near}")
            self.error(f"unexpected argument {first!r}")
        args.given = tuple(arguments)
        _refuse_together(vars(args))
        return args


def _refuse_together(given: Mapping[str, Any]) -> None:
    """Raise ConfigError where options of a command do not go together."""
    for one, other in _APART:
        if given.get(one) and given.get(other):
            raise ConfigError(f"{_option(one)} and {_option(other)} exclude each other")
    if given.get("log_key") and not given.get("log", True):
        raise ConfigError("--log-key needs --log")
    texts = [given.get(name) or [] for name in _TEXTS]
    if sum(one == "-" if isinstance(one, str) else list(one).count("-") for one in texts) > 1:
        raise ConfigError("stdin (-) can be read once")


def _option(name: str) -> str:
    return f"--{name.replace('_', '-').replace('readers', 'reader')}"


def one_of(*names: str) -> Callable[[str], str]:
    """Return an argument type that accepts only these names and suggests the nearest."""

    def read(value: str) -> str:
        if value not in names:
            near = did_you_mean({"shacl": "turtle", "md": "markdown"}.get(value, value), names)
            raise argparse.ArgumentTypeError(
                f"{value!r} is not known; expected {', '.join(names)}{near}"
            )
        return value

    return read


def positive(value: str) -> int:
    """Return a whole number of at least 1."""
    if not value.isdecimal() or int(value) < 1:
        raise argparse.ArgumentTypeError(f"{value!r} is not a whole number of at least 1")
    return int(value)


def amount(value: str) -> float:
    """Return a finite number above 0."""
    return _number(value, math.ulp(0.0), sys.float_info.max, "above 0")


def share(value: str) -> float:
    """Return a number from 0 to 1."""
    return _number(value, 0.0, 1.0, "from 0 to 1")


def _number(value: str, least: float, most: float, told: str) -> float:
    with contextlib.suppress(ValueError):
        if least <= (number := float(value)) <= most:
            return number
    raise argparse.ArgumentTypeError(f"{value!r} is not a number {told}")


def names(value: str) -> tuple[str, ...]:
    """Return the names of a list with commas."""
    return tuple(part for part in (one.strip() for one in value.split(",")) if part)


def add_format(parser: argparse.ArgumentParser, *formats: str) -> None:
    """Add `--output-format`, whose default GROUNDRULES_OUTPUT_FORMAT may set."""
    parser.add_argument(
        "--output-format",
        type=one_of(*formats),
        metavar="|".join(formats),
        default=None,
        help=f"the form of the result (default {formats[0]}, or $GROUNDRULES_OUTPUT_FORMAT)",
    )
    parser.set_defaults(formats=formats)


def output_format(args: argparse.Namespace) -> str:
    """Return the format asked for by the option, else the environment, else the first.

    ConfigError if the environment names none of them.
    """
    if args.output_format:
        return str(args.output_format)
    value = os.environ.get("GROUNDRULES_OUTPUT_FORMAT")
    if not value:
        return str(args.formats[0])
    try:
        return one_of(*args.formats)(value)
    except argparse.ArgumentTypeError as error:
        raise ConfigError(f"GROUNDRULES_OUTPUT_FORMAT: {error}") from None
