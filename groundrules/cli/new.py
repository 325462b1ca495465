"""`groundrules new`: a rule, a pack or a domain that passes its tests, to begin one's own with."""

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

#: The rule that a new pack begins with.
FIRST = ("HR001", "bare-guarantee")

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
        "Write a rule, a pack of one or a domain that passes its tests, to be made into your own.",
        (
            "groundrules new pack house-rules",
            "groundrules new rule late-filing house-rules",
            "groundrules new rule HR007 house-rules",
            "groundrules new domain recipes",
        ),
    )
    result.add_argument(
        "kind",
        type=one_of("rule", "pack", "domain"),
        metavar="rule|pack|domain",
        help="what to write",
    )
    result.add_argument("name", metavar="NAME", help="the name, or the id of a rule")
    result.add_argument(
        "folder", nargs="?", default=".", metavar="FOLDER", help="where it goes (default here)"
    )
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    folder = Path(args.folder)
    if not folder.is_dir():
        raise ConfigError(f"no folder {args.folder}; expected one, such as "
                          "`groundrules new pack house-rules` makes", path="new")  # fmt: skip
    if args.kind == "domain":
        return _domain(args.name, folder)
    if args.kind == "pack":
        pack = folder / _checked(args.name, "pack", "house-rules")
        _make(pack)
        _create(pack, *FIRST)
    else:
        pack = folder
        _create(pack, *_id_and_name(args.name, _ids(folder)))
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
    rules = (rule.id for pack in load_packs(built_in()) for rule in pack.rules)
    taken = frozenset(one.rstrip("0123456789") for one in rules)
    _make(place)
    try:
        for path, text in files(name, taken).items():
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            (place / path).write_text(text, encoding="utf-8", newline="\n")
            write(f"{(place / path).as_posix()}\n", None)
    except OSError as error:
        raise ConfigError(f"cannot be written: {error.strerror}", path=str(place)) from None
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


def _id_and_name(word: str, taken: dict[str, Path]) -> tuple[str, str]:
    """Return the id and the name of a new rule, of which the word is one.

    A new id follows on the last one of the folder. ConfigError for neither, or an id that is taken.
    """
    if found := _ID.fullmatch(word):
        if word in taken:
            raise ConfigError(f"id {word} is taken by {taken[word]}; expected another", path="new")
        return word, f"{found[1].lower()}-{found[2]}"
    name = _checked(word, "rule", "late-filing, or an id as HR001")
    ids = [found.groups() for one in taken if (found := _ID.fullmatch(one))]
    prefix, digits = max(ids, key=lambda parts: (parts[0], int(parts[1])), default=("HR", "000"))
    if digits == "9999":
        raise ConfigError(f"no id follows on {prefix}9999; expected an id, as LX001", path="new")
    return f"{prefix}{int(digits) + 1:0{len(digits)}}", name


def _checked(name: str, kind: str, example: str) -> str:
    if not _NAME.fullmatch(name):
        raise ConfigError(f"{name!r} is no name of a {kind}; expected small letters, digits and "
                          f"hyphens, as {example}", path="new")  # fmt: skip
    return name


def _ids(folder: Path) -> dict[str, Path]:
    """Return the file of each id in a folder; ConfigError where a file of it is no rule."""
    found: dict[str, Path] = {}
    for path in sorted(folder.glob("*.toml")):
        try:
            text = read_bounded(path, _MOST_BYTES).decode("utf-8", errors="replace")
        except OSError as error:
            raise ConfigError(f"cannot be read: {error.strerror}", path=str(path)) from None
        own = _OWN_ID.search(text)
        if own is None:
            raise ConfigError("is no rule, and a folder of rules has no other files of TOML; "
                              "expected a folder such as `groundrules new pack house-rules` makes",
                              path=str(path))  # fmt: skip
        found[own[1]] = path
    return found


def _make(folder: Path) -> None:
    """Make a folder; ConfigError where it is there, or cannot be made."""
    try:
        folder.mkdir()
    except FileExistsError:
        raise ConfigError("is there already; expected another name", path=str(folder)) from None
    except OSError as error:
        raise ConfigError(f"cannot be made: {error.strerror}", path=str(folder)) from None


def _create(folder: Path, identifier: str, name: str) -> None:
    """Write the file of a rule and say so; ConfigError where it is there, or cannot be written."""
    path = folder / f"{name}.toml"
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(rule_text(identifier, name))
    except FileExistsError:
        raise ConfigError("is there already; expected another name", path=str(path)) from None
    except OSError as error:
        raise ConfigError(f"cannot be written: {error.strerror}", path=str(path)) from None
    write(f"{path.as_posix()}\n", None)
