"""English: word lists by grammar, and what the forms of a word share.

Lists under fitted weights lie beside these: models/*/words.toml.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

LISTS = tomllib.loads(Path(__file__).with_name("lists.toml").read_text(encoding="utf-8"))
WORDS = tomllib.loads(Path(__file__).with_name("forms.toml").read_text(encoding="utf-8"))


def words(name: str) -> frozenset[str]:
    """Return the words of a list of `lists.toml`."""
    return frozenset(LISTS[name].split())


def table(name: str) -> Mapping[str, str]:
    """Return what stands for what in a table of `lists.toml`."""
    return MappingProxyType(LISTS[name])


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _numbered(words: str, start: int = 1) -> dict[str, int]:
    return {word: number for number, word in enumerate(words.split(), start)}


MONTH_NAMES = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
#: The number of a month by its name or abbreviation, in small letters.
MONTHS: Mapping[str, int] = MappingProxyType(
    {
        name: number
        for number, month in enumerate(map(str.lower, MONTH_NAMES), 1)
        for name in dict.fromkeys((month, *(("sept",) if number == 9 else ()), month[:3]))
    }
)
WEEKDAYS = _words("monday tuesday wednesday thursday friday saturday sunday")
#: The numbers of one word.
SMALL: Mapping[str, int] = MappingProxyType(_numbered(LISTS["small"], 0))
TENS: Mapping[str, int] = MappingProxyType(
    {word: 10 * number for word, number in _numbered(LISTS["tens"], 2).items()}
)
SCALES: Mapping[str, int] = MappingProxyType(
    {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
)
#: The ordinals to the twentieth, in their order.
NTH = tuple(LISTS["nth"].split())
ORDINALS: Mapping[str, int] = MappingProxyType(_numbered(" ".join(NTH)) | {"thirtieth": 30})

ARTICLES = _words("a an the")
POSSESSIVES = _words("his her its their")
DEMONSTRATIVES = _words("this that these those")
#: Pronouns of the third person: of a person, of a thing, of several.
MALE, FEMALE = _words("he him his"), _words("she her hers")
PERSONAL = MALE | FEMALE
IMPERSONAL = _words("it its")
PLURAL = _words("they them their")
SUBJECTS = _words("he she it they")
REFLEXIVE = _words("himself herself itself")
RELATIVES = _words("who which that")
BE = _words("be is are was were been being")
HAVE = _words("have has had having")
NOT = _words("not n't n\u2019t never neither nor")
NOBODY = _words("none nobody nothing")
#: What denies, whatever it stands beside.
NEGATIVE = NOT | NOBODY | _words("no nt cannot hardly scarcely without")
#: What bounds a denial in time: "not tested since 2009" is true of what was last tested then.
BOUNDING = _words("since until till")
#: Small words within names.
PARTICLES = _words("de von van der la du di da del al bin ibn le")
TITLES = words("titles")

SAYING = words("saying")
DENYING = _words("deny doubt dispute reject disbelieve")
#: Verbs under which what they govern did not come about.
FAILING = _words("fail refuse decline neglect cease forget omit")
OBLIGING = _words("require oblige obligate agree have need undertake covenant bind promise")
PERMITTING = _words("permit allow entitle authorize authorise")
#: Verbs under which what they govern may come about.
INTENDING = words("intending")
#: Words before an infinitive that may not have come about, and before one that will.
IMPENDING = _words("about suppose mean destine aspire")
COMING = _words("go due set bound promise rumored rumoured")
#: What is only asked for has not come about.
ASKING = _words("propose suggest recommend ask want wish demand request intend plan hope urge")
#: Verbs whose object does what the infinitive says.
OBJECT_CONTROL = words("object_control")
#: Verbs that give a thing a name or an office.
NAMING = words("naming")
#: Verbs whose `to` and `from` phrases belong to them, wherever the parser hangs them.
TRANSFER = words("transfer")
#: Verbs that go with "of"; any other word before it is a noun: "CEO of".
WITH_OF = frozenset("approve become complain consist dispose hear know speak think".split())
#: Adverbs under which a clause may be so.
DOUBT = words("doubt")
#: Adverbs under which it came close, or hardly came about.
NEARLY = _words("almost nearly barely hardly scarcely")
IF = _words("if unless provided providing should whether")
#: What opens a clause within another.
OPENING = words("opening")
PREPOSITIONS = words("prepositions")
DETERMINERS = words("determiners")
#: Pronouns that name nobody.
NO_NAMES = _words("nobody nothing none everybody everyone somebody someone")
#: Pronouns for what was named before.
PRONOUNS = words("pronouns")
FORMS_OF_ADDRESS = _words("mr mrs ms miss dr sir madam prof")

MEN = _words("man boy father son brother husband king uncle actor prince gentleman")
WOMEN = _words("woman girl mother daughter sister wife queen aunt actress princess lady")
#: Classes of persons, as ontologies call them.
PEOPLE = words("people")
#: Nouns whose infinitive says what is to be done, by whom is not said.
DEEDS = words("deeds")
CIRCUMSTANCES = _words("time day year way reason place moment")
#: Nouns that take up an organisation again: `the company`.
TAKEN_UP = words("taken_up")

#: Verbs whose participle is like their stem.
SAME_PARTICIPLES = frozenset({"run", "become", "come"})
#: The base form of irregular forms of verbs, and of the base form itself.
IRREGULAR_VERBS = {
    form: stem for stem, forms in WORDS["verbs"].items() for form in (stem, *forms.split())
}
IRREGULAR_PLURALS = {"men": "man", "women": "woman", "people": "person", "children": "child"}
#: Words that begin with such letters and are no denial of the rest.
NO_PREFIX = frozenset(WORDS["no_prefix"].split())


def singular(word: str) -> str:
    """Return the singular of a plural, or the base form of a verb in its third person.

    "parties" is "party", "addresses" "address", "licenses" "license"; "status" and "basis" stay.
    """
    low = word.casefold()
    if low.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if low.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    if low.endswith("s") and not low.endswith(("ss", "us", "is")) and len(word) > 3:
        return word[:-1]
    return word
