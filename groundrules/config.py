"""The configuration: `[tool.groundrules]` of a pyproject.toml, or a groundrules.toml.

Every key stands in docs/reference/commands.md. A groundrules.toml has the same keys without
`tool.groundrules`. A word that a setting knows is that name, whatever lies in the folder:
"wikidata" is the endpoint, "./wikidata" a folder.

Whoever wrote the file need not be the user: what it names - a language model, an endpoint, a model
of a hub - is asked over the network only where the user allows it, and no key follows from it.
"""

from __future__ import annotations

import json
import math
import os
import re
import sys
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from groundrules import domain, reserved
from groundrules.errors import ConfigError, did_you_mean, without_secrets
from groundrules.files import parse_toml, read_bounded

#: Where a value comes from if no file sets it.
DEFAULT = "default"
#: The environment variable that lets a config file name what is asked over the network: "on".
NETWORK = "GROUNDRULES_NETWORK"
#: What a folder has that is the root of a repository, above which no config file is looked for.
_ROOT = (".git", ".hg", ".svn")

_MAX_BYTES = 1_048_576
#: A key of ours is in two tables at most, `rules.GR301.severity`; an unknown one may be in more.
_PARENTS = 8

#: Whose graphs are made and compared (`align.graphs`).
BUILT_IN, KEA = "built-in", "kea"
#: What a language model may be asked of a text (`llm.jobs`).
TRIPLES, GRADES, TERMS = JOBS = ("triples", "grades", "terms")


#: What the values of a setting are, and whether one is.
_Kind = tuple[str, Callable[[Any], bool]]


def _are_names(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)


def _are_patterns(value: object) -> bool:
    return isinstance(value, dict) and all(
        key and one and _are_names(one) and all(one) for key, one in value.items()
    )


#: By its type, what the values of a setting are where its field does not say.
_BY_TYPE: Mapping[str, _Kind] = {
    "tuple[str, ...]": ("an array of strings", _are_names),
    "str": ("a string", lambda value: isinstance(value, str)),
    "bool": ("true or false", lambda value: isinstance(value, bool)),
    "Mapping[str, tuple[str, ...]]": (
        'a table such as {"answers/*.md" = ["sources/*.txt"]}', _are_patterns
    ),
}  # fmt: skip
#: Fields that no file sets, or that are tables.
_INNER = frozenset({"offline", "align", "llm", "rules", "base", "origins", "origin", "key_env"})


def _setting(default: Any, expected: str, fits: Callable[[Any], bool]) -> Any:
    """Return a field of a setting whose values have other bounds than those of its type."""
    return field(default=default, metadata={"kind": (expected, fits)})


def _within(default: float, least: float, most: float, expected: str = "") -> Any:
    """Return a field of a setting that is a number: whole where the default is."""
    whole = isinstance(default, int)
    expected = expected or f"a {'whole ' * whole}number from {least} to {most:,}"
    kinds = int if whole else int | float

    def fits(value: Any) -> bool:
        return isinstance(value, kinds) and not isinstance(value, bool) and least <= value <= most

    return _setting(default, expected, fits)


def _amount() -> Any:
    return _within(0.0, 0, sys.float_info.max, "a finite number of at least 0")


def _seconds(default: float) -> Any:
    told = "a number of seconds above 0, at most 3,600"
    return _within(default, math.ulp(0.0), 3_600, told)


def _either(default: str, *others: str) -> Any:
    words = (default, *others)
    return _setting(default, " or ".join(f'"{one}"' for one in words), words.__contains__)


@cache
def _settings(kind: Any) -> Mapping[str, Field[Any]]:
    """Return the settings of a table by name."""
    return {one.name: one for one in fields(kind) if one.name not in _INNER}


def _expected(setting: Field[Any], value: object) -> str:
    """Return what a setting takes in place of a value, empty where it takes that."""
    expected, fits = setting.metadata.get("kind") or _BY_TYPE[str(setting.type)]
    empty = setting.type == "str" and setting.default and not value
    return expected if empty or not fits(value) else ""


