"""Words of a setting that are names, and which path any other word is.

A word that a setting knows is its name, whatever lies in the folder: `wikidata` is the endpoint,
`./wikidata` the folder. Whoever guards the network and whoever opens a source ask here.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from groundrules import domain, plugins

#: The endpoint of Wikidata, as a knowledge base.
WIKIDATA = "wikidata"
#: What the settings know besides what is plugged in, and what each is.
_NAMES: Mapping[str, Mapping[str, str]] = {
    "kb": {WIKIDATA: "the Wikidata endpoint"},
    "offline": {"cache": "what is cached"},
    "names": {"spacy": "the database of spacy-entity-linker"},
    "model": {"embedded": "the pipeline that comes with groundrules"},
    "embedding": {"embedded": "the embedding that comes with groundrules"},
    "scorer": {
        "embedded": "the scorer that comes with groundrules",
        "llm": "the language model",
    },
}


def meaning(key: str, word: str) -> str:
    """Return what a word is as the name that a setting knows, empty where it is none."""
    if found := _NAMES.get(key, {}).get(word):
        return found
    if key == "kb" and "://" in word:
        return "an address"
    if key == "kb" and (scheme := plugins.scheme(word)):
        return f"of the source {scheme!r}"
    if key == "ontology" and word in domain.names():
        return f"the ontology of the domain {word!r}"
    return ""


def path_of(key: str, word: str, base: Path = Path()) -> Path | None:
    """Return the path that a word of a setting is, relative to `base`; None for a name."""
    return None if not word or meaning(key, word) else Path(base, word).expanduser()


def word_for(key: str, path: Path | str) -> str:
    """Return a path as the word that is read as this path again, with ./ where it needs it."""
    return f"./{path}" if meaning(key, str(path)) else str(path)


def beside(key: str, word: str, base: Path = Path()) -> str:
    """Return a line on what bears a name and is not meant by it, empty where nothing does."""
    what = meaning(key, word)
    try:
        path = Path(base, word) if what else Path()
        kind = "folder" if path.is_dir() else "file"
        if not what or not path.exists():
            return ""
    except (OSError, ValueError):  # what is no path at all
        return ""
    return f'"{word}" is {what}; for the {kind} of that name write ./{word}'
