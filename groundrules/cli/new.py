"""`groundrules new`: a rule or a domain that passes its tests, to begin one's own with."""

from __future__ import annotations

import argparse
import keyword
import re
import sys
from importlib.util import find_spec
from pathlib import Path

from groundrules.cli.options import Parser, one_of
from groundrules.cli.terminal import write
from groundrules.errors import ConfigError
from groundrules.files import read_bounded, read_whole

_ID = re.compile(r"([A-Z]{2,5})([0-9]{3,4})")
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_DOMAIN = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_OWN_ID = re.compile(r"""^id\s*=\s*["']([^"']*)["']""", re.MULTILINE)
_MOST_BYTES = 65_536

#: The text of a rule, and of each file of a domain by its path, with names to fill in.
_SKELETONS: dict[str, str] = dict(
    re.findall(
        r"^=== (.+)\n((?:(?!=== ).*\n)*)",
        read_whole(Path(__file__).with_name("skeletons.txt")).decode("utf-8"),
        re.MULTILINE,
    )
)


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "new",
        "Write a rule or a domain that passes its tests, to be made into your own.",
        (
            "groundrules new rule bare-guarantee house-rules",
            "groundrules new rule late-filing house-rules",
            "groundrules new domain recipes",
        ),
    )
    add = result.add_argument
    add("kind", type=one_of("rule", "domain"), metavar="rule|domain", help="what to write")
    add("name", metavar="NAME", help="the name, in small letters")
    add("folder", nargs="?", default=".", metavar="FOLDER",
        help="where it goes (default here); that of a rule is a pack, which is made if need be"
        )  # fmt: skip
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    return (_domain if args.kind == "domain" else _rule)(args.name, Path(args.folder))


def _rule(name: str, pack: Path) -> int:
    """Write a rule, whose id follows on the last one of the folder."""
    if not _NAME.fullmatch(name):
        raise ConfigError(f"{name!r} is no name of a rule; expected small letters, digits and "
                          "hyphens, as late-filing", path="new")  # fmt: skip
    ids = [found.groups() for one in _ids(pack) if (found := _ID.fullmatch(one))]
    letters, digits = max(ids, key=lambda parts: (parts[0], int(parts[1])), default=("HR", "000"))
    identifier = f"{letters}{int(digits) + 1:0{len(digits)}}"
    _write(pack / f"{name}.toml", rule_text(identifier, name))
    place = pack.as_posix()
    place = place if pack.is_absolute() or place.startswith(".") else f"./{place}"
    write(f"try it: groundrules test {place}\n", None)
    write(f'use it: packs = ["core", "values", "{place}"] in groundrules.toml\n', None)
    return 0


def _domain(name: str, folder: Path) -> int:
    """Write the package of a new domain."""
    from groundrules import domain
    from groundrules.rules.packs import built_in, load_packs

    if name in domain.names():
        raise ConfigError(f"domain {name!r} is installed; expected another name", path="new")
    if not is_name(name):
        raise ConfigError(f"{name!r} is no name of a domain; expected small letters, digits and "
                          "hyphens, and no module that is installed, as recipes",
                          path="new")  # fmt: skip
    place = folder / name
    if place.exists():
        raise ConfigError("is there already; expected another name", path=str(place))
    rules = (rule.id for pack in load_packs(built_in()) for rule in pack.rules)
    taken = frozenset(one.rstrip("0123456789") for one in rules)
    for path, text in files(name, taken).items():
        _write(place / path, text)
    write(f"try it: pip install -e {place.as_posix()} and pytest {place.as_posix()}\n", None)
    write(f'use it: ontology = "{name}" in groundrules.toml, or --ontology {name}\n', None)
    return 0


def is_name(name: str) -> bool:
    """Return whether a word can be the name of a domain, and of a package that hides no other."""
    package = name.replace("-", "_")
    taken = keyword.iskeyword(package) or package in sys.stdlib_module_names or package == "tests"
    if not _DOMAIN.fullmatch(name) or taken:
        return False
    found = find_spec(package)
    return found is None or found.origin is None  # a mere folder, which hides no package


def files(name: str, taken: frozenset[str] = frozenset()) -> dict[str, str]:
    """Return the text of each file of a new domain, by its path in the folder of that name.

    `taken` are the letters that the ids of other packs begin with.
    """
    letters = re.sub(r"[^A-Z]", "", name.upper())[:4].ljust(2, "X")
    values = {
        "@NAME": name,
        "@PACKAGE": name.replace("-", "_"),
        "@SPACE": f"https://example.org/{name}#",
        "@ID": f"{letters}X001" if letters in taken else f"{letters}001",
    }

    def filled(text: str) -> str:
        return re.sub("|".join(values), lambda found: values[found[0]], text)

    return {filled(path): filled(text) for path, text in _SKELETONS.items() if path != "rule"}


def rule_text(identifier: str, name: str) -> str:
    """Return the file of a rule of that id and name, which passes its own tests."""
    return _SKELETONS["rule"].replace("@ID", identifier).replace("@NAME", name)


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


def _write(path: Path, text: str) -> None:
    """Write a file and say so; ConfigError where it is there, or cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise ConfigError("is there already; expected another name", path=str(path)) from None
    except OSError as error:
        raise ConfigError(f"cannot be written: {error.strerror}", path=str(path)) from None
    write(f"{path.as_posix()}\n", None)
