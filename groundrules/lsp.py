"""A language server: findings while one writes, the source's words on hover, edits as quick fixes.

In: open texts that the table `context` of the nearest config file names. Out: diagnostics, hovers
and code actions by the Language Server Protocol. A change is checked by rules alone once the writer
pauses; what is opened or saved is checked in full, with readers, and its edits are read again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from groundrules import __version__, api
from groundrules import config as config_
from groundrules.audit import overrides
from groundrules.claims.documents.document import from_text, position, read
from groundrules.config import Config, documents_for
from groundrules.errors import ConfigError, GroundrulesError
from groundrules.explain import view
from groundrules.explain.contrast import LONGEST, clip
from groundrules.explain.edits import change
from groundrules.explain.findings import standing
from groundrules.explain.formats.markdown import plain
from groundrules.explain.listing import Result, page_of, results
from groundrules.explain.place import locate
from groundrules.explain.replacements import exchange
from groundrules.explain.words import STANDINGS
from groundrules.rules.packs import shipped
from groundrules.terms import Report, Severity, Span

try:
    from lsprotocol import types
    from pygls.lsp.server import LanguageServer
except ImportError:
    raise ConfigError(
        "a language server needs the package pygls, which is not installed; run: "
        "pip install 'groundrules[lsp]'"
    ) from None

#: Seconds without a change after which a text is checked.
PAUSE = 0.6
#: The endings of texts whose characters are those of their file, and their formats.
_FORMATS = {".txt": "txt", ".text": "txt", ".md": "md", ".markdown": "md"}
_SEVERITIES = dict(zip(Severity, types.DiagnosticSeverity, strict=False))
_FIX = types.CodeActionKind.QuickFix
_OFF = "comments are followed where the config file has inline_suppressions = true"
_UNNAMED = (
    "nothing says what this text is checked against; expected a groundrules.toml in this folder or "
    'above, with [context] and "{}" = ["sources/*.txt"]'
)


@dataclass(frozen=True, slots=True)
class Checked:
    """A text as it was checked; `full` says that its edits were read again in their places."""

    report: Report
    config: Config
    full: bool


def check(path: Path, text: str, *, full: bool) -> Checked | None:
    """Return a text checked under the nearest configuration, None where that does not name it.

    ConfigError where no configuration says what texts are checked against.
    """
    form = _FORMATS.get(path.suffix.lower())
    if form is None or not text.strip():
        return None
    file = config_.find(path.parent)
    config = config_.load(file) if file else Config()
    if not (config.context or config.kb or config.ontology):
        raise ConfigError(_UNNAMED.format(path.name))
    found = documents_for(path, config.held_to())
    if config.context and not found:
        return None
    base = config.base.resolve()
    contexts = [replace(read(one), name=str(one.resolve().relative_to(base))) for one in found]
    whole = path.resolve()
    name = whole.relative_to(base) if whole.is_relative_to(base) else whole
    document = from_text(text, str(name), form)
    given = config if full else api.without_llm(config)
    report = api.check(document, context=contexts, config=given, verify=full)
    files = (config.base / one for one in (config.baseline, config.overrides) if one)
    known = [one for file in files for one in overrides.read(file)]
    return Checked(overrides.apply(report, known), config, full)


class Server(LanguageServer):
    """A language server that checks one text after another, each in its newest version."""

    def __init__(self) -> None:
        super().__init__(
            "groundrules", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Full
        )
        self._checked: dict[str, Checked] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._worker = ThreadPoolExecutor(1)
        on, fixes = self.feature, types.CodeActionOptions([_FIX])
        on(types.TEXT_DOCUMENT_DID_OPEN)(lambda now: self.begin(now.text_document.uri, full=True))
        on(types.TEXT_DOCUMENT_DID_CHANGE)(lambda now: self.begin(now.text_document.uri))
        on(types.TEXT_DOCUMENT_DID_SAVE)(lambda now: self.begin_all())
        on(types.TEXT_DOCUMENT_DID_CLOSE)(lambda now: self.end(now.text_document.uri))
        on(types.TEXT_DOCUMENT_HOVER)(lambda at: self.hover(at.text_document.uri, at.position))
        on(types.TEXT_DOCUMENT_CODE_ACTION, fixes)(
            lambda at: [*self.actions(at.text_document.uri, at.range)]
        )

    def begin_all(self) -> None:
        """Check all texts that are open: what was saved may be the source of another."""
        for uri in [*self.workspace.text_documents]:
            self.begin(uri, full=True)

    def begin(self, uri: str, *, full: bool = False) -> None:
        """Check a text, at once in full or after a pause; what was begun of it before is ended."""
        self.end(uri)
        self._tasks[uri] = asyncio.get_running_loop().create_task(self._check(uri, full))

    def end(self, uri: str) -> None:
        """Forget what is known of a text."""
        self._checked.pop(uri, None)
        if task := self._tasks.pop(uri, None):
            task.cancel()

    async def _check(self, uri: str, full: bool) -> None:
        await asyncio.sleep(0 if full else PAUSE)
        document = self.workspace.get_text_document(uri)
        work = partial(check, Path(document.path), document.source, full=full)
        try:
            found = await asyncio.get_running_loop().run_in_executor(self._worker, work)
            told = [*self._diagnostics(found)] if found else []
            self._checked |= {uri: found} if found else {}
        except GroundrulesError as error:
            told = [_fault(" ".join(str(error).split()))]
        except Exception as error:  # ours: the server stays up
            told = [_fault(f"internal error: {type(error).__name__}: {error}; please report it")]
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri=uri, diagnostics=told, version=document.version)
        )

    def range_of(self, text: str, start: int, end: int) -> Any:
        """Return a range of code points in the units of the client."""
        return types.Range(*(self._position(text, at) for at in (start, end)))

    def _position(self, text: str, offset: int) -> Any:
        line, column = position(text, offset)
        before = text[offset - column + 1 : offset]
        return types.Position(line - 1, self.workspace.position_codec.client_num_units(before))

    def _diagnostics(self, checked: Checked) -> Iterator[Any]:
        report = checked.report
        for one in results(report):
            if one.override or (one.span is None and one.kind != "unchecked"):
                continue
            span = one.span or Span(report.source, 0, 0)
            page = page_of(one.name) if one.rule in shipped() else ""
            yield types.Diagnostic(
                self.range_of(report.text, span.start, span.end),
                one.message,
                _SEVERITIES[one.severity],
                one.rule,
                types.CodeDescription(page) if page else None,
                "groundrules",
                related_information=[*self._related(one, checked)],
            )

    def _related(self, one: Result, checked: Checked) -> Iterator[Any]:
        """Yield the passages of a finding, where their file is a text."""
        report = checked.report
        told = view.finding(one.violation, report).passages if one.violation else ()
        for passage in told:
            span, path = passage.span, checked.config.base.resolve() / passage.span.source
            if path.suffix.lower() in _FORMATS and span.source in report.sources:
                place = self.range_of(report.sources[span.source], span.start, span.end)
                words = f"{passage.title} “{clip(span, None, report, LONGEST)}”"
                where = types.Location(path.as_uri(), place)
                yield types.DiagnosticRelatedInformation(where, words)

    def hover(self, uri: str, at: Any) -> Any:
        """Return why the statement at a place has its verdict, and the words of the source."""
        if checked := self._checked.get(uri):
            report = checked.report
            for statement in report.statements:
                place = self.range_of(report.text, statement.span.start, statement.span.end)
                if place.start <= at <= place.end:
                    words = told(view.card(statement, report), report)
                    content = types.MarkupContent(types.MarkupKind.Markdown, words)
                    return types.Hover(content, place)
        return None

    def actions(self, uri: str, wanted: Any) -> Iterator[Any]:
        """Yield the edits of findings in a range, and comments that set them aside."""
        if checked := self._checked.get(uri):
            for one in results(checked.report):
                if one.violation is None or one.span is None or one.override:
                    continue
                place = self.range_of(checked.report.text, one.span.start, one.span.end)
                if place.start <= wanted.end and wanted.start <= place.end:
                    yield from self._actions(uri, one, checked)

    def _actions(self, uri: str, found: Result, checked: Checked) -> Iterator[Any]:
        report, violation = checked.report, found.violation
        assert violation is not None
        edit = violation.edit
        if checked.full and edit and edit.applicability == "safe" and edit.verified:
            title, places = change(violation, report), exchange(report, violation)
            ranges = (self.range_of(report.text, one.start, one.end) for one in places)
            made = [*map(types.TextEdit, ranges, (one.text for one in places))]
            mend = types.WorkspaceEdit({uri: made})
            title = f"{title[:1].upper()}{title[1:]}"
            yield types.CodeAction(title, _FIX, is_preferred=True, edit=mend)
        if found.statement is not None:
            end = found.statement.span.end
            comment = f" <!-- groundrules: ignore {found.rule}: say why -->"
            made = [types.TextEdit(self.range_of(report.text, end, end), comment)]
            off = None if checked.config.inline_suppressions else types.CodeActionDisabled(_OFF)
            mend = None if off else types.WorkspaceEdit({uri: made})
            title = f"Disable {found.rule} for this statement"
            yield types.CodeAction(title, _FIX, disabled=off, edit=mend)


def told(card: view.Card, report: Report) -> str:
    """Return a statement in Markdown: its verdict, why, and what the source says where."""
    parts = [f"**{STANDINGS[standing(card.statement, report)]}**: {plain(card.why)}"]
    passages = [card.held] if card.held else []
    for one in card.findings:
        said = "" if one.headline == card.why else f": {plain(one.headline)}"
        parts.append(f"{one.violation.rule} {one.violation.name}{said}")
        passages += one.passages
        noted = ((row, f" ({row.note})" if row.note else "") for row in one.rows)
        parts += (f"{row.name}: {plain(row.words + note)}" for row, note in noted)
    for passage in passages:
        words = plain(clip(passage.span, None, report, LONGEST) or "")
        parts.append(f"{passage.title}, {plain(str(locate(passage.span, report)))}\n> {words}")
    return "\n\n".join(parts)


def _fault(message: str) -> Any:
    start = types.Position(0, 0)
    return types.Diagnostic(
        types.Range(start, start), message, types.DiagnosticSeverity.Error, source="groundrules"
    )
