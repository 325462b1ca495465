"""`groundrules kb near`: what the texts of a store say about a question."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from groundrules.cli.kb import stores
from groundrules.cli.options import Parser, add_format, output_format, positive
from groundrules.cli.settings import add_settings
from groundrules.cli.terminal import table, write_as
from groundrules.errors import ConfigError

if TYPE_CHECKING:
    from groundrules.kb.search.neighbourhood import Neighbourhood
    from groundrules.kb.search.retrieval import Hit


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "kb near",
        "Find what a store says about a question: by number, by words and by meaning.",
        (
            "groundrules kb near 'a rotor blade that heats itself' --kb records/",
            "groundrules kb near 'claims of US Patent App. No. 14/897,520' --kb records/ --hops 1",
        ),
    )
    add = result.add_argument
    add("question", metavar="QUESTION", help="a question, a sentence or a number")
    add("--kb", dest="source", metavar="STORE",
        help="a store whose texts are indexed (kb index --texts)")  # fmt: skip
    add("--most", type=positive, default=10, metavar="N", help="how many things (default 10)")
    add("--hops", type=int, choices=range(4), default=0, metavar="N",
        help="also what is stated around them, so many hops far (0 to 3, default 0)")  # fmt: skip
    add("--budget", dest="most_tokens", type=positive, default=2000, metavar="TOKENS",
        help="how long that may be (default 2000)")  # fmt: skip
    add_settings(result)
    add_format(result, "text", "json")
    result.set_defaults(action="near", offline=None)
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command; return 1 if nothing is found."""
    from groundrules.kb.search.neighbourhood import check_answered, neighbourhood
    from groundrules.kb.search.retrieval import open_texts

    form = output_format(args)
    connection, name = stores.connect_first(args)
    index = open_texts(connection.graph)
    if index is None:
        raise ConfigError("expected a store that kb build made", path=name)
    vector = index.encode(args.question)
    hits = index.search(args.question, args.most, vector=vector)
    around = None
    if args.hops and hits:
        # whoever gives a number asks about what bears it
        named = [hit.node for hit in hits if hit.how == "identifier"]
        around = neighbourhood(
            connection.source,
            connection.graph,
            named or [hit.node for hit in hits],
            hops=args.hops,
            budget=args.most_tokens,
            index=index,
            vector=vector,
        )
        check_answered(around, name)
    index.close()
    write_as(form, lambda: _data(hits, around), lambda: _text(hits, around))
    return 0 if hits else 1


def _data(hits: Sequence[Hit], around: Neighbourhood | None) -> dict[str, Any]:
    found: dict[str, Any] = {"schema": 1, "hits": [_encode(hit) for hit in hits]}
    return found if around is None else {**found, "neighbourhood": encode_neighbourhood(around)}


def _text(hits: Sequence[Hit], around: Neighbourhood | None) -> str:
    if around is not None:
        return around.text()
    if not hits:
        return "nothing found\n"
    from groundrules.kb.search.neighbourhood import called

    rows = [(hit.how, hit.title or called(hit.node), hit.node, hit.text) for hit in hits]
    return table(("by", "thing", "id", "text"), rows)


def _encode(hit: Hit) -> dict[str, Any]:
    return {
        "iri": hit.node,
        "by": hit.how,
        "score": round(hit.score, 6),
        "similarity": None if hit.similarity is None else round(hit.similarity, 4),
        "title": hit.title,
        "text": hit.text,
        "property": hit.predicate or None,
        "start": hit.start,
    }


def encode_neighbourhood(found: Neighbourhood) -> dict[str, Any]:
    """Return a neighbourhood as JSON: its statements as triples with where they come from."""
    from rdflib.term import URIRef

    def value(one: object) -> dict[str, Any]:
        return {
            "value": str(one),
            "iri": isinstance(one, URIRef),
            "datatype": getattr(one, "datatype", None),
            "language": getattr(one, "language", None),
        }

    return {
        "seeds": list(found.seeds),
        "source": found.source,
        "tokens": found.tokens,
        "dropped": found.dropped,
        "statements": [
            {
                "subject": one.subject,
                "property": one.predicate,
                "object": value(one.object),
                "hop": one.hop,
                "similarity": round(one.similarity, 4),
                "text": one.text,
                "pin": evidence.pin,
            }
            for one, evidence in zip(found.statements, found.evidence(), strict=True)
        ],
        "not_read": [
            {"thing": one.thing, "property": one.predicate, "back": one.back, "count": one.count}
            for one in found.many
        ],
        "labels": {iri: found.labels[iri] for iri in sorted(found.labels)},
    }
