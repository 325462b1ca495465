"""Build the two table-driven components: parts of speech from tags, lemmas from rules."""

from __future__ import annotations

from collections import Counter, defaultdict

from convert import Sentence
from spacy.language import Language
from spacy.lookups import Lookups

# Penn tag -> part of speech and features, before the refinements below.
TAG_MAP = {
    "CC": ("CCONJ", "ConjType=Cmp"),
    "CD": ("NUM", "NumType=Card"),
    "DT": ("DET", ""),
    "EX": ("PRON", "AdvType=Ex"),
    "FW": ("NOUN", "Foreign=Yes"),
    "IN": ("ADP", ""),
    "JJ": ("ADJ", "Degree=Pos"),
    "JJR": ("ADJ", "Degree=Cmp"),
    "JJS": ("ADJ", "Degree=Sup"),
    "LS": ("X", "NumType=Ord"),
    "MD": ("AUX", "VerbForm=Fin"),
    "NN": ("NOUN", "Number=Sing"),
    "NNS": ("NOUN", "Number=Plur"),
    "NNP": ("PROPN", "Number=Sing"),
    "NNPS": ("PROPN", "Number=Plur"),
    "PDT": ("DET", ""),
    "POS": ("PART", "Poss=Yes"),
    "PRP": ("PRON", "PronType=Prs"),
    "PRP$": ("PRON", "Poss=Yes|PronType=Prs"),
    "RB": ("ADV", ""),
    "RBR": ("ADV", "Degree=Cmp"),
    "RBS": ("ADV", "Degree=Sup"),
    "RP": ("ADP", ""),
    "SYM": ("SYM", ""),
    "TO": ("PART", ""),
    "UH": ("INTJ", ""),
    "VB": ("VERB", "VerbForm=Inf"),
    "VBD": ("VERB", "Tense=Past|VerbForm=Fin"),
    "VBG": ("VERB", "Aspect=Prog|Tense=Pres|VerbForm=Part"),
    "VBN": ("VERB", "Aspect=Perf|Tense=Past|VerbForm=Part"),
    "VBP": ("VERB", "Tense=Pres|VerbForm=Fin"),
    "VBZ": ("VERB", "Number=Sing|Person=3|Tense=Pres|VerbForm=Fin"),
    "WDT": ("PRON", "PronType=Rel"),
    "WP": ("PRON", "PronType=Int,Rel"),
    "WP$": ("PRON", "Poss=Yes|PronType=Int,Rel"),
    "WRB": ("ADV", "PronType=Int,Rel"),
    "$": ("SYM", ""),
    "#": ("SYM", ""),
    "ADD": ("PROPN", ""),
    "AFX": ("X", ""),
    "GW": ("X", ""),
    "_SP": ("SPACE", ""),
    ".": ("PUNCT", "PunctType=Peri"),
    ",": ("PUNCT", "PunctType=Comm"),
    ":": ("PUNCT", ""),
    "``": ("PUNCT", "PunctSide=Ini|PunctType=Quot"),
    "''": ("PUNCT", "PunctSide=Fin|PunctType=Quot"),
    "-LRB-": ("PUNCT", "PunctSide=Ini|PunctType=Brck"),
    "-RRB-": ("PUNCT", "PunctSide=Fin|PunctType=Brck"),
    "HYPH": ("PUNCT", "PunctType=Dash"),
    "NFP": ("PUNCT", ""),
}
BE = "be am is are was were been being 's 're 'm ’s ’re ’m s ai".split()
INDEFINITE = """someone somebody something anyone anybody anything everyone everybody everything
    nobody nothing none""".split()
PRONOUNS = {
    "Number=Sing|Person=1|PronType=Prs": "i me myself",
    "Number=Plur|Person=1|PronType=Prs": "we us ourselves",
    "Person=2|PronType=Prs": "you yourself yourselves",
    "Gender=Masc|Number=Sing|Person=3|PronType=Prs": "he him himself",
    "Gender=Fem|Number=Sing|Person=3|PronType=Prs": "she herself",
    "Gender=Neut|Number=Sing|Person=3|PronType=Prs": "it itself",
    "Number=Plur|Person=3|PronType=Prs": "they them themselves",
}
POSSESSIVES = {
    "Number=Sing|Person=1|Poss=Yes|PronType=Prs": "my mine",
    "Number=Plur|Person=1|Poss=Yes|PronType=Prs": "our ours",
    "Person=2|Poss=Yes|PronType=Prs": "your yours",
    "Gender=Masc|Number=Sing|Person=3|Poss=Yes|PronType=Prs": "his",
    "Gender=Fem|Number=Sing|Person=3|Poss=Yes|PronType=Prs": "her hers",
    "Gender=Neut|Number=Sing|Person=3|Poss=Yes|PronType=Prs": "its",
    "Number=Plur|Person=3|Poss=Yes|PronType=Prs": "their theirs",
}
ARGUMENTS = ["nsubj", "nsubjpass", "dobj", "pobj", "attr", "dative", "conj", "ROOT"]
VERB_TAGS = ["VB", "VBD", "VBG", "VBN", "VBP", "VBZ"]

