"""recipes as a domain of groundrules."""

from pathlib import Path

from groundrules.domain import Domain
from recipes.readers import read_weights

_FOLDER = Path(__file__).parent

DOMAIN = Domain(
    name="recipes",
    ontology=_FOLDER / "recipes.ttl",  # its lexicon, recipes.lexicon.toml, is found beside it
    pack="recipes",
    term_readers=(read_weights,),
    prefixes={"own": "https://example.org/recipes#"},
)
