"""Make sentences of shapes that the treebank has too few of, each with its tree.

Appositions, relative clauses right before the verb, passives in a row, several that do several
things, conditions, definitions, contrasts and what something is no longer or alone: shapes whose
tree the form alone tells, whatever the words are. Their words are the treebank's, drawn at random,
so that nothing but the form is learnt.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence

from convert import ROOT, Sentence, Token

#: Ends of names of bodies.
BODIES = ("Ltd", "Inc.", "plc", "Trust", "Council", "Holdings", "Group", "Bank", "University")
LATER = -2


class Words:
    """The treebank's words by tag, and the forms of its verbs that have an object somewhere."""

    def __init__(self, sentences: Sequence[Sentence]) -> None:
        forms: dict[str, Counter[str]] = {}
        for token in (t for s in sentences for t in s):
            if token.form.isalpha() and len(token.form) > 2:
                forms.setdefault(token.xpos, Counter())[token.form] += 1

        def often(tag: str, least: int) -> list[str]:
            return sorted(w for w, n in forms[tag].items() if n >= least and w.islower())

        self.nouns, self.plurals = often("NN", 2), often("NNS", 2)
        self.adjectives = often("JJ", 3)
        self.able = [w for w in often("JJ", 1) if w.endswith("ble")]
        self.names = sorted(w for w, n in forms["NNP"].items() if n > 1 and w.istitle())
        transitive = Counter(
            s[t.head].lemma for s in sentences for t in s
            if t.rel == "dobj" and s[t.head].xpos.startswith("VB")
        )  # fmt: skip
        good = {v for v, n in transitive.items() if n > 1 and v.isalpha() and len(v) > 2}
        found: dict[str, set[tuple[str, str]]] = {}
        for sentence in sentences:
            for t in sentence:
                if t.xpos.startswith("VB") and t.lemma in good and t.form.islower():
                    found.setdefault(t.xpos, set()).add((t.form, t.lemma))
        self.verbs: dict[str, list[tuple[str, str]]] = {
            tag: sorted((f, v) for f, v in forms if f.isalpha() and f not in {"has", "had", "have"})
            for tag, forms in found.items()
        }