# Irregular verbs that the treebank has too seldom.
IRREGULAR = """arise:arose,arisen bear:bore,borne befall:befell,befallen beget:begot,begotten
behold:beheld bend:bent bereave:bereft beseech:besought bestride:bestrode bid:bade,bidden
bind:bound bite:bit,bitten bleed:bled breed:bred cleave:clove,cloven cling:clung creep:crept
deal:dealt dig:dug dwell:dwelt feed:fed flee:fled fling:flung forbear:forbore,forborne
forbid:forbade,forbidden foresee:foresaw,foreseen forego:forewent,foregone forgo:forwent,forgone
foretell:foretold forgive:forgave,forgiven forsake:forsook,forsaken freeze:froze,frozen
grind:ground hew:hewn kneel:knelt lead:led leap:leapt lend:lent light:lit
misunderstand:misunderstood mistake:mistook,mistaken outdo:outdid,outdone outgrow:outgrew,outgrown
overcome:overcame overdo:overdid,overdone overhear:overheard override:overrode,overridden
overrun:overran oversee:oversaw,overseen overtake:overtook,overtaken overthrow:overthrew,overthrown
partake:partook,partaken plead:pled rend:rent repay:repaid rebuild:rebuilt redo:redid,redone
resell:resold retell:retold rethink:rethought rewrite:rewrote,rewritten ring:rang,rung
rise:rose,risen seek:sought sew:sewn shake:shook,shaken shear:shorn shine:shone shrink:shrank,shrunk
sink:sank,sunk slay:slew,slain slide:slid sling:slung smite:smote,smitten sow:sown speed:sped
spin:spun spring:sprang,sprung stick:stuck sting:stung stink:stank,stunk stride:strode,stridden
strike:struck,stricken strive:strove,striven swear:swore,sworn sweep:swept swell:swollen
swim:swam,swum swing:swung tear:tore,torn tread:trod,trodden undergo:underwent,undergone
undertake:undertook,undertaken undo:undid,undone unwind:unwound uphold:upheld wake:woke,woken
weave:wove,woven weep:wept wind:wound withdraw:withdrew,withdrawn withhold:withheld
withstand:withstood wring:wrung bind:bound hold:held sublet:sublet relet:relet""".split()


def add_parts_of_speech(nlp: Language) -> None:
    """Add an attribute ruler that derives parts of speech and features from tags and labels."""
    ruler = nlp.add_pipe("attribute_ruler")

    def rule(pattern: dict[str, object], pos: str = "", morph: str = "") -> None:
        attrs = {name: value for name, value in (("POS", pos), ("MORPH", morph)) if value}
        ruler.add([[pattern]], attrs)

    for tag, (pos, morph) in TAG_MAP.items():
        rule({"TAG": tag}, pos, morph)
    rule({"TAG": "IN", "DEP": "mark"}, "SCONJ")
    rule({"TAG": "TO", "DEP": "prep"}, "ADP")
    rule({"TAG": "DT", "DEP": {"IN": ARGUMENTS}}, "PRON")
    rule({"TAG": "WDT", "DEP": "det"}, "DET")
    rule({"TAG": "NN", "LOWER": {"IN": INDEFINITE}}, "PRON")
    # Without a degree the lemmatizer keeps the capital of "American".
    rule({"TAG": "NNP", "DEP": "amod"}, "ADJ", "Number=Sing")
    rule({"TAG": "RB", "LOWER": {"IN": ["not", "n't", "n’t", "nt"]}}, "PART", "Polarity=Neg")
    rule({"TAG": {"IN": VERB_TAGS}, "DEP": {"IN": ["aux", "auxpass"]}}, "AUX")
    rule({"TAG": {"IN": VERB_TAGS}, "LOWER": {"IN": BE}}, "AUX")
    rule({"TAG": "ADD", "DEP": "compound"}, "X")
    for morph, words in PRONOUNS.items():
        rule({"TAG": "PRP", "LOWER": {"IN": words.split()}}, "PRON", morph)
    rule({"TAG": "PRP", "LOWER": "her"}, "PRON", "Gender=Fem|Number=Sing|Person=3|PronType=Prs")
    for morph, words in POSSESSIVES.items():
        rule({"TAG": {"IN": ["PRP$", "PRP"]}, "LOWER": {"IN": words.split()}, "DEP": "poss"},
             "PRON", morph)  # fmt: skip
    # The lemma table knows one lemma a form: here "her" is no form of "she".
    ruler.add([[{"LOWER": "her", "DEP": "poss"}]], {"LEMMA": "her"})


