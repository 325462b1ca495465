"""`groundrules serve`: checks over HTTP, and a page to try them."""

from __future__ import annotations

import argparse
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import get_args

from groundrules import domain
from groundrules.checks.inputs import contexts_of
from groundrules.cli.options import Parser, amount, positive
from groundrules.cli.settings import (
    CACHE,
    add_jobs,
    add_judging,
    add_llm,
    add_readers,
    add_settings,
    here,
    settings,
)
from groundrules.errors import ConfigError
from groundrules.llm.endpoint import read_endpoint, secret_for
from groundrules.service.startup import ProxyOnFail, Settings

_MIB = 2**20


def parser() -> Parser:
    """Return the parser of the command."""
    result = Parser(
        "serve",
        "Check texts over HTTP, with a page at /. Only this machine may ask, unless --host and "
        "--keys say otherwise. Nothing that is sent is kept on the disk or written to the log.",
        (
            "groundrules serve",
            "groundrules serve --kb facts=facts.ttl --kb wikidata --port 9000",
            "groundrules serve --upstream http://127.0.0.1:8000/v1 --context handbook.pdf",
            "groundrules serve --host 0.0.0.0 --keys keys.txt --workers 4",
        ),
    )
    add = result.add_argument
    add("--host", default="127.0.0.1", metavar="ADDRESS",
        help="the address to listen on (default 127.0.0.1: this machine alone)")  # fmt: skip
    add("--port", type=positive, default=8765, metavar="N", help="the port (default 8765)")
    add("--ontology", action="append", default=[], metavar="[NAME=]FILE",
        help="an ontology that clients may name besides those of domains; may be given several "
             "times")  # fmt: skip
    add("--schema", action="append", default=[], metavar="[NAME=]FILE",
        help="a JSON Schema that /extract may use; may be given several times")  # fmt: skip
    add("--records", metavar="STORE", help="a store of records that /ask asks")
    add("--upstream", metavar="URL[#MODEL]",
        help="an OpenAI-compatible endpoint whose answers are checked on their way, at "
             "/v1/chat/completions; its key is in $GROUNDRULES_LLM_KEY")  # fmt: skip
    add("--context", action="append", default=[], metavar="FILE|DIR",
        help="what the answers of --upstream are checked against where a request names nothing; "
             "may be given several times")  # fmt: skip
    add("--on-fail", choices=get_args(ProxyOnFail),
        help="what is done with an answer of --upstream that does not pass, whatever a request "
             "says (default: a request may say, else it is only reported)")  # fmt: skip
    add_serving(result, "request", 30.0)
    add_jobs(result)
    add_judging(result)
    add("--model", metavar="NAME", help="another spaCy pipeline, such as en_core_web_lg")
    add("--workers", type=positive, metavar="N",
        help="how many processes check (default: as many as there are cores)")  # fmt: skip
    add("--queue", type=positive, default=32, metavar="N",
        help="how many requests may wait (default 32); a further one gets 429")  # fmt: skip
    add("--max-body", type=positive, default=16, metavar="MIB",
        help="the largest body of a request (default 16)")  # fmt: skip
    add("--max-index", type=positive, default=64, metavar="MIB",
        help="how much text of contexts is kept in memory (default 64)")  # fmt: skip
    add("--keep", action="store_true",
        help="let the caches on this disk keep texts, as they do for `groundrules check`"
        )  # fmt: skip
    return result


def add_serving(parser: argparse.ArgumentParser, each: str, seconds: float) -> None:
    """Add the options of what answers clients: what they may name, and what each may take."""
    add = parser.add_argument
    add("--keys", metavar="FILE",
        help="over HTTP, the keys of clients, one a line; those of $GROUNDRULES_API_KEYS besides"
        )  # fmt: skip
    add("--kb", action="append", default=[], metavar="[NAME=]KB",
        help="a knowledge base that clients may name: wikidata, the URL of a SPARQL endpoint, an "
             "RDF file, a folder or a store; may be given several times")  # fmt: skip
    add_settings(parser)
    add_llm(parser, each=each if each == "request" else "")
    add_readers(parser, each=each)
    add("--seconds", type=amount, default=seconds, metavar="S",
        help=f"what one {each} may take (default {seconds:g}); a language model is heard for as "
             "long as the rules leave time")  # fmt: skip
    add("--memory", type=positive, default=2048, metavar="MIB",
        help=f"what one {each} may take of memory (default 2048)")  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Run the command until it is told to end."""
    try:
        from groundrules.service.access import LOOPBACK, read_keys
        from groundrules.service.server import serve
    except ImportError as error:
        raise ConfigError(
            f"serve needs {error.name}; run: pip install 'groundrules[serve]'"
        ) from None
    bases, ontologies = named(args.kb), named(args.ontology)
    schemas = {name: Path(spec) for name, spec in named(args.schema).items()}
    for path in schemas.values():
        if not path.is_file():
            raise ConfigError("no such file; expected a JSON Schema", path=str(path))
    upstream, model = read_endpoint(args.upstream) if args.upstream else ("", "")
    if args.context and not upstream:
        raise ConfigError("--context is for the answers of an endpoint; expected --upstream URL")
    args.kb, args.ontology = None, None
    if not args.keep:
        os.environ[CACHE] = "off"
    config = settings(args)
    bases = {name: here("kb", spec, config) for name, spec in bases.items()}
    ontologies = {name: here("ontology", spec, config) for name, spec in ontologies.items()}
    bases |= {short(spec): found for spec, found in zip(config.kb, config.bases, strict=True)}
    keys = read_keys(args.keys)
    serve(
        Settings(
            config=replace(
                config,
                kb=(),
                ontology="",
                inline_suppressions=False,
                origins={**config.origins, "kb": "--kb"},  # asked for at the start, or refused
            ),
            bases=bases,
            ontologies={name: name for name in domain.names()} | ontologies,
            schemas=schemas,
            records=args.records or "",
            upstream=upstream,
            upstream_model=model,
            upstream_key=secret_for(upstream) if upstream else "",
            context=tuple(contexts_of([Path(name) for name in args.context])),
            on_fail=args.on_fail,
            keys=keys,
            hosts=() if keys else LOOPBACK,
            **({"workers": args.workers} if args.workers else {}),
            queue=args.queue,
            seconds=args.seconds,
            memory=args.memory * _MIB,
            body=args.max_body * _MIB,
            index=args.max_index * _MIB,
            keep=args.keep,
        ),
        args.host,
        args.port,
    )
    return 0


def named(specs: list[str]) -> dict[str, str]:
    """Return what options name, by the names that clients use: `NAME=SPEC`, else its last part."""
    found: dict[str, str] = {}
    for one in specs:
        name, mark, spec = one.partition("=")
        if not mark or "/" in name or "\\" in name or ":" in name:
            name, spec = short(one), one
        if not name or not spec or name in found:
            raise ConfigError(f"{one!r} has no name of its own; expected NAME={spec or one}")
        found[name] = spec
    return found


def short(spec: str) -> str:
    """Return how clients call what has no name of its own: its last part, without endings."""
    return re.split(r"[.?#]", spec.rstrip("/").rpartition("/")[2])[0]