def _refuse_misfits(settings: Any, prefix: str = "") -> None:
    """Raise ConfigError where a setting has a value that it may not have."""
    for name, setting in _settings(settings.__class__).items():
        value = getattr(settings, name)
        if expected := _expected(setting, value):
            raise ConfigError(f"{prefix}{name} = {value!r}; expected {expected}")


@dataclass(frozen=True, slots=True)
class AlignConfig:
    """How labels are merged and graphs compared (KEA).

    `h` counts the refinements of the kernel; `relation_nodes` says whether the relations are nodes
    of the graphs, or only edges between the entities. `graphs` is "built-in" or "kea": then a
    language model is asked with KEA Explain's prompt, and the graphs that are compared are the
    paper's (`align/kea.py`).
    """

    threshold: float = _within(0.35, 0, 2)
    clustering: str = "built-in"
    kernel: str = "wl"
    h: int = _within(2, 0, 20)
    relation_nodes: bool = True
    graphs: str = _either(BUILT_IN, KEA)

    def __post_init__(self) -> None:
        _refuse_misfits(self, "align.")


@dataclass(frozen=True, slots=True)
class LLMConfig:
    """Which language model is asked, and what asking it may cost; keys come from the environment.

    `model` is "never", the URL of an OpenAI-compatible endpoint (its first model is taken),
    `URL#model`, or a model of OpenAI's API. Prices are per million tokens, `max_cost` is in their
    currency; 0 is no price or no limit. `timeout` is in seconds, of one request, and so is
    `deadline`, in which the report of a text is to be there: what the model has not said by then
    is told. `jobs` are what it is asked of a text: for "triples" of the text and its sources, for
    "grades" of the statements, and in the "terms" of knowledge bases and of an ontology what the
    text says, which is judged as our own reading is. With `phrase` it words the explanations too,
    in one call more.
    `origin` is where a file names the model, `file:line`, empty where no file does: it decides
    whether the key is sent, of a reader that which is in `key_env`.
    """

    model: str = "never"
    timeout: float = _seconds(60.0)
    retries: int = _within(4, 0, 20)
    concurrency: int = _within(4, 1, 64)
    deadline: float = _amount()
    jobs: tuple[str, ...] = _setting(
        (TRIPLES, GRADES), f"an array of {', '.join(JOBS)}",
        lambda value: _are_names(value) and bool(value) and set(value) <= {*JOBS},
    )  # fmt: skip
    phrase: bool = False
    seed: int = _within(0, 0, 2**31 - 1)
    max_calls: int = _within(0, 0, 10**9)
    max_tokens: int = _within(0, 0, 10**12)
    max_cost: float = _amount()
    price_in: float = _amount()
    price_out: float = _amount()
    origin: str = field(default="", compare=False)
    key_env: str = ""

    def __post_init__(self) -> None:
        _refuse_misfits(self, "llm.")


#: Texts, each by its whole path, and the documents that they are held to.
HeldTo = Sequence[tuple[frozenset[Path], tuple[Path, ...]]]


def documents_for(text: str | Path, held_to: HeldTo) -> list[Path]:
    """Return the documents that a text is held to, as paths from here."""
    path = Path(os.path.realpath(text))  # noqa: PTH - a loop of links raises nothing
    named = dict.fromkeys(one for texts, found in held_to if path in texts for one in found)
    return [Path(os.path.relpath(one)) for one in named]


