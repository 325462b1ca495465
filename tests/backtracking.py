"""How an engine that backtracks can be made to try again, told from a pattern's syntax tree.

A pattern is read as an automaton whose states are the places of its tree that read a character;
what stands between two of them (an anchor, a look of one character) is a condition on the edge,
kept where it depends on the characters before and behind. Repeats of more than `_COPIES` are
loops; the search itself, which starts anew at every character, is a loop too. Two loops that can
read one and the same text share it out in as many ways as it has places (Weber and Seidl 1991 on
ambiguity; Weideman et al. 2016 on engines): a chain of n takes time to the power n. A loop that
can read one text in two ways takes exponential time. A look of several characters is taken to
hold, a reference to a group to be empty. No word found by the tree counts unless the engine
itself leaves most of its repetitions unmatched.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise
from math import prod
from typing import Any

from groundrules.ontology.read.lexicontables import _MAX_WAYS, parsed  # one reader, one limit

_COPIES = 8  # a repeat of so many is written out
_ENDLESS = float("inf")
_MANY: Any = re._constants.MAXREPEAT  # type: ignore[attr-defined]
_TRIES = 6  # words of one pair of loops
_LENGTH = 18  # of a trial: the engine itself must not take long
_EDGE = -1  # before the first character, behind the last
_START = -1  # the search, before it enters the pattern
_CHARACTERS = "a Z7\n_-é\u2003\u0663\0\"('.,"
_LOOPS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
# as plain numbers: an enumeration takes its time to be combined
_ASCII, _DOTALL, _IGNORECASE = int(re.ASCII), int(re.DOTALL), int(re.IGNORECASE)
_READERS = ("LITERAL", "NOT_LITERAL", "ANY", "IN")

Conditions = frozenset[Any]
Places = dict[tuple[int, Conditions], int]
_FREE: Conditions = frozenset()


@dataclass(frozen=True, slots=True)
class Attack:
    """A text that is read in many ways: `lead`, `pump` any number of times, then `end`."""

    lead: str
    pump: str
    end: str
    power: float  # of the text's length; endless where the time is exponential
    ways: float  # that a place is tried in beside that

    def text(self, length: int) -> str:
        return self.lead + self.pump * (length // len(self.pump)) + self.end


@dataclass(slots=True)
class _Part:
    null: dict[Conditions, int] = field(default_factory=lambda: {_FREE: 1})
    first: Places = field(default_factory=dict)
    last: Places = field(default_factory=dict)
    tail: Any = None  # the characters that a greedy repeat at its end cannot leave unread


@dataclass(slots=True)
class _Loop:
    weight: float
    entries: set[int]
    places: set[int]


def _category(name: str, character: str, ascii_only: bool) -> bool:
    plain = not ascii_only or character.isascii()
    kind = name.removeprefix("CATEGORY_").removeprefix("NOT_")
    held = {
        "DIGIT": character.isdecimal(),
        "SPACE": character.isspace(),
        "WORD": character.isalnum() or character == "_",
    }[kind]
    return (held and plain) != ("NOT_" in name)


def _reads(kind: str, held: Any, flags: int, character: str) -> bool:
    if kind == "ANY":
        return character != "\n" or bool(flags & _DOTALL)
    cases = {character}
    if flags & _IGNORECASE:
        cases |= {character.lower(), character.upper()}
    codes = {ord(one) for one in cases if len(one) == 1}
    if kind in ("LITERAL", "NOT_LITERAL"):
        return (held in codes) == (kind == "LITERAL")
    negated = str(held[0][0]) == "NEGATE"
    found = any(
        (str(k) == "LITERAL" and v in codes)
        or (str(k) == "RANGE" and any(v[0] <= code <= v[1] for code in codes))
        or (str(k) == "CATEGORY" and _category(str(v), character, bool(flags & _ASCII)))
        for k, v in held
    )
    return found != negated


class _Automaton:
    """The places of a pattern, what follows each, and its loops."""

    def __init__(self, pattern: str, flags: int, whole: bool) -> None:
        tree = parsed(pattern, flags)
        self.flags = int(tree.state.flags)
        self.alphabet = self._letters(tree)
        self.reads: list[frozenset[int]] = []
        self.atomic: list[tuple[int, ...]] = []
        self.looked: list[bool] = []
        self.lazy: set[int] = set()
        self.follow: dict[int, Places] = defaultdict(dict)
        self.loops: list[_Loop] = []
        self._steps: dict[tuple[int, int, int], list[tuple[int, int]]] = {}
        self._sets: dict[tuple[str, str, int], frozenset[int]] = {}
        self._groups: tuple[int, ...] = ()
        self._number = 0
        self._look = False
        part = self._sequence(tree, self.flags)
        ends = _FREE if not whole else frozenset([("next", frozenset([_EDGE]))])
        self.first = part.first
        self.accepting = {place for place, held in part.last if not held | ends}

    def _letters(self, tree: Any) -> str:
        """Return one character of each kind that the pattern tells apart."""
        leaves: dict[Any, tuple[str, Any, int]] = {}
        literals: dict[str, None] = dict.fromkeys(_CHARACTERS)
        for kind, held, flags in _leaves(tree, self.flags):
            leaves.setdefault(
                (kind, str(held), flags & (_IGNORECASE | _ASCII | _DOTALL)), (kind, held, flags)
            )
            for one, value in held if kind == "IN" else ((kind, held),):
                if str(one) in ("LITERAL", "NOT_LITERAL"):
                    literals.setdefault(chr(value))
                elif str(one) == "RANGE":
                    literals.setdefault(chr(value[0]))
                    literals.setdefault(chr(value[1]))
        kinds: dict[tuple[bool, ...], str] = {}
        for character in literals:
            told = (*(_reads(*leaf, character) for leaf in leaves.values()),
                    character == "\n", character.isalnum() or character == "_")  # fmt: skip
            kinds.setdefault(told, character)
        return "".join(kinds.values())

    def _set(self, kind: str, held: Any, flags: int) -> frozenset[int]:
        key = kind, str(held), flags  # a repeat that is written out reads the same each time
        if key not in self._sets:
            self._sets[key] = frozenset(
                i for i, letter in enumerate(self.alphabet) if _reads(kind, held, flags, letter)
            )
        return self._sets[key]

    def holds(self, conditions: Conditions, before: int, behind: int) -> bool:
        for kind, held in conditions:
            if kind == "word":
                if (self._word(before) != self._word(behind)) != held:
                    return False
            elif (before if kind == "previous" else behind) not in held:
                return False
        return True

    def _word(self, letter: int) -> bool:
        return letter != _EDGE and (self.alphabet[letter].isalnum() or self.alphabet[letter] == "_")

    # ------------------------------------------------------------ reading the tree
    def _sequence(self, items: Iterable[tuple[Any, Any]], flags: int) -> _Part:
        out = _Part()
        for kind, held in items:
            out = self._then(out, self._item(str(kind), held, flags))
        return out

    def _then(self, a: _Part, b: _Part) -> _Part:
        self._join(a.last, b.first)
        null = _sum((c | d, m * n) for c, m in a.null.items() for d, n in b.null.items())
        first = _sum(
            [*a.first.items()]
            + [((p, c | d), m * n) for c, m in a.null.items() for (p, d), n in b.first.items()]
        )
        last = _sum(
            [*b.last.items()]
            + [((p, c | d), m * n) for d, m in b.null.items() for (p, c), n in a.last.items()]
        )
        return _Part(null, first, last, b.tail)

    def _join(self, last: Places, first: Places) -> None:
        for (place, c), m in last.items():
            edges = self.follow[place]
            for (to, d), n in first.items():
                edges[to, c | d] = min(2, edges.get((to, c | d), 0) + m * n)

    def _item(self, kind: str, held: Any, flags: int) -> _Part:
        if kind in _READERS:
            return self._place(self._set(kind, held, flags))
        if kind == "SUBPATTERN":
            return self._sequence(held[3], (flags | held[1]) & ~held[2])
        if kind == "BRANCH":
            return _either([self._sequence(one, flags) for one in held[1]])
        if kind == "GROUPREF_EXISTS":
            return _either([self._sequence(one or (), flags) for one in held[1:]])
        if kind in _LOOPS:
            if kind == "POSSESSIVE_REPEAT":
                return self._sealed(lambda: self._repeat(*held, flags, greedy=True))
            return self._repeat(*held, flags, greedy=kind == "MAX_REPEAT")
        if kind == "ATOMIC_GROUP":
            return self._sealed(lambda: self._sequence(held, flags))
        if kind in ("ASSERT", "ASSERT_NOT"):
            return self._assertion(held[0], list(held[1]), flags, kind == "ASSERT")
        if kind == "AT":
            return _Part(null={self._anchor(str(held), flags): 1})
        assert kind == "GROUPREF", kind
        return _Part()

    def _place(self, letters: frozenset[int]) -> _Part:
        self.reads.append(letters)
        self.atomic.append(self._groups)
        self.looked.append(self._look)
        at = {(len(self.reads) - 1, _FREE): 1}
        return _Part({}, dict(at), dict(at))

    def _repeat(self, least: int, most: Any, body: Any, flags: int, *, greedy: bool) -> _Part:
        if int(most) <= _COPIES:
            out = _Part()
            for number in range(int(most), 0, -1):
                one = self._sequence(body, flags)
                out = self._then(one, out)
                if number > least:
                    out = _either([out, _Part()])
            return out
        since = len(self.reads)
        out = self._sequence(body, flags)
        self._join(out.last, out.first)
        if out.null and most != _MANY:  # any of the counted turns may be the empty one
            self._join(out.last, out.first)
        weight = _ENDLESS if most == _MANY else float(most)
        places = set(range(since, len(self.reads)))
        if not greedy:
            self.lazy |= places
        self.loops.append(_Loop(weight, {place for place, _ in out.first}, places))
        tail = self.reads[since] if len(places) == 1 and greedy and weight == _ENDLESS else None
        null = {_FREE: 1} if not least else out.null
        return _Part(null, out.first, out.last, tail)

    def _sealed(self, read: Callable[[], _Part]) -> _Part:
        """Read a group that gives nothing back: it ends where its last repeat can read no more."""
        self._number += 1
        before, self._groups = self._groups, (*self._groups, self._number)
        out = read()
        self._groups = before
        if out.tail is None:
            return out
        rest = frozenset([("next", frozenset(range(_EDGE, len(self.alphabet))) - out.tail)])
        return _Part(
            {c | rest: n for c, n in out.null.items()},
            out.first,
            {(p, c | rest): n for (p, c), n in out.last.items()},
        )

    def _assertion(self, way: int, body: list[Any], flags: int, positive: bool) -> _Part:
        side = "next" if way > 0 else "previous"
        every = frozenset(range(_EDGE, len(self.alphabet)))
        options = body[0][1][1] if len(body) == 1 and str(body[0][0]) == "BRANCH" else [body]
        told = [self._first_of(list(one), flags, way) for one in options]
        if positive:
            sure = frozenset().union(*(letters for letters, _ in told))
        else:
            sure = every - frozenset().union(*(letters for letters, one in told if one))
        out = _Part(null={_FREE if sure == every else frozenset([(side, sure)]): 1})
        if way > 0:  # what it tries costs time, whether it holds or not
            before, self._look = self._look, True
            out.first = self._sequence(body, flags).first
            self._look = before
        return out

    def _first_of(self, body: list[Any], flags: int, way: int) -> tuple[frozenset[int], bool]:
        """Return the characters next to a look that may let it hold, and whether each does."""
        while len(body) == 1 and str(body[0][0]) == "SUBPATTERN":
            flags = (flags | body[0][1][1]) & ~body[0][1][2]
            body = list(body[0][1][3])
        every = frozenset(range(_EDGE, len(self.alphabet)))
        if not body:
            return every, True
        kind, held = str(body[0 if way > 0 else -1][0]), body[0 if way > 0 else -1][1]
        if kind in _READERS:
            return self._set(kind, held, flags), len(body) == 1
        if kind in _LOOPS and held[0] > 0 and len(held[2]) == 1:
            inner, what = held[2][0]
            if str(inner) in _READERS:
                return self._set(str(inner), what, flags), len(body) == 1 and held[0] == 1
        if kind == "AT" and len(body) == 1:
            for at, letters in self._anchor(str(held), flags):
                if at == ("next" if way > 0 else "previous"):
                    return letters, True
        return every, False

    def _anchor(self, name: str, flags: int) -> Conditions:
        if "BOUNDARY" in name:
            return frozenset([("word", "NON" not in name)])
        lines = frozenset(i for i, letter in enumerate(self.alphabet) if letter == "\n")
        side = "previous" if "BEGINNING" in name else "next"
        if name.endswith("STRING") or (side == "previous" and not flags & re.MULTILINE):
            return frozenset([(side, frozenset([_EDGE]))])
        return frozenset([(side, lines | {_EDGE})])

    # ------------------------------------------------------------ walking
    def steps(self, place: int, before: int, letter: int) -> list[tuple[int, int]]:
        """Return the places that read a letter after a place, and in how many ways each."""
        found = self._steps.get((place, before, letter))
        if found is None:
            count: dict[int, int] = defaultdict(int)
            for (to, conditions), ways in (
                self.first if place == _START else self.follow[place]
            ).items():
                if letter in self.reads[to] and (
                    not conditions or self.holds(conditions, before, letter)
                ):
                    count[to] += ways
            found = self._steps[place, before, letter] = [*count.items()]
        return found

    def lead(self, place: int, searched: bool) -> str | None:
        """Return a shortest text that leads to a place."""
        found: dict[tuple[int, int], str] = {(_START, _EDGE): ""}
        queue = deque(found)
        while queue:
            at, before = node = queue.popleft()
            if at == place:
                return found[node]
            for letter, text in enumerate(self.alphabet):
                on = [to for to, _ in self.steps(at, before, letter)]
                for to in (*on, _START) if at == _START and searched else on:
                    if (to, letter) not in found:
                        found[to, letter] = found[node] + text
                        queue.append((to, letter))
        return None

    def forked(self, q: int, within: set[int]) -> Iterator[str]:
        """Yield texts that lead from a place to itself in two ways."""
        yield from self._walk(
            {letter: (q, q, False, letter) for letter in self.reads[q]},
            lambda node, letter: (
                (s, t, node[2] or s != t or m > 1, letter)
                for s, m in self.steps(node[0], node[3], letter)
                if s in within
                for t, _ in self.steps(node[1], node[3], letter)
                if t in within
            ),
            (q, q, True),
            within,
        )

    def shared(self, q: int, round_q: set[int], p: int, round_p: set[int]) -> Iterator[str]:
        """Yield texts that lead from q to q, from q to p and from p to p, in their loops."""

        def turns(place: int, before: int, letter: int) -> Iterable[int]:
            if q == _START:
                return (_START,)
            return [to for to, _ in self.steps(place, before, letter) if to in round_q]

        inner: dict[tuple[int, int, int], list[int]] = {}

        def steps(node: Any, letter: int) -> Iterator[Any]:
            r, s, t, before = node
            to_t = inner.get((t, before, letter))
            if to_t is None:
                to_t = [to for to, _ in self.steps(t, before, letter) if to in round_p]
                inner[t, before, letter] = to_t
            to_r = turns(r, before, letter) if to_t else ()
            if to_t and to_r:
                to_s = [to for to, _ in self.steps(s, before, letter)]
                if s == _START:
                    to_s.append(_START)
                for one in to_s:
                    for other in to_t:
                        for third in to_r:
                            yield third, one, other, letter

        yield from self._walk(
            {letter: (q, q, p, letter) for letter in self.reads[p]},
            steps,
            (q, p, p),
            round_p,
        )

    def _walk(
        self,
        starts: dict[int, Any],
        steps: Callable[[Any, int], Iterable[Any]],
        end: Any,
        within: set[int],
    ) -> Iterator[str]:
        """Yield texts from a start to the end; what went before the first is its last letter.

        The places `within` read every letter of them.
        """
        letters = sorted(frozenset().union(*(self.reads[place] for place in within)))
        if not any(True for _ in self._paths(starts.values(), steps, end, letters)):
            return
        for letter, start in starts.items():
            for text, last in self._paths([start], steps, end, letters):
                if last == letter:
                    yield text

    def _paths(
        self,
        starts: Iterable[Any],
        steps: Callable[[Any, int], Iterable[Any]],
        end: Any,
        letters: Sequence[int],
    ) -> Iterator[tuple[str, int]]:
        found = dict.fromkeys(starts, "")
        queue = deque(found)
        while queue:
            node = queue.popleft()
            for letter in letters:
                text = self.alphabet[letter]
                for to in steps(node, letter):
                    if to[:3] == end:
                        yield found[node] + text, letter
                    if to not in found:
                        found[to] = found[node] + text
                        queue.append(to)


def _leaves(items: Any, flags: int) -> Iterator[tuple[str, Any, int]]:
    for kind, held in items:
        name = str(kind)
        if name in _READERS:
            yield name, held, flags
        elif name == "SUBPATTERN":
            yield from _leaves(held[3], (flags | held[1]) & ~held[2])
        elif name == "BRANCH":
            for one in held[1]:
                yield from _leaves(one, flags)
        elif name in _LOOPS:
            yield from _leaves(held[2], flags)
        elif name in ("ASSERT", "ASSERT_NOT"):
            yield from _leaves(held[1], flags)
        elif name == "ATOMIC_GROUP":
            yield from _leaves(held, flags)
        elif name == "GROUPREF_EXISTS":
            for one in held[1:]:
                yield from _leaves(one or (), flags)


def _sum(pairs: Iterable[tuple[Any, int]]) -> dict[Any, int]:
    out: dict[Any, int] = {}
    for key, ways in pairs:
        out[key] = min(2, out.get(key, 0) + ways)
    return out


def _either(parts: list[_Part]) -> _Part:
    return _Part(*(
        _sum(pair for part in parts for pair in getattr(part, name).items())
        for name in ("null", "first", "last")
    ))  # fmt: skip


def find_attack(pattern: str, flags: int = 0, how: str = "search") -> Attack | None:
    """Return a text over which a pattern takes long, or None.

    Long is more than `_MAX_WAYS` times the text's length. `how` is "search", "match" (at the start
    of the text alone) or "fullmatch".
    """
    automaton = _Automaton(pattern, flags, whole=how == "fullmatch")
    tried = re.compile(pattern, flags)
    loops = automaton.loops
    for loop in loops:
        for entry in loop.entries:
            for pump in islice(automaton.forked(entry, loop.places), _TRIES):
                attack = _attack(automaton, tried, how, entry, entry, pump)
                if attack:
                    return replace(attack, power=_ENDLESS)
    chained: dict[tuple[int, int], Attack | None] = {}
    before = [_START] if how == "search" else []
    for start in (*before, *range(len(loops))):
        first = _ENDLESS if start == _START else loops[start].weight
        for chain in _chains(automaton, tried, how, chained, [start]):
            pumps = [len(found.pump) for pair in pairwise(chain) if (found := chained[pair])]
            sizes = [max(pair) for pair in zip([0, *pumps], [*pumps, 0], strict=True)]
            weights = [first, *(loops[at].weight for at in chain[1:])]
            weights = [max(1, weight / size) for weight, size in zip(weights, sizes, strict=True)]
            finite = prod(weight for weight in weights if weight != _ENDLESS)
            endless = weights.count(_ENDLESS)
            if endless > 1 or finite > _MAX_WAYS:
                attack = chained[chain[-2], chain[-1]]
                assert attack
                return replace(attack, power=float(max(1, endless)), ways=finite)
    return None


def _chains(
    automaton: _Automaton,
    tried: re.Pattern[str],
    how: str,
    chained: dict[tuple[int, int], Attack | None],
    chain: list[int],
) -> Iterator[list[int]]:
    """Yield the chains of two loops and more of which each two neighbours read one text."""
    loops = automaton.loops
    for to in range(len(loops)):
        if to in chain or (chain[-1] != _START and loops[chain[-1]].places & loops[to].places):
            continue
        pair = chain[-1], to
        if pair not in chained:
            source = None if chain[-1] == _START else loops[chain[-1]]
            chained[pair] = _chained(automaton, tried, how, source, loops[to])
        if chained[pair]:
            yield [*chain, to]
            yield from _chains(automaton, tried, how, chained, [*chain, to])


def _chained(
    automaton: _Automaton, tried: re.Pattern[str], how: str, before: _Loop | None, loop: _Loop
) -> Attack | None:
    """Return an attack on two loops that read one text."""
    letters = frozenset().union(*(automaton.reads[place] for place in loop.places))
    turns = before.places if before else {_START}
    for p in sorted(loop.entries):
        for q in (_START,) if before is None else sorted(before.entries):
            if q != _START and not (
                set(automaton.atomic[q]) <= set(automaton.atomic[p])
                and automaton.reads[q] & letters
            ):
                continue
            for pump in islice(automaton.shared(q, turns, p, loop.places), _TRIES):
                attack = _attack(automaton, tried, how, q, p, pump)
                if attack:
                    return attack
    return None


def _attack(
    automaton: _Automaton, tried: re.Pattern[str], how: str, q: int, p: int, pump: str
) -> Attack | None:
    """Return the text that has an engine repeat itself, if the engine indeed reads none of it."""
    lead = "" if q == _START else automaton.lead(q, how == "search")
    if lead is None:
        return None
    turns = max(2, _LENGTH // len(pump))
    if q in automaton.lazy:  # it goes on only where the second has failed
        return Attack(lead, pump, "\0", 1, 1)
    for start in [pump[-1:] if q == _START else lead]:
        for end in ("", "\0", "\n\0", *automaton.alphabet):
            text = start + pump * turns + end
            if how == "search":
                spans = [m.end() - max(m.start(), len(start)) for m in tried.finditer(text)]
            else:
                found = tried.match(text) if how == "match" else tried.fullmatch(text)
                spans = [found.end() - len(start)] if found else []
            # a lazy loop that has found its end has not read on
            short = (
                not spans if p in automaton.lazy else max(spans, default=0) < len(pump) * turns / 2
            )
            if automaton.looked[p] or short:
                return Attack(start, pump, end, 1, 1)
    return None
