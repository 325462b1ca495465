"""Labels of one meaning in near statements, merged into one thing or relation."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence

from rdflib.term import Node, URIRef

from groundrules import domain
from groundrules.align.graphs.cluster import normal_form, unify
from groundrules.align.graphs.select import NAMED, is_passive
from groundrules.claims.english.identity import TELLING_APART
from groundrules.config import Config
from groundrules.terms import Claim, Triple

_APART = re.compile(rf"(?i)\b(?:{TELLING_APART})\b")


def merged_labels(
    claims: Sequence[Claim],
    candidates: Mapping[URIRef, Sequence[Claim]],
    labels: Mapping[Node, str],
    kinds: Mapping[Node, str],
    config: Config,
) -> dict[Node, Node]:
    """Map nodes and relations of near statements to the first of their cluster of labels."""
    out: dict[Node, Node] = {}
    statements = list(claims)
    seen = set()
    for found in candidates.values():
        for reference in found:
            if reference.id not in seen:
                seen.add(reference.id)
                statements.append(reference)
    # names were resolved already: a noun phrase that contains a name is not the name
    things = dict.fromkeys(
        node
        for s in statements
        for node in (s.triple.subject, s.triple.object)
        if isinstance(node, URIRef) and kinds.get(node) not in NAMED
    )
    relations = dict.fromkeys(s.triple.predicate for s in statements)
    # "pay" and "be paid to" are alike and relate two things the other way about
    own = {node for claim in claims for node in (claim.triple.subject, claim.triple.object)}
    passive = [node for node in relations if is_passive(labels.get(node, ""))]
    active = [node for node in relations if not is_passive(labels.get(node, ""))]
    # a lease is near to a tenant and is none
    roles = {node for node in things if normal_form(labels.get(node, "")) in domain.words().roles}
    held = [node for node in things if node in roles]
    others = [node for node in things if node not in roles]
    # who is awarded a medal has one awarded to him
    to = [node for node in passive if labels.get(node, "").endswith(" to")]
    passive = [node for node in passive if node not in to]
    rooms: tuple[Sequence[Node], ...] = (others, held, active, passive, to)
    nodes = [node for room in rooms for node in room]
    clusters = unify(  # all at once: labels of one length are vectors of one run
        [labels.get(node, str(node)) for node in nodes],
        [kinds.get(node, "NOUN") for node in (*others, *held)]
        + ["RELATION"] * (len(active) + len(passive) + len(to)),
        [number for number, room in enumerate(rooms) for _ in room],
        threshold=config.align.threshold,
        clustering=config.align.clustering,
        model=config.encoder,
    )
    first: dict[tuple[int, str], Node] = {}
    several = _told_apart(nodes[: len(things)], clusters[: len(things)], labels, own)
    for node, number in zip(nodes, clusters, strict=True):
        which = _which(labels.get(node, "")) if number in several else ""
        out[node] = first.setdefault((number, which), node)
    return out


def _told_apart(
    nodes: Sequence[Node], clusters: Sequence[int], labels: Mapping[Node, str], own: set[Node]
) -> set[int]:
    """Return the clusters in which the text tells one thing from another: "the previous lease"."""
    found: dict[int, set[str]] = {}
    for node, number in zip(nodes, clusters, strict=True):
        if node in own:
            found.setdefault(number, set()).add(_which(labels.get(node, "")))
    return {number for number, which in found.items() if len(which) > 1}


def _which(label: str) -> str:
    """Return the word by which a label tells its thing from others of the kind, or nothing."""
    found = _APART.search(label)
    return found[0].casefold() if found else ""


def as_merged(claim: Claim, merged: Mapping[Node, Node]) -> Claim:
    """Return a claim of the things and the relation that its own were merged into."""
    s, p, o = claim.triple.subject, claim.triple.predicate, claim.triple.object
    triple = Triple(merged.get(s, s), merged.get(p, p), merged.get(o, o))
    return claim if triple == claim.triple else dataclasses.replace(claim, triple=triple)
