"""Reports without the words of texts and sources, as the options of a command ask for them."""

from __future__ import annotations

import argparse
from pathlib import Path

from groundrules.errors import ConfigError, SourceError

#: What keeps the words, by option, and why it cannot do without.
_KEEP = {
    "log": "the log keeps text and sources, to check them again",
    "diff": "a diff is made of the words",
    "write_baseline": "a baseline has hashes of the statements, which a guess can confirm",
    "snapshot": "a snapshot has what was asked of the words",
}


def add_redact(parser: argparse.ArgumentParser) -> None:
    """Add the options that keep words out of what is written."""
    add = parser.add_argument
    add("--redact", action="store_true",
        help="keep the words of texts and sources out of all that is written, hashes of them too; "
             "verdicts and places stay, and nothing is cached")  # fmt: skip
    add("--redact-key", metavar="FILE",
        help="with --redact: write what its names stand for to a new file, which only you may read"
        )  # fmt: skip


def refuse_unredacted(args: argparse.Namespace) -> None:
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
