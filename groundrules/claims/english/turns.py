"""What a sentence is reworded by and turned into its contrary by, and what no source says."""

from __future__ import annotations

#: An expression and what stands in its place without a change of meaning.
SAME = (
    (r"(?<!\b[Ww]e )(?<!\bI )\bshall\b(?! be deemed)", "must"),
    (r"\bmust not\b", "may not"),
    (r"\bcannot\b", "can not"),
    (r"\b(is|are|was|were|does|do|did|has|have|had) not\b", r"\1n’t"),
    (r"\b(is|are|was|were|does|do|did|has|have|had)n['’]t\b", r"\1 not"),
    (r"\bprior to\b", "before"),
    (r"\bin order to\b", "to"),
    (r"\bupon\b", "on"),
    (r"\bwhilst\b", "while"),
    (r"\balthough\b", "though"),
    (r"\bsubsequently\b", "later"),
    (r"\bapproximately\b", "about"),
    (r"\bper (year|month|week|day|night|hour|person|kilometre|mile|metre)\b", r"a \1"),
    (r"\bevery (year|month|week|day|night|hour|morning|evening)\b", r"each \1"),
    (r"\beach (year|month|week|day|night|hour|morning|evening)\b", r"every \1"),
    (r"\bno more than(?= [\d£$€])", "at most"),
    (r"\bup to and including\b", "through"),
    (r"\bbegan\b", "started"),
    (r"\bbegins\b", "starts"),
    (r"\bcommence(s?)\b", r"begin\1"),
    (r"\bcommenced\b", "began"),
    (r"\bpurchased\b", "bought"),
    (r"\bobtained\b", "got"),
    (r"\b(\d+(?:\.\d+)?) ?(?:percent|per cent)\b", r"\1%"),
    (r"\b(\d+(?:\.\d+)?) ?%", r"\1 per cent"),
    (r"\b(is|are|was|were) located in\b", r"\1 in"),
    (r" \([^()]{3,}\)(?=[ .,;])", ""),
    (r"; (?=(?:the|a|an|it|they|he|she|there|this|its|their|his|her|all|each) )", ", and "),
    (r"\bfor example\b", "for instance"),
    (r"\bamong\b", "amongst"),
    (r"\bsuch as\b", "for example"),
    (r"\balso ", ""),
    (r"\bthroughout\b", "all through"),
    (r"\bexcept(?= (?:on|in|at|for|the)\b)", "save"),
    (r"\baround(?= \d)", "about"),
    (r"\bbetween (\d+) and (\d+)\b", r"from \1 to \2"),
)  # fmt: skip
#: Words that put each other's contrary: a sentence with one is turned by the other.
CONTRARY = (
    ("more than", "less than"),
    ("at least", "at most"),
    ("increased", "decreased"),
    ("higher", "lower"),
    ("largest", "smallest"),
    ("older", "younger"),
    ("longer", "shorter"),
    ("always", "never"),
    ("inside", "outside"),
    ("opened", "closed"),
)
#: Auxiliaries that a "not" denies, where it stands behind them.
DENIED = "is are was were must shall will can may has have had could should would does do did"
#: Behind these of them a "not" asks for another form of the verb.
BARE = frozenset("does do did has have had".split())
#: What makes doubtful what a "not" denies: it is not put in, nor taken out, beside these.
SCOPED = frozenset(
    "all every each any some no none neither either or nor only most many few both not never "
    "unless except until till because if whether when where who which that whose while whereas "
    "although though than nobody nothing cannot without once as so".split()
)
#: Behind these a number names a thing, and before or behind these it is a bound that another
#: number may keep too.
NUMBERED = frozenset(
    "section sections clause clauses article schedule part paragraph page figure table chapter "
    "annex appendix exhibit step version no number rule note item room route line gate unit lot "
    "platform class grade level phase type category year group plot colony experiment reviewer "
    "hull condition question zone site program season week day".split()
)
#: What a sentence says under one of these says nothing of other cases.
CASES = frozenset("if with when where unless whenever provided".split())
BOUNDING_FIGURES = frozenset(
    "than least most over under about nearly almost around some approximately roughly maximum "
    "minimum within before after by until till since from up between to above below exceed "
    "exceeds exceeding or through beyond past and top short every".split()
)
#: Before a verb these, behind "the", name no thing by themselves, or end none that is named.
NO_THING = frozenset(
    "above rest same former latter following other others one ones first second third last next "
    "more most less least best worst whole poor rich young old new former only also then now once "
    "still thus therefore however later never always often usually again ever itself themselves "
    "himself herself alone there here he she it they we you i who which that what and or but if "
    "as than of in on at by for to from with not so too yet all both each any some no none way "
    "time day people inside outside difference case end start beginning middle front back top "
    "bottom part number kind use".split()
)
#: What may be told of a thing, or a person, and is told in hardly any source. The words between
#: are those that no passage is found by (`stop` of `models/support/words.toml`), so that it is the
#: others alone that a source may have; no name, no figure, and nothing that a rule, a reckoning or
#: a denial could settle.
UNTOLD = (
    "A journalist is preparing a documentary on {}.",
    "A university abroad offers a seminar on {}.",
    "A radio station broadcast a feature on {}.",
    "A retired schoolteacher runs a website on {}.",
    "A publisher rejected a manuscript on {}.",
    "A foundation awards a scholarship in honour of {}.",
    "A local band dedicated a song to {}.",
    "A petition on {} gathered signatures in neighbouring villages.",
    "A senator raised {} in a speech to parliament.",
    "An encyclopedia devotes a long article to {}.",
    "A quiz show on television had a riddle on {}.",
    "A blogger spread a rumour on {}.",
    "An amateur theatre staged a comedy on {}.",
    "A columnist made a joke on {}.",
    "A film director is collecting anecdotes on {}.",
    "A priest mentioned {} in a sermon.",
    "An exhibition on {} toured several capitals.",
    "A symposium on {} was held in a neighbouring country.",
    "A psychologist cites {} in a bestseller.",
    "A pop song alludes to {}.",
    "A comedian parodied {} in a radio sketch.",
    "A celebrity praised {} in a magazine interview.",
    "A brewery created a beer in honour of {}.",
    "A biographer of a famous actor devotes a chapter to {}.",
    "A novelist alludes to {} in a thriller.",
    "A foreign ambassador paid tribute to {} at a banquet.",
    "A sculptor carved an oak bench in honour of {}.",
    "A painter dedicated a watercolour to {}.",
    "A composer wrote a sonata in honour of {}.",
    "A choir has a ballad on {} in its repertoire.",
    "A cartoonist caricatured {} in a weekly magazine.",
    "A philosopher refers to {} in an essay on patience.",
    "A gardener planted a lavender hedge in honour of {}.",
    "A stamp in honour of {} is sought by collectors.",
    "A mural on {} decorates a pedestrian tunnel.",
    "A poster on {} hangs in the hall of a railway station.",
    "A widow donated a scrapbook on {} to an archive.",
    "A puzzle with {} as its theme sold out in toyshops.",
    "A podcast on {} attracted a loyal audience.",
    "A linguistics student analysed jokes on {} in her thesis.",
    "An opera on {} was performed by amateurs in a barn.",
    "A kindergarten rehearsed a pantomime on {}.",
    "{} inspired a popular board game.",
    "{} reminded an elderly tourist of her childhood.",
    "{} featured in a school musical.",
    "{} earned a mention in a travel guide.",
    "{} figured in the plot of a television drama.",
    "{} inspired the interior of a luxury hotel.",
    "{} attracted the curiosity of a foreign broadcaster.",
    "{} caused amusement in the foreign press.",
    "{} prompted a poem in a literary magazine.",
    "{} became proverbial in the neighbourhood.",
    "{} fascinated a delegation of engineers on a study tour.",
    "{} surprised a famous mountaineer.",
    "{} won the sympathy of a popular singer.",
    "{} moved an actress to tears.",
    "{} kept a gossip columnist busy.",
    "{} impressed a princess on her honeymoon.",
    "{} inspired a fashion designer.",
    "{} provoked laughter on a talk show.",
    "{} delighted the audience of a village festival.",
    "{} furnished the motto of a carnival parade.",
    "{} awakened a banker's love of poetry.",
    "{} gave rise to a superstition of sailors.",
    "{} sparked a lively exchange on an internet forum.",
    "{} prompted a millionaire to collect antique clocks.",
)
#: What it is told of where no passage has a thing or a name to tell it of.
THINGS = (
    "the windmill", "the sundial", "the lagoon", "the labyrinth", "the volcano", "the observatory",
    "the gondola", "the pagoda",
)  # fmt: skip
