"""What frameworks would send of their use, and ask of hubs, is turned off."""

from __future__ import annotations

import os

os.environ["LANGSMITH_TRACING"] = "false"
