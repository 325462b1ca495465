"""What a process of its own does for `reasoner`: owlready2 loads an ontology and reasons over it.

Run as a script, since owlready2 has no time limit and settings that all of a process share.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def reason(path: Path, java: str) -> dict[str, Any]:
    """Return whether the ontology of an N-Triples file is consistent, and its empty classes.

    `consistent` is None with the `fault` that owlready2 or HermiT (`java` runs it) finds in it.
    """
    import owlready2

    owlready2.JAVA_EXE = java
    world = owlready2.World()
    try:
        with path.open("rb") as file:
            world.get_ontology("urn:groundrules:ontology#").load(fileobj=file, only_local=True)
        owlready2.sync_reasoner(world, debug=0)
        empty = sorted(c.iri for c in world.inconsistent_classes() if c is not owlready2.Nothing)
    except owlready2.OwlReadyInconsistentOntologyError:
        return {"consistent": False, "unsatisfiable": []}
    except owlready2.OwlReadyJavaError as error:
        return {"consistent": None, "who": "HermiT", "fault": str(error)}
    except Exception as error:  # its parsers and classes fail in many ways
        return {"consistent": None, "who": "owlready2", "fault": str(error) or repr(error)}
    return {"consistent": True, "unsatisfiable": empty}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(reason(Path(sys.argv[1]), sys.argv[2])))
