"""English: word lists by grammar, and what the forms of a word share.

Lists under fitted weights lie beside these: models/*/words.toml.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

WORDS = tomllib.loads(Path(__file__).with_name("forms.toml").read_text(encoding="utf-8"))


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _numbered(words: str, start: int = 1) -> dict[str, int]:
    return {word: number for number, word in enumerate(words.split(), start)}


# ---------------------------------------------------------------- time and number

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
SMALL: Mapping[str, int] = MappingProxyType(
    _numbered(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen",
        0,
    )
)
TENS: Mapping[str, int] = MappingProxyType(
    {
        word: 10 * number
        for word, number in _numbered(
            "twenty thirty forty fifty sixty seventy eighty ninety", 2
        ).items()
    }
)
SCALES: Mapping[str, int] = MappingProxyType(
    {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
)
#: The ordinals to the twentieth, in their order.
NTH = tuple(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split()
)
ORDINALS: Mapping[str, int] = MappingProxyType(_numbered(" ".join(NTH)) | {"thirtieth": 30})

# ---------------------------------------------------------------- words of grammar

ARTICLES = _words("a an the")
POSSESSIVES = _words("his her its their")
DEMONSTRATIVES = _words("this that these those")
#: Pronouns of the third person: of a person, of a thing, of several.
MALE, FEMALE = _words("he him his"), _words("she her hers")
PERSONAL = MALE | FEMALE
IMPERSONAL = _words("it its")
PLURAL = _words("they them their")
SUBJECTS = _words("he she it they")
SPEAKERS = _words("i we you")
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
TITLES = _words(
    "mr mrs ms miss dr prof professor judge justice president senator governor chancellor"
)

# ---------------------------------------------------------------- verbs, by what they govern

SAYING = _words(
    "say tell state report claim announce add argue believe allege think write note insist "
    "explain admit warn suggest confirm acknowledge contend assert declare testify maintain "
    "deny predict hold find conclude estimate reveal disclose tweet reply recall"
)
DENYING = _words("deny doubt dispute reject disbelieve")
#: Verbs under which what they govern did not come about.
FAILING = _words("fail refuse decline neglect cease forget omit")
OBLIGING = _words("require oblige obligate agree have need undertake covenant bind promise")
PERMITTING = _words("permit allow entitle authorize authorise")
#: Verbs under which what they govern may come about.
INTENDING = _words(
    "want plan intend try attempt expect seek hope wish propose seem appear threaten offer "
    "prepare aim desire consider like vow say believe think allege report"
)
#: Words before an infinitive that may not have come about, and before one that will.
IMPENDING = _words("about suppose mean destine aspire")
COMING = _words("go due set bound promise rumored rumoured")
#: What is only asked for has not come about.
ASKING = _words("propose suggest recommend ask want wish demand request intend plan hope urge")
#: Verbs whose object does what the infinitive says.
OBJECT_CONTROL = _words(
    "ask allow require permit order tell persuade force appoint expect want cause enable help "
    "urge invite encourage entitle authorize authorise instruct direct advise elect let make "
    "lead name"
)
#: Verbs that give a thing a name or an office.
NAMING = _words(
    "elect name appoint call crown declare make designate nominate dub entitle title vote "
    "choose select"
)
#: Verbs whose `to` and `from` phrases belong to them, wherever the parser hangs them.
TRANSFER = _words(
    "give grant lease sell pay license licence assign transfer award deliver lend rent sublease "
    "sublet convey send offer provide issue hand donate supply owe bring show refund return "
    "distribute"
)

#: Verbs that place a thing beside another: which is where, the words after them say.
PLACING = frozenset("lie stand be sit rank come run live work stay remain".split())
#: Verbs that go with "of"; any other word before it is a noun: "CEO of".
WITH_OF = frozenset("approve become complain consist dispose hear know speak think".split())

# ---------------------------------------------------------------- other words of grammar

#: Adverbs under which a clause may be so.
DOUBT = _words(
    "allegedly reportedly possibly perhaps maybe supposedly probably apparently purportedly"
)
#: Adverbs under which it came close, or hardly came about.
NEARLY = _words("almost nearly barely hardly scarcely")
IF = _words("if unless provided providing should whether")
#: What opens a clause within another.
OPENING = _words(
    "which who whom whose but while whereas although though because since if unless when where "
    "until whether once provided before after"
)
PREPOSITIONS = _words(
    "about above across after against along among around as at before behind below beneath "
    "beside between beyond by down during except for from in inside into like near of off on "
    "onto out outside over per since than through throughout till to toward towards under until "
    "up upon via with within without"
)
DETERMINERS = _words(
    "a an the this that these those any each every all some such said no both either neither "
    "certain another its his her their our my your whose which"
)
#: Pronouns that name nobody.
NO_NAMES = _words("nobody nothing none everybody everyone somebody someone")
#: Pronouns for what was named before.
PRONOUNS = _words(
    "he him his she her hers it its they them their theirs who which whose this these those we "
    "us our i me my"
)
FORMS_OF_ADDRESS = _words("mr mrs ms miss dr sir madam prof")

# ---------------------------------------------------------------- nouns

MEN = _words("man boy father son brother husband king uncle actor prince gentleman")
WOMEN = _words("woman girl mother daughter sister wife queen aunt actress princess lady")
#: Classes of persons, as ontologies call them.
PEOPLE = _words(
    "human individual people adult staff worker engineer researcher clerk nurse patient guest "
    "heir witness member pupil customer client trustee lessee lessor landlord borrower lender "
    "inventor architect composer painter sculptor philosopher scholar advocate founder owner "
    "resident citizen inhabitant passenger pilot sailor soldier chef cook farmer baker miller "
    "monk nun saint friend partner colleague spouse parent sibling cousin"
)
#: Nouns whose infinitive says what is to be done, by whom is not said.
DEEDS = _words(
    "proposal plan motion bid offer request application order call decision proposition "
    "resolution petition project idea suggestion vote scheme demand"
)
CIRCUMSTANCES = _words("time day year way reason place moment")
#: Nouns that take up an organisation again: `the company`.
TAKEN_UP = frozenset(
    "company firm bank club corporation agency university court organisation organization "
    "airline newspaper manufacturer retailer carmaker charity".split()
)

# ---------------------------------------------------------------- forms of a word

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
