"""`groundrules new rule`: a rule that passes its tests, to begin one's own with."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from groundrules.cli.options import Parser, one_of
from groundrules.cli.terminal import write
from groundrules.errors import ConfigError
from groundrules.files import read_bounded

_ID = re.compile(r"([A-Z]{2,5})([0-9]{3,4})")
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_OWN_ID = re.compile(r"""^id\s*=\s*["']([^"']*)["']""", re.MULTILINE)
_MOST_BYTES = 65_536
#: The text of a rule, with id and name to fill in.
_RULE = Path(__file__).with_name("new-rule.toml").read_text("utf-8")


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "new",
        "Write a rule that passes its tests, to be made into your own.",
        (
            "groundrules new rule bare-guarantee house-rules",
            "groundrules new rule late-filing house-rules",
        ),
    )
    add = result.add_argument
    add("kind", type=one_of("rule"), metavar="rule", help="what to write")
    add("name", metavar="NAME", help="the name, in small letters")
    add("folder", nargs="?", default=".", metavar="FOLDER",
        help="the pack where it goes (default here), which is made if need be")  # fmt: skip
    return result


def run(args: argparse.Namespace) -> int:
    """Write a rule, whose id follows on the last one of the folder."""
    name, pack = args.name, Path(args.folder)
    if not _NAME.fullmatch(name):
        raise ConfigError(f"{name!r} is no name of a rule; expected small letters, digits and "
                          "hyphens, as late-filing", path="new")  # fmt: skip
    ids = [found.groups() for one in _ids(pack) if (found := _ID.fullmatch(one))]
    letters, digits = max(ids, key=lambda parts: (parts[0], int(parts[1])), default=("HR", "000"))
    identifier = f"{letters}{int(digits) + 1:0{len(digits)}}"
    path = pack / f"{name}.toml"
    try:
        pack.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(rule_text(identifier, name))
    except FileExistsError:
        raise ConfigError("is there already; expected another name", path=str(path)) from None
    except OSError as error:
        raise ConfigError(f"cannot be written: {error.strerror}", path=str(path)) from None
    place = pack.as_posix()
    place = place if pack.is_absolute() or place.startswith(".") else f"./{place}"
    write(f"{path.as_posix()}\ntry it: groundrules test {place}\n", None)
    write(f'use it: packs = ["core", "values", "{place}"] in groundrules.toml\n', None)
    return 0


def rule_text(identifier: str, name: str) -> str:
    """Return the file of a rule of that id and name, which passes its own tests."""
    return _RULE.replace("@ID", identifier).replace("@NAME", name)


def _ids(folder: Path) -> list[str]:
    """Return the ids in a folder; ConfigError where a file of it is no rule."""
    found = []
    for path in sorted(folder.glob("*.toml")):
        try:
            text = read_bounded(path, _MOST_BYTES).decode("utf-8", errors="replace")
        except OSError as error:
            raise ConfigError(f"cannot be read: {error.strerror}", path=str(path)) from None
        own = _OWN_ID.search(text)
        if own is None:
            raise ConfigError("is no rule, and a folder of rules has no other files of TOML; "
                              "expected the folder of a pack, as house-rules",
                              path=str(path))  # fmt: skip
        found.append(own[1])
    return found
