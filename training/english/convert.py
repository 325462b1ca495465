"""Turn Universal Dependencies trees of English into spaCy's English label scheme.

Universal Dependencies heads phrases by their content word ("in Paris" is headed by "Paris",
"is happy" by "happy"); spaCy's English scheme (ClearNLP style) heads them by the preposition and
by the verb. The conversion is deterministic and uses only the tree, the tags and the lemmas.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

ROOT = -1

TABLES = tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))
(
    CLAUSE_ADVERBS, NEGATIONS, CLAUSE_MARKERS, RAISING_VERBS, COPULAR_VERBS, DATIVE_VERBS,
    PRECEDING, SUBJECTS, CLAUSE_LEVEL, OBLIQUE,
) = (
    frozenset(TABLES[name].split())
    for name in "clause_adverbs negations clause_markers raising_verbs copular_verbs dative_verbs "
    "preceding subjects clause_level oblique".split()
)  # fmt: skip
RENAMED: dict[str, str] = TABLES["renamed"]


@dataclass(slots=True)
class Token:
    """One syntactic word; `head` is an index into the sentence, or ROOT."""

    form: str
    lemma: str
    upos: str
    xpos: str
    head: int
    rel: str
    space_after: bool = True
    new_paragraph: bool = False

    @property
    def lower(self) -> str:
        """The word in lower case."""
        return self.form.lower()


Sentence = list[Token]


def read_conllu(lines: Iterable[str]) -> Iterator[tuple[str, Sentence]]:
    """Yield each sentence with its document's id."""
    document, paragraph, sentence = "", False, list[Token]()
    glued_until, glue_last = 0, True
    for raw in lines:
        line = raw.rstrip("\n")
        if line.startswith("# newdoc"):
            document = line.split("=", 1)[-1].strip()
        elif line.startswith("# newpar"):
            paragraph = True
        elif not line:
            if sentence:
                yield document, sentence
            paragraph, sentence, glued_until = False, [], 0
        elif not line.startswith("#"):
            cells = line.split("\t")
            space = "SpaceAfter=No" not in cells[9].split("|")
            if "-" in cells[0]:
                glued_until, glue_last = int(cells[0].split("-")[1]), space
                continue
            if "." in cells[0]:
                continue
            number = int(cells[0])
            if number <= glued_until:
                space = glue_last if number == glued_until else False
            first = paragraph and not sentence
            sentence.append(
                Token(
                    cells[1], cells[2], cells[3], cells[4], int(cells[6]) - 1, cells[7],
                    space, first,
                )
            )  # fmt: skip
    if sentence:
        yield document, sentence


def convert(sentence: Sentence) -> Sentence:
    """Return a copy of the sentence with spaCy's English heads and labels."""
    tree = _Tree(sentence)
    tree.currency()
    tree.fixed_expressions()
    for index in tree.bottom_up():
        tree.copula(index)
    tree.names()
    for index in tree.bottom_up():
        tree.preposition(index)
    tree.coordination()
    tree.object_clauses()
    tree.rename()
    tree.attach_punctuation()
    tree.check()
    return tree.tokens


