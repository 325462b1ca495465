"""What frameworks would send of their use, and ask of hubs, is turned off."""

from __future__ import annotations

import os
import tempfile

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"
os.environ["DEEPEVAL_TELEMETRY_OPT_OUT"] = "YES"
os.environ["LANGSMITH_TRACING"] = "false"
os.environ["DEEPEVAL_CACHE_FOLDER"] = tempfile.mkdtemp(prefix="deepeval")
