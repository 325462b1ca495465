"""What a sentence is reworded by and still says the same, and what turns it into its contrary."""

from __future__ import annotations

#: An expression and what stands in its place without a change of meaning.
SAME = (
    (r"\bshall\b(?! be deemed)", "must"),
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
