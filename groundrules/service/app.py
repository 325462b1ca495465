"""The application: what is asked over HTTP, and how it is answered."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from fastapi import FastAPI, Header, Query, Request
from fastapi import Path as InPath
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from pydantic import ValidationError
from starlette.exceptions import HTTPException

from groundrules import __version__
from groundrules.claims.document import Document
from groundrules.errors import did_you_mean
from groundrules.explain import formats
from groundrules.explain.formats import html
from groundrules.explain.rulejson import encode as rule_as_json
from groundrules.guardrail import Policy
from groundrules.rules.packs import built_in, load_packs
from groundrules.rules.rule import Rule
from groundrules.service import events, telemetry
from groundrules.service.bodies import (
    AskBody,
    CheckBody,
    ExtractBody,
    IndexBody,
    Ruling,
    Source,
    fault,
    given,
)
from groundrules.service.contexts import Contexts, digest
from groundrules.service.counters import MEDIA, Counters
from groundrules.service.gate import Gate
from groundrules.service.jobs import (
    Ask,
    Check,
    Extract,
    Given,
    Index,
    Prefix,
    Read,
    Reading,
    Shown,
    Worker,
)
from groundrules.service.pool import Pool, PooledWorker
from groundrules.service.proxy import Proxy
from groundrules.service.refusals import RefusedError
from groundrules.service.startup import ProxyOnFail, Settings

log = logging.getLogger("groundrules.service")

_PAGE = Path(__file__).parent / "page"
#: The look of the HTML report, which the page shares.
_STYLE = Path(html.__file__).with_name("page.css")
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}
#: The media type and the end of the name of each form of a report; of another: a plain text.
_FORMS = {
    "json": ("application/json", "json"),
    "jsonl": ("application/x-ndjson", "jsonl"),
    "html": ("text/html; charset=utf-8", "html"),
    "pdf": ("application/pdf", "pdf"),
    "markdown": ("text/markdown; charset=utf-8", "md"),
    "sarif": ("application/sarif+json", "sarif"),
    "junit": ("application/xml", "xml"),
    "gitlab": ("application/json", "json"),
    "shacl": ("text/turtle; charset=utf-8", "ttl"),
    "turtle": ("text/turtle; charset=utf-8", "ttl"),
    "trig": ("application/trig; charset=utf-8", "trig"),
    "jsonld": ("application/ld+json", "jsonld"),
}
_PLAIN = ("text/plain; charset=utf-8", "txt")
_LINES = "application/x-ndjson"
#: The most lines of a batch.
_MOST_LINES = 10_000


class Service:
    """What the routes share: the settings, the workers, the index and the rules."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.spans = telemetry.start()
        self.pool = Pool(
            partial(Worker, settings), settings.workers, settings.queue, settings.seconds
        )
        self.contexts = Contexts(settings.index)
        self.counters = Counters(self.pool, self.contexts)
        config = settings.config
        packs = load_packs(tuple(dict.fromkeys((*config.packs, *built_in()))), config.base)
        self.rules: Mapping[str, Rule] = {
            rule.id: rule for rule in sorted((r for p in packs for r in p.rules), key=_id)
        }

    # --- what a body asks for -----------------------------------------------------------------

    def check_of(self, body: CheckBody, form: str = "json") -> tuple[Check, str]:
        """Return what a body asks for, and the id of the contexts that it names.

        RefusedError where it names what the service does not have.
        """
        sent = given(body.sources)
        known, context = self.known(body.sources, sent)
        for name in body.kb:
            _allowed(name, self.settings.bases, "knowledge base")
        if body.ontology:
            _allowed(body.ontology, self.settings.ontologies, "ontology")
        policy = self.policy(body.policy, body.policy.on_fail) if body.policy else None
        if policy and form != "json":
            raise RefusedError(400, "a policy is answered in json alone")
        text = body.document.given if body.document else Given("text", text=body.text)
        check = Check(
            text,
            sent,
            known,
            body.question,
            tuple(body.kb),
            body.ontology or "",
            tuple(self._prefixes(body.select)),
            tuple(self._prefixes(body.ignore)),
            policy,
            form,
        )
        return check, context

    def policy(self, given: Ruling, on_fail: ProxyOnFail) -> Policy:
        """Return the policy that a body gives; RefusedError where it names no rule."""
        return Policy(
            refuted=given.refuted,
            doubted=given.doubted,
            unsupported=given.unsupported,
            unread=given.unread,
            fidelity=given.fidelity,
            block=tuple(self._prefixes(given.block)),
            warn=tuple(self._prefixes(given.warn)),
            on_fail=on_fail,
        )

    def known(
        self, sources: Sequence[Source], sent: Sequence[Given]
    ) -> tuple[tuple[Document, ...], str]:
        """Return the indexed contexts among sources, and what all sources are known by."""
        found: list[Document] = []
        names = dict.fromkeys(source.index for source in sources if source.index is not None)
        for name in names:
            held = self.contexts.get(name)
            if held is None:
                raise RefusedError(404, f"no context {name} is in the index, or not any more")
            found += held
        return tuple(found), " ".join((*names, *map(digest, sent)))

    def _prefixes(self, words: Sequence[str]) -> Sequence[str]:
        for word in words:
            if not any(rule.startswith(word) for rule in self.rules):
                near = did_you_mean(word, self.rules)
                raise RefusedError(400, f"no rule starts with {word!r}{near}")
        return words

    # --- what is done -------------------------------------------------------------------------

    async def _ask(self, worker: PooledWorker, task: Any) -> Any:
        check = getattr(task, "check", task)
        told: dict[str, int] = {}
        if isinstance(check, Check):
            told["sources"] = len(check.sources) + len(check.known)
            told["characters"] = len(check.text.text or "")
        with self.spans.part(type(task).__name__.lower(), **told):
            return await self.pool.ask(worker, task)

    async def do(self, task: Any, context: str = "", *, patient: bool = False) -> Any:
        """Have a worker do one task."""
        async with self.pool.hold(context, patient=patient) as worker:
            return await self._ask(worker, task)

    async def index(self, body: IndexBody) -> tuple[str, tuple[Document, ...]]:
        """Have contexts read, and keep them; return their id."""
        sent = given(body.sources)
        known, _ = self.known(body.sources, sent)
        async with self.pool.hold() as worker:
            documents = (*known, *await self._ask(worker, Index(sent)))
            name = self.contexts.keep(documents)
            if name is None:
                raise RefusedError(413, "the contexts are larger than the index")
            worker.note(name)
        return name, documents

    async def follow(self, check: Check, context: str, send: events.Send) -> None:
        """Check a text and send what is known of it as soon as it is."""
        async with self.pool.hold(context) as worker:
            reading: Reading = await self._ask(worker, Read(check))
            send("read", _reading(reading))
            if self.settings.config.llm.model == "never":  # each prefix would be asked about
                await self._prefixes_of(worker, check, reading, send)
            if check.policy is not None:
                send("report", await self._ask(worker, check))
                return
            found, report = await self._ask(worker, Shown(check))
            send("cards", found)
            send("report", report)

    async def _prefixes_of(
        self, worker: PooledWorker, check: Check, reading: Reading, send: events.Send
    ) -> None:
        """Check the first sentences, twice as many each time, and send what is new."""
        count = 1
        sent: dict[tuple[int, int], str] = {}
        while count < len(reading.sentences):
            end = reading.sentences[count - 1][1]
            for statement in await self._ask(worker, Prefix(check, reading, end)):
                span = statement["span"]
                place = (span["start"], span["end"])
                if sent.get(place) != statement["outcome"]:
                    sent[place] = statement["outcome"]
                    told = {**statement, "start": place[0], "end": place[1], "final": False}
                    send("statement", _json(told))
            count *= 2


