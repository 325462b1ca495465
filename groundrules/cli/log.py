"""`groundrules log`: an audit log verified, a key to sign it, what it keeps erased."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundrules.cli.logged import log_of, tell_head
from groundrules.cli.options import Parser, one_of
from groundrules.errors import ConfigError, SourceError, did_you_mean

if TYPE_CHECKING:
    from groundrules.audit.kept import Kept
    from groundrules.audit.log import Chain

_ACTIONS = ("verify", "key", "erase")
_HASH = re.compile(r"[0-9a-f]{64}")


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "log",
        "Verify an audit log and what is kept beside it, make a key to sign it, erase.",
        (
            "groundrules log key audit.key",
            "groundrules check answer.txt --context lease.txt --log audit.log --log-key audit.key",
            "groundrules log verify audit.log --public-key audit.key.pub",
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
    takers = {"verify": ("public_key", "head"), "erase": ("why", "by", "log_key", "names")}
    for action, options in takers.items():
        for option in options if action != args.action else ():
            if getattr(args, option):
                what = "names" if option == "names" else f"--{option.replace('_', '-')}"
                raise ConfigError(f"{what}: only `groundrules log {action}` takes it")
    actions = {"verify": _verify, "key": _key, "erase": _erase}
    return actions[args.action](args)


def _verify(args: argparse.Namespace) -> int:
    from groundrules.audit.kept import beside
    from groundrules.audit.log import verify
    from groundrules.explain.place import printable

    path = Path(args.file)
    key = Path(args.public_key) if args.public_key else None
    chain = verify(path, public_key=key, head=args.head or "")
    kept = beside(path)
    damaged = list(kept.damaged())
    lost = list(_lost(kept, chain))
    if lost and not kept.folder.is_dir():
        lost = [f"{kept.folder}: is not there, with all {len(chain.payloads)} things it kept"]
    damaged += _changed(path.parent, chain)
    still = sorted(name for name in chain.erased if kept.has(name))
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
    for folder in chain.audits:
        if not (path.parent / folder).is_dir():
            print(printable(f"{path.parent / folder}: is not there; its report was not looked at"))
    for line in lost:
        print(printable(line))
    for name in still:
        print(f"{kept.place(name)}: is there though it was erased; erase it again")
    if chain.erased:
        print(f"{len(chain.erased) - len(still)} of what the events name was erased")
    code = 1 if damaged or lost or still else chain.exit_code
    print({0: "ok", 1: "not as it was written", 2: "ends where no run does"}[code])
    return code


def _changed(folder: Path, chain: Chain) -> Iterator[Path]:
    """Yield the reports of audits that are not as they were logged."""
    from groundrules.audit.kept import hash_of
    from groundrules.audit.results import REPORTS
    from groundrules.audit.summary import REPORT_JSON, audited

    for name, sha256 in chain.audits.items():
        out = folder / name
        if out.is_dir() and hash_of(out / REPORT_JSON) != sha256:
            yield out / REPORT_JSON
        elif out.is_dir():
            own = {out / REPORTS / f"{key}.json": one for key, one in audited(out).items() if one}
            yield from (path for path, one in own.items() if hash_of(path) != one)


def _lost(kept: Kept, chain: Chain) -> Iterator[str]:
    """Yield what was kept, is not there, and was not erased."""
    from groundrules.audit.settings import files_in

    named = dict(chain.payloads)
    for name, (number, kind, of) in chain.payloads.items():
        if kind == "run.start" and kept.has(name):
            with suppress(SourceError, ValueError):  # what was changed is told as that
                for one in files_in(kept.get(name)):
                    named.setdefault(one, (number, "settings", of))
    for name, (number, kind, of) in named.items():
        if not kept.has(name) and name not in chain.erased:
            yield f"{kept.place(name)}: is lost ({kind} of {of}, event {number}); nobody erased it"


def _key(args: argparse.Namespace) -> int:
    from groundrules.audit import keys

    print(f"the public half is {keys.write(Path(args.file))}; keep it where the log is not")
    return 0


def _erase(args: argparse.Namespace) -> int:
    from groundrules.audit.kept import beside
    from groundrules.audit.log import Event, read, verify
    from groundrules.config import cache_folder
    from groundrules.explain.place import printable

    path = Path(args.file)
    said = {option: (getattr(args, option) or "").strip() for option in ("why", "by")}
    for option, words in said.items():
        if not words:
            raise ConfigError(f"log erase needs --{option}; the log says who, and why")
    if not args.names:
        raise ConfigError("log erase needs the name of a text, or a SHA-256")
    log = log_of(args, args.file)
    assert log
    rows, others, signer = _rows(read(path))
    if signer and not args.log_key:
        raise ConfigError("the log is signed; expected --log-key with the key that signed it",
                          path=args.file)  # fmt: skip
    if signer and log.signer != signer:
        raise ConfigError(f"is another key than the one that signed {path}", path=args.log_key)
    kept, chain = beside(path), verify(path)
    found, shared = _wanted(args.names, rows, others)
    there = [name for name in found if kept.has(name)]
    if there:
        tell_head(log, log.append("", [Event("erased", name, said) for name in there]))
    for name in there:
        kept.erase(name)
    how = "is whole and signed" if args.log_key else "and is whole"
    print(f"{len(there)} erased; the log has their hashes, {how}")
    if shared:
        print(f"{shared} not erased: other texts rest on what is the same; name a SHA-256 to erase "
              "it for all of them")  # fmt: skip
    for audit in chain.audits:
        print(printable(f"{path.parent / audit}: has an audit; delete what has words of it"))
    cache = cache_folder()
    print("not looked at: what was checked itself, reports elsewhere"
          + (f", the cache {cache}" if cache and cache.is_dir() else ""))  # fmt: skip
    return 0


@dataclass(slots=True)
class _Row:
    """A text of a run: its hashes, those by which it can be named, and all that is kept of it."""

    run: str
    name: str
    known_as: set[str]
    own: dict[str, None]


def _rows(events: Iterable[Mapping[str, Any]]) -> tuple[list[_Row], set[str], str]:
    """Return the texts of a log, the hashes of what is of no single one, and who signed it last."""
    from groundrules.audit.log import kept_of

    rows: list[_Row] = []
    others: set[str] = set()
    signer = ""
    for event in events:
        own, kind = kept_of(event), event["kind"]
        if kind == "text.in":
            rows.append(_Row(event["run"], event["text"], set(own), {}))
        last = rows[-1] if rows else None
        here = last and (last.run, last.name) == (event["run"], event.get("text"))
        if last and here and kind != "source.in":
            last.own |= dict.fromkeys(own)
        elif kind != "erased":
            others.update(own)
        if kind == "checkpoint":
            signer = str(event.get("key", ""))
    return rows, others, signer


def _wanted(
    names: Sequence[str], rows: Sequence[_Row], others: set[str]
) -> tuple[dict[str, None], int]:
    """Return the hashes of what is named, and of how many that other texts rest on it is not.

    ConfigError for a name that is none.
    """
    chosen: list[_Row] = []
    alone: dict[str, None] = {}
    for name in names:
        found = [row for row in rows if name == row.name]
        found = found or [row for row in rows if name in row.known_as]
        if not found:
            if name not in others and not _HASH.fullmatch(name):
                near = did_you_mean(name, [row.name for row in rows])
                raise ConfigError(f"the log has no text {name!r}{near}")
            alone[name] = None
        chosen += found
    wanted = {one: None for row in chosen for one in row.own}
    rest = others.union(*(row.own for row in rows if row not in chosen))
    kept_back = wanted.keys() & rest - alone.keys()
    return {one: None for one in (*wanted, *alone) if one not in kept_back}, len(kept_back)


def _hash(value: str) -> str:
    if not _HASH.fullmatch(value):
        raise argparse.ArgumentTypeError(f"{value!r} is no SHA-256 in hexadecimal")
    return value
