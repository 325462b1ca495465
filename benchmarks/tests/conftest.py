"""The surroundings and profiles that all tests share."""

import tests.conftest  # noqa: F401
