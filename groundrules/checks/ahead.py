"""What every check imports, imported at once: by the process that others are forked from."""

from __future__ import annotations

import onnxruntime  # noqa: F401

from groundrules.checks import report  # noqa: F401
from groundrules.claims.offline import import_spacy
from groundrules.rules.packs import shipped

import_spacy(without_torch=True)
shipped()
