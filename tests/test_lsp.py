"""The language server, driven over stdio by the client of pygls."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.rows import each

pytestmark = pytest.mark.slow
needs_pygls = pytest.mark.skipif(
    find_spec("pygls") is None, reason="pygls is not installed: pip install 'groundrules[lsp]'"
)
CONFIG = 'inline_suppressions = {}\n[context]\n"answer.md" = ["lease.txt"]\n'
SOURCE = (
    "Lease\n\n🏠 The tenant pays a rent of $4,850 per month. The lease ends on June 30, 2027.\n"
)
#: A sign of two units of UTF-16 stands before the fault.
TEXT = "The lease ends on June 30, 2027.\n\n🏠 The tenant pays a rent of $5,850 per month.\n"
FAULT = "$5,850"


class Editor:
    """An editor with one text open."""

    def __init__(self, client: Any, path: Path, told: asyncio.Queue[Any]) -> None:
        from lsprotocol import types

        self.client, self.types, self.told = client, types, told
        self.uri = path.as_uri()
        self.here = types.TextDocumentIdentifier(self.uri)

    async def open(self, text: str) -> list[Any]:
        item = self.types.TextDocumentItem(self.uri, "markdown", 1, text)
        self.client.text_document_did_open(self.types.DidOpenTextDocumentParams(item))
        return await self.diagnostics()

    async def change(self, *texts: str) -> list[Any]:
        for version, text in enumerate(texts, 2):
            whole = self.types.TextDocumentContentChangeWholeDocument(text)
            named = self.types.VersionedTextDocumentIdentifier(version=version, uri=self.uri)
            self.client.text_document_did_change(
                self.types.DidChangeTextDocumentParams(named, [whole])
            )
        return await self.diagnostics()

    async def save(self) -> list[Any]:
        self.client.text_document_did_save(self.types.DidSaveTextDocumentParams(self.here))
        return await self.diagnostics()

    async def diagnostics(self) -> list[Any]:
        return list((await asyncio.wait_for(self.told.get(), 120)).diagnostics)

    async def hover(self, line: int, column: int) -> str:
        at = self.types.Position(line, column)
        found = await self.client.text_document_hover_async(self.types.HoverParams(self.here, at))
        return found.contents.value if found else ""

    async def actions(self, one: Any) -> list[Any]:
        context = self.types.CodeActionContext([one])
        return list(
            await self.client.text_document_code_action_async(
                self.types.CodeActionParams(self.here, one.range, context)
            )
        )


def drive(folder: Path, use: Callable[[Editor], Awaitable[None]]) -> None:
    """Start a server as an editor does, use it, and end it."""
    from lsprotocol import types
    from pygls.lsp.client import LanguageClient

    async def session() -> None:
        client, told = LanguageClient("an editor", "1"), asyncio.Queue[Any]()
        client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(
            lambda found: told.put_nowait(found)
        )
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        run = ("-m", "groundrules.cli.main", "lsp")
        await client.start_io(sys.executable, *run, env=environment)
        await client.initialize_async(types.InitializeParams(types.ClientCapabilities()))
        client.initialized(types.InitializedParams())
        await use(Editor(client, folder / "answer.md", told))
        await client.shutdown_async(None)
        client.exit(None)
        await client.stop()
        assert client._server is not None
        assert (await client._server.stderr.read(), client._server.returncode) == (b"", 0)

    asyncio.run(session())


def laid_out(folder: Path, config: str = CONFIG.format("true")) -> Path:
    (folder / "groundrules.toml").write_text(config)
    (folder / "lease.txt").write_text(SOURCE)
    (folder / "answer.md").write_text(TEXT)
    return folder


@needs_pygls
def test_an_editor_is_told_of_a_fault_with_the_words_of_the_source_and_its_edit(
    tmp_path: Path,
) -> None:
    async def use(editor: Editor) -> None:
        (one,) = await editor.open(TEXT)
        at = (one.range.start.line, one.range.start.character, one.range.end.character)
        start = TEXT.splitlines()[2].index(FAULT) + 1
        assert at == (2, start, start + len(FAULT))
        assert (one.severity, one.code) == (editor.types.DiagnosticSeverity.Error, "GR302")
        assert one.message == "“$5,850”; the source says “$4,850”"
        assert "$4,850" in one.related_information[0].message
        assert one.related_information[0].location.range.start.line == 2
        assert "source says, lease.txt:3:3\n> The tenant pays a rent of" in await editor.hover(2, 3)
        assert (await editor.hover(0, 5)).startswith("**supported**: ")
        assert await editor.hover(1, 0) == ""

        edit, comment = await editor.actions(one)
        assert edit.title == "Replace “$5,850” by “$4,850”"
        assert edit.edit.changes[editor.uri][0].new_text == "$4,850"
        assert edit.edit.changes[editor.uri][0].range == one.range
        assert comment.title == "Disable GR302 for this statement"
        lines = TEXT.splitlines()
        lines[2] += comment.edit.changes[editor.uri][0].new_text
        assert await editor.change("\n".join(lines)) == []

    drive(laid_out(tmp_path), use)


@needs_pygls
def test_what_is_written_is_checked_in_its_newest_version_and_edits_once_it_is_saved(
    tmp_path: Path,
) -> None:
    async def use(editor: Editor) -> None:
        assert await editor.open(TEXT.replace("5,850", "4,850")) == []
        (one,) = await editor.change("A rent", TEXT)
        assert one.code == "GR302"
        (refused,) = await editor.actions(one)
        assert "inline_suppressions = true" in refused.disabled.reason
        (one,) = await editor.save()
        assert len(await editor.actions(one)) == 2

    drive(laid_out(tmp_path, CONFIG.format("false")), use)


@needs_pygls
@each("config told")
def test_a_fault_of_the_configuration_is_one_line_at_the_head_of_the_text(
    config: str, told: str, tmp_path: Path
) -> None:
    async def use(editor: Editor) -> None:
        (one,) = await editor.open(TEXT)
        assert told in one.message
        assert "\n" not in one.message
        assert one.range.end == editor.types.Position(0, 0)

    drive(laid_out(tmp_path, config), use)