def create_app(settings: Settings) -> FastAPI:
    """Return the service; its workers start and end with it."""
    service = Service(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        try:
            await service.pool.start()
            log.info("ready")
            yield
        finally:
            await service.pool.close()
            await asyncio.to_thread(service.spans.close)
            log.info("ended")

    app = FastAPI(
        title="groundrules",
        version=__version__,
        summary="Checks what a text asserts against its sources.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
    )
    app.state.service = service
    app.add_middleware(
        Gate,
        settings=settings,
        pool=service.pool,
        counters=service.counters,
        spans=service.spans,
    )
    _add_errors(app)
    _add_checks(app, service)
    _add_standing(app, service)
    if settings.upstream:
        _add_proxy(app, Proxy(service))
    _add_page(app)
    return app


def _add_checks(app: FastAPI, service: Service) -> None:
    @app.post("/check", summary="Check a text", responses=_ERRORS | _REPORT)
    async def check(
        body: CheckBody,
        form: Annotated[str, Query(alias="format", max_length=64)] = "json",
        accept: Annotated[str, Header()] = "",
    ) -> Response:
        """Check a text; its report, or with a policy the decision, the text to use and the report.

        `?format=` gives another form; `Accept: text/event-stream` tells statements as they are
        ready.
        """
        if form not in formats.names():
            near = did_you_mean(form, formats.names())
            expected = ", ".join(formats.names())
            raise RefusedError(400, f"no such format; expected {expected}{near}")
        task, context = service.check_of(body, form)
        if "text/event-stream" in accept and form == "json":
            if service.pool.full:
                raise service.pool.refuse()
            found = events.stream(partial(service.follow, task, context))
            return StreamingResponse(
                found, media_type="text/event-stream", headers={"Cache-Control": "no-store"}
            )
        return _report(await service.do(task, context), form)

    @app.post(
        "/batch", summary="Check many texts", responses=_ERRORS | _ANSWERS, openapi_extra=_BATCH
    )
    async def batch(request: Request) -> Response:
        """Check the body of each line; lines of answers come as they are ready."""
        lines = [line for line in (await request.body()).split(b"\n") if line.strip()]
        if len(lines) > _MOST_LINES:
            raise RefusedError(413, f"more than {_MOST_LINES:,} lines; split it")
        if not lines:
            raise RefusedError(400, "no line; expected a body of /check in each")
        return StreamingResponse(_batch(service, lines), media_type=_LINES)

    @app.post("/index", summary="Keep contexts", responses=_ERRORS)
    async def index(body: IndexBody) -> Response:
        """Read contexts once; their id stands for them in `sources`."""
        name, documents = await service.index(body)
        words = sum(len(document.text.split()) for document in documents)
        return JSONResponse({"id": name, "names": [one.name for one in documents], "words": words})

    @app.post("/extract", summary="Extract a record", responses=_ERRORS)
    async def extract(body: ExtractBody) -> Response:
        """Extract values by a schema of the service; what has no evidence is left out."""
        _allowed(body.schema_, service.settings.schemas, "schema")
        sent = given(body.sources)
        known, context = service.known(body.sources, sent)
        task = Extract(sent, known, body.schema_)
        return _report(await service.do(task, context), "json")

    @app.post("/ask", summary="Answer a question from records", responses=_ERRORS)
    async def ask(body: AskBody) -> Response:
        """Answer a question from the records of the service, with citations."""
        if not service.settings.records:
            raise RefusedError(404, "this service has no records")
        return _report(await service.do(Ask(body.question)), "json")


def _add_proxy(app: FastAPI, proxy: Proxy) -> None:
    @app.post(
        "/v1/chat/completions",
        summary="Ask a language model, and check its answer",
        responses=_ERRORS,
        openapi_extra=_CHAT,
    )
    async def complete(
        request: Request, context: Annotated[str, Header(alias="X-Groundrules-Context")] = ""
    ) -> Response:
        """Answer as the upstream does, with what a check of the answer says: docs/proxy.md."""
        return await proxy.complete(await request.body(), context)

    @app.get("/v1/models", summary="The language models", responses=_ERRORS)
    async def models() -> Response:
        """List the models of the upstream."""
        return await proxy.models()


def _add_standing(app: FastAPI, service: Service) -> None:
    @app.get("/health", summary="Whether the service is up")
    async def health() -> dict[str, str]:
        """Answer at all."""
        return {"status": "ok"}

    @app.get("/ready", summary="Whether it can check", responses={503: _ERROR})
    async def ready() -> Response:
        """Answer 200 where there is a worker, else 503."""
        if not service.pool.ready:
            raise RefusedError(503, "no worker is ready", 2)
        return JSONResponse({"status": "ready", "workers": service.pool.ready})

    @app.get("/metrics", summary="Counters for Prometheus", response_class=PlainTextResponse)
    async def metrics() -> Response:
        """Tell the counters in Prometheus's text format."""
        return Response(service.counters.text(), media_type=MEDIA)

    @app.get("/rules", summary="The rules")
    async def rules() -> list[dict[str, Any]]:
        """List the rules."""
        return [rule_as_json(rule) for rule in service.rules.values()]

    @app.get(
        "/rules/{rule}", summary="A rule", responses=dict.fromkeys((400, 401, 404, 422), _ERROR)
    )
    async def rule(rule: Annotated[str, InPath(max_length=64)]) -> dict[str, Any]:
        """Explain a rule, by its id or name."""
        named = {one.name: one for one in service.rules.values()}
        found = service.rules.get(rule.upper()) or named.get(rule.lower())
        if found is None:
            raise RefusedError(404, f"no such rule{did_you_mean(rule, [*service.rules, *named])}")
        return rule_as_json(found)

    @app.get("/settings", summary="What may be asked for")
    async def settings() -> dict[str, Any]:
        """Tell the names and the limits that a request may use."""
        given = service.settings
        return {
            "version": __version__,
            "kb": list(given.bases),
            "ontologies": list(given.ontologies),
            "schemas": list(given.schemas),
            "records": bool(given.records),
            "formats": list(formats.names()),
            "keep": given.keep,
            "limits": {
                "body_bytes": given.body,
                "seconds": given.seconds,
                "workers": given.workers,
                "queue": given.queue,
            },
        }


def _add_page(app: FastAPI) -> None:
    """Add the page: the files there are now, by name; no path is made of what is asked for."""
    files = {one.name: one.read_bytes() for one in sorted(_PAGE.iterdir()) if one.is_file()}
    files["report.css"] = _STYLE.read_bytes()

    def answer(name: str) -> Response:
        if name not in files:
            raise RefusedError(404, "no such page")
        kind = _TYPES.get(Path(name).suffix, "application/octet-stream")
        headers = {"Content-Security-Policy": _POLICY, "Cache-Control": "no-cache"}
        return Response(files[name], media_type=kind, headers=headers)

    @app.get("/", include_in_schema=False)
    async def page() -> Response:
        return answer("index.html")

    @app.get("/page/{name}", include_in_schema=False)
    async def part(name: str) -> Response:
        return answer(name)


async def _batch(service: Service, lines: Sequence[bytes]) -> AsyncIterator[bytes]:
    """Yield the answer to each line as it is ready; as many are at work as there are workers."""
    left = list(enumerate(lines, 1))[::-1]

    async def one(number: int, line: bytes) -> bytes:
        name: str | int = number
        try:
            body = CheckBody.model_validate_json(line)
            name = number if body.id is None else body.id
            task, context = service.check_of(body)
            report: bytes = await service.do(task, context, patient=True)
        except ValidationError as error:
            return _json({"id": name, "error": {"status": 400, "message": fault(error.errors())}})
        except RefusedError as refusal:
            if refusal.log:
                log.error("%s", refusal.log)
            error_ = {"status": refusal.status, "message": refusal.message}
            return _json({"id": name, "error": error_})
        return b'{"id": ' + _json(name) + b', "report": ' + report.strip() + b"}"

    tasks: set[asyncio.Task[bytes]] = set()
    try:
        while left or tasks:
            while left and len(tasks) < service.settings.workers:
                tasks.add(asyncio.create_task(one(*left.pop())))
            done, tasks = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                yield task.result() + b"\n"
    finally:
        for task in tasks:
            task.cancel()


# --- errors -----------------------------------------------------------------------------------

_ERROR: dict[str, Any] = {
    "description": "One line that says what is wrong",
    "content": {
        "application/json": {
            "schema": {
                "type": "object",
                "required": ["error"],
                "properties": {
                    "error": {
                        "type": "object",
                        "required": ["status", "message"],
                        "properties": {
                            "status": {"type": "integer"},
                            "message": {"type": "string"},
                        },
                    }
                },
            }
        }
    },
}
_FAULTS = (400, 401, 404, 408, 413, 415, 422, 429, 500, 503, 504)
_ERRORS: dict[int | str, dict[str, Any]] = dict.fromkeys(_FAULTS, _ERROR)
_ANY = {"type": "string"}
_REPORT: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The report: see docs/json-schema.md; with a policy what was decided",
        "content": {
            "text/event-stream": {"schema": _ANY},
            **{kind.partition(";")[0]: {"schema": _ANY} for kind, _ in _FORMS.values()},
            _PLAIN[0].partition(";")[0]: {"schema": _ANY},
        }
        | {"application/json": {"schema": {"type": ["object", "array"]}}},
    }
}
_ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": 'A line of JSON for each: {"id", "report"} or {"id", "error"}',
        "content": {_LINES: {"schema": _ANY}},
    }
}
_CHAT: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {
                    "type": "object",
                    "properties": {
                        "model": {"type": "string"},
                        "messages": {"type": "array", "items": {"type": "object"}},
                        "stream": {"type": "boolean"},
                        "groundrules": {"type": "object"},
                    },
                }
            }
        },
    }
}
_BATCH: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "description": "A body of /check in each line",
        "content": {
            _LINES: {
                "schema": _ANY,
                "example": '{"id": 1, "text": "It sank.", "sources": [{"text": "It sails."}]}\n',
            }
        },
    }
}


