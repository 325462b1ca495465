"""Fit the linking model: which entity of a knowledge base a name means, or none of them.

    groundrules kb build ../shared/data/open/wikidata_subset.nt.gz -o STORE
    python training/linker/train.py --data ../shared/data --store STORE

Names come from two places, each in a sentence and of the kind that our own reader gives it:

- `fewrel`: sentences of Wikipedia with the ids of head and tail (FewRel);
- `made`: triples of the store in the wordings of ParaRel, by label or alias.

For "none of them" the right entity is taken out of the candidates of an ambiguous name; what is
left are its namesakes. No pool with an entity of `open/codex_claims` is used: the benchmark
reports on those. Pools are split by entity; the model is fitted on `train`, thresholds are chosen
on `dev`, the card reports `test`.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from rdflib.term import URIRef
from scipy.optimize import minimize

from groundrules.checks.extractions import extraction_of
from groundrules.claims.documents.document import from_text
from groundrules.kb.link import mentions as linker
from groundrules.kb.link.aliases import AliasIndex
from groundrules.kb.link.mentions import ENCODED, FEATURES, Link, Model, Pool, decide
from groundrules.kb.sources.source import Entity, Fault
from groundrules.models.embed import encode
from groundrules.terms import ENTITY, Mention, Span, mint

WIKIDATA = "http://www.wikidata.org/entity/"
SEED, RIDGE = 1, 1.0
#: Names taken of each origin; ambiguous ones first in line for the half of them.
QUOTA = 5000
#: Of the names with candidates, how many mean none of them: an assumption, not a count.
NIL = 0.05
#: How often the classes that the property wants are given, and how often those of another one.
EXPECTED, MISTAKEN = 0.5, 0.1
#: What share of the names that are linked has the right one among the readings, from `t_support`
#: and from `t_refute` on; and at `margin`, of the names with several candidates.
SUPPORT, REFUTE, CLEAR = 0.95, 0.98, 0.95
#: Bounds of the weights. How names were sampled must not turn a feature round; priors are counts
#: on another scale in every store; what is right of a name that was changed is a guess.
BOUNDS: dict[str, tuple[float | None, float | None]] = {
    **dict.fromkeys("share first label casing likeness described words kind expected".split(),
                    (0.0, None)),
    **dict.fromkeys(("cosine", "lead"), (0.0, None)),
    **dict.fromkeys(("single", "kind_clash", "unexpected"), (None, 0.0)),
    "prior": (0.0, 2.5),
    "changed": (-2.0, -1.0),
}  # fmt: skip
_FOLDER = Path(__file__).parents[2] / "groundrules" / "models" / "linker"
_EDGE = re.compile(
    r"<http://www\.wikidata\.org/entity/(Q\d+)> <http://www\.wikidata\.org/prop/direct/(P\d+)> "
    r"<http://www\.wikidata\.org/entity/(Q\d+)> \."
)


@dataclass(frozen=True, slots=True)
class Row:
    """A pool, its right id (None if it is not there), what splits it, and how much it counts."""

    origin: str
    pool: Pool
    gold: str | None
    entity: str
    weight: float


@dataclass(frozen=True, slots=True)
class Example:
    """A name in a sentence and the id of what it means; `wanted` are classes, by property."""

    origin: str
    sentence: str
    start: int
    name: str
    gold: str
    property: str
    subject: bool
    weight: float = 1.0


def main() -> None:
    """Make the examples, fit, choose thresholds, write weights and card."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--store", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=_FOLDER)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    edges = read_edges(arguments.data)
    (arguments.out / "kinds.json").write_text(kinds_of_classes(edges))
    index = AliasIndex(arguments.store / "names.sqlite")
    held = codex_entities(arguments.data)
    rng = random.Random(SEED)
    examples = [
        example
        for made in (fewrel(arguments.data), verbalised(arguments.data, edges, index, rng))
        for example in sample(made, index.named, held, rng)
    ]
    print(Counter(example.origin for example in examples), flush=True)
    rows = pooled(examples, index.named, edges, rng)
    rows = [row for row in rows if not {id_of(e) for e in row.pool.entities} & held]
    rows = balanced(rows)
    print(Counter((row.origin, row.gold is None) for row in rows), flush=True)
    out: dict[str, Any] = {}
    shown = {}
    for key in ("plain", "encoder"):
        names = [n for n in FEATURES if key == "encoder" or n not in ENCODED]
        out[key], shown[key] = fit_and_choose(rows, names)
        print(key, json.dumps(out[key], indent=1), shown[key], flush=True)
    text = json.dumps(out, indent=1) + "\n"
    (arguments.out / "weights.json").write_text(text)
    (arguments.out / "CARD.md").write_text(card(text, rows, shown))