@dataclass(frozen=True, slots=True)
class Config:
    """All settings of a check.

    `scorer` says what reads how far a passage carries a value: "embedded", a folder, a hub name,
    "llm". `readers` are asked in turn about statements that the rules leave open: names of such as
    were added, or their licences (`models/licences.py`), files from `base`. `rules` maps a rule id
    to its severity, threshold and params; `base` is the folder that files and folders are relative
    to;
    `origins` maps each dotted key that a file sets to `file:line`. `offline` is a snapshot that
    answers in place of the endpoints, or "cache" for what is cached; no file sets it.
    `baseline` and `overrides` are files of decisions, `context` maps patterns of texts to those of
    their documents; commands read these and `api.check` does not. `supersedes` maps documents to
    those whose place they take, which are no evidence where both are contexts.
    """

    packs: tuple[str, ...] = ("core", "values")
    select: tuple[str, ...] = ()
    disable: tuple[str, ...] = ()
    ontology: str = ""
    model: str = "embedded"
    embedding: str = "embedded"
    not_enough_info: str = _either("pass", "fail")
    unverifiable: float = _within(0.0, 0, 1)
    settled: float = _within(0.5, 0, 1)
    kb: tuple[str, ...] = ()
    names: str = ""
    contact: str = ""
    profile: str = ""
    kb_deadline: float = _seconds(25.0)
    kb_tries: int = _within(5, 1, 20)
    kb_client: str = "built-in"
    authoritative: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    scorer: str = ""
    readers: tuple[str, ...] = ()
    baseline: str = ""
    overrides: str = ""
    inline_suppressions: bool = False
    context: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    supersedes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    offline: str = ""
    align: AlignConfig = AlignConfig()
    llm: LLMConfig = LLMConfig()
    rules: Mapping[str, Mapping[str, str | int | float | bool]] = field(default_factory=dict)
    base: Path = Path()
    origins: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _refuse_misfits(self)

    @property
    def packs_in_force(self) -> tuple[str, ...]:
        """The packs that a check runs: those configured and those that judge by ontology and kb."""
        owl = ["owl"] if self.ontology else []
        own = [domain.load(self.ontology).pack] if self.ontology in domain.names() else []
        kb = ["kb"] if self.kb else []
        return tuple(dict.fromkeys([*self.packs, *owl, *filter(None, own), *kb]))

    @property
    def asks(self) -> bool:
        """Whether a language model, or a reader, which may be at an endpoint, is asked."""
        return self.llm.model != "never" or bool(self.readers)

    @property
    def policy(self) -> tuple[str, ...]:
        """The outcomes besides "refuted" that do not conform."""
        return ("not_enough_info",) if self.not_enough_info == "fail" else ()

    @property
    def bases(self) -> tuple[str, ...]:
        """The knowledge bases, files from `base`; ConfigError where a file names an endpoint."""
        found = []
        for spec in dict.fromkeys(self.kb):
            place = reserved.path_of("kb", spec, self.base)
            if place is None and spec and not self.offline:
                other = reserved.beside("kb", spec, self.base)
                refuse_unasked(self.file_of("kb"), f"the endpoint {spec!r}", "--kb", other)
            found.append(reserved.word_for("kb", place) if place and place.exists() else spec)
        return tuple(found)

    @property
    def scoring(self) -> str:
        """The scorer of values, a folder from `base`; ConfigError where a file names a hub's."""
        return self._model("scorer", "the scorer {} of a hub", "--scorer") or "embedded"

    @property
    def encoder(self) -> str:
        """The embedding, a folder from `base`; ConfigError where a file names one of a hub."""
        return self._model("embedding", "the model {} of a hub", "a folder")

    @property
    def index(self) -> str:
        """The index of names, a file from `base`."""
        place = reserved.path_of("names", self.names, self.base)
        return reserved.word_for("names", place) if place and place.is_file() else self.names

    def _model(self, key: str, what: str, instead: str) -> str:
        word = str(getattr(self, key))
        place = reserved.path_of(key, word, self.base)
        if place is None:
            return word
        if place.is_dir():
            return reserved.word_for(key, place)
        refuse_unasked(self.file_of(key), what.format(repr(word)), instead)
        return word

    def documents_of(self, pattern: str) -> tuple[Path, ...]:
        """Return the documents that `context` names for a pattern of texts, sorted.

        ConfigError where one of its patterns finds none: a text would be held against less.
        """
        found: set[Path] = set()
        for one in self.context[pattern]:
            documents = self.matching(one)
            if not documents:
                raise ConfigError(
                    f"context: {one!r} is no file below {self.base.absolute()}; expected a "
                    "document, or a pattern such as 'sources/*.txt'",
                    path=self.file_of("context"),
                )
            found.update(documents)
        return tuple(sorted(found))

    def held_to(self) -> HeldTo:
        """Return what `context` names: texts, and the documents that they are held to.

        ConfigError where a pattern of documents finds none.
        """
        return [(self.matching(one), self.documents_of(one)) for one in self.context]

    def matching(self, pattern: str) -> frozenset[Path]:
        """Return what matches a pattern below `base`; no link and no `..` leads out of it."""
        base = self.base.resolve()
        try:
            found = {path.resolve() for path in base.glob(pattern)}
        except (OSError, ValueError, NotImplementedError) as error:
            raise ConfigError(
                f"context: {pattern!r} is no pattern: {error}", path=self.file_of("context")
            ) from None
        return frozenset(path for path in found if path.is_relative_to(base) and path != base)

    def origin(self, key: str) -> str:
        """Return where the value of a dotted key comes from, `file:line` or "default"."""
        return self.origins.get(key, DEFAULT)

    def file_of(self, key: str) -> str:
        """Return the `file:line` that sets a dotted key, empty where no file does."""
        origin = self.origin(key)
        return "" if origin == DEFAULT or origin.startswith("--") else origin

    @property
    def chosen(self) -> tuple[tuple[str, str], ...]:
        """The settings that are not the default, each as JSON, by their dotted keys."""
        usual = {key: value for key, value, _ in Config().values()}
        rows = ((key, value) for key, value, _ in self.values() if value != usual.get(key))
        return tuple((key, json.dumps(value, ensure_ascii=False)) for key, value in rows)

    def values(self) -> list[tuple[str, object, str]]:
        """Return every setting that has a value as (dotted key, value, origin)."""
        told = {k: tuple(map(without_secrets, getattr(self, k))) for k in ("kb", "authoritative")}
        plain = ((name, told.get(name, getattr(self, name))) for name in _settings(Config))
        rows: list[tuple[str, object]] = [(k, value) for k, value in plain if value is not None]
        rows += [(f"align.{f.name}", getattr(self.align, f.name)) for f in fields(self.align)]
        rows += [(f"llm.{name}", getattr(self.llm, name)) for name in _settings(LLMConfig)]
        rows += [
            (f"rules.{rule}.{key}", value)
            for rule, table in self.rules.items()
            for key, value in table.items()
        ]
        return [(key, value, self.origin(key)) for key, value in rows]


