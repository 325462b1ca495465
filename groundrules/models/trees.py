"""From the scores of arcs and labels to the tree of a sentence.

The likeliest projective tree is taken (Eisner 1996, *Three New Probabilistic Models for Dependency
Parsing*) in which no word has two subjects or objects and finite verbs have one; then what the
treebank calls now one thing and now another is called one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

__all__ = [
    "best_tree",
    "is_rooted",
    "rejoined",
    "relabelled",
    "tree",
    "with_objects",
    "with_participles",
    "with_pasts",
]

#: How often a tree is sought again where a word has two subjects, and what is ruled out scores.
TRIES, UNLIKELY = 4, -1e4
#: What a word has one of at most.
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass"})
_OBJECTS = frozenset({"dobj"})
#: What a finite verb has one of; the tags of such verbs, and of what can be a subject.
_HAVING_SUBJECTS = _SUBJECTS | {"expl", "attr"}
_NOMINAL = frozenset({"nsubj", "nsubjpass"})
_FINITE = frozenset({"VBZ", "VBD", "VBP", "MD"})
_NAMES = frozenset({"NNP", "NNPS"})
_ADJECTIVES = frozenset({"JJ", "JJR", "JJS"})
_COMPARATIVES = frozenset({"JJR", "RBR"})
_NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS", "PRP", "DT", "CD", "EX"})
#: The labels of auxiliaries, and how the tags of what they can belong to begin.
HELPING, VERBAL = frozenset({"aux", "auxpass"}), ("VB", "MD", "TO")
#: What only a passive has, and what it is of an active verb.
_OF_PASSIVES = {"nsubjpass": "nsubj", "agent": "prep"}
#: The labels of what only a noun has.
_OF_NOUNS = frozenset({"det", "poss", "compound", "amod"})
#: How many words are tried for a missing subject, and how much less likely the tree may be with it
#: (EWT's development part does not tell 1 from 12).
MOST_SUBJECTS, SLACK = 6, 4.0
#: Adverbs that are particles right behind a verb, as the treebank has them of some verbs only.
_DIRECTIONS = frozenset({"up", "down"})
#: Comparatives that stand for an amount of something.
_AMOUNTS = frozenset({"more", "less", "fewer"})


def tree(
    arcs: Floats,
    relations: Floats,
    classes: Sequence[str],
    tags: Sequence[str],
    verbal: npt.NDArray[np.float64],
) -> tuple[list[int], list[str]]:
    """Return heads and labels of a sentence of n words, none with two subjects or objects.

    `arcs` (n, n + 1) and `relations` (n, k, n + 1), the root first, are scored each by itself; the
    tree is the likeliest of both together. Where a word has two subjects, one of them is no longer
    taken for one: that which leaves the likelier tree; of two objects one gets its next label.
    A number is no root beside a finite verb.
    What has auxiliaries is a verb behind them, and so as likely as that is, `verbal` (n), the
    logarithm; no modal marks a clause. A finite verb that has no subject gets one, or is no
    relative clause, where a tree of nearly the same likelihood has it so.
    """
    import numpy as np

    likely = log_shares(relations)
    likely[:, classes.index("ROOT")] = UNLIKELY
    likely[:, :, 0] = UNLIKELY
    likely[:, classes.index("ROOT"), 0] = 0
    helping = [i for i, c in enumerate(classes) if c in HELPING]
    likely[:, helping, 1:] += np.where(np.tri(len(arcs), k=-1), UNLIKELY, verbal)[:, None]
    modals = [i for i, tag in enumerate(tags) if tag == "MD"]
    likely[modals, classes.index("mark")] = UNLIKELY
    alone = log_shares(arcs)
    if not _FINITE.isdisjoint(tags):
        alone[[i for i, tag in enumerate(tags) if tag == "CD"], 0] = UNLIKELY
    rows = np.arange(len(arcs))

    def solve() -> tuple[float, list[int], list[int]]:
        best = likely.argmax(1)
        joint = alone + likely.max(1)
        heads = best_tree(joint[:, 1:], joint[:, 0])
        columns = np.array([0 if head == i else head + 1 for i, head in enumerate(heads)])
        return float(joint[rows, columns].sum()), heads, best[rows, columns].tolist()

    score, heads, labels = solve()
    helped = {heads[i] for i, label in enumerate(labels) if classes[label] in HELPING}
    plain = [i + 1 for i in helped if not tags[i].startswith(VERBAL)]
    if plain:  # and what has an auxiliary is no noun besides
        nominal = np.array([i for i, c in enumerate(classes) if c in _OF_NOUNS])
        likely[:, nominal[:, None], plain] = UNLIKELY
        score, heads, labels = solve()
    verb = _orphan(tags, heads, [classes[label] for label in labels])
    if verb is not None:
        before, made = (likely, alone), []
        for subject in _subjects(tags, verb) if heads[verb] == verb else [-1]:
            likely, alone = before[0].copy(), before[1].copy()
            if subject < 0:
                likely[verb, classes.index("relcl")] = UNLIKELY
            else:
                alone[subject, : verb + 1] = alone[subject, verb + 2 :] = UNLIKELY
                likely[subject, [i for i, c in enumerate(classes) if c not in _NOMINAL]] = UNLIKELY
            made.append((*solve(), likely, alone))
        likely, alone = before
        nearest = max(made, key=lambda one: one[0], default=None)
        if nearest and nearest[0] > score - SLACK:
            _, heads, labels, likely, alone = nearest
    for _ in range(TRIES):
        twins = _twins(heads, [classes[label] for label in labels])
        if not twins:
            break
        if classes[labels[twins[0]]] in _OBJECTS:  # "gave Ann a book": the other kind of object
            others = {word: likely[word, :, heads[word] + 1] for word in twins}
            lost = {word: np.sort(row)[-1] - np.sort(row)[-2] for word, row in others.items()}
            word = min(twins, key=lost.__getitem__)
            others[word][labels[word]] = UNLIKELY
            labels[word] = int(others[word].argmax())
            continue
        found = []
        for word in twins:
            kept = likely[word, :, heads[word] + 1].copy()
            likely[word, labels[word], heads[word] + 1] = UNLIKELY
            found.append((*solve(), word, likely[word, :, heads[word] + 1].copy()))
            likely[word, :, heads[word] + 1] = kept
        _, heads_then, labels_then, word, ruled_out = max(found, key=lambda one: one[0])
        likely[word, :, heads[word] + 1] = ruled_out
        heads, labels = heads_then, labels_then
    return heads, [classes[label] for label in labels]


def with_pasts(tags: Sequence[str], heads: Sequence[int], labels: Sequence[str]) -> list[str]:
    """Return the tags of a sentence, a past for a participle that is its root by itself.

    "Prices increased by 4 per cent." has no auxiliary.
    """
    out = list(tags)
    below = {label for i, label in enumerate(labels) if labels[heads[i]] == "ROOT"}
    if below & _NOMINAL and not below & HELPING:
        out = ["VBD" if one == "VBN" and labels[i] == "ROOT" else one for i, one in enumerate(tags)]
    return out


def with_objects(
    tags: Sequence[str], heads: Sequence[int], labels: Sequence[str]
) -> tuple[list[int], list[str]]:
    """Return a tree in which prepositions have the objects that stand right behind them.

    One that opens a clause has an object before its subject: "In algebra calculators are not
    allowed", a word that is taken for a part of the subject, or all the words of a name before a
    common noun. A time beside a preposition without an object is that object: "on Sunday 7 May".
    An adverb behind a noun is none: "under Plus only". A comparison with a number is a part of the
    number ("no more than six people"), an adverb before it is one of what is counted ("exactly
    four porters"), one with "of" behind it a part of those ("2 of 3 million euros").
    """
    out, named = list(heads), list(labels)
    for i in range(len(tags) - 2):
        counted = [tags[i + 1], tags[i + 2], labels[i], labels[i + 2]]
        plain = tags[i] in _COMPARATIVES and counted == ["IN", "CD", "amod", "nummod"]
        if plain and {i, i + 1}.isdisjoint(_path(out, i + 2)):  # but "smaller than six metres"
            out[i], named[i] = i + 1, "advmod"
            out[i + 1], named[i + 1] = i + 2, "quantmod"
    for i, label in enumerate(labels[:-1]):  # "2 of 3 million euros"
        part, whole = heads[i], heads[heads[i]]
        whole = heads[whole] if labels[whole] == "nummod" else whole
        numbers = label == "prep" and [tags[part], tags[i + 1]] == ["CD", "CD"] and i not in heads
        if numbers and part < i < whole and heads[whole] != whole:
            out[part], named[part] = heads[whole], labels[whole]
            out[whole], named[whole] = i, "pobj"
    for i, label in enumerate(labels):
        counts = label == "quantmod" and tags[i] == "RB" and labels[heads[i]] == "nummod"
        if counts and _hang(out, i, heads[heads[i]]):
            named[i] = "advmod"
    for i, label in enumerate(labels[1:], 1):
        if label == "pobj" and tags[i] == "RB" and heads[i - 1] == i and tags[i - 1] in _NAMES:
            out = [i - 1 if head == i else head for head in out]
            out[i - 1], named[i - 1], named[i] = out[i], label, "advmod"
            out[i] = i - 1
    for i, label in enumerate(labels):
        if label == "prep" and i + 1 < len(out) and i not in out[:i] + out[i + 1 :]:
            top = i + 1
            while out[top] > i and out[top] != top:
                top = out[top]
            if named[top] == "npadvmod" and out[top] == out[i] != top:
                out[top], named[top] = i, "pobj"
    for i, label in enumerate(labels):
        opens = not i or labels[i - 1] in {"punct", "cc"}
        if label != "prep" or tags[i] != "IN" or not opens or i in out[:i] + out[i + 1 :]:
            continue
        subject = next((s for s in range(i + 2, len(tags)) if labels[s] in _NOMINAL), None)
        if subject is None or heads[subject] != heads[i]:
            continue
        parts = [w for w in range(i + 1, subject) if heads[w] == subject]
        if not parts or parts[0] != i + 1 or tags[i + 1] not in _NOUNS - {"PRP", "DT", "EX"}:
            continue
        name = [w for w in parts if tags[w] in _NAMES and w - i - 1 == parts.index(w)]
        first = name[: 1 if tags[subject] in _NAMES else None] or parts[:1]
        for w in first:
            out[w] = first[-1]
        out[first[-1]], named[first[-1]] = i, "pobj"
    return out, named


def with_participles(
    tags: Sequence[str], heads: Sequence[int], labels: Sequence[str]
) -> tuple[list[int], list[str]]:
    """Return a tree whose root is no participle behind its noun: "Employees paid weekly get it".

    Nothing joins the verb behind it to it, so it tells which are meant.
    """
    out, named = list(heads), list(labels)
    for verb, label in enumerate(labels):
        top = heads[verb]
        below = [i for i, head in enumerate(heads) if head == top and i < verb]
        noun = next((i for i in below if labels[i] in _NOMINAL), None)
        finite = {
            tags[verb],
            *(tags[i] for i in range(top + 1, verb) if heads[i] == verb),
        } & _FINITE
        if label != "conj" or labels[top] != "ROOT" or noun is None or not finite:
            continue
        joints = {labels[i] for i in range(top + 1, verb)} & {"cc", "punct", *_SUBJECTS}
        if joints or tags[top] not in {"VBD", "VBN"} or {labels[i] for i in below} & HELPING:
            continue
        moved = (i for i, head in enumerate(heads) if head == top and (i > verb or i <= noun))
        for i in (*moved, verb):
            out[i] = verb
        out[top], named[top], named[verb] = noun, "acl", "ROOT"
    return out, named


def rejoined(tags: Sequence[str], heads: Sequence[int], labels: Sequence[str]) -> list[int]:
    """Return the heads of a tree in which an adjective is joined to an adjective.

    "Slower than the train but cheaper" is cheaper, not a train. What hangs on an auxiliary hangs on
    its verb ("was never, ever born"), what denies a modal that has none on it ("Bob must not"), and
    what stands in brackets on no word behind them ("a guest (over twelve) may dive").
    """
    out = list(heads)
    for i, label in enumerate(labels):
        if labels[out[i]] in HELPING and label != "conj":
            _hang(out, i, out[out[i]])
        elif i and label == "neg" and tags[i - 1] == "MD" and labels[i - 1] not in HELPING:
            _hang(out, i, i - 1)
        elif tags[i] == "-RRB-":
            opened = next((j for j in range(i - 1, 0, -1) if tags[j] == "-LRB-"), 0)
            for j in range(opened + 1, i) if opened else ():
                if out[j] > i:
                    _hang(out, j, opened - 1)
    for i, label in enumerate(labels):
        if label == "conj" and tags[i] in _ADJECTIVES and tags[heads[i]] in _NOUNS:
            top = heads[i]
            while labels[top] in {"pobj", "prep"}:
                top = heads[top]
            if labels[top] == "acomp" and tags[top] == tags[i]:
                joints = [j for j in range(top, i) if labels[j] == "cc" and heads[j] == heads[i]]
                for moved in (i, *joints[-1:]):
                    _hang(out, moved, top)
    return out


def _path(heads: Sequence[int], word: int) -> list[int]:
    """Return a word and all above it."""
    path = [word]
    while heads[path[-1]] != path[-1] and len(path) <= len(heads):
        path.append(heads[path[-1]])
    return path


def _hang(heads: list[int], word: int, head: int) -> bool:
    """Hang a word on another, and return whether it is done: not where that would make a ring."""
    if word in _path(heads, head):
        return False
    heads[word] = head
    return True


def is_rooted(heads: Sequence[int]) -> bool:
    """Return whether all words hang on a root, and none in a ring."""
    return all(len(_path(heads, word)) <= len(heads) for word in range(len(heads)))


def relabelled(
    words: Sequence[str], tags: Sequence[str], heads: Sequence[int], labels: Sequence[str]
) -> list[str]:
    """Return the labels of a tree with one label for what the treebank gives several.

    What has its own auxiliary is a clause ("is required to be paid"), an adverb of direction right
    behind a verb its particle ("goes up by"), and what is denied beside a noun is joined to it
    ("Ottawa, not Toronto"). What has an object is no particle. A finite verb
    with no auxiliary of the passive is active. A participle alone in brackets is an apposition
    ("adults (trained)"), and "to" alone an object ("does not have to"). A comparative that says no
    amount is no object ("sings louder"), and is joined to no verb ("runs, but ten minutes later").
    """
    out = list(labels)
    bracketed = ["", *tags, ""]
    helped = {heads[i] for i, label in enumerate(labels) if label in {"aux", "auxpass"}}
    leading = {heads[i] for i, label in enumerate(labels) if label == "pobj"}
    passive = {heads[i] for i, label in enumerate(labels) if label == "auxpass"}
    for i, label in enumerate(labels):
        before = i - 1
        if i in helped and label in {"oprd", "acomp"}:
            out[i] = "xcomp"
        elif label == "oprd" and tags[i] == "TO":
            out[i] = "dobj"
        elif label == "acl" and bracketed[i : i + 3] == ["-LRB-", tags[i], "-RRB-"]:
            out[i] = "appos"
        elif label == "prt" and i in leading:
            out[i] = "prep"
        elif i and label == "advmod" and words[i].lower() in _DIRECTIONS:
            verbal = heads[i] == before and tags[before].startswith("VB")
            out[i] = "prt" if verbal else label
        elif i and label in {"dep", "appos"} and labels[before] == "neg" and heads[before] == i:
            out[i] = "conj"
        elif label in _OF_PASSIVES and tags[heads[i]] in _FINITE and heads[i] not in passive:
            out[i] = _OF_PASSIVES[label]
        elif (label == "dobj" and tags[i] == "JJR" and words[i].lower() not in _AMOUNTS) or (
            label == "conj" and tags[i] == "RBR" and tags[heads[i]].startswith("VB")
        ):
            out[i] = "advmod"
    return out


def _orphan(tags: Sequence[str], heads: Sequence[int], labels: Sequence[str]) -> int | None:
    """Return the first finite verb without a subject: the root, or a relative clause."""
    for verb, label in enumerate(labels):
        if label not in {"ROOT", "relcl"} or not tags[verb].startswith(("VB", "MD")):
            continue
        below = [i for i, head in enumerate(heads) if head == verb and i != verb]
        finite = {tags[verb], *(tags[i] for i in below if labels[i] in {"aux", "auxpass"})}
        if finite & _FINITE and not any(labels[i] in _HAVING_SUBJECTS for i in below):
            return verb
    return None


def _subjects(tags: Sequence[str], verb: int) -> list[int]:
    """Return the last nouns and pronouns before a verb."""
    return [i for i in range(verb) if tags[i] in _NOUNS][-MOST_SUBJECTS:]


def _twins(heads: Sequence[int], labels: Sequence[str]) -> list[int]:
    """Return the first words that are subjects, or objects, of one word."""
    for kinds in (_SUBJECTS, _OBJECTS):
        of: dict[int, list[int]] = {}
        for i, (head, label) in enumerate(zip(heads, labels, strict=True)):
            if label in kinds:
                of.setdefault(head, []).append(i)
        for twins in of.values():
            if len(twins) > 1:
                return twins
    return []


def log_shares(scores: Floats) -> npt.NDArray[np.float64]:
    """Return the logarithms of the softmax over the second axis."""
    import numpy as np

    wide = np.asarray(scores, np.float64)
    wide = wide - wide.max(1, keepdims=True)
    shares: npt.NDArray[np.float64] = wide - np.log(np.exp(wide).sum(1, keepdims=True))
    return shares


def best_tree(arcs: Floats, roots: Floats) -> list[int]:
    """Return the heads of the best projective tree of n words with one root, which heads itself.

    `arcs` (n, n) scores rows as dependents of columns, `roots` (n,) scores words as roots. Each
    word's own best head is taken where that is such a tree, else the best of all is sought
    (Eisner 1996), in O(n³).
    """
    import numpy as np

    size = len(roots)
    if size == 1:
        return [0]
    scores = np.array(arcs, np.float64)
    np.fill_diagonal(scores, roots)
    heads: list[int] = scores.argmax(1).tolist()
    return heads if _is_tree(heads) else _eisner(scores.T, np.asarray(roots, np.float64))


def _is_tree(heads: Sequence[int]) -> bool:
    """Return whether heads make one projective tree."""
    if sum(head == i for i, head in enumerate(heads)) != 1:
        return False
    root = next(i for i, head in enumerate(heads) if head == i)
    safe = {root}
    for i in range(len(heads)):
        path = [i]
        while path[-1] not in safe:
            if len(path) > len(heads):
                return False
            path.append(heads[path[-1]])
        safe.update(path)
    spans = sorted(
        ((min(i, h), -max(i, h)) for i, h in enumerate(heads) if h != i),
    )
    open_: list[int] = []
    for low, negative in spans:
        high = -negative
        while open_ and open_[-1] <= low:
            open_.pop()
        if open_ and open_[-1] < high:
            return False
        open_.append(high)
    # an arc over the root would cross that of the root itself
    return not any(low < root < -high for low, high in spans)


def _eisner(scores: npt.NDArray[np.float64], roots: npt.NDArray[np.float64]) -> list[int]:
    """Return the heads of the best projective tree; `scores` (n, n) has heads as rows."""
    import numpy as np

    n = len(roots)
    # a row is where a span begins, or by_end and of open_left ends, and a column its length,
    # so that what is joined are slices
    right, left, right_by_end, left_by_end = (np.zeros((n, n)) for _ in range(4))
    open_right, open_left = np.zeros((n, n)), np.zeros((n, n))
    back_open, back_right, back_left = (np.zeros((n, n), int) for _ in range(3))
    places = np.arange(n)
    for length in range(1, n):
        size = n - length
        i = places[:size]
        joined = right[:size, :length] + left_by_end[length:, length - 1 :: -1]
        best = joined.argmax(1)
        top = joined[i, best]
        back_open[:size, length] = i + best
        open_right[:size, length] = top + scores.diagonal(length)
        open_left[length:, length] = top + scores.diagonal(-length)
        done = open_right[:size, 1 : length + 1] + right_by_end[length:, length - 1 :: -1]
        best = done.argmax(1)
        right[:size, length] = right_by_end[length:, length] = done[i, best]
        back_right[:size, length] = i + best + 1
        done = left[:size, :length] + open_left[length:, length:0:-1]
        best = done.argmax(1)
        left[:size, length] = left_by_end[length:, length] = done[i, best]
        back_left[:size, length] = i + best
    root = int((left[0] + right_by_end[n - 1, ::-1] + roots).argmax())
    heads = list(range(n))
    stack = [(0, root, "left"), (root, n - 1, "right")]
    while stack:
        low, high, kind = stack.pop()
        length = high - low
        if not length:
            continue
        if kind == "right":
            middle = int(back_right[low, length])
            stack += [(low, middle, "open right"), (middle, high, "right")]
        elif kind == "left":
            middle = int(back_left[low, length])
            stack += [(low, middle, "left"), (middle, high, "open left")]
        else:
            if kind == "open right":
                heads[high] = low
            else:
                heads[low] = high
            middle = int(back_open[low, length])
            stack += [(low, middle, "right"), (middle + 1, high, "left")]
    return heads
