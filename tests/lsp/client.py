"""A client by pygls: every question an editor asks, and how long findings take after a keystroke."""

import asyncio
import statistics
import sys
import time

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient


async def main(program: str, path: str) -> None:
    client = LanguageClient("test", "1")
    findings: asyncio.Queue = asyncio.Queue()

    @client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def told(parameters: lsp.PublishDiagnosticsParams) -> None:
        findings.put_nowait(parameters)

    await client.start_io(program, "lsp")
    answer = await client.initialize_async(
        lsp.InitializeParams(capabilities=lsp.ClientCapabilities(), root_uri=None, process_id=None)
    )
    assert answer.server_info.name == "ludens", answer
    client.initialized(lsp.InitializedParams())

    text = open(path, encoding="utf-8").read()
    uri = "file:///chess.kif"
    document = lsp.TextDocumentIdentifier(uri=uri)
    item = lsp.TextDocumentItem(uri=uri, language_id="gdl", version=1, text=text)
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(text_document=item))
    told_first = await findings.get()
    assert not [one for one in told_first.diagnostics if one.severity == lsp.DiagnosticSeverity.Error], told_first

    lines = text.splitlines()
    line = next(at for at, content in enumerate(lines) if content.startswith("(<= (reach "))
    place = lsp.Position(line=line, character=6)
    hover = await client.text_document_hover_async(lsp.HoverParams(text_document=document, position=place))
    assert "**relation** `reach` of 5 arguments" in hover.contents.value, hover
    definition = await client.text_document_definition_async(
        lsp.DefinitionParams(text_document=document, position=place)
    )
    assert definition[0].range.start.line == line, definition
    references = await client.text_document_references_async(
        lsp.ReferenceParams(
            text_document=document, position=place, context=lsp.ReferenceContext(include_declaration=True)
        )
    )
    assert len(references) > 3, references
    symbols = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(text_document=document))
    assert any(symbol.name == "legal" or symbol.name.startswith("(legal") for symbol in symbols)
    options = lsp.FormattingOptions(tab_size=4, insert_spaces=True)
    edits = await client.text_document_formatting_async(
        lsp.DocumentFormattingParams(text_document=document, options=options)
    )
    assert not edits, "the sheet is tidy"

    # A slip in the name, one letter at a time, and what mends it.
    times = []
    version = 1
    for step in range(40):
        version += 1
        new, end = ("x", 5) if step % 2 == 0 else ("", 6)
        span = lsp.Range(start=lsp.Position(line=line, character=5), end=lsp.Position(line=line, character=end))
        change = lsp.TextDocumentContentChangePartial(range=span, text=new)
        begin = time.perf_counter()
        client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                text_document=lsp.VersionedTextDocumentIdentifier(uri=uri, version=version), content_changes=[change]
            )
        )
        told_now = await findings.get()
        times.append(1000 * (time.perf_counter() - begin))
        assert told_now.version == version
        has_slip = len(told_now.diagnostics) > len(told_first.diagnostics)
        assert has_slip == (step % 2 == 0), told_now
    median, slowest = statistics.median(times), max(times)
    print(f"findings on {path}: {median:.1f} ms after a keystroke in the median, {slowest:.1f} ms at most")

    broken = "(role me)\n(init (at 1))\n(<= (legal me go) (and (true (att 1))))\n(legal me stay\n(goal me 100)\n(<= terminal (true (at 1)))\n"
    client.text_document_did_change(
        lsp.DidChangeTextDocumentParams(
            text_document=lsp.VersionedTextDocumentIdentifier(uri=uri, version=version + 1),
            content_changes=[lsp.TextDocumentContentChangeWholeDocument(text=broken)],
        )
    )
    told_now = await findings.get()
    everything = lsp.Range(start=lsp.Position(line=0, character=0), end=lsp.Position(line=9, character=0))
    actions = await client.text_document_code_action_async(
        lsp.CodeActionParams(
            text_document=document, range=everything, context=lsp.CodeActionContext(diagnostics=told_now.diagnostics)
        )
    )
    titles = sorted(action.title for action in actions)
    wanted = ["close it at the end of the rule", "write `at`", "write the conditions side by side"]
    assert titles == wanted, titles
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()
    print("pygls: all is well")


asyncio.run(main(sys.argv[1], sys.argv[2]))