class Maker:
    """A sentence in the making: words are added in order and hung afterwards."""

    def __init__(self, words: Words, dice: random.Random) -> None:
        self.tokens: Sentence = []
        self.words, self.dice = words, dice

    def add(self, form: str, tag: str, rel: str, head: int = LATER, lemma: str = "_") -> int:
        """Append a word and return its place."""
        self.tokens.append(Token(form, lemma, "X", tag, head, rel))
        return len(self.tokens) - 1

    def hang(self, head: int, *places: int) -> None:
        """Give words their head."""
        for place in places:
            self.tokens[place].head = head

    def tight(self, place: int = -1) -> None:
        """Let no space stand before a word."""
        self.tokens[place - 1 if place > 0 else len(self.tokens) - 2].space_after = False

    def comma(self, head: int = LATER) -> int:
        """Append a comma."""
        place = self.add(",", ",", "punct", head)
        self.tight()
        return place

    def name(self, rel: str, head: int = LATER, body: bool | None = None) -> int:
        """Append a name of one to three words and return its last."""
        dice = self.dice
        count = dice.choice((0, 1, 1, 2))
        is_body = dice.random() < 0.3 if body is None else body
        parts = [
            self.add(dice.choice(self.words.names), "NNP", "compound")
            for _ in range(count + is_body)
        ]
        last = self.add(dice.choice(BODIES if is_body else self.words.names), "NNP", rel, head)
        self.hang(last, *parts)
        return last

    def phrase(self, rel: str, head: int = LATER, many: bool = False, bare: bool = False) -> int:
        """Append a noun with what stands before it and return the noun."""
        dice, parts = self.dice, []
        if not bare and (not many or dice.random() < 0.5):
            choice = ("the", "its", "these") if many else ("the", "the", "a", "each", "its", "any")
            word = dice.choice(choice)
            its = word == "its"
            parts.append(self.add(word, "PRP$" if its else "DT", "poss" if its else "det"))
        if many and dice.random() < 0.2:
            parts.append(self.add(dice.choice(("two", "three", "12", "40")), "CD", "nummod"))
        if dice.random() < 0.3:
            parts.append(self.add(dice.choice(self.words.adjectives), "JJ", "amod"))
        if dice.random() < 0.2:
            parts.append(self.add(dice.choice(self.words.nouns), "NN", "compound"))
        noun = self.add(
            dice.choice(self.words.plurals if many else self.words.nouns),
            "NNS" if many else "NN", rel, head,
        )  # fmt: skip
        self.hang(noun, *parts)
        return noun

    def thing(self, rel: str, head: int = LATER, many: bool = False) -> int:
        """Append a name or a noun."""
        if not many and self.dice.random() < 0.25:
            return self.name(rel, head)
        return self.phrase(rel, head, many)

    def verb(self, tag: str, rel: str, head: int = LATER) -> int:
        """Append a verb in a form."""
        form, lemma = self.dice.choice(self.words.verbs[tag])
        return self.add(form, tag, rel, head, lemma)

    def acting(self, rel: str, head: int = LATER, many: bool = False) -> int:
        """Append a verb of the present, the past or with "may", and return it."""
        throw = self.dice.random()
        if throw < 0.25:
            word = self.dice.choice(("may", "must", "shall", "will", "can"))
            parts = [self.add(word, "MD", "aux")]
            if self.dice.random() < 0.35:
                parts.append(self.add("not", "RB", "neg"))
            verb = self.verb("VB", rel, head)
            self.hang(verb, *parts)
            return verb
        if throw < 0.5:
            return self.verb("VBD", rel, head)
        return self.verb("VBP" if many else "VBZ", rel, head)

    def done(self, root: int, stop: float = 0.9) -> Sentence:
        """Return the sentence, mostly with its stop, its first letter a capital."""
        if self.dice.random() < stop:
            self.add(".", ".", "punct", root)
            self.tight()
        first = self.tokens[0]
        first.form = first.form[:1].upper() + first.form[1:]
        return self.tokens


def apposition(make: Maker) -> Sentence:
    """Make "Ann Reed, the owner of the mill, sells tools" and "The owner, Ann Reed, …"."""
    dice = make.dice

    def pair(rel: str, head: int) -> int:
        named = dice.random() < 0.5
        first = make.name(rel, head) if named else make.phrase(rel, head)
        make.comma(first)
        if named or dice.random() < 0.3:
            other = make.phrase("appos", first)
            if dice.random() < 0.5:
                of = make.add(dice.choice(("of", "of", "for", "from")), "IN", "prep", other)
                make.thing("pobj", of)
        else:
            other = make.name("appos", first)
            if dice.random() < 0.2:
                make.add("and", "CC", "cc", other)
                make.name("conj", other)
        return first

    if dice.random() < 0.6:
        subject = pair("nsubj", LATER)
        make.comma(subject)
        verb = make.acting("ROOT", ROOT)
        make.hang(verb, subject)
        make.thing("dobj", verb)
    else:
        subject = make.thing("nsubj")
        verb = make.acting("ROOT", ROOT)
        make.hang(verb, subject)
        pair("dobj", verb)
    return make.done(verb)


