"""Load a training script by its path: several folders have modules of like names."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).parent


def load(name: str) -> ModuleType:
    """Return a script as a module, by its path in this folder without the ending."""
    spec = importlib.util.spec_from_file_location(name.replace("/", "_"), HERE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # for its dataclasses
    spec.loader.exec_module(module)
    return module
