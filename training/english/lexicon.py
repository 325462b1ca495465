"""Build the two table-driven components: parts of speech from tags, lemmas from rules."""

from __future__ import annotations

from collections import Counter, defaultdict

from convert import TABLES, Sentence
from spacy.language import Language
from spacy.lookups import Lookups

TAG_MAP, PRONOUNS, POSSESSIVES = (TABLES[n] for n in ("tag_map", "pronouns", "possessives"))
BE, INDEFINITE, IRREGULAR = (TABLES[name].split() for name in ("be", "indefinite", "irregular"))
ARGUMENTS = ["nsubj", "nsubjpass", "dobj", "pobj", "attr", "dative", "conj", "ROOT"]
VERB_TAGS = ["VB", "VBD", "VBG", "VBN", "VBP", "VBZ"]


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