def read_edges(data: Path) -> dict[str, list[tuple[str, str]]]:
    """Return the pairs of subject and object of each property of the subset."""
    out: dict[str, list[tuple[str, str]]] = defaultdict(list)
    with gzip.open(data / "open" / "wikidata_subset.nt.gz", "rt") as lines:
        for line in lines:
            if match := _EDGE.match(line):
                out[match[2]].append((match[1], match[3]))
    return out


def codex_entities(data: Path) -> frozenset[str]:
    """Return the ids of the entities that the benchmark reports on."""
    with gzip.open(data / "open" / "codex_claims.jsonl.gz", "rt") as lines:
        rows = [json.loads(line) for line in lines]
    return frozenset(row[side] for row in rows for side in "so")


def fewrel(data: Path) -> list[Example]:
    """Return the heads and tails of FewRel's sentences."""
    import tarfile

    with tarfile.open(data / "extract" / "fewrel.tar.gz") as tar:
        file = tar.extractfile("fewrel/val_wiki.json")
        assert file is not None
        relations = json.load(file)
    out = []
    for pid, rows in relations.items():
        for row in rows:
            for side in "ht":
                _, gold, (place, *_) = row[side]
                before, name, after = (
                    spaced(row["tokens"][a:b])
                    for a, b in ((0, place[0]), (place[0], place[-1] + 1), (place[-1] + 1, None))
                )
                start = len(before) + 1 if before else 0
                gap = "" if after[:1] in set(".,;:)'") else " "
                sentence = f"{before} {name}{gap}{after}" if before else f"{name}{gap}{after}"
                out.append(Example("fewrel", sentence, start, name, gold, pid, side == "h"))
    return out


def spaced(tokens: Sequence[str]) -> str:
    """Return tokens as a text, without the blanks before stops."""
    text = " ".join(token for token in tokens if token.strip()).replace(" - ", "-")
    return re.sub(r" (?=[.,;:!?)]|'s\b|n't\b)|(?<=\() ", "", text)


def verbalised(
    data: Path, edges: Mapping[str, list[tuple[str, str]]], index: Any, rng: random.Random
) -> list[Example]:
    """Return triples in the wordings of ParaRel; one name in three is an alias."""
    folder = data / "open" / "pararel" / "pattern_data" / "graphs_json"
    out = []
    for path in sorted(folder.glob("P*.jsonl")):
        patterns = [json.loads(line)["pattern"] for line in path.open()]
        pairs = edges.get(path.stem, [])
        for subject, thing in rng.sample(pairs, min(600, len(pairs))):
            ends = [index.entity(URIRef(WIKIDATA + q)) for q in (subject, thing)]
            if not all(end is not None and end.label for end in ends):
                continue
            x, y = (
                rng.choice(end.aliases) if end.aliases and rng.random() < 1 / 3 else end.label
                for end in ends
            )
            before, slot, rest = re.split(r"(\[[XY]\])", rng.choice(patterns), maxsplit=1)
            first, second = (x, y) if slot == "[X]" else (y, x)
            middle, _, after = re.split(r"(\[[XY]\])", rest, maxsplit=1)
            sentence = f"{before}{first}{middle}{second}{after}"
            places = (len(before), len(before) + len(first) + len(middle))
            if slot == "[Y]":
                places = places[::-1]
            for name, gold, start, side in (
                (x, subject, places[0], True),
                (y, thing, places[1], False),
            ):
                out.append(Example("made", sentence, start, name, gold, path.stem, side))
    return out


