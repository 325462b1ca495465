"""How messages read: a relation as a verb of its subject, and the article before a noun."""

from __future__ import annotations

from groundrules.claims.english import WITH_OF
from groundrules.claims.english.signals import ENDING_PREDICATES
from groundrules.terms import Modality

_IRREGULAR = {"be": "is", "have": "has", "do": "does", "go": "goes"}
_MODALS = {Modality.OBLIGATION: "must", Modality.PERMISSION: "may", Modality.POSSIBILITY: "might"}
_NOUNS = frozenset("party heir successor".split())


def conjugate(
    relation: str, *, negative: bool = False, modality: Modality = Modality.ASSERTED
) -> str:
    """Return a relation, worded with the base form of its verb, in the third person singular.

    `take effect on` becomes `takes effect on`, `CEO of` `is CEO of`.
    """
    first, _, rest = relation.partition(" ")
    noun = rest.split(" ")[-1:] == ["of"] and first not in WITH_OF | {"be", "have"}
    if noun or first in ENDING_PREDICATES | _NOUNS or not first[:1].islower():
        first, rest = "be", relation
    tail = f" {rest}" if rest else ""
    if modal := _MODALS.get(modality):
        return f"{modal} {'not ' if negative else ''}{first}{tail}"
    if negative:
        return f"is not{tail}" if first == "be" else f"does not {first}{tail}"
    return _third(first) + tail


def _third(verb: str) -> str:
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb.endswith(("s", "x", "z", "ch", "sh")):
        return f"{verb}es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}s"


def article(noun: str) -> str:
    """Return `a` or `an`, as the first letter of a noun has it."""
    word = noun.lstrip("“\"'").casefold()
    vowel = word[:1] in tuple("aeiou") and not word.startswith(("uni", "use", "usu", "one", "eu"))
    return "an" if vowel or word.startswith(("hour", "heir", "honest", "honour")) else "a"