def relative(make: Maker) -> Sentence:
    """Make "A party that signs the lease holds the keys" and "the tools the owner sold"."""
    dice = make.dice
    many = dice.random() < 0.3
    subject = make.phrase("nsubj", many=many)
    throw = dice.random()
    if throw < 0.5:
        word = dice.choice((("that", "WDT"), ("which", "WDT"), ("who", "WP")))
        one = make.add(*word, "nsubj")
        clause = make.acting("relcl", subject, many)
        make.hang(clause, one)
        make.thing("dobj", clause)
    elif throw < 0.75:
        one = make.add("that", "WDT", "dobj") if dice.random() < 0.5 else None
        doer = make.thing("nsubj")
        clause = make.acting("relcl", subject)
        make.hang(clause, doer)
        if one is not None:
            make.hang(clause, one)
    else:
        whose = make.add("whose", "WP$", "poss")
        owned = make.phrase("nsubj", bare=True)
        make.hang(owned, whose)
        clause = make.add("is", "VBZ", "relcl", subject, "be")
        make.hang(clause, owned)
        make.name("attr", clause)
        make.add("and", "CC", "cc", clause)
        whose = make.add("whose", "WP$", "poss")
        owned = make.phrase("nsubj", bare=True)
        make.hang(owned, whose)
        second = make.add("is", "VBZ", "conj", clause, "be")
        make.hang(second, owned)
        make.thing("attr", second)
    verb = make.acting("ROOT", ROOT, many)
    make.hang(verb, subject)
    make.thing("dobj", verb)
    return make.done(verb)


def passives(make: Maker) -> Sentence:
    """Make "The lease may not be sold, shared or given"."""
    dice = make.dice
    subject = make.thing("nsubjpass")
    parts = []
    if dice.random() < 0.6:
        word = dice.choice(("may", "must", "shall", "will", "can"))
        parts.append(make.add(word, "MD", "aux"))
        if dice.random() < 0.5:
            parts.append(make.add("not", "RB", "neg"))
        parts.append(make.add("be", "VB", "auxpass", LATER, "be"))
    else:
        form, tag = dice.choice((("is", "VBZ"), ("was", "VBD")))
        parts.append(make.add(form, tag, "auxpass", LATER, "be"))
    verb = make.verb("VBN", "ROOT", ROOT)
    make.hang(verb, subject, *parts)
    last = verb
    more = dice.choice((0, 1, 2))
    for left in range(more, 0, -1):
        if left > 1:
            make.comma(last)
        else:
            make.add(dice.choice(("or", "and")), "CC", "cc", last)
        last = make.verb("VBN", "conj", last)
    if not more and dice.random() < 0.6:
        by = make.add("by", "IN", "agent", verb)
        make.thing("pobj", by)
    return make.done(verb)


def several(make: Maker) -> Sentence:
    """Make "The mill buys wool, cards it and sells the yarn" and "Old barns and sheds line …"."""
    dice = make.dice
    many = dice.random() < 0.5
    subject = make.phrase("nsubj", many=many)
    if many and dice.random() < 0.7:
        make.add("and", "CC", "cc", subject)
        make.phrase("conj", subject, many=True)
    verb = make.verb("VBP" if many else "VBZ", "ROOT", ROOT)
    make.hang(verb, subject)
    make.thing("dobj", verb)
    last = verb
    more = dice.choice((0, 1, 2))
    for left in range(more, 0, -1):
        if left > 1:
            make.comma(last)
        else:
            make.add("and", "CC", "cc", last)
        last = make.verb("VBP" if many else "VBZ", "conj", last)
        make.phrase("dobj", last)
    return make.done(verb)


def condition(make: Maker) -> Sentence:
    """Make "If the buyer signs the form, the seller must send the tools", and orders."""
    dice = make.dice
    word, tag = dice.choice((("if", "IN"), ("unless", "IN"), ("when", "WRB")))

    def clause(head: int) -> int:
        mark = make.add(word, tag, "advmod" if tag == "WRB" else "mark")
        subject = make.thing("nsubj")
        verb = make.verb("VBZ", "advcl", head)
        make.hang(verb, mark, subject)
        make.thing("dobj", verb)
        return verb

    first = dice.random() < 0.5
    before = [clause(LATER), make.comma()] if first else []
    if dice.random() < 0.4:
        root = make.verb("VB", "ROOT", ROOT)
    else:
        subject = make.thing("nsubj")
        root = make.acting("ROOT", ROOT)
        make.hang(root, subject)
    make.hang(root, *before)
    make.thing("dobj", root)
    if not first:
        clause(root)
    return make.done(root)


