"""A language server: an editor on the other end of standard input and output, in the Language Server Protocol.

What is known of an open file is asked of other rooms, at offsets in its text; here it is put into the protocol's words
and places, which count from 0 and in the units that the editor has agreed on, UTF-16 if it says nothing. What is typed
is checked when the hands rest for a moment.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

from closecombat import __version__
from closecombat.asking.editing.names import Entry, beginnings, meant, offers, outline, rules_of, told_at
from closecombat.asking.editing.renaming import rename, renamed_at
from closecombat.checking.unsaved import findings_while_edited, gathered, home_of
from closecombat.reading.stack import read_mapping
from closecombat.text.document import file_of, unsaved
from closecombat.text.faults import Diagnostic, Faulty
from closecombat.text.files import YAML
from closecombat.text.nodes import Mapping
from closecombat.text.source import Source, Span

try:
    from lsprotocol import types as lsp
    from pygls.exceptions import JsonRpcInvalidParams
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
T = TypeVar("T")


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

    def completed(params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
        return session.complete(params.text_document.uri, params.position)

    def hovered(params: lsp.HoverParams) -> lsp.Hover | None:
        return session.hover(params.text_document.uri, params.position)

    def defined(params: lsp.DefinitionParams) -> list[lsp.Location]:
        return session.define(params.text_document.uri, params.position)

    def outlined(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        return session.symbols(params.text_document.uri)

    server.feature(lsp.TEXT_DOCUMENT_COMPLETION)(completed)
    server.feature(lsp.TEXT_DOCUMENT_HOVER)(hovered)
    server.feature(lsp.TEXT_DOCUMENT_DEFINITION)(defined)
    server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)(outlined)

    def asked_to_rename(params: lsp.PrepareRenameParams) -> lsp.PrepareRenamePlaceholder | None:
        return session.renamed(params.text_document.uri, params.position)

    def renaming(params: lsp.RenameParams) -> lsp.WorkspaceEdit:
        return session.rename(params.text_document.uri, params.position, params.new_name)

    server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)(asked_to_rename)
    server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))(renaming)
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

    # ---- what stands where -----------------------------------------------------------------------------
    def offset(self, source: Source, at: lsp.Position) -> int:
        """The offset of an editor's place; past the end of a line it is the end of that line."""
        lines = source.text.split("\n")
        if at.line >= len(lines):
            return len(source.text)
        line, units = lines[at.line], self.server.workspace.position_codec.client_num_units
        column = next((many for many in range(len(line) + 1) if units(line[:many]) >= at.character), len(line))
        return sum(len(each) + 1 for each in lines[: at.line]) + column

    def _document(self, uri: str) -> Mapping | None:
        """What an open file says, if it can be read as it is now."""
        place = to_fs_path(uri)
        try:
            return read_mapping(Path(place)) if place is not None else None
        except (Faulty, OSError):
            return None

    def _asked(
        self, uri: str, at: lsp.Position, ask: Callable[[Mapping, Mapping, int], T], begun: str = ""
    ) -> T | None:
        """What is asked of a place in an open file and the ruleset that it rests on, both as they are edited; as if
        something were `begun` at the place."""
        texts, file = self.texts(), Path(str(to_fs_path(uri)))
        if begun and file in texts:
            source = Source(str(file), texts[file].replace("\r\n", "\n"))
            offset = self.offset(source, at)
            texts[file] = source.text[:offset] + begun + source.text[offset:]
        with unsaved(texts):
            document = self._document(uri)
            rules = rules_of(home_of(file)) if document is not None else None
            if document is None or rules is None:
                return None
            return ask(rules, document, self.offset(document.span.source, at))

    def complete(self, uri: str, at: lsp.Position) -> list[lsp.CompletionItem]:
        text = self.texts().get(Path(str(to_fs_path(uri))), "").replace("\r\n", "\n")
        begun = beginnings(text, self.offset(Source(uri, text), at))
        return [
            lsp.CompletionItem(one.name, detail=one.told, sort_text=f"{'a' if one.fits else 'b'}{one.name}")
            for one in next(filter(None, (self._asked(uri, at, offers, each) for each in begun)), ())
        ]

    def hover(self, uri: str, at: lsp.Position) -> lsp.Hover | None:
        told = self._asked(uri, at, told_at)
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, told)) if told else None

    def define(self, uri: str, at: lsp.Position) -> list[lsp.Location]:
        places = [one.key.span for one in self._asked(uri, at, meant) or ()]
        return [lsp.Location(there, self.range(each)) for each in places if (there := self.uri(each.source))]

    def renamed(self, uri: str, at: lsp.Position) -> lsp.PrepareRenamePlaceholder | None:
        """What would be renamed; an error says why it cannot be."""
        try:
            found = self._asked(uri, at, renamed_at)
        except Faulty as fault:
            raise JsonRpcInvalidParams(fault.diagnostics[0].message) from None
        return None if found is None else lsp.PrepareRenamePlaceholder(self.range(found[1]), found[0].name)

    def rename(self, uri: str, at: lsp.Position, new: str) -> lsp.WorkspaceEdit:
        texts, file = self.texts(), Path(str(to_fs_path(uri)))
        roots = (to_fs_path(folder.uri) for folder in self.server.workspace.folders.values())
        folders = [Path(each) for each in (*roots, self.server.workspace.root_path) if each is not None]
        try:
            with unsaved(texts):
                offset = self.offset(read_mapping(file).span.source, at)
            places = rename(file, offset, new, texts, folders)
        except Faulty as fault:
            raise JsonRpcInvalidParams(fault.diagnostics[0].message) from None
        edits = {
            self.uri(spans[0].source) or from_fs_path(str(each)): [
                lsp.TextEdit(self.range(span), new) for span in spans
            ]
            for each, spans in places.items()
        }
        return lsp.WorkspaceEdit(changes=edits)

    def symbols(self, uri: str) -> list[lsp.DocumentSymbol]:
        with unsaved(self.texts()):
            document = self._document(uri)
        return [] if document is None else [self._symbol(each) for each in outline(document)]

    def _symbol(self, entry: Entry) -> lsp.DocumentSymbol:
        whole = entry.key.span.to(entry.node.span) if entry.node.span.end > entry.key.span.end else entry.key.span
        parts = [self._symbol(each) for each in entry.parts]
        kind = lsp.SymbolKind.Namespace if parts else lsp.SymbolKind.Field
        return lsp.DocumentSymbol(entry.key.value, kind, self.range(whole), self.range(entry.key.span), children=parts)

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