def sample(
    examples: Sequence[Example], named: linker.Named, held: frozenset[str], rng: random.Random
) -> list[Example]:
    """Return `QUOTA` examples, up to half of them of names that several things bear, weighted.

    What the store knows by its label alone is left out: nothing could tell it from its namesakes.
    """
    found = named(sorted({e.name for e in examples}))
    examples = [
        example
        for example in examples
        if example.gold not in held
        and any(id_of(e) == example.gold and e.description for e in found[example.name])
    ]
    rng.shuffle(examples)
    several = [e for e in examples if len(found.get(e.name, ())) > 1]
    others = [e for e in examples if len(found.get(e.name, ())) <= 1]
    few = several[: QUOTA // 2]
    rest = others[: QUOTA - len(few)]
    # so that the two parts count as they did before
    share = len(several) / len(examples)
    return [
        *(replace(e, weight=share * QUOTA / len(few)) for e in few),
        *(replace(e, weight=(1 - share) * QUOTA / len(rest)) for e in rest),
    ]


def kind_of(sentence: str, start: int, name: str) -> tuple[Mention, ...]:
    """Return the mention that our reader finds at a place, else a NOUN there."""
    end = start + len(name)
    found = extraction_of(from_text(sentence, "s"), "embedded").mentions
    over = [m for m in found if m.span.start < end and start < m.span.end]
    same = [m for m in over if (m.span.start, m.span.end) == (start, end)]
    near = max(over, key=lambda m: min(m.span.end, end) - max(m.span.start, start), default=None)
    kind = same[0].kind if same else near.kind if near is not None else "NOUN"
    kind = kind if kind in {"PERSON", "ORG", "LOC", "MISC", "TERM"} else "NOUN"
    return (Mention(Span("s", start, end), name, kind, mint(ENTITY, name)),)


def pooled(
    examples: Sequence[Example],
    named: linker.Named,
    edges: Mapping[str, list[tuple[str, str]]],
    rng: random.Random,
) -> list[Row]:
    """Return the candidates of the examples, and again with the right one taken out."""
    wanted = wanted_classes()
    above = ancestors(edges)
    out = []
    for number, example in enumerate(examples):
        if number % 500 == 0:
            print(number, flush=True)
        mentions = kind_of(example.sentence, example.start, example.name)
        expected = {}
        draw = rng.random()
        if draw < EXPECTED:
            pid = example.property if draw >= EXPECTED * MISTAKEN else rng.choice(sorted(wanted))
            expected = {mentions[0].node: wanted.get(pid, {}).get(example.subject, frozenset())}
        for source in (named, without(example.gold, named)):
            (pool,) = linker.gather(
                mentions,
                [example.sentence],
                source,
                encode=encode,
                expected=expected,
                types=partial(instances, above=above, edges=dict_of(edges)),
            )
            gold = example.gold if source is named else None
            if pool.entities:
                out.append(Row(example.origin, pool, gold, example.gold, example.weight))
    return out


def without(gold: str, named: linker.Named) -> linker.Named:
    """Return a source of candidates that lacks an entity."""

    def lacking(names: Iterable[str]) -> Mapping[str, tuple[Entity, ...] | Fault]:
        return {
            name: tuple(e for e in found if id_of(e) != gold)
            for name, found in named(names).items()
            if not isinstance(found, Fault)
        }

    return lacking


def balanced(rows: Sequence[Row]) -> list[Row]:
    """Return the rows with weights that make those whose right one is not there `NIL` of all."""
    there = sum(row.weight for row in rows if row.gold)
    lacking = sum(row.weight for row in rows if row.gold is None)
    scale = there * NIL / (1 - NIL) / lacking
    return [row if row.gold else replace(row, weight=row.weight * scale) for row in rows]


def fit_and_choose(
    rows: Sequence[Row], names: Sequence[str]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return weights with thresholds, and what they do on the test part."""
    parts: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        parts[part(row.entity)].append(row)
    weights, intercept = fit(parts["train"], names)
    model = Model(
        {n: round(float(w), 4) for n, w in zip(names, weights, strict=True)},
        round(intercept, 4), 0.0, 0.0, 0.0, 0.0, "",
    )  # fmt: skip
    model = choose(model, parts["dev"])
    data = {
        "intercept": model.intercept,
        "weights": model.weights,
        "t_nil": model.t_nil,
        "margin": model.margin,
        "t_support": model.t_support,
        "t_refute": model.t_refute,
    }
    return data, measure(model, parts["test"])


def part(entity: str) -> str:
    """Return the part of the data that an entity belongs to: 60 % train, 20 % dev, 20 % test."""
    number = int(hashlib.sha256(entity.encode()).hexdigest(), 16) % 5
    return "train" if number < 3 else "dev" if number == 3 else "test"


def fit(rows: Sequence[Row], names: Sequence[str]) -> tuple[Any, float]:
    """Return weights and intercept of the conditional logit with "none" at 0, by L-BFGS."""
    design = np.array([[f[n] for n in names] + [1.0] for r in rows for f in r.pool.features])
    sizes = np.array([len(r.pool.features) for r in rows])
    starts = np.r_[0, np.cumsum(sizes)[:-1]]
    right = np.array([float(id_of(e) == r.gold) for r in rows for e in r.pool.entities])
    once = np.array([r.weight for r in rows])
    each = np.repeat(once, sizes)
    mean, spread = design[:, :-1].mean(0), design[:, :-1].std(0) + 1e-6
    scaled = np.c_[(design[:, :-1] - mean) / spread, design[:, -1]]
    ridge = np.r_[np.full(len(names), RIDGE), 0.0]

    def loss(w: Any) -> tuple[float, Any]:
        logits = np.clip(scaled @ w, -50, 50)
        odds = np.exp(logits)
        total = 1 + np.add.reduceat(odds, starts)
        p = odds / np.repeat(total, sizes)
        value = (once * np.log(total)).sum() - (each * right * logits).sum() + ridge @ (w * w) / 2
        return float(value), scaled.T @ (each * (p - right)) + ridge * w

    def scaled_bound(name: str, unit: float) -> tuple[float | None, float | None]:
        low, high = BOUNDS.get(name, (None, None))
        return (None if low is None else low * unit, None if high is None else high * unit)

    bounds = [*map(scaled_bound, names, spread), (None, None)]
    start = np.array([0.0 if high is None or high >= 0 else high for _, high in bounds])
    w = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds).x
    weights = w[:-1] / spread
    return weights, float(w[-1] - weights @ mean)


def choose(model: Model, rows: Sequence[Row]) -> Model:
    """Return the model with thresholds chosen on the development part."""
    grid = [float(t) for t in np.round(np.arange(0.05, 1.0, 0.01), 2)]
    several = [row for row in rows if len(row.pool.entities) > 1 and row.gold]
    margin = next(
        (m for m in grid if _hits(replace(model, margin=m), several, 0.0) >= CLEAR), grid[-1]
    )
    model = replace(model, margin=margin)
    # a link is worth it where it is more likely right than not
    t_nil = max(grid, key=lambda t: _gain(model, rows, t))
    model = replace(model, t_nil=t_nil)
    t_support = next((t for t in grid if t >= t_nil and _hits(model, rows, t) >= SUPPORT), 0.98)
    t_refute = next((t for t in grid if t > t_support and _hits(model, rows, t) >= REFUTE), 0.99)
    return replace(model, t_support=t_support, t_refute=t_refute)


def _hits(model: Model, rows: Sequence[Row], t: float) -> float:
    """Return the share of the links of at least a probability with the right one in them."""
    found = [(row, decide(row.pool, model)) for row in rows]
    chosen = [(row, link) for row, link in found if link.candidates and link.probability >= t]
    total = sum(row.weight for row, _ in chosen)
    return sum(row.weight for row, link in chosen if has(link, row.gold)) / total if total else 1.0


def _gain(model: Model, rows: Sequence[Row], t: float) -> float:
    links = [(row, decide(row.pool, replace(model, t_nil=t))) for row in rows]
    return sum(row.weight * (has(link, row.gold) - 0.5) for row, link in links if link.candidates)


def has(link: Link, gold: str | None) -> bool:
    """Return whether the right one is among the readings."""
    return gold is not None and any(id_of(c.entity) == gold for c in link.candidates)


def measure(model: Model, rows: Sequence[Row]) -> dict[str, dict[str, float]]:
    """Return what linking comes to, weighted, for names with one candidate and with several."""
    return {
        "all": _measure(model, rows),
        "one candidate": _measure(model, [r for r in rows if len(r.pool.entities) == 1]),
        "several": _measure(model, [r for r in rows if len(r.pool.entities) > 1]),
    }


def _measure(model: Model, rows: Sequence[Row]) -> dict[str, float]:
    sums: Counter[str] = Counter()
    for row in rows:
        found = decide(row.pool, model)
        prior = max(row.pool.entities, key=lambda e: e.prior)
        marks = {"all", "there" if row.gold else "not there"}
        marks |= {"prior right"} if id_of(prior) == row.gold else set()
        marks |= {found.status.value}
        if has(found, row.gold):
            marks |= {f"{found.status.value} right"}
        elif not found.candidates and row.gold is None:
            marks |= {"nil right"}
        for name, t in (("support", model.t_support), ("refute", model.t_refute)):
            if found.candidates and found.probability >= t:
                marks |= {name, f"{name} right"} if has(found, row.gold) else {name}
        for mark in marks:
            sums[mark] += row.weight
    sums["names"] = len(rows)
    sums["calibration"] = calibration(model, rows)
    return dict(sums)


def calibration(model: Model, rows: Sequence[Row]) -> float:
    """Return the expected calibration error of the best candidate, in ten bins."""
    pairs = []
    for row in rows:
        found = zip(
            model.probabilities(row.pool.features), map(id_of, row.pool.entities), strict=True
        )
        p, best = max(found)
        pairs.append((p, best == row.gold, row.weight))
    p, right, weight = np.array(pairs, float).T
    bins = np.minimum((p * 10).astype(int), 9)
    return float(
        sum(abs((weight * (p - right))[bins == b].sum()) for b in set(bins)) / weight.sum()
    )


def id_of(entity: Entity) -> str:
    """Return the Q-id of an entity."""
    return str(entity.iri).removeprefix(WIKIDATA)


def ancestors(edges: Mapping[str, list[tuple[str, str]]]) -> Callable[[str], frozenset[str]]:
    """Return a function from a class to itself and all it is a kind of."""
    up: dict[str, list[str]] = defaultdict(list)
    for lower, upper in edges["P279"]:
        up[lower].append(upper)
    known: dict[str, frozenset[str]] = {}

    def above(start: str) -> frozenset[str]:
        if start not in known:
            seen, left = {start}, [start]
            while left:
                for upper in up.get(left.pop(), ()):
                    if upper not in seen:
                        seen.add(upper)
                        left.append(upper)
            known[start] = frozenset(seen)
        return known[start]

    return above


def dict_of(edges: Mapping[str, list[tuple[str, str]]]) -> Mapping[str, list[str]]:
    """Return the classes of each entity."""
    if not _TYPES:
        for entity, c in edges["P31"]:
            _TYPES[entity].append(c)
    return _TYPES


_TYPES: dict[str, list[str]] = defaultdict(list)


def instances(
    subjects: Iterable[URIRef],
    classes: Iterable[URIRef],
    *,
    above: Callable[[str], frozenset[str]],
    edges: Mapping[str, list[str]],
) -> Mapping[URIRef, frozenset[URIRef] | Fault]:
    """Return which of the classes each subject is an instance of."""
    wanted = frozenset(classes)
    return {
        s: frozenset(
            URIRef(WIKIDATA + c)
            for direct in edges.get(str(s).removeprefix(WIKIDATA), ())
            for c in above(direct)
        )
        & wanted
        for s in subjects
    }


def wanted_classes() -> Mapping[str, Mapping[bool, frozenset[URIRef]]]:
    """Return the classes of subject (True) and value (False) of the properties of the lexicon."""
    import tomllib

    path = _FOLDER.parents[1] / "kb" / "link" / "relations.toml"
    data = tomllib.loads(path.read_text("utf-8"))
    groups = data["classes"]
    return {
        pid: {
            side: frozenset(
                URIRef(WIKIDATA + c) for name in entry.get(key, ()) for c in groups[name]
            )
            for side, key in ((True, "x"), (False, "y"))
        }
        for pid, entry in data.items()
        if re.fullmatch(r"P\d+", pid)
    }


#: Roots of the kinds. Wikidata's chains run wild above them, so leaves are cut by name where wrong.
ROOTS = {
    "PERSON": ["Q5", "Q95074", "Q15632617", "Q4271324"],
    "ORG": ["Q43229"],
    "LOC": ["Q2221906", "Q27096213", "Q486972", "Q56061", "Q6256"],
}
#: Pages about names rather than things.
PAGES = [
    "Q4167410", "Q13406463", "Q4167836", "Q11266439", "Q15184295", "Q17362920", "Q22808320",
    "Q14204246", "Q21286738", "Q108783631", "Q17633526", "Q56876519", "Q4663903", "Q15623926",
]  # fmt: skip
#: What graphs other than Wikidata call people, organisations and places.
SCHEMAS = {
    "PERSON": ["http://schema.org/Person", "https://schema.org/Person",
               "http://xmlns.com/foaf/0.1/Person", "http://dbpedia.org/ontology/Person",
               "http://yago-knowledge.org/resource/Human"],
    "ORG": ["http://schema.org/Organization", "https://schema.org/Organization",
            "http://schema.org/Corporation", "https://schema.org/Corporation",
            "http://xmlns.com/foaf/0.1/Organization", "http://dbpedia.org/ontology/Organisation",
            "http://dbpedia.org/ontology/Company"],
    "LOC": ["http://schema.org/Place", "https://schema.org/Place", "http://schema.org/City",
            "https://schema.org/City", "http://schema.org/Country", "https://schema.org/Country",
            "http://dbpedia.org/ontology/Place", "http://dbpedia.org/ontology/City",
            "http://dbpedia.org/ontology/Country"],
}  # fmt: skip
#: A class needs so many instances in the subset to be in the table.
INSTANCES = 5


def kinds_of_classes(edges: Mapping[str, list[tuple[str, str]]]) -> str:
    """Return the table of kinds as JSON: the classes of the subset by what they lie under."""
    above = ancestors(edges)
    count = Counter(c for _, c in edges["P31"])
    table: dict[str, list[str]] = {"PAGE": sorted(PAGES, key=lambda q: int(q[1:]))}
    for kind, classes in SCHEMAS.items():
        table.setdefault(kind, []).extend(classes)
    for c in sorted((c for c, n in count.items() if n >= INSTANCES), key=lambda q: int(q[1:])):
        if c in PAGES:
            continue
        kinds = [kind for kind, roots in ROOTS.items() if above(c) & set(roots)]
        table.setdefault(" ".join(kinds) or "OTHER", []).append(c)
    return json.dumps(dict(sorted(table.items())), indent=None, separators=(",", ":")) + "\n"


def card(text: str, rows: Sequence[Row], shown: Mapping[str, Any]) -> str:
    """Return the card of the model."""
    digest = hashlib.sha256(text.encode()).hexdigest()
    counts = Counter((row.origin, "none" if row.gold is None else "one") for row in rows)
    origins = "\n".join(
        f"| {origin} | {right} of the candidates | {count} |"
        for (origin, right), count in sorted(counts.items())
    )
    head = (
        "| weights | names | prior right | linked, right | ambiguous, right | NIL, right | "
        "`t_support`, right | `t_refute`, right | calibration error |\n" + "| --- " * 9 + "|\n"
    )
    figures = head + "\n".join(
        _figures(key, name, sums) for key, parts in shown.items() for name, sums in parts.items()
    )
    return (
        Path(__file__)
        .with_name("card.txt")
        .read_text("utf-8")
        .format(digest=digest, origins=origins, nil=NIL, figures=figures)
    )


def _figures(key: str, name: str, sums: Mapping[str, float]) -> str:
    def share(part: str, whole: str) -> str:
        return f"{sums[part] / sums[whole]:.3f}" if sums.get(part) and sums.get(whole) else "-"

    nil = sums.get("nil_low_score", 0.0)
    pairs = [f"{share(part, 'all')}, {share(part + ' right', part)}"
             for part in ("linked", "ambiguous")]  # fmt: skip
    pairs.append(f"{nil / sums['all']:.3f}, {sums.get('nil right', 0) / nil if nil else 0:.3f}")
    pairs += [f"{share(part, 'all')}, {share(part + ' right', part)}"
              for part in ("support", "refute")]  # fmt: skip
    return (
        f"| {key} | {name}: {sums['names']:.0f} | {share('prior right', 'all')} | "
        + " | ".join(pairs)
        + f" | {sums['calibration']:.3f} |"
    )


if __name__ == "__main__":
    main()
