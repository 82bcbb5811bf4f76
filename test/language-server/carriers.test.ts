import { SourceText } from '@tollgate/diagnostics';
import { describe, expect, it } from 'vitest';
import type {
  CodeLens,
  CompletionList,
  Hover,
  InlayHint,
  SelectionRange,
  SemanticTokens,
  SymbolInformation,
  TextEdit,
} from 'vscode-languageserver-protocol';
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

const PLACES = [
  ['as a value', NATIVE],
  ['in a string', IN_STRING],
  ['in a string with CR LF', IN_STRING.replaceAll('\n', '\r\n')],
] as const;

describe.each(PLACES)('a policy %s of another document', (_, text) => {
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

it.each(PLACES)('a policy %s has tokens and selection ranges in its expressions', async (_, untyped) => {
  const text = untyped.replace('metod', 'method');
  const source = new SourceText('', text);
  const behind = (found: string) => source.positionAt(text.indexOf(found) + found.length);
  const editor = await Editor.start(memoryHost(new Map()));
  await editor.open(URI, text);
  const textDocument = { uri: URI };
  const { data } = await editor.request<SemanticTokens>('textDocument/semanticTokens/full', { textDocument });
  const { line, character } = source.positionAt(text.indexOf('req.'));
  expect(data.slice(0, 3)).toEqual([line, character, 'req'.length]);
  expect(data.slice(5, 8)).toEqual([0, 'req.'.length, 'method'.length]);
  const range = { start: { line: 0, character: 0 }, end: { line, character } };
  const above = await editor.request<SemanticTokens>('textDocument/semanticTokens/range', { textDocument, range });
  expect(above.data.slice(0, 3)).toEqual(data.slice(0, 3));
  const asked = { textDocument, positions: [behind('req.met')] };
  const [selected] = await editor.request<SelectionRange[]>('textDocument/selectionRange', asked);
  const expression = { start: source.positionAt(text.indexOf('req.')), end: behind('req.method') };
  expect(selected?.range).toEqual(expression);
  await editor.end();
});

describe('a file with several policies', () => {
  const rule = (name: string, by: string) =>
    `${by}on_http_request:\n${by}  - name: ${name}\n${by}    actions: [{ type: deny }]\n`;
  it.each([
    ['in strings', `data:\n  a: |\n${rule('one', '    ')}  b: |\n${rule('two', '    ')}`, ['/data/a', '/data/b']],
    ['as values', `a:\n${rule('one', '  ')}b:\n${rule('two', '  ')}`, ['/a', '/b']],
    ['in documents', `${rule('one', '')}---\n${rule('two', '')}`, ['1', '2']],
  ])('has lenses and hits that name each policy: %s', async (_, text, addresses) => {
    const editor = await Editor.start(memoryHost(new Map()));
    await editor.open(URI, text);
    const textDocument = { uri: URI };
    const lenses = await editor.request<CodeLens[]>('textDocument/codeLens', { textDocument });
    const replays = lenses.filter(one => one.command?.title === 'replay').map(one => one.command?.arguments);
    expect(replays).toEqual(addresses.map(one => [`${URI}#${one}`, 'on_http_request', 1]));
    const rules = [{ phase: 'on_http_request', index: 0, name: 'two', matched: 3, undetermined: 0 }];
    const replayed = { textDocument: { uri: `${URI}#${addresses[1]}` }, report: { exchanges: 4, rules } };
    await editor.connection.sendNotification('tollgate/replayed', replayed);
    const range = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
    const hints = await editor.request<InlayHint[]>('textDocument/inlayHint', { textDocument, range });
    const { line } = new SourceText('', text).positionAt(text.indexOf('two'));
    expect(hints.map(({ label, position }) => [label, position.line])).toEqual([['3 of 4 matched', line]]);
    await editor.end();
  });
});
