"""The settings in force: the command line beats the config file, which beats the defaults."""

from __future__ import annotations

import argparse
import os
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from groundrules import config as config_
from groundrules import reserved
from groundrules.cli.options import amount, names, one_of, positive, share
from groundrules.errors import ConfigError

if TYPE_CHECKING:
    from groundrules.llm.client import Client
    from groundrules.rules.packs import Pack
    from groundrules.rules.rule import Rule

CACHE = "GROUNDRULES_CACHE"  # read by the modules that cache; see docs
#: The options that set something, by what they set.
_OPTIONS = {
    **{key: key for key in (
        "select", "disable", "ontology", "model", "kb", "offline", "scorer", "readers",
        "baseline", "overrides", "profile", "inline_suppressions",
        "settled", "not_enough_info",
    )},
    "llm.model": "llm", "llm.jobs": "llm_jobs", "llm.phrase": "phrase",
    "llm.max_calls": "max_calls", "llm.max_cost": "max_cost",
}  # fmt: skip
#: What of that may be a name or a path, and the setting that says which.
_PATHS = {
    "kb": "kb", "ontology": "ontology", "offline": "offline", "scorer": "scorer",
    "baseline": "baseline", "overrides": "overrides",
}  # fmt: skip
#: Severities, the gravest first.
LEVELS = ("error", "warning", "info")
_BUDGET = re.compile(r"([1-9][0-9]{0,11}) ?(calls|tokens)")


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Add the options that say where the settings come from."""
    parser.add_argument("--config", metavar="FILE", help="use this config file")
    parser.add_argument("--isolated", action="store_true", help="use no config file")
    parser.add_argument("--network", action="store_true",
        help="let the config file name what is asked over the network: a language model, an "
             "endpoint, a model of a hub")  # fmt: skip


def add_readers(
    parser: argparse.ArgumentParser, *, each: str = "run with --llm, else text"
) -> None:
    """Add the options that say what reads the statements that the rules leave open.

    What they may take holds for `each`.
    """
    add = parser.add_argument
    add("--reader", action="append", dest="readers", metavar="NAME|FILE",
        help="ask this reader alone of those that `groundrules readers add` has added, or by this "
             "licence; may be given several times (by default all are asked)")  # fmt: skip
    add("--no-reader", action="store_true",
        help="let the rules decide alone")  # fmt: skip
    add("--budget", type=_budget, metavar="N calls|tokens",
        help="what asking readers at endpoints and the language model may take together: 200calls "
             f"or 50000tokens, for each {each}")  # fmt: skip


def _budget(value: str) -> tuple[str, int]:
    """Return the setting of the language model that a budget is, and how much it is."""
    found = _BUDGET.fullmatch(value.strip())
    if not found:
        raise argparse.ArgumentTypeError(
            f"{value!r} is no budget; expected a number of calls or tokens, such as 200calls"
        )
    return f"max_{found[2]}", int(found[1])


def add_llm(parser: argparse.ArgumentParser, *, each: str = "") -> None:
    """Add the options that say which language model is asked, and how often: in a run, or `each`.

    What is limited is in the names of the options, where it is not the run.
    """
    mark, whole = (f"-{each}", f" for one {each}") if each else ("", "")
    add = parser.add_argument
    add("--llm", metavar="URL|MODEL|never",
        help="a language model to ask: the URL of an OpenAI-compatible endpoint, URL#model, a "
             "model of OpenAI's API, or never; its key is in $GROUNDRULES_LLM_KEY")  # fmt: skip
    add(f"--max-calls{mark}", dest="max_calls", type=positive, metavar="N",
        help=f"make at most so many calls to it{whole}")  # fmt: skip
    add(f"--max-cost{mark}", dest="max_cost", type=amount, metavar="X",
        help=f"spend at most so much on it{whole}, at the prices of the config file")  # fmt: skip


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """Add the options that say what a language model is asked of a text."""
    parser.add_argument("--llm-jobs", type=_jobs, metavar=",".join(config_.JOBS),
        help="what the language model is asked for: triples of text and sources, grades of the "
             "statements (by default these two), and the text in the terms of --kb and --ontology; "
             "grades alone cost least")  # fmt: skip
    parser.add_argument("--phrase", action="store_true", default=None,
        help="let the language model word the explanations of errors and warnings, in one call "
             "more for each text")  # fmt: skip


def _jobs(value: str) -> tuple[str, ...]:
    """Return the jobs of a language model that a list with commas names."""
    return tuple(map(one_of(*config_.JOBS), names(value))) or (one_of(*config_.JOBS)(value),)


def add_checking(parser: argparse.ArgumentParser) -> None:
    """Add the options of whatever checks texts, one or many: against what, by what, and how."""
    add = parser.add_argument
    add("--kb", action="append", metavar="KB",
        help="a knowledge base to check against: wikidata, the URL of a SPARQL endpoint, an RDF "
             "file, a folder or a store; may be given several times")  # fmt: skip
    add("--profile", metavar="FILE",
        help="what is read off a graph of --kb, as corrected (groundrules kb profile)")  # fmt: skip
    add("--offline", metavar="SNAPSHOT|cache",
        help="ask no endpoint: a snapshot answers, or what is cached")  # fmt: skip
    add("--ontology", metavar="NAME|FILE",
        help="an ontology the claims must obey: of a domain, or an OWL or RDFS file")  # fmt: skip
    add_settings(parser)
    add_llm(parser)
    add_jobs(parser)
    add_readers(parser)
    add_judging(parser)
    add("--select", type=names, metavar="RULES",
        help="show only what these rules find, each by its name or the beginning of its id: "
             "GR,other-figure; verdicts count what all rules find")  # fmt: skip
    add("--disable", type=names, metavar="RULES",
        help="set aside what these rules find: it stays in the report and does not count"
        )  # fmt: skip
    add("--fail-level", type=one_of(*LEVELS), default="error", metavar="|".join(LEVELS),
        help="exit 1 from this severity on (default error)")  # fmt: skip
    add("--model", metavar="NAME", help="another spaCy pipeline, such as en_core_web_lg")
    add("--no-cache", action="store_true", help="read and write no cache")


def checking(args: argparse.Namespace) -> config_.Config:
    """Return the settings of a check; ConfigError also where nothing could be asked offline."""
    config = settings(args)
    if config.offline and not config.kb:
        raise ConfigError("--offline needs --kb")
    return config


def add_judging(parser: argparse.ArgumentParser) -> None:
    """Add the options that say what passes."""
    add = parser.add_argument
    add("--not-enough-info", type=one_of("pass", "fail"), metavar="pass|fail",
        help="whether a text passes that has statements without enough information")  # fmt: skip
    add("--settled", type=share, metavar="X",
        help="the least share of the statements, 0 to 1, that must be supported for a text to "
             "pass; below it the text is not settled and the exit code 2 (default 0.5)"
        )  # fmt: skip


def add_decided(parser: argparse.ArgumentParser) -> None:
    """Add the options that say where it is written what was decided."""
    add = parser.add_argument
    add("--baseline", metavar="FILE",
        help="findings that were there before, which do not count")  # fmt: skip
    add("--overrides", metavar="FILE",
        help="what people decided of statements and findings (groundrules override)")  # fmt: skip
    add("--inline-suppressions", action="store_true", default=None,
        help="follow comments in the checked text that set findings aside; not for a text of "
             "others, or of a model")  # fmt: skip


def settings(args: argparse.Namespace) -> config_.Config:
    """Return the settings of a command line; ConfigError for a fault in a file or an option."""
    config = config_.load(args.config, isolated=args.isolated)
    if getattr(args, "no_reader", False) or not hasattr(args, "readers"):
        config = replace(config, readers=())
    given = {key: value for key, option in _OPTIONS.items()
             if (value := getattr(args, option, None)) is not None}  # fmt: skip
    for key, kind in _PATHS.items():
        if isinstance(value := given.get(key), str):
            given[key] = here(kind, value, config)
        elif value is not None:
            given[key] = tuple(here(kind, one, config) for one in value)
    if "readers" in given:
        words = ((Path(w).absolute() if w.endswith(".toml") else w) for w in given["readers"])
        given["readers"] = tuple(map(str, words))
    origins = {key: _OPTIONS[key] for key in given}
    origins |= {"readers": "reader"}
    if budget := getattr(args, "budget", None):
        given[f"llm.{budget[0]}"], origins[f"llm.{budget[0]}"] = budget[1], "budget"
    llm = {key[4:]: value for key, value in given.items() if key.startswith("llm.")}
    if "jobs" in llm and llm.get("model", config.llm.model) == "never":
        raise ConfigError("--llm-jobs needs a language model; name one with --llm")
    if "model" in llm:
        llm["origin"] = ""  # the user names it, and no file
    config = replace(
        config,
        **{key: value for key, value in given.items() if "." not in key},
        llm=replace(config.llm, **llm),
        origins={
            **config.origins, **{key: f"--{origins[key].replace('_', '-')}" for key in given}
        },
    )  # fmt: skip
    if config.rules or any(map(config.origins.get, ("packs", "select", "disable"))):
        packs(config)
    if getattr(args, "no_cache", False):
        os.environ[CACHE] = "off"
    if getattr(args, "network", False):
        os.environ[config_.NETWORK] = "on"
    _tell_names(config)
    return config


def _tell_names(config: config_.Config) -> None:
    """Say on stderr which words of a config file are names though something here bears them."""
    for key in ("kb", "ontology", "names", "embedding", "scorer"):
        if (place := config.file_of(key)) and (key != "kb" or config_.allows_network()):
            value = getattr(config, key)
            for word in value if isinstance(value, tuple) else (value,):
                if line := reserved.beside(key, word, config.base):
                    print(f"{place}: {line}", file=sys.stderr)


def here(key: str, word: str, config: config_.Config) -> str:
    """Return what a word of the command line means, as a setting: a name, or a path from here.

    The path of what exists is absolute where the config is in another folder. Where something
    bears the name and is not meant, stderr says so.
    """
    path = reserved.path_of(key, word)
    if path is None:
        if line := reserved.beside(key, word):
            print(f"--{key}: {line}", file=sys.stderr)
        return word
    moved = Path(config.base, word).absolute() != path.absolute()
    return str(path.absolute()) if moved and path.exists() else word


def packs(config: config_.Config) -> tuple[Pack, ...]:
    """Return the packs that a check under a configuration runs."""
    from groundrules.checks.chosen import packs_of

    return packs_of(config)


def every_pack(config: config_.Config) -> config_.Config:
    """Return the configuration with the packs that ship besides its own."""
    from groundrules.rules.packs import built_in

    return replace(config, packs=tuple(dict.fromkeys((*config.packs, *built_in()))))


def rules(config: config_.Config) -> list[Rule]:
    """Return the rules of the packs of a configuration, by id."""
    found = (rule for pack in packs(config) for rule in pack.rules)
    return sorted(found, key=lambda rule: rule.id)


def print_usage(client: Client | None) -> None:
    """Say on stderr what asking a language model has cost, where one was asked."""
    if client is None:
        return
    used = client.usage
    print(
        f"{client.name}: calls {used.calls}, cached {used.cached}, prompt tokens "
        f"{used.prompt_tokens:,}, completion tokens {used.completion_tokens:,}, "
        f"cost {used.cost:.4f}",
        file=sys.stderr,
    )