def cache_folder() -> Path | None:
    """Return the folder of all caches, None where there shall be none.

    `GROUNDRULES_CACHE` is a folder, or `off`; otherwise `$XDG_CACHE_HOME/groundrules`.
    """
    return _own_folder("CACHE", "~/.cache")


def reader_folder(project: Path | None = None) -> Path | None:
    """Return where the licences of readers that were added stand: of the user, or of a project.

    The user's is `readers` in `GROUNDRULES_CONFIG`, a folder or `off`, by default
    `$XDG_CONFIG_HOME/groundrules`; None where there shall be none.
    """
    own = project / ".groundrules" if project else _own_folder("CONFIG", "~/.config")
    return own and own.absolute() / "readers"


def _own_folder(kind: str, usual: str) -> Path | None:
    chosen = os.environ.get(f"GROUNDRULES_{kind}", "")
    if chosen == "off":
        return None
    # expanduser of a str: where there is no home it returns its argument, Path.home raises
    home = os.environ.get(f"XDG_{kind}_HOME") or os.path.expanduser(usual)  # noqa: PTH111
    return Path(chosen) if chosen else Path(home) / "groundrules"


def allows_network() -> bool:
    """Return whether the user lets a config file name what is asked over the network."""
    return os.environ.get(NETWORK) == "on"


def refuse_unasked(origin: str, what: str, instead: str, besides: str = "") -> None:
    """Raise ConfigError where a file names what is asked over the network, unless it is allowed.

    `origin` is the `file:line` that names it, empty for the user or a program; `instead` how the
    user would, `besides` what else it may have meant.
    """
    if origin and not allows_network():
        raise ConfigError(
            f"names {what}; a file reaches no network by itself; expected {instead}, or "
            f"--network (or {NETWORK}=on) to let it{besides and f'; {besides}'}",
            path=origin,
        )


