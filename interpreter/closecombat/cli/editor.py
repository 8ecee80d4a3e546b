"""A language server: an editor on the other end of standard input and output, in the Language Server Protocol.

What is known of an open file is asked of other rooms, at offsets in its text; here it is put into the protocol's words
and places, which count from 0 and in the units that the editor has agreed on, UTF-16 if it says nothing. What is typed
is checked when the hands rest for a moment.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from closecombat import __version__
from closecombat.checking.unsaved import findings_while_edited, gathered
from closecombat.text.document import file_of
from closecombat.text.faults import Diagnostic, Faulty
from closecombat.text.files import YAML
from closecombat.text.source import Source, Span

try:
    from lsprotocol import types as lsp
    from pygls.lsp.server import LanguageServer
    from pygls.uris import from_fs_path, to_fs_path
except ImportError:
    raise Faulty.one(
        "cannot-read",
        "an editor is spoken to through pygls, which is not installed",
        None,
        help="`pip install 'closecombat[editor]'`",
    ) from None

PAUSE = 150  # milliseconds without a key, until what was typed is checked
NAME = "closecombat"


def serve() -> None:
    """Answers an editor until it says that it is done."""
    server = LanguageServer(NAME, __version__)
    session = Session(server)

    def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        session.check_soon()

    def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        session.check_soon()

    def saved(params: lsp.DidSaveTextDocumentParams) -> None:
        session.forget_checked()
        session.check_soon()

    def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        session.check_soon()

    server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)(opened)
    server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)(changed)
    server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)(saved)
    server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)(closed)
    server.start_io()


class Session:
    """What one editor has open, what was checked of it, and what it was told."""

    def __init__(self, server: LanguageServer) -> None:
        self.server = server
        self._checked: dict[Path, dict[Path, str]] = {}  # the texts of each ruleset's open files when it was checked
        self._told: dict[Path, set[str]] = {}  # the files for which it was told something, by ruleset
        self._waiting: asyncio.TimerHandle | None = None

    # ---- texts and places ------------------------------------------------------------------------------
    def texts(self) -> dict[Path, str]:
        """Every open text that is, or could be, one of ours, by its file."""
        found = {}
        for document in self.server.workspace.text_documents.values():
            place = to_fs_path(document.uri)
            if place is not None and place.endswith(YAML):
                found[Path(place)] = document.source
        return found

    def position(self, source: Source, offset: int) -> lsp.Position:
        line, column = source.position(offset)
        before = source.line(line)[: column - 1]
        return lsp.Position(line - 1, self.server.workspace.position_codec.client_num_units(before))

    def range(self, span: Span) -> lsp.Range:
        return lsp.Range(self.position(span.source, span.start), self.position(span.source, span.end))

    def uri(self, source: Source) -> str | None:
        """The editor's name for the file of a text."""
        file = file_of(source)
        if file is None:
            return None
        there = {to_fs_path(uri): uri for uri in self.server.workspace.text_documents}
        return there.get(str(file)) or str(from_fs_path(str(file)))

    # ---- findings --------------------------------------------------------------------------------------
    def forget_checked(self) -> None:
        """Something else than an open text has changed."""
        self._checked.clear()

    def check_soon(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
        self._waiting = asyncio.get_running_loop().call_later(PAUSE / 1000, self._check)

    def _check(self) -> None:
        """Checks whatever rests on a ruleset of which an open text has changed, and tells what was found."""
        texts = self.texts()
        homes = gathered(texts)
        for home in self._told.keys() - homes.keys():
            self._tell(home, (), ())
        for home, files in homes.items():
            now = {file: texts[file] for file in files}
            if self._checked.get(home) != now:
                self._checked[home] = now
                self._tell(home, files, findings_while_edited(files, texts))

    def _tell(self, home: Path, files: Iterable[Path], found: Iterable[Diagnostic]) -> None:
        """Publishes the findings of one ruleset and what rests on it, and takes back those that are no more."""
        open = {to_fs_path(uri): uri for uri in self.server.workspace.text_documents}
        told: dict[str, list[lsp.Diagnostic]] = {open[str(file)]: [] for file in files if str(file) in open}
        for one in found:
            uri = self.uri(one.span.source) if one.span is not None else next(iter(told), None)
            shown = self._diagnostic(one)
            if uri is not None and shown not in told.setdefault(uri, []):  # a file may be read by several paths
                told[uri].append(shown)
        for uri in self._told.pop(home, set()) - told.keys():
            self._publish(uri, [])
        for uri, diagnostics in told.items():
            self._publish(uri, diagnostics)
        if told:
            self._told[home] = set(told)

    def _publish(self, uri: str, diagnostics: list[lsp.Diagnostic]) -> None:
        document = self.server.workspace.text_documents.get(uri)
        version = document.version if document is not None else None
        self.server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, diagnostics, version))

    def _diagnostic(self, found: Diagnostic) -> lsp.Diagnostic:
        start = lsp.Position(0, 0)
        at = lsp.Range(start, start) if found.span is None else self.range(found.span)
        also = [
            lsp.DiagnosticRelatedInformation(lsp.Location(uri, self.range(span)), caption)
            for span, caption in found.labels
            if (uri := self.uri(span.source)) is not None
        ]
        message = f"{found.message}\nhelp: {found.help}" if found.help else found.message
        severity: Any = {"error": lsp.DiagnosticSeverity.Error, "warning": lsp.DiagnosticSeverity.Warning}
        shown = severity.get(found.severity, lsp.DiagnosticSeverity.Information)
        return lsp.Diagnostic(at, message, shown, found.code, source=NAME, related_information=also or None)
