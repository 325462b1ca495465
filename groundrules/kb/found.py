"""What the columns of a graph answer to a look-up: by SPARQL that is shown, or why they do not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rdflib.namespace import RDF
from rdflib.term import Literal, Node, URIRef

from groundrules.kb.column_units import in_unit, unit_of
from groundrules.kb.columns import Columns
from groundrules.kb.lookups import Lookup
from groundrules.kb.pieces import Condition
from groundrules.kb.query import fill
from groundrules.kb.questions import Fact, UnansweredError, labels
from groundrules.kb.source import Graph, Item, KnowledgeSource, Query, Row
from groundrules.terms import Triple

#: How many rows of an answer are told.
MOST_TOLD = 50

# Only the fragments below and the numbers of variables make the text of a query; every term goes
# through a block (`kb.query`).
_THINGS = "VALUES ?row { $rows }"
_CLASS = "VALUES ?kind { $kind } ?row a ?kind ."
_DAY = "SUBSTR(STR(?v#), 1, 10)"
#: A day as far as it is known, beside a bound that may be less exact or more.
_DAYS = {
    "=": f"STRSTARTS({_DAY}, STR(?b#))",
    "<": f"{_DAY} < STR(?b#) && !STRSTARTS(STR(?b#), {_DAY})",
    ">": f"{_DAY} > STR(?b#) && !STRSTARTS({_DAY}, STR(?b#))",
    ">=": f"{_DAY} >= STR(?b#)",
    "<=": f"({_DAY} < STR(?b#) && !STRSTARTS(STR(?b#), {_DAY})) || STRSTARTS({_DAY}, STR(?b#))",
}
_LACKING = "FILTER NOT EXISTS { VALUES ?lacked { $lacked } ?row ?lacked ?any }"


@dataclass(frozen=True, slots=True)
class Found:
    """What columns answer: the values or the rows as they are called, "yes", "no" or a number.

    `said` is the answer in a line, `facts` the statements that it rests on, each a sentence;
    `queries` are what was asked, `note` what the answer does not count. Where `refusal` is not
    empty the records do not hold an answer.
    """

    values: tuple[str, ...] = ()
    said: str = ""
    facts: tuple[Fact, ...] = ()
    queries: tuple[str, ...] = ()
    note: str = ""
    refusal: str = ""


class _Asker:
    """A graph that is asked for one look-up; `queries` keeps what it was asked."""

    def __init__(self, graph: Graph, source: KnowledgeSource, columns: Columns) -> None:
        self.graph = graph
        self.source = source
        self.columns = columns
        self.queries: list[str] = []

    def rows(self, query: Query) -> list[Row]:
        self.queries.append(fill(query))
        answer = self.graph.select(query)
        for fault in answer.faults.values():
            raise UnansweredError(fault)
        return list(answer.rows)

    def called(self, nodes: Iterable[Node]) -> dict[Node, str]:
        """Return what things and values are called."""
        some = list(dict.fromkeys(nodes))
        told = labels(self.source, [one for one in some if isinstance(one, URIRef)])
        return {
            one: told[one] if isinstance(one, URIRef) else " ".join(str(one).split())
            for one in some
        }

    def kind(self, lookup: Lookup) -> str:
        """Return what the rows of a look-up are called."""
        return self.columns.labels.get(lookup.kind, "thing") if lookup.kind else "thing"


def look_up(lookup: Lookup, graph: Graph, source: KnowledgeSource, columns: Columns) -> Found:
    """Return what a graph answers to a look-up.

    Raises:
        UnansweredError: it could not be asked.
    """
    asker = _Asker(graph, source, columns)
    if lookup.wanted is not None:
        return _values(lookup, asker)
    if lookup.form == "whether":
        return _whether(lookup, asker)
    if lookup.form == "every":
        return _every(lookup, asker)
    return _rows(lookup, asker)


def compose(lookup: Lookup, *, lacking: Condition | None = None) -> Query:
    """Return the query of a look-up; with `lacking` that of the rows that have no such column."""
    blocks: dict[str, Sequence[Item]] = {}
    body = []
    if lookup.things:
        body.append(_THINGS)
        blocks["rows"] = [(one,) for one in lookup.things]
    if lookup.kind is not None:
        body.append(_CLASS)
        blocks["kind"] = [(lookup.kind,)]
    shown = ["?row"]
    for number, one in enumerate(lookup.conditions):
        if one is lacking:
            body.append(_LACKING)
            blocks["lacked"] = [(one.column.iri,)]
            continue
        body.append(_condition(number, one))
        blocks[f"p{number}"] = [(one.column.iri,)]
        blocks[f"b{number}"] = [(value,) for value in (one.value, *one.others)]
        shown += [f"?p{number}", f"?v{number}"]
    if lookup.extreme is not None:
        body.append("VALUES ?wanted { $wanted } ?row ?wanted ?value .")
        blocks["wanted"] = [(lookup.extreme.iri,)]
    elif lookup.wanted is not None:
        line = "?value ?wanted ?row ." if lookup.back else "?row ?wanted ?value ."
        body.append(f"VALUES ?wanted {{ $wanted }} {line}")
        blocks["wanted"] = [(lookup.wanted.iri,)]
    if "wanted" in blocks:
        shown.append("?value")
    order = ""
    if lookup.extreme is not None:
        order = " ORDER BY ?value" if lookup.least else " ORDER BY DESC(?value)"
    inner = "\n  ".join(body)
    return Query(f"SELECT DISTINCT {' '.join(shown)} WHERE {{\n  {inner}\n}}{order}", blocks)


def _condition(number: int, one: Condition) -> str:
    blocks = "VALUES ?p# { $p# } VALUES ?b# { $b# }"
    if one.denied:
        line = "VALUES ?p# { $p# } ?row ?p# ?v# ."
        return f"{line} FILTER NOT EXISTS {{ VALUES ?b# {{ $b# }} ?row ?p# ?b# }}".replace(
            "#", str(number)
        )
    if one.side == "is":
        line = "?v# ?p# ?row ." if one.back else "?row ?p# ?v# ."
        test = "FILTER(?v# = ?b#)"
    else:
        dated = isinstance(one.value, Literal) and one.value.datatype is None
        side = _DAYS[one.side] if dated else f"?v# {one.side} ?b#"
        line, test = "?row ?p# ?v# .", f"FILTER({side})"
    return f"{blocks} {line} {test}".replace("#", str(number))


# ---------------------------------------------------------------- answers


def _values(lookup: Lookup, asker: _Asker) -> Found:
    column = lookup.wanted
    assert column is not None  # that is what makes it one
    rows = asker.rows(compose(lookup))
    called = asker.called([*lookup.things, *(row["value"] for row in rows)])
    if not rows:
        thing = called[lookup.things[0]]
        how = "nothing that has {} as its “{}”" if lookup.back else "nothing of {} under “{}”"
        refusal = f"the records state {how.format(thing, column.label)}"
        return Found(queries=tuple(asker.queries), refusal=refusal)
    facts = []
    for row in sorted(rows, key=lambda row: called[row["value"]].casefold()):
        s, o = (row["value"], row["row"]) if lookup.back else (row["row"], row["value"])
        facts.append(_fact(s, column.iri, o, column.label, called))
    values = tuple(dict.fromkeys(called[row["value"]] for row in rows))
    if lookup.form == "count":
        values = (str(len(values)),)
        said = f"{values[0]}."
    elif lookup.unit:
        values = tuple(in_unit(one, unit_of(column.label), lookup.unit) for one in values)
        said = f"{', '.join(values)}."
    else:
        said = ""
    return Found(tuple(sorted(values)), said, tuple(facts), tuple(asker.queries))


def _fact(s: Node, p: URIRef, o: Node, label: str, called: dict[Node, str]) -> Fact:
    assert isinstance(s, URIRef)  # a literal has no column
    return Fact(s, Triple(s, p, o), f"{called[s]}: {label}: {called[o]}.")


def _rows(lookup: Lookup, asker: _Asker) -> Found:
    rows = asker.rows(compose(lookup))
    if lookup.extreme is not None and rows:
        best = str(rows[0]["value"])
        rows = [row for row in rows if str(row["value"]) == best]
    if lookup.extreme is not None and not rows:
        refusal = f"the records state nothing under “{lookup.extreme.label}” of what is asked for"
        return Found(queries=tuple(asker.queries), refusal=refusal)
    things = list(dict.fromkeys(row["row"] for row in rows))
    called = asker.called([*things, *(node for row in rows for node in row.values())])
    told = [row for row in rows if row["row"] in things[:MOST_TOLD]]
    facts = tuple(
        dict.fromkeys(fact for row in told for fact in _of_row(row, lookup, called, asker))
    )
    values = tuple(sorted((called[one] for one in things), key=str.casefold))
    kind = asker.kind(lookup)
    note = _uncounted(lookup, asker, kind)
    if lookup.form == "whether":
        return Found(("yes" if values else "no",), "Yes." if values else f"No: no {kind} of the "
                     "records is so.", facts, tuple(asker.queries), note)  # fmt: skip
    if lookup.form == "count":
        return Found((str(len(values)),), f"{len(values)}.", facts, tuple(asker.queries), note)
    said = "" if values else f"No {kind} of the records is so."
    if lookup.extreme is not None and len(values) > 1:
        said = f"{len(values)} are alike in “{lookup.extreme.label}”."
    if len(things) > MOST_TOLD:
        said = f"{len(things):,}, of which {MOST_TOLD} are told."
    return Found(values, said, facts, tuple(asker.queries), note)


def _of_row(row: Row, lookup: Lookup, called: dict[Node, str], asker: _Asker) -> Iterable[Fact]:
    """Yield what a row states of what was asked, that it is of its class where nothing was."""
    node = row["row"]
    for number, one in enumerate(lookup.conditions):
        value = row[f"v{number}"]
        s, o = (value, node) if one.back else (node, value)
        yield _fact(s, one.column.iri, o, one.column.label, called)
    if lookup.extreme is not None:
        yield _fact(node, lookup.extreme.iri, row["value"], lookup.extreme.label, called)
    elif not lookup.conditions and lookup.kind is not None and isinstance(node, URIRef):
        text = f"{called[node]}: {asker.kind(lookup)}."
        yield Fact(node, Triple(node, RDF.type, lookup.kind), text)


def _uncounted(lookup: Lookup, asker: _Asker, kind: str) -> str:
    """Say of how many rows a column is not stated by which they are chosen, empty for none."""
    notes = []
    for one in lookup.conditions:
        if one.side == "is" and not isinstance(one.value, Literal):
            continue
        missing = {row["row"] for row in asker.rows(compose(lookup, lacking=one))}
        if missing:
            notes.append(f"{len(missing)} ({kind}) with nothing under “{one.column.label}”")
    return "; ".join(notes)


def _whether(lookup: Lookup, asker: _Asker) -> Found:
    if not lookup.things:
        return _rows(lookup, asker)
    rows = asker.rows(compose(lookup))
    thing = lookup.things[0]
    if rows:
        called = asker.called([thing, *(node for row in rows for node in row.values())])
        facts = tuple(fact for row in rows for fact in _of_row(row, lookup, called, asker))
        return Found(("yes",), "Yes.", facts, tuple(asker.queries))
    if not lookup.conditions:
        refusal = f"the records do not say that {asker.called([thing])[thing]} is one"
        return Found(queries=tuple(asker.queries), refusal=refusal)
    facts_against: list[Fact] = []
    for one in lookup.conditions:
        asked = Lookup("values", lookup.things, wanted=one.column, back=one.back)
        stated = [row["value"] for row in asker.rows(compose(asked))]
        called = asker.called([thing, *stated])
        if not stated:
            refusal = f"the records state nothing of {called[thing]} under “{one.column.label}”"
            return Found(queries=tuple(asker.queries), refusal=refusal)
        if one.side != "is" and any(_is_vague(value, one) for value in stated):
            refusal = (
                f"what the records state of {called[thing]} under “{one.column.label}” is not "
                "exact enough"
            )
            return Found(queries=tuple(asker.queries), refusal=refusal)
        for value in stated:
            s, o = (value, thing) if one.back else (thing, value)
            facts_against.append(_fact(s, one.column.iri, o, one.column.label, called))
    return Found(("no",), "No.", tuple(facts_against), tuple(asker.queries))


def _every(lookup: Lookup, asker: _Asker) -> Found:
    """Say whether all rows of a class are so: one that has something else is against it."""
    (one,) = lookup.conditions
    kind = asker.kind(lookup)
    every = {row["row"] for row in asker.rows(compose(Lookup("rows", kind=lookup.kind)))}
    rows = asker.rows(compose(lookup))
    lacking = {row["row"] for row in asker.rows(compose(lookup, lacking=one))}
    against = sorted(every - lacking - {row["row"] for row in rows}, key=str)[:MOST_TOLD]
    things = tuple(thing for thing in against if isinstance(thing, URIRef))
    if things and not one.back:
        asked = Lookup("values", things, wanted=one.column)
        stated = asker.rows(compose(asked))
        called = asker.called([*things, *(row["value"] for row in stated)])
        if one.side != "is" and any(_is_vague(row["value"], one) for row in stated):
            refusal = f"what the records state under “{one.column.label}” is not exact enough"
            return Found(queries=tuple(asker.queries), refusal=refusal)
        facts = tuple(
            _fact(row["row"], one.column.iri, row["value"], one.column.label, called)
            for row in stated
        )
        return Found(("no",), "No.", facts, tuple(asker.queries))
    if lacking or against or not every:
        called = asker.called([*sorted(lacking, key=str)[:MOST_TOLD], *against])
        some = ", ".join(called[node] for node in called) or f"any {kind}"
        refusal = f"the records state nothing of {some} under “{one.column.label}”"
        return Found(queries=tuple(asker.queries), refusal=refusal)
    called = asker.called([node for row in rows for node in row.values()])
    facts = tuple(
        dict.fromkeys(fact for row in rows for fact in _of_row(row, lookup, called, asker))
    )
    return Found(("yes",), "Yes.", facts, tuple(asker.queries))


def _is_vague(value: Node, one: Condition) -> bool:
    """Return whether a day is stated as a year or a month that the day asked of lies in."""
    stated, bound = str(value)[:10], str(one.value)
    return one.column.kind == "time" and bound.startswith(stated) and bound != stated
