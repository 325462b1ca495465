"""`groundrules log`: an audit log verified, shown and signed; what is kept beside it erased."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from groundrules.cli.options import Parser, one_of
from groundrules.errors import ConfigError, did_you_mean

_ACTIONS = ("verify", "show", "key", "erase")
_HASH = re.compile(r"[0-9a-f]{64}")
#: What every event has, or what is shown otherwise.
_PLAIN = frozenset({"seq", "at", "run", "kind", "prev", "hash", "payload", "signature"})


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "log",
        "Verify an audit log and what is kept beside it, show it, make a key to sign it, erase.",
        (
            "groundrules log key audit.key",
            "groundrules check answer.txt --context lease.txt --log audit.log --log-key audit.key",
            "groundrules log verify audit.log --public-key audit.key.pub",
            "groundrules log show audit.log",
            "groundrules log erase audit.log answer.txt --by Ann --why 'asked for by the tenant'",
        ),
    )
    add = result.add_argument
    add("action", type=one_of(*_ACTIONS), metavar="|".join(_ACTIONS))
    add("file", metavar="FILE", help="the log, or the key to make")
    add("names", nargs="*", metavar="TEXT|SHA256", help="of erase: what to erase")
    add("--public-key", metavar="FILE", help="of verify: who must have signed it")
    add("--head", type=_hash, metavar="HASH", help="of verify: a line that must be in it")
    add("--why", metavar="TEXT", help="of erase: the reason")
    add("--by", metavar="NAME", help="of erase: who asks for it")
    add("--log-key", metavar="FILE", help="of erase: sign the log with this key")
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command; `verify` returns 1 if a line is bad, 2 if the log ends where no run does."""
    given = {
        "public_key": "verify", "head": "verify", "why": "erase", "by": "erase",
        "log_key": "erase", "names": "erase",
    }  # fmt: skip
    for option, action in given.items():
        if getattr(args, option) and args.action != action:
            what = "names" if option == "names" else f"--{option.replace('_', '-')}"
            raise ConfigError(f"{what}: only `groundrules log {action}` takes it")
    actions = {"verify": _verify, "show": _show, "key": _key, "erase": _erase}
    return actions[args.action](args)


def _verify(args: argparse.Namespace) -> int:
    from groundrules.audit.kept import beside
    from groundrules.audit.log import verify

    path = Path(args.file)
    key = Path(args.public_key) if args.public_key else None
    chain = verify(path, public_key=key, head=args.head or "")
    kept = beside(path)
    damaged = list(kept.damaged())
    missing = sum(not kept.has(payload) for payload in chain.payloads)
    print(f"{path}: {chain.events} events, {len(chain.runs)} runs, head {chain.head}")
    if chain.line:
        print(f"{path}:{chain.line}: {chain.why}; the lines before it are as they were written")
    if chain.torn:
        print(f"the last line was not written to its end ({chain.torn} bytes): a crash, which the "
              "next run mends")  # fmt: skip
    for run in chain.open_runs:
        print(f"run {run} has no end: it is under way, was broken off, or the log was cut off")
    if not chain.signed:
        print("nothing is signed: a chain alone does not show that all of it was written anew")
    elif chain.signed < chain.events:
        print(f"the last {chain.events - chain.signed} events are not signed")
    for name in chain.keys:
        print(f"signed by {name}" + ("" if key else ", held against no key"))
    for place in damaged:
        print(f"{place}: was changed since it was kept")
    if missing:
        print(f"{missing} of what the events name is not kept any more")
    code = 1 if damaged else chain.exit_code
    print({0: "ok", 1: "not as it was written", 2: "ends where no run does"}[code])
    return code


def _show(args: argparse.Namespace) -> int:
    from groundrules.audit.log import read
    from groundrules.explain.place import printable

    for event in read(Path(args.file)):
        told = " ".join(f"{key}={_plain(value)}" for key, value in _told(event).items())
        print(printable(f"{event['seq']:>6} {event['at']} {event['run'] or '-':16} "
                        f"{event['kind']:<10} {told}").rstrip())  # fmt: skip
    return 0


def _told(event: Mapping[str, Any]) -> dict[str, Any]:
    found = {key: value for key, value in sorted(event.items()) if key not in _PLAIN}
    if event["payload"]:
        found["payload"] = event["payload"][:16]
    return {key: value for key, value in found.items() if value not in ("", [], {})}


def _plain(value: object) -> str:
    """Return a value of an event as it is shown; of hashes the beginning."""
    if isinstance(value, dict):
        return ",".join(f"{key}:{_plain(item)}" for key, item in value.items())
    if isinstance(value, list):
        pair = len(value) == 2 and all(isinstance(item, str) for item in value)
        return (":" if pair else ",").join(map(_plain, value))
    if isinstance(value, str):
        short = value[:16] if _HASH.fullmatch(value) else value
        return repr(short) if re.search(r"[\s=]", short) else short
    return str(value)


def _key(args: argparse.Namespace) -> int:
    from groundrules.audit import keys

    print(f"the public half is {keys.write(Path(args.file))}; keep it where the log is not")
    return 0


def _erase(args: argparse.Namespace) -> int:
    from groundrules.audit.kept import beside
    from groundrules.audit.log import Event, Log, kept_of, read

    path = Path(args.file)
    for option in ("why", "by"):
        if not (getattr(args, option) or "").strip():
            raise ConfigError(f"log erase needs --{option}; the log says who erased what, and why")
    if not args.names:
        raise ConfigError("log erase needs the name of a text, or a SHA-256")
    texts: dict[str, dict[str, None]] = {}
    others: set[str] = set()
    rest: dict[str, set[str]] = {}  # which texts rest on an answer
    for event in read(path):
        name, own = event.get("text", ""), kept_of(event)
        if event["kind"] == "text.in" and event["sha256"]:
            own.append(event["sha256"])
        if not name or event["kind"] == "source.in":
            others.update(own)
        else:
            texts.setdefault(name, {}).update(dict.fromkeys(own))
            if event["kind"] == "kb.answers":
                for one in own:
                    rest.setdefault(one, set()).add(name)
    wanted: dict[str, None] = {}
    for name in args.names:
        if name not in texts and name not in others and not _HASH.fullmatch(name):
            raise ConfigError(f"the log has no text {name!r}{did_you_mean(name, texts)}")
        named = texts.get(name, {name: None})
        wanted |= {one: None for one in named if rest.get(one, set()) <= set(args.names)}
    kept = beside(path)
    log = Log(path, key=Path(args.log_key) if args.log_key else None)
    found = [name for name in wanted if kept.has(name)]
    told = {"why": args.why.strip(), "by": args.by.strip()}
    log.append("", [Event("erased", name, told) for name in found])
    for name in found:
        kept.erase(name)
    print(f"{len(found)} erased; the log has their hashes, and is whole")
    return 0


def _hash(value: str) -> str:
    if not _HASH.fullmatch(value):
        raise argparse.ArgumentTypeError(f"{value!r} is no SHA-256 in hexadecimal")
    return value
