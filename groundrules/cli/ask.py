"""`groundrules ask`: what records answer to a question, with citations."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from groundrules.cli.options import Parser, add_format, output_format
from groundrules.cli.settings import add_llm, add_settings, print_usage, settings
from groundrules.cli.terminal import write
from groundrules.errors import ConfigError

if TYPE_CHECKING:
    from groundrules.checks.answers import Ground, Response


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "ask",
        "Answer a question from records, with citations. Without a language model the records "
        "answer themselves. What a model answers is checked, a sentence at a time, against the "
        "records it cites, and what they do not support is left out. Exit code 1: the records do "
        "not hold the answer, or a sentence was left out.",
        (
            "groundrules ask 'What are some claims made in US Patent App. No. 14897520?' "
            "--kb records/",
            "groundrules ask 'When did the Clean Water Act come into force?' --kb records/",
            "groundrules ask 'Who invented US 9,800,001?' --kb records/ "
            "--llm http://127.0.0.1:8000/v1",
        ),
    )
    add = result.add_argument
    add("question", metavar="QUESTION", help="a question in words")
    add(
        "--kb", metavar="STORE", help="a store whose texts are indexed (kb build, kb index --texts)"
    )
    add_llm(result)
    add("--answers", metavar="FILE", help="recorded answers, asked in place of the model")
    add_settings(result)
    add_format(result, "text", "json")
    return result


def run(args: argparse.Namespace) -> int:
    """Run the command; return 1 if there is no answer or a sentence was left out."""
    from groundrules import api
    from groundrules.checks.answers import encode
    from groundrules.llm.client import Client, connect

    form = output_format(args)
    if not args.question.strip():
        raise ConfigError("the question is empty")
    args.kb = None if args.kb is None else [args.kb]
    config = settings(args)
    client = Client(config.llm, answers=Path(args.answers)) if args.answers else None
    client = client or connect(config.llm)
    try:
        response = api.ask(args.question, config=config, client=client)
    finally:  # what was asked has cost, whatever came of it
        print_usage(client)
    write(encode(response) if form == "json" else render(response), None)
    return response.exit_code


def render(response: Response) -> str:
    """Return an answer as text: its sentences, what was left out and why, and what it cites."""
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
    # records and models may say anything, to a terminal too
    shown = "".join(c if c.isprintable() or c == "\n" else " " for c in "\n".join(lines))
    return f"{shown}\n"


def _cited(numbers: tuple[int, ...]) -> str:
    return "".join(f"[{number}]" for number in numbers)


def _places(ground: Ground) -> str:
    if not ground.places:
        return str(ground.thing)
    return "; ".join(
        f"{place.file}: record {place.number}, sha256 {place.digest[:12]}"
        for place in ground.places
    )
