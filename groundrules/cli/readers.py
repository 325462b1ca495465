"""`groundrules readers`: readers of meaning, listed, and added by a command that measures them."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from groundrules import config as config_
from groundrules import reserved
from groundrules.cli.options import Parser, add_format, one_of, output_format
from groundrules.cli.settings import add_settings, settings
from groundrules.cli.terminal import progress, write, write_as
from groundrules.errors import ConfigError
from groundrules.models.choices import CHOICES, note

if TYPE_CHECKING:
    from groundrules.config import Config
    from groundrules.evaluate.licences import Measured
    from groundrules.models.licences import Licence

_ACTIONS = ("list", "add", "remove")


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "readers",
        "Add a reader of meaning: it is measured on 1,000 statements that ship, and from then on "
        "asked about what the rules leave open. Without an action: the readers in force, and what "
        "there is to choose from.",
        (
            "groundrules readers add cross-encoder/nli-deberta-v3-base",
            "groundrules readers add http://127.0.0.1:8000/v1#MODEL",
            "groundrules readers add https://api.openai.com/v1#MODEL --key-env OPENAI_API_KEY",
            "groundrules readers remove nli-deberta-v3-base",
        ),
    )
    add = result.add_argument
    add("action", nargs="?", default="list", type=one_of(*_ACTIONS), metavar="|".join(_ACTIONS))
    add("name", nargs="?", metavar="NAME",
        help="of add: a hub name or folder of a cross-encoder, or URL#model of an "
             "OpenAI-compatible endpoint; else the name of one that was added")  # fmt: skip
    add("--key-env", default="", metavar="VAR",
        help="of add: the environment variable that has the key of the endpoint")  # fmt: skip
    add("--answers", metavar="FILE",
        help="of add: measure it on these labelled answers, not on those that ship")  # fmt: skip
    add("--project", action="store_true",
        help="of add: for the project, in .groundrules beside its config file")  # fmt: skip
    add_format(result, "text", "json")
    add_settings(result)
    result.set_defaults(readers=None)
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command; return 1 where a reader that was measured may decide nothing."""
    form, config = output_format(args), settings(args)
    if args.action == "list":
        found = _in_force(config)
        readers = [{"name": name, **asdict(one)} for name, one in found]
        data = {"readers": readers, "choices": [asdict(one) for one in CHOICES]}
        write_as(form, lambda: data, lambda: _listed(found))
        return 0
    if not args.name:
        raise ConfigError(f"expected the name of a reader to {args.action}", path="readers")
    if args.action == "add":
        return _add(args, config, form)
    from groundrules.models.licences import file_of, read_licence

    path = file_of(args.name, config)
    if path.parent != config_.reader_folder(None):  # there a broken one may go
        read_licence(path)  # no other file is removed
    path.unlink()
    write(f"removed {path}\n", None)
    return 0


def _folder(args: argparse.Namespace, config: Config) -> Path:
    """Return the folder that licences go to; ConfigError where there is none."""
    if args.project and not (args.config or config_.find(Path.cwd())):
        raise ConfigError("--project needs a config file; an empty groundrules.toml will do")
    folder = config_.reader_folder(config.base if args.project else None)
    if folder is None:
        raise ConfigError("GROUNDRULES_CONFIG is off; expected a folder, or --project")
    return folder


def _add(args: argparse.Namespace, config: Config, form: str) -> int:
    from groundrules.checks.plan import open_named
    from groundrules.evaluate.licences import add_reader

    folder = _folder(args, config)
    path = reserved.path_of("scorer", args.name)
    name = str(path.absolute()) if path and path.is_dir() else args.name
    if args.key_env and "://" not in name:
        raise ConfigError("--key-env is for an endpoint; expected URL#model")
    asked = replace(config, llm=replace(config.llm, key_env=args.key_env))
    reader = open_named(name, asked, download=True)
    found = add_reader(
        reader,
        f"{name.partition('#')[0]}#{reader.name}" if "://" in name else name,
        folder,
        config=asked,
        answers=Path(args.answers) if args.answers else None,
        progress=lambda rows, total: progress(rows, total=total, label="measuring"),
    )
    write_as(form, lambda: asdict(found.licence), lambda: _told(found))
    return 0 if found.licence.decides else 1


def _told(found: Measured) -> str:
    """Return what a reader may do, how good it was, and what follows."""
    licence = found.licence
    lines = [
        f"{licence.model}: read {licence.sentences:,} statements that the rules leave open, "
        f"{licence.wrong:,} of them wrong, in {licence.seconds:.2f} s each",
        *(f"{count:,} could not be read: {why}" for why, count in found.unread.items()),
        licence.told(),
        "",
        f"{'share of the statements':<28}{'rules alone':>12}{'with it':>10}",
    ]
    for name, (before, after) in licence.figures.items():
        lines.append(f"{name.replace('_', ' '):<28}{before:>12.3f}{after:>10.3f}")
    if licence.decides:
        told = "check, audit, eval, serve and mcp ask it from now on; --no-reader leaves it out"
        lines += ["", told, f"written to {found.path}"]
    else:
        lines += ["", "not added: a check with it would say what the rules say alone"]
    return "\n".join(lines) + "\n"


def _in_force(config: Config) -> list[tuple[str, Licence]]:
    from groundrules.models.licences import file_of, read_licence

    paths = [file_of(name, config) for name in config.readers]
    return sorted(((one.stem, read_licence(one)) for one in paths), key=lambda one: one[1].order)


def _listed(found: Sequence[tuple[str, Licence]]) -> str:
    lines = ["in force, in this order:" if found else "in force: none, the rules alone"]
    for name, one in found:
        where = "asked at its endpoint" if one.at_endpoint else "runs here"
        lines.append(f"  {name}: {one.model}, {where}, {one.seconds:.2f} s a statement")
        lines.append(f"    {one.told()}")
    lines += ["", "to choose from:"]
    for choice in CHOICES:
        lines.append(f"  {choice.have}: {choice.take.replace('`', '')}")
        lines += [f"    {told}" for told in choice.told()]
    return "\n".join([*lines, "", *textwrap.wrap(note().replace("`", ""), 90)]) + "\n"
