"""The settings in force: the command line beats the config file, which beats the defaults."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from groundrules import config as config_
from groundrules.errors import ConfigError, did_you_mean

if TYPE_CHECKING:
    from groundrules.rules.rule import Rule

#: Read by the modules that cache; see docs.
CACHE = "GROUNDRULES_CACHE"


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Add the options that say where the settings come from."""
    parser.add_argument("--config", metavar="FILE", help="use this config file")
    parser.add_argument("--isolated", action="store_true", help="use no config file")


def settings(args: argparse.Namespace) -> config_.Config:
    """Return the settings of a command line; ConfigError for a fault in a file or an option."""
    if args.config and args.isolated:
        raise ConfigError("--config and --isolated exclude each other")
    config = config_.load(args.config, isolated=args.isolated)
    given = {
        key: value
        for key in ("select", "ignore", "model")
        if (value := getattr(args, key, None)) is not None
    }
    if given:
        origins = {**config.origins, **{key: f"--{key}" for key in given}}
        config = replace(config, **given, origins=origins)
        known = [rule.id for rule in rules(config)]
        for key in ("select", "ignore"):
            for prefix in given.get(key, ()):
                if not any(name.startswith(prefix) for name in known):
                    near = did_you_mean(prefix, known)
                    raise ConfigError(f"--{key}: no rule starts with {prefix!r}{near}")
    if getattr(args, "no_cache", False):
        os.environ[CACHE] = "off"
    return config


def rules(config: config_.Config) -> list[Rule]:
    """Return the rules of the packs of a configuration, by id."""
    from groundrules.rules import packs

    return sorted(packs.load(config.packs, base=config.base), key=lambda rule: rule.id)


def rule(name: str, found: Sequence[Rule]) -> Rule:
    """Return the rule of an id or a name; ConfigError with the nearest otherwise."""
    for one in found:
        if name.casefold() in (one.id.casefold(), one.name):
            return one
    known = [key for one in found for key in (one.id, one.name)]
    near = did_you_mean(name.upper(), known) or did_you_mean(name.lower(), known)
    hint = near or "; `groundrules rules` lists them"
    raise ConfigError(f"no rule {name!r}{hint}")
