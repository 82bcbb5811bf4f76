import { SourceText } from '@tollgate/diagnostics';
import { describe, expect, it } from 'vitest';
import type { CodeLens, CompletionList, Hover, SymbolInformation, TextEdit } from 'vscode-languageserver-protocol';
import { Editor } from './support/editor.ts';
import { memoryHost } from './support/memory-host.ts';

const NATIVE = `apiVersion: v1
kind: Edge
spec:
  policy:
    on_http_request:
      - expressions:
          - req.metod == 'GET'
        actions:
          - type: deny
`;
const IN_STRING = `apiVersion: v1
kind: ConfigMap
data:
  policy.yaml: |
    on_http_request:
      - expressions:
          - req.metod == 'GET'
        actions:
          - type: deny
`;
const URI = 'file:///w/deploy.yaml';

describe.each([
  ['as a value', NATIVE],
  ['in a string', IN_STRING],
  ['in a string with CR LF', IN_STRING.replaceAll('\n', '\r\n')],
])('a policy %s of another document', (_, text) => {
  const source = new SourceText('', text);
  const behind = (found: string) => source.positionAt(text.indexOf(found) + found.length);

  it('gets diagnostics at their exact places', async () => {
    const editor = await Editor.start(memoryHost(new Map()));
    await editor.open(URI, text);
    const found = await editor.pullSettled(URI);
    const [wrong] = found.filter(one => one.code === 'name/undeclared-field');
    expect(wrong?.range).toEqual({ start: behind('req.'), end: behind('req.metod') });
    await editor.end();
  });

  it('is completed and explained', async () => {
    const editor = await Editor.start(memoryHost(new Map()));
    await editor.open(URI, text);
    const textDocument = { uri: URI };
    const list = await editor.request<CompletionList>('textDocument/completion', {
      textDocument,
      position: behind('req.'),
    });
    const method = list.items.find(one => one.label === 'method');
    expect(method?.textEdit).toMatchObject({ range: { start: behind('req.'), end: behind('req.metod') } });
    const types = await editor.request<CompletionList>('textDocument/completion', {
      textDocument,
      position: behind('type: '),
    });
    expect(types.items.map(one => one.label)).toContain('redirect');
    const hover = await editor.request<Hover>('textDocument/hover', { textDocument, position: behind('type: de') });
    expect(JSON.stringify(hover.contents)).toContain('**deny**');
    await editor.end();
  });

  it('has symbols and lenses, and is formatted', async () => {
    const editor = await Editor.start(memoryHost(new Map()));
    const untidy = text.replace(/- (?=type: deny)/, '-    ');
    await editor.open(URI, untidy);
    const textDocument = { uri: URI };
    const [phase] = await editor.request<SymbolInformation[]>('textDocument/documentSymbol', { textDocument });
    expect(phase).toMatchObject({ name: 'on_http_request', location: { range: { start: { line: 4 } } } });
    const lenses = await editor.request<CodeLens[]>('textDocument/codeLens', { textDocument });
    expect(lenses.map(one => one.command?.title)).toEqual(['trace', 'replay']);
    const at = new SourceText('', untidy).positionAt(untidy.indexOf('expressions'));
    expect(lenses[0]!.range.start).toEqual(at);
    const options = { tabSize: 2, insertSpaces: true };
    const edits = await editor.request<TextEdit[]>('textDocument/formatting', { textDocument, options });
    expect(edits).toHaveLength(1);
    expect(edits[0]!.newText.trim()).toBe('- type: deny');
    await editor.end();
  });
});