def _add_errors(app: FastAPI) -> None:
    @app.exception_handler(RefusedError)
    async def refused(_: Request, refusal: RefusedError) -> Response:
        if refusal.log:
            log.error("%s", refusal.log)
        return Response(refusal.body, refusal.status, refusal.headers)

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> Response:
        return await refused(request, RefusedError(400, fault(error.errors())))

    @app.exception_handler(HTTPException)
    async def other(request: Request, error: HTTPException) -> Response:
        answer = await refused(request, RefusedError(error.status_code, str(error.detail).lower()))
        answer.headers.update(error.headers or {})
        return answer


def _allowed(name: str, names: Mapping[str, object], what: str) -> None:
    if name not in names:
        expected = f"expected {', '.join(names)}" if names else "this service has none"
        raise RefusedError(400, f"no such {what}; {expected}")


def _report(body: bytes, form: str) -> Response:
    media, suffix = _FORMS.get(form, _PLAIN)
    headers = {"Cache-Control": "no-store"}
    if form != "json":
        headers["Content-Disposition"] = f'attachment; filename="report.{suffix}"'
        headers["Content-Security-Policy"] = "sandbox"
    return Response(body, media_type=media, headers=headers)


def _reading(reading: Reading) -> bytes:
    return _json(
        {
            "text": reading.text.text,
            "statements": [{"start": start, "end": end} for start, end in reading.sentences],
            "sources": [{"name": one.name, "text": one.text} for one in reading.sources],
        }
    )


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode(errors="backslashreplace")


def _id(rule: Rule) -> str:
    return rule.id
