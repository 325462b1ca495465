"""Ferries as a domain: what a package of somebody else's registers with groundrules."""

from pathlib import Path

from ferries.crossings import BERTH, find_berths, read_crossings, read_moorings, ship_names
from groundrules.domain import Domain, Words

_FOLDER = Path(__file__).parent

DOMAIN = Domain(
    name="ferries",
    ontology=_FOLDER / "ferries.ttl",
    pack="ferries",
    words=Words(
        roles=frozenset({"skipper"}),
        papers=frozenset({"timetable"}),
        rivals=(("skipper", "stowaway"),),
        opposites={"tide": (("ebb",), ("flood",))},
        meanings=(("harbour*", "haven"),),
    ),
    kinds=(BERTH,),
    values=(find_berths,),
    readers=(read_moorings,),
    names=(ship_names,),
    term_readers=(read_crossings,),
    questions=_FOLDER / "questions.toml",
    retrieval=_FOLDER / "retrieval.toml",
    wordings={"https://example.org/ferries#to": ("sails to",)},
    prefixes={"fer": "https://example.org/ferries#"},
)