def load(path: Path | str | None = None, *, isolated: bool = False) -> Config:
    """Return the configuration of a file, or of the nearest one from here upward.

    Where it names no readers, those that were added for its project are in force, else the user's.
    `isolated` ignores every file. ConfigError, with file and line, on an unknown key, a value of
    the wrong kind or a file that is not TOML.
    """
    if isolated:
        return Config()
    file = Path(path) if path is not None else find(Path.cwd())
    config = read(file) if file else Config()
    if "readers" in config.origins:
        return config
    for folder in (reader_folder(config.base) if file else None, reader_folder()):
        if found := sorted(folder.glob("*.toml")) if folder else []:
            whose = {"readers": str(folder)} if folder != reader_folder() else {}
            origins = {**config.origins, **whose}
            return replace(config, readers=tuple(map(str, found)), origins=origins)
    return config


def find(folder: Path) -> Path | None:
    """Return the nearest config file from a folder upward.

    In each folder a pyproject.toml with `[tool.groundrules]` goes before a groundrules.toml. The
    search ends at the root of a repository and before a folder of another owner; a file that
    somebody else put into a folder is passed over.
    """
    owner = _owner(folder)
    if owner is None:
        return None
    trusted = {owner, os.getuid() if hasattr(os, "getuid") else owner, 0}
    for place in (folder, *folder.parents):
        if _owner(place) != owner:
            return None
        project, own = place / "pyproject.toml", place / "groundrules.toml"
        if project.is_file() and _owner(project) in trusted and _mentions(project):
            return project
        if own.is_file() and _owner(own) in trusted:
            return own
        if any((place / name).exists() for name in _ROOT):
            return None
    return None


def _owner(path: Path) -> int | None:
    try:
        return path.stat().st_uid
    except OSError:
        return None


def _mentions(path: Path) -> bool:
    """Return whether a pyproject.toml is ours to read; a broken one without our name is not."""
    try:
        text = read_bounded(path, _MAX_BYTES).decode("utf-8", "replace")
    except OSError:
        return False
    if "groundrules" not in text:
        return False
    try:
        return "groundrules" in parse_toml(text).get("tool", {})
    except (tomllib.TOMLDecodeError, RecursionError):
        return bool(re.search(r"^[^\S\n]*+\[+\s*tool\.groundrules", text, re.M))


