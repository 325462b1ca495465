"""`groundrules extract`: a record by a schema, and only what of it has its evidence in the text."""

from __future__ import annotations

import argparse
import re
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from groundrules.cli.files import refuse_inputs
from groundrules.cli.options import Parser, add_format, output_format
from groundrules.cli.settings import add_llm, add_settings, settings
from groundrules.cli.terminal import columns, wants_color, write
from groundrules.errors import ConfigError, did_you_mean
from groundrules.explain import formats

if TYPE_CHECKING:
    from groundrules.checks.values import Record

_MODULE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")
#: The safe record; the others are forms of the report.
_RECORD = "record"


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "extract",
        "Extract values to a schema with a language model, each with the passage it was copied "
        "from. Values whose passage is not in the document, or does not have or support them, are "
        "rejected: the safe record goes to stdout, what was rejected and why to stderr.",
        (
            "groundrules extract lease.pdf --schema lease.json --llm http://127.0.0.1:8000/v1",
            "groundrules extract lease.txt annex.docx --schema leases.models:Lease --llm MODEL",
            "groundrules extract lease.txt --schema lease.json --answers recorded.jsonl",
        ),
    )
    add = result.add_argument
    add("files", nargs="+", metavar="FILE", help="a document; - is stdin")
    add("--schema", required=True, metavar="SCHEMA",
        help="a JSON Schema; or a pydantic model, as module:Class of what is installed, or "
             "file.py:Class: the module or file is run as a program")  # fmt: skip
    add_llm(result)
    add("--scorer", metavar="NAME",
        help="what judges how far a passage carries a value: embedded, a folder, a hub name of a "
             "CrossEncoder, or llm (default embedded)")  # fmt: skip
    add("--answers", metavar="FILE", help="recorded answers, asked in place of a model")
    add("-o", "--output", metavar="FILE", help="write the result to a file")
    add_format(result, _RECORD, *formats.names())
    add_settings(result)
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command; return 1 if a value was rejected, 2 if not all could be asked."""
    from groundrules import api
    from groundrules.claims import document
    from groundrules.explain.formats import text
    from groundrules.llm.client import Client

    form = output_format(args)
    config = settings(args)
    made_of = (*args.files, args.schema.removesuffix(f":{args.schema.rpartition(':')[2]}"))
    refuse_inputs(args.output, (*made_of, args.answers, args.config), config)
    schema = load_schema(args.schema)
    documents = [document.read(name) for name in args.files]
    client = Client(config.llm, answers=Path(args.answers)) if args.answers else None
    record = api.extract(documents, schema, config=config, client=client)
    write(_render(record, form, to_file=args.output is not None), args.output)
    if form == _RECORD:
        look = formats.Look(columns=columns(sys.stderr))
        sys.stderr.write(text.render([record.report], look))
    return record.exit_code


def load_schema(spec: str) -> type | Path:
    """Return the class that `module:Class` or `file.py:Class` names, or a JSON Schema's path.

    The module or file is run, as its user asks on the command line. ConfigError, with the line,
    where that fails or it has no such class.
    """
    name, _, attribute = spec.rpartition(":")
    if name.endswith(".py"):
        members = _run(Path(name))
    elif _MODULE.fullmatch(name) and attribute.isidentifier() and not Path(spec).exists():
        members = _import(name)
    elif spec.endswith(".py"):
        raise ConfigError(f"names no class; expected {spec}:Class", path=spec)
    else:
        return Path(spec)
    found = members.get(attribute)
    models = [key for key, value in members.items() if hasattr(value, "model_json_schema")]
    if not isinstance(found, type):
        raise ConfigError(
            f"no class {attribute!r}" + (did_you_mean(attribute, models) or _listed(models)),
            path=name,
        )
    return found


def _listed(models: list[str]) -> str:
    own = [name for name in models if name != "BaseModel"]
    return f"; expected {', '.join(own)}" if own else "; it has no pydantic model"


def _import(name: str) -> dict[str, object]:
    """Import an installed module and return its names; no folder is searched besides."""
    from importlib import import_module

    try:
        return vars(import_module(name))
    except ModuleNotFoundError as error:
        if error.name and f"{name}.".startswith(f"{error.name}."):
            raise ConfigError(
                f"no module {error.name!r} is installed; expected an installed one, a file.py, or "
                "a JSON Schema",
                path=name,
            ) from None
        raise _fault(error, Path(name)) from None
    except (Exception, SystemExit) as error:  # the module is the user's: anything may happen
        raise _fault(error, Path(name)) from None


def _run(path: Path) -> dict[str, object]:
    """Run a Python file as a module and return its names."""
    import importlib.util

    spec = importlib.util.spec_from_file_location(f"_groundrules_schema_{path.stem}", path)
    if not path.is_file() or spec is None or spec.loader is None:
        raise ConfigError("no such file", path=str(path))
    module = importlib.util.module_from_spec(spec)
    # by its name pydantic looks up what annotations mean
    sys.modules[spec.name] = module
    sys.path.insert(0, str(path.parent.absolute()))
    try:
        spec.loader.exec_module(module)
    except ModuleNotFoundError as error:
        if error.name == "pydantic":
            raise ConfigError(
                "needs pydantic, which is not installed; run: pip install 'groundrules[llm]'",
                path=str(path),
            ) from None
        raise _fault(error, path) from None
    except (Exception, SystemExit) as error:  # the file is the user's: anything may happen
        raise _fault(error, path) from None
    finally:
        sys.path.remove(str(path.parent.absolute()))
    return vars(module)


def _fault(error: BaseException, path: Path) -> ConfigError:
    """Return what went wrong in a Python file, with the line of it."""
    if isinstance(error, SyntaxError):
        return ConfigError(f"not Python: {error.msg}", path=str(path), line=error.lineno)
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if Path(frame.filename) == path.absolute()]
    lines += [frame.lineno for frame in frames if Path(frame.filename) == path]
    words = (str(error).splitlines() or [""])[0][:200]
    return ConfigError(
        f"{type(error).__name__}: {words}", path=str(path), line=lines[-1] if lines else None
    )


def _render(record: Record, form: str, *, to_file: bool) -> str | bytes:
    if form == _RECORD:
        import json

        return json.dumps(record.safe, ensure_ascii=False, indent=2) + "\n"
    look = formats.Look(
        color=not to_file and wants_color("auto", sys.stdout),
        columns=None if to_file else columns(sys.stdout),
    )
    return formats.load(form)([record.report], look)