class _Tree:
    """A sentence under conversion; every step edits heads and labels in place."""

    def __init__(self, sentence: Sentence) -> None:
        self.tokens = [
            Token(t.form, t.lemma, t.upos, t.xpos, t.head, t.rel, t.space_after, t.new_paragraph)
            for t in sentence
        ]

    def children(self, index: int, *labels: str) -> list[int]:
        """Return the dependents of a word, in order; with labels given, only those."""
        return [
            i
            for i, t in enumerate(self.tokens)
            if t.head == index and (not labels or t.rel in labels)
        ]

    def depth(self, index: int) -> int:
        """Return the number of arcs between a word and the root."""
        steps = 0
        while self.tokens[index].head != ROOT:
            index = self.tokens[index].head
            steps += 1
        return steps

    def bottom_up(self) -> list[int]:
        """All words, the deepest first."""
        return sorted(range(len(self.tokens)), key=lambda i: (-self.depth(i), i))

    def replace(self, old: int, new: int) -> None:
        """Let `new` take the place of `old` under its head."""
        self.tokens[new].head = self.tokens[old].head
        self.tokens[new].rel = self.tokens[old].rel

    def span(self, index: int) -> tuple[int, int]:
        """Return the first and last word of a subtree, punctuation on the top level left out."""
        low = high = index
        for child in self.children(index):
            if self.tokens[child].rel != "punct":
                first, last = self.span(child)
                low, high = min(low, first), max(high, last)
        return low, high

    def currency(self) -> None:
        """Head amounts by the number: "$ 5" is a 5 with a currency sign."""
        for index, token in enumerate(self.tokens):
            numbers = [i for i in self.children(index, "nummod") if i > index]
            if token.xpos != "$" or not numbers:
                continue
            number = numbers[0]
            self.replace(index, number)
            for child in self.children(index):
                if child != number:
                    self.tokens[child].head = number
            token.head, token.rel = number, "quantmod"

    def fixed_expressions(self) -> None:
        """Give multiword function words an inner structure."""
        for index, token in enumerate(self.tokens):
            rest = self.children(index, "fixed")
            if not rest:
                continue
            last = rest[-1]
            if token.rel == "mark":
                for child in rest:
                    self.tokens[child].head, self.tokens[child].rel = token.head, "mark"
            elif token.rel == "cc":
                self._head_last(index, rest)
            elif token.rel == "case":
                # "because of X": both words are prepositions in a chain.
                self.tokens[last].head, self.tokens[last].rel = token.head, "case"
                for child in rest[:-1]:
                    self.tokens[child].rel = "advmod"
                if token.lower in {"such", "as", "rather", "other"}:
                    token.head, token.rel = last, "advmod" if token.lower != "such" else "amod"
            elif token.xpos == "IN" and self.tokens[last].xpos in {"NN", "NNS", "NNP"}:
                # "of course", "in fact": an ordinary prepositional phrase.
                self.tokens[last].rel = "pobj"
                token.rel = "prep"
            else:
                self._head_last(index, rest)

    def _head_last(self, index: int, rest: list[int]) -> None:
        """Make the last word of a fixed expression its head."""
        last = rest[-1]
        self.replace(index, last)
        for child in self.children(index):
            if child != last:
                self.tokens[child].head = last
        for child in [index, *rest[:-1]]:
            self.tokens[child].head, self.tokens[child].rel = last, "advmod"

    def copula(self, index: int) -> None:
        """Make the copula the head of its predicate."""
        found = self.children(index, "cop")
        if not found:
            return
        verb = found[0]
        predicate = self.tokens[index]
        outer = bool(self.children(index, "nsubj:outer", "csubj:outer"))
        moved = [
            child
            for child in self.children(index)
            if child != verb and self._moves_to_copula(child, index, verb, outer)
        ]
        formal_subject = any(
            self.tokens[i].rel == "expl" and self.tokens[i].lower == "it" for i in moved
        )
        self.replace(index, verb)
        predicate.head = verb
        predicate.rel = self._predicate_label(index, outer)
        for child in moved:
            self.tokens[child].head = verb
            if formal_subject and self.tokens[child].rel == "csubj":
                self.tokens[child].rel = self._extraposed(child)
        low, high = self.span(index)
        for child in self.children(index, "punct"):
            if not low < child < high:
                self.tokens[child].head = verb

    def _extraposed(self, index: int) -> str:
        """Return the label of a clause that "it" stands for: xcomp if a bare infinitive."""
        infinitive = any(self.tokens[i].xpos == "TO" for i in self.children(index, "mark"))
        return "xcomp" if infinitive and not self.children(index, *SUBJECTS) else "ccomp"

    def _moves_to_copula(self, child: int, index: int, verb: int, outer: bool) -> bool:
        """Whether a dependent of the predicate belongs to the clause, not to the predicate."""
        token, predicate = self.tokens[child], self.tokens[index]
        before = child < verb
        adjectival = predicate.upos in {"ADJ", "ADV", "VERB"}
        if outer and not before and token.rel not in {"nsubj:outer", "csubj:outer"}:
            # Inside a clausal predicate ("the problem is that he left") nothing moves out.
            return token.lower in NEGATIONS and child < index and child == verb + 1
        if token.rel in SUBJECTS | CLAUSE_LEVEL | {"expl", "obl:unmarked"}:
            return True
        if token.rel in {"aux", "aux:pass", "cop"}:
            return True
        if token.rel in {"mark", "cc", "obl", "obl:agent"} and before:
            return True
        if token.rel in {"obl", "obl:agent"}:
            return not adjectival
        if token.rel in {"advmod"}:
            if before:
                return True
            if child > index:
                return not adjectival
            if adjectival:
                return token.lower in CLAUSE_ADVERBS
            # Before a noun phrase's own words: "is really a problem".
            return child < self._first_of_phrase(index, verb)
        if token.rel in {"advcl", "advcl:relcl"}:
            marks = {self.tokens[i].lower for i in self.children(child, "mark")}
            return not (adjectival and child > index and marks & {"than", "as"})
        if token.rel == "conj":
            parts = {self.tokens[i].rel for i in self.children(child)}
            if parts & (SUBJECTS | {"cop", "aux", "aux:pass", "expl"}):
                return True
            return token.upos in {"VERB", "AUX"} and predicate.upos != "VERB"
        return False

    def _first_of_phrase(self, index: int, verb: int) -> int:
        """Return the first word after the copula that belongs to the predicate's noun phrase."""
        own = [
            i
            for i in self.children(index)
            if verb < i < index and self.tokens[i].rel not in {"advmod", "punct", *SUBJECTS}
        ]
        return min([*own, index])

    def _predicate_label(self, index: int, outer: bool) -> str:
        """Return the label of a predicate under its copula."""
        token = self.tokens[index]
        if any(self.tokens[i].xpos != "POS" for i in self.children(index, "case")):
            return "obl"
        if token.xpos in {"RB", "WRB", "RBR"} or token.upos == "ADV":
            return "advmod"
        if token.upos == "ADJ":
            return "acomp"
        if token.upos in {"VERB", "AUX"}:
            if token.xpos in {"VBN", "VBG"} and not outer:
                return "acomp"
            inner = {self.tokens[i].rel for i in self.children(index)}
            return "ccomp" if inner & SUBJECTS else "xcomp"
        return "ccomp" if outer and self.children(index, "nsubj", "cop") else "attr"

    def names(self) -> None:
        """Head flat names by their last word."""
        for index, token in enumerate(self.tokens):
            parts = self.children(index, "flat")
            if not parts or parts[-1] < index:
                continue
            last = parts[-1]
            self.replace(index, last)
            for child in self.children(index):
                if child != last:
                    self.tokens[child].head = last
            token.head, token.rel = last, "flat"

    def preposition(self, index: int) -> None:
        """Make prepositions the heads of what they govern."""
        token = self.tokens[index]
        cases = [i for i in self.children(index, "case") if self.tokens[i].xpos != "POS"]
        if cases and token.rel in OBLIQUE:
            self._flip_case(index, cases)
        elif not cases:
            self._flip_clause(index)

    def _flip_case(self, index: int, cases: list[int]) -> None:
        token = self.tokens[index]
        label = self._preposition_label(index, cases[0])
        top, bottom = cases[0], cases[-1]
        moved = [
            i
            for i in self.children(index)
            if i not in cases
            and (
                self.tokens[i].rel in SUBJECTS | CLAUSE_LEVEL | {"mark", "aux", "expl"}
                or (i < top and self.tokens[i].rel in PRECEDING)
            )
        ]
        self.tokens[top].head, self.tokens[top].rel = token.head, label
        for above, below in pairwise(cases):
            self.tokens[below].head, self.tokens[below].rel = above, "prep"
        token.head = bottom
        token.rel = {"ADJ": "amod", "ADV": "advmod"}.get(token.upos, "pobj")
        if token.upos in {"VERB", "AUX"} and token.xpos != "NN":
            token.rel = "pcomp"
        for child in moved:
            self.tokens[child].head = top
        low, high = self.span(index)
        for child in self.children(index, "punct"):
            if not low < child < high:
                # A comma after "In 2014" belongs to the clause; brackets stay with the phrase.
                clause = self.tokens[child].xpos == "," and label == "prep"
                self.tokens[child].head = self.tokens[top].head if clause else top

    def _preposition_label(self, index: int, case: int) -> str:
        token = self.tokens[index]
        preposition = self.tokens[case]
        if token.rel in {"root", "conj", "parataxis", "ccomp", "advcl", "acl:relcl", "advcl:relcl"}:
            return token.rel if token.rel not in {"advcl", "advcl:relcl"} else "prep"
        if token.rel == "obl:agent" and preposition.lower == "by":
            return "agent"
        governor = self.tokens[token.head] if token.head != ROOT else token
        if (
            token.rel == "obl"
            and preposition.lower == "to"
            and governor.lemma in DATIVE_VERBS
            and governor.upos == "VERB"
        ):
            return "dative"
        return "prep"

    def _flip_clause(self, index: int) -> None:
        """Make a preposition the head of its clause: "by leaving", "about how it works"."""
        token = self.tokens[index]
        if token.rel not in {"advcl", "acl", "obl", "nmod"}:
            return
        marks = [
            i
            for i in self.children(index, "mark", "case")
            if i < index
            and self.tokens[i].xpos == "IN"
            and self.tokens[i].lower not in CLAUSE_MARKERS
        ]
        if not marks or token.upos not in {"VERB", "AUX"}:
            return
        mark = marks[0]
        finite = token.xpos not in {"VBG", "VBN"}
        if finite and self.tokens[mark].lower not in {"about", "of", "on", "in", "by", "with"}:
            return
        self.tokens[mark].head, self.tokens[mark].rel = token.head, "prep"
        token.head, token.rel = mark, "pcomp"
        for child in self.children(index, "advmod", "cc", "punct"):
            if child < mark:
                self.tokens[child].head = mark

    def coordination(self) -> None:
        """Chain conjuncts, and attach conjunctions and commas to the conjunct before them."""
        for index in range(len(self.tokens)):
            conjuncts = self.children(index, "conj")
            previous = index
            for conjunct in conjuncts:
                self.tokens[conjunct].head = previous
                for child in self.children(conjunct, "cc", "punct"):
                    if child < conjunct and child > previous:
                        low = min([conjunct, *self._content(conjunct)])
                        if child < low:
                            self.tokens[child].head = previous
                previous = conjunct

    def _content(self, index: int) -> list[int]:
        """Return the first words of the dependents, punctuation and conjunctions left out."""
        return [
            self.span(i)[0]
            for i in self.children(index)
            if self.tokens[i].rel not in {"cc", "punct"}
        ]

    def object_clauses(self) -> None:
        """Treat object and infinitive as one clause after verbs such as "want" and "let"."""
        for index, token in enumerate(self.tokens):
            if token.upos != "VERB" or token.lemma not in RAISING_VERBS:
                continue
            objects = self.children(index, "obj")
            clauses = [
                i
                for i in self.children(index, "xcomp")
                if self.tokens[i].upos in {"VERB", "AUX"} and self.tokens[i].xpos != "VBN"
            ]
            if len(objects) == 1 and clauses and index < objects[0] < clauses[0]:
                if self.children(clauses[0], *SUBJECTS):
                    continue
                self.tokens[objects[0]].head = clauses[0]
                self.tokens[objects[0]].rel = "nsubj"
                self.tokens[clauses[0]].rel = "ccomp"

    def rename(self) -> None:
        """Give every word its final label."""
        for index in range(len(self.tokens)):
            self.tokens[index].rel = self._final_label(index)
        for index, token in enumerate(self.tokens):
            if token.rel == "expl" and token.lower == "there":
                for child in self.children(token.head, "nsubj"):
                    if child > token.head or child > index:
                        self.tokens[child].rel = "attr"

    def _final_label(self, index: int) -> str:
        token = self.tokens[index]
        head = self.tokens[token.head] if token.head != ROOT else token
        rel = token.rel
        if token.head == ROOT:
            return "ROOT"
        if token.lower in NEGATIONS and rel == "advmod":
            return "neg"
        if rel == "mark" and token.xpos == "TO":
            return "aux"
        if rel == "expl":
            if token.lower == "it":
                return "nsubj" if index < token.head else "dobj"
            return "expl"
        if rel == "case":
            return "case" if token.xpos == "POS" else "prep"
        if rel == "xcomp":
            return self._secondary_predicate(index)
        if rel in {"nmod:unmarked", "nmod"} and token.xpos == "CD":
            return "nummod"
        if rel == "compound" and token.xpos == "NNP" and head.xpos == "CD" and index < token.head:
            return "npadvmod"  # "October 10", as EWT has it
        if rel == "nmod":
            return "compound" if index < token.head else "nmod"
        if rel == "nmod:desc" and index > token.head:
            return "appos"
        if rel in {"obl", "advmod"} and token.xpos in {"IN", "TO"} and index > token.head:
            return "prep"
        if rel == "advmod" and head.xpos == "CD" and head.rel in {"nummod", "quantmod"}:
            return "quantmod"
        if rel == "acl" and token.upos == "ADJ":
            return "amod"
        if rel in {"obl", "obl:unmarked"} and token.upos == "ADV":
            return "advmod"
        if rel == "csubj" and index > token.head:
            return self._extraposed(index)
        return RENAMED.get(rel, rel)

    def _secondary_predicate(self, index: int) -> str:
        """Return the label of an xcomp that is no verb: acomp, attr or oprd."""
        token, head = self.tokens[index], self.tokens[self.tokens[index].head]
        if token.upos in {"VERB", "AUX"} and token.xpos != "VBN":
            return "xcomp"
        if any(self.tokens[i].rel.startswith("aux") for i in self.children(index)):
            return "xcomp"  # "is required to be paid"
        if head.upos not in {"VERB", "AUX"}:
            return "xcomp"
        labels = {self.tokens[i].rel for i in self.children(token.head)}
        if labels & {"obj", "dobj", "nsubj:pass", "nsubjpass"}:
            return "oprd"
        if token.upos in {"ADJ", "VERB"}:
            return "acomp"
        return "attr" if head.lemma in COPULAR_VERBS else "oprd"

    def attach_punctuation(self) -> None:
        """Lift punctuation until its arc crosses no other arc."""
        for index, token in enumerate(self.tokens):
            if token.rel != "punct":
                continue
            while self.tokens[token.head].head != ROOT and self._crosses(index):
                token.head = self.tokens[token.head].head

    def _crosses(self, index: int) -> bool:
        low, high = sorted((index, self.tokens[index].head))
        for other, token in enumerate(self.tokens):
            if token.head == ROOT or other == index:
                continue
            inside = low < other < high
            apart = other not in (low, high) and token.head not in (low, high)
            if apart and inside != (low < token.head < high):
                return True
        return False

    def check(self) -> None:
        """Raise ValueError unless the result is one tree."""
        roots = [i for i, t in enumerate(self.tokens) if t.head == ROOT]
        if len(roots) != 1:
            raise ValueError(f"{len(roots)} roots in: {' '.join(t.form for t in self.tokens)}")
        for index in range(len(self.tokens)):
            seen = set[int]()
            while index != ROOT:
                if index in seen:
                    raise ValueError(f"cycle in: {' '.join(t.form for t in self.tokens)}")
                seen.add(index)
                index = self.tokens[index].head
