"""What follows from what was read in these terms, with what we know of courts and of lists.

Who reads "the attachments are three schedules" copies the words; which sheets a paper so has, and
at which level a court stands, is ours to say.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rdflib.namespace import XSD
from rdflib.term import Literal, Node, URIRef

from groundrules.legal.lawphrases import phrases, rows
from groundrules.legal.listings import list_told_parts
from groundrules.legal.namespace import LX
from groundrules.legal.reporters import (
    Citation,
    Court,
    find_court,
    find_reporter,
    know_court,
    know_volume,
)
from groundrules.ontology.read.assertions import Assertions
from groundrules.terms import Claim, Modality

__all__ = ["level_of", "read_heard"]

_RE = phrases("courts")
_LEVELS = rows("courts", "levels")
_SAT = rows("courts", "sat")


def read_heard(assertions: Assertions) -> None:
    """Note what is known of the courts that were read, and state what follows from others' words.

    Levels are told by names that mean one instance in one hierarchy. "Supreme Court" alone does
    not: in New York it is a court of first instance.
    """
    claims = assertions.claims()
    _know_levels(assertions, claims)
    for claim in claims:
        if claim.triple.predicate in {LX.heardBy, LX.citedCourt}:
            court = known_court(_label(assertions, claim.triple.object))
            if court is not None:
                know_court(assertions, claim.triple.object, court)
    told = [claim for claim in claims if claim.read_by]
    _date_decisions(assertions, told)
    _know_volumes(assertions, told)
    _keep_in_force(assertions, told)
    list_told_parts(assertions, told)


def _keep_in_force(assertions: Assertions, told: list[Claim]) -> None:
    """State that what has a part in force is so itself."""
    whole = {c.triple.subject: c.triple.object for c in told if c.triple.predicate == LX.partOf}
    for claim in told:
        part, value = claim.triple.subject, claim.triple.object
        if claim.triple.predicate == LX.standing and str(value) == "in force" and part in whole:
            assertions.state(
                whole[part], LX.standing, value, claim.span, polarity=claim.polarity,
                modality=claim.modality, attribution=claim.attribution,
            )  # fmt: skip


def _know_volumes(assertions: Assertions, told: list[Claim]) -> None:
    """Note what is known of the reporters and volumes that are cited."""
    plain = [claim for claim in told if _is_plain(claim)]
    volumes = {
        c.triple.subject: str(c.triple.object) for c in plain if c.triple.predicate == LX.volume
    }
    for claim in plain:
        citation, reporter = claim.triple.subject, claim.triple.object
        volume = volumes.get(citation, "")
        if claim.triple.predicate != LX.inReporter or not re.fullmatch(r"\d{1,4}", volume):
            continue
        book = find_reporter(_label(assertions, reporter))
        if book is not None and isinstance(reporter, URIRef):
            place = Citation(0, 0, int(volume), book, "", None, None, (0, 0))
            know_volume(assertions, citation, reporter, place)


def _date_decisions(assertions: Assertions, told: list[Claim]) -> None:
    """State the years of decisions that are cited by them."""
    plain = [claim for claim in told if _is_plain(claim)]
    years = {c.triple.subject: c for c in plain if c.triple.predicate == LX.citedYear}
    dated = {c.triple.subject for c in told if c.triple.predicate == LX.decisionDate}
    for claim in plain:
        year = years.get(claim.triple.object)
        if claim.triple.predicate == LX.hasCitation and year and claim.triple.subject not in dated:
            assertions.state(claim.triple.subject, LX.decisionDate, year.triple.object, year.span)


def _is_plain(claim: Claim) -> bool:
    """Return whether a claim is affirmed as a fact, by the text itself."""
    asserted = claim.polarity == "positive" and claim.modality is Modality.ASSERTED
    return asserted and not claim.attribution


def _label(assertions: Assertions, node: Node) -> str:
    labels = {**assertions.extraction.labels, **assertions.labels}
    return re.sub(r"^(?:[Tt]he|[Tt]hat|[Tt]his)\s", "", labels.get(node, ""))


def _know_levels(assertions: Assertions, claims: Sequence[Claim]) -> None:
    """Note at which levels courts stand of which one reviews the other, in one hierarchy."""
    for claim in claims:
        if claim.triple.predicate != LX.reviews:
            continue
        ends = claim.triple.subject, claim.triple.object
        levels = [level_of(_label(assertions, node)) for node in ends]
        systems = {system for system, level in levels if system}
        if not all(level for _, level in levels) or len(systems) > 1:
            continue
        for node, (_, level) in zip(ends, levels, strict=True):
            value = Literal(str(level), datatype=XSD.integer)
            assertions.know("levels of courts", node, LX.courtLevel, value)


def level_of(name: str) -> tuple[str, int]:
    """Return the hierarchy and the level of a court by its name, 0 where that tells none."""
    for pattern, (system, level) in _LEVELS:
        if pattern.search(name):
            return system, int(level)
    return "", 0


def known_court(name: str) -> Court | None:
    """Return a court that courts-db has by the name, or by that of its circuit."""
    for pattern, (first, last) in _SAT:
        if pattern.search(name):
            return Court(name, first, last)
    bare = _RE["federal"].sub("", name)
    circuit = _RE["circuit"].search(bare)
    tries = [name, bare, *([f"Court of Appeals for the {circuit[0]}"] if circuit else [])]
    return next((court for one in tries if (court := find_court(one))), None)
