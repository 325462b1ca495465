"""The vectors of the names of Wikidata's properties, computed once and shipped.

Without them the first text that is put to Wikidata waits for some 8,000 names to be encoded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from groundrules.models.embed import EMBEDDED, encode
from groundrules.models.encoder import embedded

if TYPE_CHECKING:
    from groundrules.models.encoder import Vectors

FILE = Path(__file__).with_name("property_names.npz")


def encode_names(names: Sequence[str], *, model: str = EMBEDDED) -> Vectors:
    """Return the unit vectors of names, float32 (n, d): those that ship, and others computed.

    What ships is of the embedded model, a component in 8 bits: a cosine is off by some 0.0005.
    Errors as for `models.embed.encode`.
    """
    import numpy as np

    known = _shipped() if model == EMBEDDED else {}
    missing = [name for name in dict.fromkeys(names) if name not in known]
    fresh = dict(zip(missing, encode(missing, model=model), strict=True)) if missing else {}
    if not names:
        return encode([], model=model)
    return np.stack([known[name] if name in known else fresh[name] for name in names])


@cache
def _shipped() -> Mapping[str, Vectors]:
    """Return the vectors that ship, by name; none where they are of another model."""
    import numpy as np

    with np.load(FILE, allow_pickle=False) as data:
        if str(data["model"]) != embedded().digest:
            return {}
        names = bytes(data["names"]).decode().split("\n")
        vectors = data["vectors"].astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return dict(zip(names, vectors, strict=True))