def read(path: Path) -> Config:
    """Return the configuration of one file; ConfigError as for `load`."""
    name = str(path)
    try:
        data = read_bounded(path, _MAX_BYTES)
        if len(data) > _MAX_BYTES:
            raise ConfigError(f"larger than {_MAX_BYTES:,} bytes", path=name)
        text = data.decode("utf-8")
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", path=name) from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"not UTF-8 at byte {error.start}", path=name) from None
    try:
        table = parse_toml(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        what = re.sub(r"\s?\(at [^()]{1,60}\)$", "", str(error))
        raise ConfigError(
            f"not TOML: {what}",
            path=name,
            line=int(place[1]) if place else text.count("\n") + 1,
            column=int(place[2]) if place else None,
        ) from None
    except RecursionError:
        raise ConfigError("nested too deeply", path=name) from None
    project = path.name == "pyproject.toml"
    if project:
        tool = table.get("tool", {})
        table = tool.get("groundrules", {}) if isinstance(tool, dict) else {}
    return _Reader(text, name, "tool.groundrules" if project else "").config(table, path.parent)


def from_settings(settings: Mapping[str, object], base: Path, name: str) -> Config:
    """Return the configuration of `Config.chosen`, values in place of their JSON.

    ConfigError that begins with `name`, of where they are from, as for `load`.
    """
    table: dict[str, Any] = {}
    for key, value in settings.items():
        *tables, last = key.split(".", 2)
        place = table
        for one in tables:
            place = place.setdefault(one, {})
            if not isinstance(place, dict):
                raise ConfigError(f"{key} is set twice", path=name)
        place[last] = value
    return _Reader("", name, "").config(table, base)


class _Reader:
    """Turns a table into a Config and knows where in the text each key stands."""

    def __init__(self, text: str, path: str, root: str) -> None:
        self.lines = _lines(text)
        self.path = path
        self.root = root
        self.origins: dict[str, str] = {}

    def config(self, data: object, base: Path) -> Config:
        if not isinstance(data, dict):
            raise self.error("not a table", "")
        tables = {name: data.get(name, {}) for name in ("align", "llm", "rules")}
        plain = {key: value for key, value in data.items() if key not in tables}
        values = self.table(plain, Config, "", tuple(tables))
        for name, table in tables.items():
            if not isinstance(table, dict):
                raise self.error(f"{name} = {table!r} is not a table", name)
        return replace(
            Config(),
            **values,
            align=replace(AlignConfig(), **self.table(tables["align"], AlignConfig, "align.")),
            llm=replace(
                LLMConfig(),
                **self.table(tables["llm"], LLMConfig, "llm."),
                origin=self.origins.get("llm.model", ""),
            ),
            rules={rule: self.rule(rule, table) for rule, table in tables["rules"].items()},
            base=base,
            origins=self.origins,
        )

    def table(
        self,
        data: Mapping[str, object],
        kind: type,
        prefix: str,
        more: tuple[str, ...] = (),
    ) -> dict[str, Any]:
        keys = _settings(kind)
        values: dict[str, Any] = {}
        for key, value in data.items():
            if key not in keys:
                known = [*keys, *more]
                raise self.error(
                    f"unknown option {prefix + key!r}"
                    + (did_you_mean(key, known) or f"; expected {', '.join(known)}"),
                    prefix + key,
                )
            if expected := _expected(keys[key], value):
                raise self.error(f"{prefix}{key} = {value!r}; expected {expected}", prefix + key)
            values[key] = _frozen(value, keys[key].default)
            self.origins[prefix + key] = self.place(prefix + key)
        return values

    def rule(self, name: str, table: object) -> dict[str, str | int | float | bool]:
        # Which ids and params there are is known once the packs are loaded: see checks.chosen.
        if not isinstance(table, dict):
            raise self.error(f"rules.{name} = {table!r} is not a table", f"rules.{name}")
        self.origins[f"rules.{name}"] = self.place(f"rules.{name}")
        for key, value in table.items():
            finite = not isinstance(value, float) or math.isfinite(value)
            if not isinstance(value, str | int | float | bool) or not finite:
                raise self.error(
                    f"rules.{name}.{key} = {value!r}; expected a string, a finite number or a "
                    "boolean",
                    f"rules.{name}.{key}",
                )
            self.origins[f"rules.{name}.{key}"] = self.place(f"rules.{name}.{key}")
        return table

    def place(self, key: str) -> str:
        line = self.line(key)
        return f"{self.path}:{line}" if line else self.path

    def error(self, message: str, key: str) -> ConfigError:
        return ConfigError(message, path=self.path, line=self.line(key))

    def line(self, key: str) -> int | None:
        """Return the line that sets a dotted key, however it is split between header and key."""
        for _ in range(_PARENTS):
            if found := self.lines.get(".".join(part for part in (self.root, key) if part)):
                return found
            # an inline table: the line of the key that holds it
            key = key.rpartition(".")[0]
            if not key:
                break
        return None


def _frozen(value: Any, default: object) -> Any:
    """Return a value of TOML as a setting has it: arrays as tuples, a number like its default."""
    if isinstance(value, dict):
        return {key: tuple(one) for key, one in value.items()}
    if isinstance(value, list):
        return tuple(value)
    return float(value) if isinstance(default, float) else value


def _lines(text: str) -> dict[str, int]:
    """Return the first line that sets each dotted key, and each header."""
    lines: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[\[?([^\]]*)\]", line):
            table = found = _plain(header[1])
        elif assigned := re.match(r"""\s*+([\w."' -]++)\s*=""", line):
            found = ".".join(part for part in (table, _plain(assigned[1])) if part)
        else:
            continue
        lines.setdefault(found, number)
    return lines


def _plain(key: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in key.split("."))
