"""Make groundrules/kb/link/property_names.npz: the vectors of the names of Wikidata's properties.

    python training/properties/vectors.py

Reads `groundrules/kb/sources/properties.json` and the embedded model, asks no network and prints
the SHA-256 for the card (`groundrules/kb/sources/properties.md`).
"""

from __future__ import annotations

import hashlib
import io
import zipfile

import numpy as np

from groundrules.kb.link.name_vectors import FILE
from groundrules.kb.link.properties import property_names
from groundrules.kb.sources.wikidata import load_properties
from groundrules.models.encoder import embedded

#: So that the same vectors make the same bytes.
_MOMENT = (1980, 1, 1, 0, 0, 0)


def main() -> None:
    """Encode the names and write them, a component in 8 bits."""
    names = sorted({name for _, name in property_names(load_properties())})
    vectors = embedded().encode(names)
    scale = np.abs(vectors).max(axis=1, keepdims=True) / 127
    parts = {
        "model": np.array(embedded().digest),
        "names": np.frombuffer("\n".join(names).encode(), np.uint8),
        "vectors": np.rint(vectors / scale).astype(np.int8),
    }
    with zipfile.ZipFile(FILE, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            data = io.BytesIO()
            np.lib.format.write_array(data, part, allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy", _MOMENT), data.getvalue())
    print(f"{len(names):,} names, SHA-256 {hashlib.sha256(FILE.read_bytes()).hexdigest()}")


if __name__ == "__main__":
    main()
