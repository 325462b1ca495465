"""Measure the linking model on the CoDEx claims, none of whose entities it was fitted on.

    groundrules kb build ../shared/data/open/wikidata_subset.nt.gz -o STORE
    python training/linker/measure.py --data ../shared/data --store STORE

Subjects and objects stand in their sentences by their labels, and our reader says of what kind they
are. Each is linked twice: against the store, and with the right entity taken out of it, where only
NIL is right. Also how many links a second one gets, and what the source of candidates takes of it.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path

from train import (
    ancestors,
    dict_of,
    id_of,
    instances,
    kind_of,
    read_edges,
    wanted_classes,
    without,
)

from groundrules.kb.link.aliases import AliasIndex
from groundrules.kb.link.mentions import Link, LinkStatus, link, load_model
from groundrules.kb.sources.source import Entity, Fault
from groundrules.models.embed import encode


def main() -> None:
    """Print one line for each set of weights, side of the claim and use of expected classes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--store", type=Path, required=True)
    arguments = parser.parse_args()
    with gzip.open(arguments.data / "open" / "codex_claims.jsonl.gz", "rt") as lines:
        claims = [json.loads(line) for line in lines]
    index = AliasIndex(arguments.store / "names.sqlite")
    edges = read_edges(arguments.data)
    types = partial(instances, above=ancestors(edges), edges=dict_of(edges))
    wanted = wanted_classes()
    names = []
    for claim in claims:
        sentence = claim["text"] or claim["text_generic"]
        for side in "so":
            name = claim[f"{side}_label"]
            start = sentence.find(name) if side == "s" else sentence.rfind(name)
            if start >= 0:
                (mention,) = kind_of(sentence, start, name)
                expected = wanted.get(claim["p"], {}).get(side == "s", frozenset())
                names.append((side, sentence, mention, claim[side], expected))
    print(f"{len(names)} names of {2 * len(claims)} stand in their sentences")
    seconds: Counter[str] = Counter()

    def asked(wanted_names: Iterable[str]) -> Mapping[str, tuple[Entity, ...] | Fault]:
        before = time.perf_counter()
        found = index.named(wanted_names)
        seconds["look-ups"] += time.perf_counter() - before
        return found

    for encoded in (False, True):
        for typed in (False, True):
            counts: dict[str, Counter[str]] = {"s": Counter(), "o": Counter()}
            began = time.perf_counter()
            seconds.clear()
            for side, sentence, mention, gold, expected in names:
                for there, named in ((True, asked), (False, without(gold, asked))):
                    (found,) = link(
                        [mention],
                        [sentence],
                        named,
                        encode=encode if encoded else None,
                        expected={mention.node: expected} if typed else None,
                        types=types,
                    )
                    count(counts[side], found, gold, there, encoded)
            took = time.perf_counter() - began
            weights = ("encoder" if encoded else "plain") + (", classes given" if typed else "")
            for side, sums in counts.items():
                print(f"{weights}: {'subjects' if side == 's' else 'objects'}: {shown(sums)}")
            rate, share = 2 * len(names) / took, seconds["look-ups"] / took
            print(
                f"{weights}: {rate:.0f} links/s one by one, {share:.0%} of it look-ups", flush=True
            )


def count(sums: Counter[str], found: Link, gold: str, there: bool, encoded: bool) -> None:
    """Add what came of one name."""
    model = load_model(encoded=encoded)
    right = there and any(id_of(c.entity) == gold for c in found.candidates)
    where = "there" if there else "lacking"
    sums[where] += 1
    sums[f"{where} {found.status.value}"] += 1
    sums[f"{where} {found.status.value} right"] += right
    for mark, t in (("support", model.t_support), ("refute", model.t_refute)):
        if found.candidates and found.probability >= t:
            sums[f"{where} {mark}"] += 1
            sums[f"{where} {mark} right"] += right
    if there and found.status in (LinkStatus.LINKED, LinkStatus.AMBIGUOUS):
        sums["best right"] += id_of(found.candidates[0].entity) == gold


def shown(sums: Counter[str]) -> str:
    """Return the figures as a line."""
    there, lacking = sums["there"], sums["lacking"]
    parts = []
    for status in ("linked", "ambiguous"):
        n = sums[f"there {status}"]
        parts.append(f"{status} {n / there:.3f} (right {_ratio(sums[f'there {status} right'], n)})")
    nil = sums["there nil_low_score"] + sums["there nil_no_candidate"]
    parts.append(f"NIL {nil / there:.3f}")
    parts.append(f"best is right {sums['best right'] / there:.3f} of all")
    for mark in ("support", "refute"):
        n = sums[f"there {mark}"]
        parts.append(f"t_{mark} {n / there:.3f} (right {_ratio(sums[f'there {mark} right'], n)})")
    named = lacking - sums["lacking nil_no_candidate"]
    parts.append(
        f"right one taken out: {sums['lacking nil_no_candidate']} of {lacking} have no candidate; "
        f"of {named} with one, NIL {_ratio(sums['lacking nil_low_score'], named)}, wrongly at "
        f"t_support {_ratio(sums['lacking support'], named)}, "
        f"at t_refute {_ratio(sums['lacking refute'], named)}"
    )
    said = nil + sums["lacking nil_no_candidate"] + sums["lacking nil_low_score"]
    parts.append(f"NIL precision over both {_ratio(said - nil, said)}")
    return "; ".join(parts)


def _ratio(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "-"


if __name__ == "__main__":
    main()