def definition(make: Maker) -> Sentence:
    """Make "“Premises” means the yard that …"."""
    dice = make.dice
    marks = dice.choice((("“", "”"), ('"', '"')))
    opened = make.add(marks[0], "``", "punct")
    make.tokens[-1].space_after = False
    if dice.random() < 0.5:
        term = make.name("nsubj", body=False)
    else:
        term = make.phrase("nsubj", bare=True)
        for token in make.tokens[opened + 1 :]:
            token.form = token.form.title()
            if token.xpos == "NN":
                token.xpos = "NNP"
    closed = make.add(marks[1], "''", "punct")
    make.tight()
    verb = make.add("means", "VBZ", "ROOT", ROOT, "mean")
    make.hang(verb, term)
    make.hang(term, opened, closed)
    what = make.phrase("dobj", verb)
    if dice.random() < 0.4:
        one = make.add(dice.choice(("that", "which")), "WDT", "nsubj")
        clause = make.acting("relcl", what)
        make.hang(clause, one)
        make.phrase("dobj", clause)
    elif dice.random() < 0.6:
        of = make.add("of", "IN", "prep", what)
        make.thing("pobj", of)
    return make.done(verb)


def contrast(make: Maker) -> Sentence:
    """Make "The box is in Hall D, not in Hall B" and "The mill buys not wool but yarn"."""
    dice = make.dice
    subject = make.thing("nsubj")
    if dice.random() < 0.5:
        root, word = make.add("is", "VBZ", "ROOT", ROOT, "be"), dice.choice(("in", "at", "for"))
        rel, within = dice.choice((("prep", True), ("attr", False)))
    else:
        root, word, rel, within = make.acting("ROOT", ROOT), "", "dobj", False
    make.hang(root, subject)

    def part(rel: str, head: int) -> int:
        if not within:
            return make.thing(rel, head)
        place = make.add(word, "IN", rel, head)
        make.thing("pobj", place)
        return place

    if within or dice.random() < 0.6:
        first = part(rel, root)
        make.comma(first)
        no = make.add("not", "RB", "neg")
        make.hang(part("conj", first), no)
    else:
        no = make.add("not", "RB", "neg")
        first = part(rel, root)
        make.hang(root if rel == "attr" else first, no)
        make.add("but", "CC", "cc", first)
        part("conj", first)
    return make.done(root)


def quality(make: Maker) -> Sentence:
    """Make "The resin is insoluble in water", "… is no longer free", "The mill alone is free"."""
    dice = make.dice
    subject = make.thing("nsubj")
    if dice.random() < 0.3:
        make.add("alone", "RB", "advmod", subject)
    root = make.add("is", "VBZ", "ROOT", ROOT, "be")
    make.hang(root, subject)
    throw = dice.random()
    if throw < 0.3:
        longer = make.add("no", "RB", "advmod") + 1
        make.hang(longer, longer - 1)
        make.add("longer", "RBR", "advmod", root)
    elif throw < 0.5:
        make.add("not", "RB", "neg", root)
    kinds = make.words.able if dice.random() < 0.7 else make.words.adjectives
    what = make.add(dice.choice(kinds), "JJ", "acomp", root)
    if dice.random() < 0.6:
        place = make.add(dice.choice(("in", "to", "for", "by")), "IN", "prep", what)
        make.thing("pobj", place)
    return make.done(root)


SHAPES: tuple[Callable[[Maker], Sentence], ...] = (
    apposition,
    apposition,
    relative,
    passives,
    several,
    condition,
    definition,
    contrast,
    quality,
)


def shaped(words: Words, dice: random.Random) -> Sentence:
    """Return a sentence of one of the shapes."""
    sentence = dice.choice(SHAPES)(Maker(words, dice))
    assert all(token.head != LATER for token in sentence), [t.form for t in sentence]
    return sentence
