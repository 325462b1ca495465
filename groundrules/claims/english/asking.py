"""How English asks whether something is so, and for a list."""

from __future__ import annotations

#: What a question begins with that asks whether something is so.
WHETHER = frozenset("is are was were did does do has have had".split())
#: What a list is asked for by.
LISTING = frozenset("which what list name show give".split())
