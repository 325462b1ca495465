"""The surroundings and profiles that all tests share, and the scripts, which are no package."""

import sys
from pathlib import Path

import tests.conftest  # noqa: F401

sys.path.append(str(Path(__file__).parents[1]))
