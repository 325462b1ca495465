"""A server of the Model Context Protocol: the tools of `tools`, over stdio or HTTP.

Each call runs in a process that is ended when it takes too long or the client goes away, so that
no text keeps the server busy. Nothing that a client sends is written to a log.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, cast

from groundrules import __version__
from groundrules.errors import ConfigError
from groundrules.integrations import tools
from groundrules.integrations.tools import CheckedText, ExplainedRule, LookedUp, Offer
from groundrules.service.access import admits

try:
    import anyio
    from anyio import to_process
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp_types import CallToolResult, TextContent, ToolAnnotations
    from pydantic import Field, ValidationError
except ImportError:
    raise ConfigError(
        "an MCP server needs the package mcp, which is not installed; run: "
        "pip install 'groundrules[mcp]'"
    ) from None

if TYPE_CHECKING:
    from mcp.server.mcpserver import Context
    from starlette.types import ASGIApp, Receive, Scope, Send

#: Where the tools are under the address of an HTTP server.
PATH = "/mcp"
#: The most bytes of a request over HTTP: sources of four bytes a character, and some room.
_MAX_BODY = 4 * tools.MAX_SOURCES + 2**20
#: Seconds that a stream which a client keeps open keeps the server from its end.
_ENDING = 2
_READS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
_INSTRUCTIONS = (
    "check_claims checks each sentence of a text against the sources that you give, before you "
    "rely on it or show it; a safe edit may be made as it is. Outcomes: supported, refuted, "
    "conflicting (sources disagree), not_enough_info (nothing speaks for or against it), "
    "unverifiable and error (it could not be checked, which says nothing of it)."
)

_T = TypeVar("_T")


class _Server(MCPServer[Any]):
    """A server whose failed tools say so in one line."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> Any:
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            line = _line(error, name)
            return CallToolResult(content=[TextContent(type="text", text=line)], is_error=True)


def _line(error: ToolError, name: str) -> str:
    """Return what is wrong with a call in a line; of what nobody foresaw, only that it failed."""
    cause = error.__cause__
    if isinstance(cause, ValidationError):
        told = [
            f"{'.'.join(map(str, one['loc'])) or 'arguments'}: {one['msg']}"
            for one in cause.errors(include_url=False, include_input=False)
        ]
        return f"{name}: " + "; ".join(told)
    if isinstance(cause, ToolError):
        return " ".join(str(cause).split())
    return " ".join(str(error).split()) if cause is None else f"{name}: internal error"


def make_server(offer: Offer, *, seconds: float, memory: int) -> MCPServer[Any]:
    """Return a server of the three tools; a call has so many seconds, and bytes of memory."""
    processes = anyio.CapacityLimiter(max(1, min(4, os.cpu_count() or 1)))

    async def run(tool: Callable[..., _T], *args: object) -> _T:
        call = partial(tools.answer, tool, memory, offer, *args)
        try:
            with anyio.fail_after(seconds):
                found, fault = await to_process.run_sync(call, cancellable=True, limiter=processes)
        except TimeoutError:
            raise ToolError(f"took longer than {seconds:g} seconds; split the text") from None
        except anyio.BrokenWorkerProcess:
            raise ToolError("ended its process; expected a smaller text") from None
        if fault:
            raise ToolError(fault)
        return cast(_T, found)

    offered = f"Knowledge bases: {', '.join(offer.kbs) or 'none'}."
    server = _Server(
        "groundrules",
        version=__version__,
        instructions=f"{_INSTRUCTIONS} {offered}",
        log_level="CRITICAL",  # what it logs of failed calls may have words of a text
    )

    async def check_claims(
        text: Annotated[str, Field(description="the text to check")],
        sources: Annotated[
            Sequence[str], Field(description="the texts that it rests on, each whole")
        ] = (),
        question: Annotated[str, Field(description="what the text answers")] = "",
        kb: Annotated[
            Sequence[str], Field(description="names of knowledge bases to check against")
        ] = (),
    ) -> CheckedText:
        """Check what a text asserts, sentence by sentence, against its sources."""
        return await run(tools.check_claims, text, sources, question, kb)

    async def explain_rule(
        rule: Annotated[str, Field(description="its id or its name: object-conflict")],
    ) -> ExplainedRule:
        """Explain a rule that a finding names."""
        return await run(tools.explain_rule, rule)

    async def lookup_statements(
        thing: Annotated[str, Field(description="a name, a number or an IRI")],
        kb: Annotated[str, Field(description="the name of a knowledge base")] = "",
    ) -> LookedUp:
        """Look up what a knowledge base states of a thing."""
        return await run(tools.lookup_statements, thing, kb)

    for tool in (check_claims, explain_rule, lookup_statements):
        server.add_tool(tool, annotations=_READS, structured_output=True)
    return server


def http_app(server: MCPServer[Any], host: str, keys: Sequence[str]) -> ASGIApp:
    """Return the application that serves over streamable HTTP.

    Whoever asks gives one of the keys as `Authorization: Bearer KEY`, where there are any.
    """
    made = server.streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        max_request_body_size=_MAX_BODY,
        host=host,
    )
    return _Locked(made, keys) if keys else made


def serve_http(app: ASGIApp, listening: socket.socket) -> None:
    """Serve an application until it is told to end."""
    from groundrules.service.server import server_of

    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    server_of(app, _ENDING).run(sockets=[listening])


class _Locked:
    """An application that answers only to those who have a key."""

    def __init__(self, app: ASGIApp, keys: Sequence[str]) -> None:
        self._app, self._keys = app, keys

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        given = dict(scope.get("headers", ())).get(b"authorization", b"").decode("latin-1")
        if scope["type"] == "http" and not admits(self._keys, given):
            start = {"type": "http.response.start", "status": 401}
            await send({**start, "headers": [(b"www-authenticate", b"Bearer")]})
            await send({"type": "http.response.body", "body": b"expected a key\n"})
            return
        await self._app(scope, receive, send)
