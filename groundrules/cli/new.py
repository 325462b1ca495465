"""`groundrules new`: a rule, a pack or a domain that passes its tests, to begin one's own with."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from groundrules.cli import newdomain
from groundrules.cli.options import Parser, one_of
from groundrules.cli.terminal import write
from groundrules.errors import ConfigError
from groundrules.files import read_bounded

#: The rule that a new pack begins with.
FIRST = ("HR001", "bare-guarantee")

_ID = re.compile(r"([A-Z]{2,5})([0-9]{3,4})")
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_OWN_ID = re.compile(r"""^id\s*=\s*["']([^"']*)["']""", re.MULTILINE)
_MOST_BYTES = 65_536

_RULE = """\
id       = "@ID"              # two to five capitals, three or four digits; no other rule has it
name     = "@NAME"     # the fault in small letters; the file is called after it
summary  = "The text guarantees what no source guarantees"
severity = "error"              # or "warning", "info"
message  = "{s} guarantees {o}, and no source says so"     # {s} is the column ?s of a row
because  = "a guarantee is taken only from a source"       # told after the words of the text
finds    = "unsupported"        # no source says it: an error that refutes nothing

why = \"\"\"
Who reads “guarantees” will rely on it. A text may pass a guarantee on, and may not make one.

Limits: “warrants” and “promises” are other relations; see the parameter.
\"\"\"

# Each row is a violation. The claims and what models say of them are in the default graph, what
# each source states is in a graph of its own.
select = '''
SELECT ?claim ?s ?p ?o WHERE {
  BIND (IRI(CONCAT("urn:groundrules:relation:", $relation)) AS ?p)
  ?claim a gr:Claim ; rdf:subject ?s ; rdf:predicate ?p ; rdf:object ?o ; gr:polarity ?polarity .
  FILTER (?polarity = "positive")
  FILTER NOT EXISTS { GRAPH ?source { ?s ?p ?o } }
}
'''

[params]
relation = "guarantee"          # a setting, [rules.@ID] relation = "warrant", changes it

[edit]
delete        = "?claim"        # what would mend the text: the claim is left out
applicability = "unsafe"        # for a person to decide; "safe" is made by --fix

[prefixes]                      # besides rdf, rdfs, owl, xsd, gr and metric
relation = "urn:groundrules:relation:"

[[test]]                        # `:` is any name; each triple of `claims` is a claim of the text
name    = "a guarantee of the text alone"
context = ":fund relation:pay :dividend ."
claims  = ":fund relation:guarantee :return ."
expect  = [{ s = ":fund", o = ":return" }]
fixed   = ""

[[test]]
name    = "a guarantee that a source gives"
context = ":fund relation:guarantee :return ."
claims  = ":fund relation:guarantee :return ."
expect  = []

[[test]]
name    = "a guarantee denied"
claims  = '''
[] rdf:subject :fund ; rdf:predicate relation:guarantee ; rdf:object :return ;
   gr:polarity "negative" .
'''
expect  = []
"""


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
    if not newdomain.is_name(name):
        raise ConfigError(f"{name!r} is no name of a domain; expected small letters, digits and "
                          "hyphens, and no module that is installed, as recipes",
                          path="new")  # fmt: skip
    place = folder / name
    rules = (rule.id for pack in load_packs(built_in()) for rule in pack.rules)
    taken = frozenset(one.rstrip("0123456789") for one in rules)
    _make(place)
    try:
        for path, text in newdomain.files(name, taken).items():
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            (place / path).write_text(text, encoding="utf-8", newline="\n")
            write(f"{(place / path).as_posix()}\n", None)
    except OSError as error:
        raise ConfigError(f"cannot be written: {error.strerror}", path=str(place)) from None
    write(f"try it: pip install -e {place.as_posix()} and pytest {place.as_posix()}\n", None)
    write(f'use it: ontology = "{name}" in groundrules.toml, or --ontology {name}\n', None)
    return 0


def rule_text(identifier: str, name: str) -> str:
    """Return the file of a rule of that id and name, which passes its own tests."""
    return _RULE.replace("@ID", identifier).replace("@NAME", name)


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
