"""`groundrules ask`: what records answer to a question, with citations."""

from __future__ import annotations

import argparse
import textwrap
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from groundrules.cli.options import Parser, add_format, output_format
from groundrules.cli.settings import add_llm, add_settings, print_usage, settings
from groundrules.cli.terminal import write
from groundrules.errors import ConfigError

if TYPE_CHECKING:
    from groundrules.checks.answers import Ground, Response

#: Columns of the comparison, and characters of a record that is cited.
_WIDTH, _SHOWN = 88, 160


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "ask",
        "Answer a question from records, with citations. Without a language model the records "
        "answer themselves; what a model answers is checked against the records it was given, and "
        "a sentence that they refute or do not carry is left out. Exit code 1: the records do not "
        "hold the answer, or a sentence was left out.",
        (
            "groundrules ask 'What are some claims made in US Patent App. No. 14897520?' "
            "--kb records/",
            "groundrules ask 'When did the Clean Water Act come into force?' --kb records/",
            "groundrules ask 'Who invented US 9,800,001?' --kb records/ "
            "--llm http://127.0.0.1:8000/v1",
            "groundrules ask 'Who invented US 9,800,001?' --kb records/ --llm "
            "http://127.0.0.1:8000/v1 --compare gpt-4o",
        ),
    )
    add = result.add_argument
    add("question", metavar="QUESTION", help="a question in words")
    add(
        "--kb", metavar="STORE", help="a store whose texts are indexed (kb build, kb index --texts)"
    )
    add("--ontology", metavar="NAME|FILE",
        help="the ontology that an answer must obey (default: that of the domain "
             "whose terms the store uses)")  # fmt: skip
    add_llm(result)
    add("--answers", metavar="FILE", help="recorded answers, asked in place of the model")
    add("--compare", nargs="?", const="", metavar="URL|MODEL",
        help="beside it the answer of the bare model, and of another, without records")  # fmt: skip
    add_settings(result)
    add_format(result, "text", "json")
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command; return 1 if there is no answer or a sentence was left out."""
    from groundrules import api
    from groundrules.checks.answerjson import encode
    from groundrules.llm.client import Client, connect

    form = output_format(args)
    if not args.question.strip():
        raise ConfigError("the question is empty")
    args.kb = None if args.kb is None else [args.kb]
    config = settings(args)
    client = Client(config.llm, answers=Path(args.answers)) if args.answers else None
    client = client or connect(config.llm)
    rivals = []
    if args.compare is not None:
        if client is None:
            raise ConfigError("--compare needs a language model; expected --llm URL_OR_MODEL")
        rivals.append(client)
        if args.compare:
            rivals.append(Client(replace(config.llm, model=args.compare, origin="")))
    try:
        response = api.ask(args.question, config=config, client=client, rivals=rivals)
    finally:  # what was asked has cost, whatever came of it
        for asked in dict.fromkeys([client, *rivals]):
            print_usage(asked)
    write(encode(response) if form == "json" else render(response), None)
    return response.exit_code


def render(response: Response) -> str:
    """Return an answer as text: its sentences, what was left out and why, and what it cites."""
    lines = _compared(response) if response.rivals else _answer(response)
    # records and models may say anything, to a terminal too
    return "".join(f"{_printable(line)}\n" for line in lines)


def _printable(line: str) -> str:
    return "".join(c if c.isprintable() or c == "\n" else " " for c in line)


def _answer(response: Response) -> list[str]:
    lines = []
    if response.refusal:
        lines.append(f"No answer: {response.refusal}.")
    lines += [f"{said.text} {_cited(said.cites)}".rstrip() for said in response.kept]
    left = [one for one in response.sentences if one not in response.kept]
    if left:
        lines += ["", "left out:"]
        lines += [f"  {one.text}\n    {one.outcome.value}: {one.reason}" for one in left]
    cited = {number for said in response.kept for number in said.cites}
    grounds = [one for one in response.grounds if one.number in cited]
    if grounds:
        lines += ["", "records:"]
        lines += [f"  [{one.number}] {one.label} ({_places(one)})" for one in grounds]
    return lines


def _cited(numbers: tuple[int, ...]) -> str:
    return "".join(f"[{number}]" for number in numbers)


def _places(ground: Ground) -> str:
    if not ground.places:
        return str(ground.thing)
    return "; ".join(
        f"{place.file}: record {place.number}, sha256 {place.digest[:12]}"
        for place in ground.places
    )


def _compared(response: Response) -> list[str]:
    """Return the answers one after the other, each sentence with what the records say of it."""
    lines = []
    ways = [("grounded", response)]
    ways += [
        ("bare" if number == 0 else "another", rival)
        for number, rival in enumerate(response.rivals)
    ]
    for way, one in ways:
        carried = f"{len(one.kept)} of {len(one.sentences)} sentences carried by the records"
        lines.append(f"--- {way}: {one.by}: {carried}")
        if not one.sentences:
            lines.append(f"No answer: {one.refusal}.")
        for said in one.sentences:
            mark = {"supported": "+", "refuted": "x"}.get(said.outcome.value, "?")
            text = f"{said.text} {_cited(said.cites)}".rstrip()
            lines += textwrap.wrap(text, _WIDTH, initial_indent=f"{mark} ", subsequent_indent="  ")
            if said.reason:
                lines += textwrap.wrap(
                    said.reason, _WIDTH, initial_indent="    ", subsequent_indent="    "
                )
        lines.append("")
    return lines