def suffix_rules(pairs: Counter[tuple[str, str]]) -> list[tuple[str, str]]:
    """Suffix replacements learnt from (form, lemma) pairs, the longest suffix first."""
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    for form, lemma in pairs:
        for length in range(1, min(6, len(form)) + 1):
            stem, suffix = form[:-length], form[-length:]
            if lemma.startswith(stem) and stem:
                seen[suffix][lemma[len(stem) :]] += 1
    rules: dict[str, str] = {}
    for suffix in sorted(seen, key=len):
        best, count = sorted(seen[suffix].items(), key=lambda item: (-item[1], item[0]))[0]
        if count < 2 or count < 0.6 * sum(seen[suffix].values()):
            continue
        shorter = next((suffix[i:] for i in range(1, len(suffix)) if suffix[i:] in rules), None)
        if shorter is not None and suffix[: -len(shorter)] + rules[shorter] == best:
            continue
        rules[suffix] = best
    return sorted(rules.items(), key=lambda item: (-len(item[0]), item[0]))


def apply_rules(rules: list[tuple[str, str]], form: str) -> str:
    """Return the lemma that the first matching rule gives."""
    for old, new in rules:
        if form.endswith(old):
            return form[: len(form) - len(old)] + new
    return form


def lemma_tables(sentences: list[Sentence]) -> Lookups:
    """Lemma rules and exceptions for spaCy's rule lemmatizer, learnt from the treebank."""
    inflected = {"NNS", "VBD", "VBG", "VBN", "VBZ", "JJR", "JJS", "RBR", "RBS"}
    forms: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    regular: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    for sentence in sentences:
        for token in sentence:
            pair = (token.lower, token.lemma if token.lemma == "I" else token.lemma.lower())
            pos = token.upos.lower()
            if pos in {"propn", "punct", "x", "sym", "num", "intj"} or token.xpos == "DT":
                continue
            forms[pos][pair] += 1
            if token.xpos in inflected and pair[0].isalpha():
                regular[pos][pair] += 1
    for entry in IRREGULAR:
        lemma, _, pasts = entry.partition(":")
        for past in pasts.split(","):
            forms["verb"][past, lemma] += 1
    rules: dict[str, list[tuple[str, str]]] = {}
    exceptions: dict[str, dict[str, list[str]]] = {}
    for pos, pairs in sorted(forms.items()):
        open_class = pos in {"noun", "verb", "adj", "adv"}
        rules[pos] = suffix_rules(regular[pos]) if open_class and pos != "adv" else []
        best: dict[str, tuple[int, str]] = {}
        for (form, found), count in sorted(pairs.items()):
            if count > best.get(form, (0, ""))[0]:
                best[form] = (count, found)
        exceptions[pos] = {
            form: [lemma]
            for form, (_, lemma) in best.items()
            if apply_rules(rules[pos], form) != lemma
        }
    # Forms of "have" and "do" are main verbs or auxiliaries: both tables know them.
    for form, lemmas in exceptions["verb"].items():
        exceptions["aux"].setdefault(form, lemmas)
    for pos in set(rules) - {"adj"}:
        # The empty suffix lower-cases what no other rule changes ("Also", "The").
        rules[pos].append(("", ""))
    tables = Lookups()
    tables.add_table("lemma_rules", {pos: [list(r) for r in found] for pos, found in rules.items()})
    tables.add_table("lemma_exc", exceptions)
    tables.add_table("lemma_index", {})
    return tables


def add_lemmas(nlp: Language, sentences: list[Sentence]) -> None:
    """Add a rule lemmatizer with tables learnt from the treebank."""
    lemmatizer = nlp.add_pipe("lemmatizer", config={"mode": "rule"})
    lemmatizer.initialize(lookups=lemma_tables(sentences))
