"""The application: what is asked over HTTP, and how it is answered."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from fastapi import FastAPI, Header, Query, Request
from fastapi import Path as InPath
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from starlette.exceptions import HTTPException

from groundrules import __version__
from groundrules.errors import did_you_mean
from groundrules.explain import formats
from groundrules.explain.formats import html
from groundrules.explain.rulejson import encode as rule_as_json
from groundrules.models import choices
from groundrules.service import openapi
from groundrules.service.bodies import AskBody, CheckBody, ExtractBody, IndexBody, fault, given
from groundrules.service.counters import MEDIA
from groundrules.service.gate import Gate
from groundrules.service.proxy import Proxy
from groundrules.service.refusals import RefusedError, as_json
from groundrules.service.startup import Settings
from groundrules.service.state import Service, refuse_unknown
from groundrules.service.work import Ask, Extract

log = logging.getLogger("groundrules.service")

_PAGE = Path(__file__).parent / "page"
#: The look of the HTML report, which the page shares.
_STYLES = [Path(html.__file__).with_name(name) for name in ("base.css", "page.css")]
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
#: The form of a report that the page asks for: its cards, and the report as JSON.
_SHOWN = "page"


def create_app(settings: Settings) -> FastAPI:
    """Return the service; its workers start and end with it."""
    service = Service(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        try:
            await service.start()
            log.info("ready")
            yield
        finally:
            await service.pool.close()
            log.info("ended")

    app = openapi.Described(
        title="groundrules",
        version=__version__,
        summary="Checks what a text asserts against its sources.",
        lifespan=lifespan,
        generate_unique_id_function=openapi.operation,
        docs_url=None,
        redoc_url=None,
    )
    app.state.service = service
    app.add_middleware(Gate, settings=settings, pool=service.pool, counters=service.counters)
    _add_errors(app)
    _add_checks(app, service)
    _add_standing(app, service)
    if settings.upstream:
        _add_proxy(app, Proxy(service))
    _add_page(app)
    return app


def _add_checks(app: FastAPI, service: Service) -> None:
    @app.post("/check", summary="Check a text", responses=openapi.ERRORS | openapi.REPORT)
    async def check(
        body: CheckBody,
        form: Annotated[str, Query(alias="format", max_length=64)] = "json",
    ) -> Response:
        """Check a text; its report, or with a policy the decision, the text to use and the report.

        `?format=` gives another form; `page` is what the page shows.
        """
        if form not in (*formats.names(), _SHOWN):
            near = did_you_mean(form, formats.names())
            expected = ", ".join(formats.names())
            raise RefusedError(400, f"no such format; expected {expected}{near}")
        task, context = service.check_of(body, form)
        if form == _SHOWN:
            task, form = replace(task, want="cards"), "json"
        return _report(await service.do(task, context), form)

    @app.post("/index", summary="Keep contexts", responses=openapi.ERRORS)
    async def index(body: IndexBody) -> Response:
        """Read contexts once; their id stands for them in `sources`."""
        name, documents = await service.index(body)
        words = sum(len(document.text.split()) for document in documents)
        return JSONResponse({"id": name, "names": [one.name for one in documents], "words": words})

    @app.post("/extract", summary="Extract a record", responses=openapi.ERRORS)
    async def extract(body: ExtractBody) -> Response:
        """Extract values by a schema of the service; what has no evidence is left out."""
        refuse_unknown(body.schema_, service.settings.schemas, "schema")
        sent = given(body.sources)
        known, context = service.known(body.sources, sent)
        task = Extract(sent, known, body.schema_)
        return _report(await service.do(task, context), "json")

    @app.post("/ask", summary="Answer a question from records", responses=openapi.ERRORS)
    async def ask(body: AskBody) -> Response:
        """Answer a question from the records of the service, with citations."""
        if not service.settings.records:
            raise RefusedError(404, "this service has no records")
        return _report(await service.do(Ask(body.question)), "json")


def _add_proxy(app: FastAPI, proxy: Proxy) -> None:
    @app.post(
        "/v1/chat/completions",
        summary="Ask a language model, and check its answer",
        responses=openapi.ERRORS,
        openapi_extra=openapi.CHAT,
    )
    async def complete(
        request: Request, context: Annotated[str, Header(alias="X-Groundrules-Context")] = ""
    ) -> Response:
        """Answer as the upstream does, with what a check of the answer says: proxy.md."""
        return await proxy.complete(await request.body(), context)

    @app.get("/v1/models", summary="The language models", responses=openapi.ERRORS)
    async def models() -> Response:
        """List the models of the upstream."""
        return await proxy.models()


def _add_standing(app: FastAPI, service: Service) -> None:
    @app.get("/health", summary="Whether the service is up")
    async def health() -> dict[str, str]:
        """Answer at all."""
        return {"status": "ok"}

    @app.get("/ready", summary="Whether it can check", responses={503: openapi.ERROR})
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
        "/rules/{rule}",
        summary="A rule",
        responses=dict.fromkeys((400, 401, 404, 422), openapi.ERROR),
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
    files["report.css"] = b"\n".join(one.read_bytes() for one in _STYLES)
    files["readers.json"] = as_json({"columns": choices.HEADS, "rows": choices.rows(),
                                     "note": choices.note()})  # fmt: skip

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


# --- errors -----------------------------------------------------------------------------------


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


def _report(body: bytes, form: str) -> Response:
    media, suffix = openapi.FORMS.get(form, openapi.PLAIN)
    headers = {"Cache-Control": "no-store"}
    if form != "json":
        headers["Content-Disposition"] = f'attachment; filename="report.{suffix}"'
        headers["Content-Security-Policy"] = "sandbox"
    return Response(body, media_type=media, headers=headers)
