import { SourceText } from '@tollgate/diagnostics';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type {
  CodeAction,
  CodeLens,
  DocumentHighlight,
  DocumentLink,
  DocumentSymbol,
  FoldingRange,
  InlayHint,
  Location,
  Range,
  SelectionRange,
  SemanticTokens,
  SymbolInformation,
  TextEdit,
  WorkspaceEdit,
} from 'vscode-languageserver-protocol';
import { Editor } from './support/editor.ts';
import { type Files, memoryHost } from './support/memory-host.ts';

const POLICY_URI = 'file:///w/p.yaml';
const TESTS_URI = 'file:///w/p.test.yaml';
const POLICY = `# what the office may do
# and what it may not
on_http_request:
  - name: office only
    expressions:
      - req.headers['x-a'].exists(v, v == 'a' && v != 'b')
      - vars.team == 'x'
    actions:
      - type: set-vars
        config:
          vars:
            - team: red
      - type: url-rewrite
        config:
          from: /a/(\\d+)/(x)
          to: /b/$2
      - type: log
        config:
          metadata: { n: "\${size(req.url)}" }
  - name: second
    actions:
      - type: deny
`;
const TESTS = `policy: p.yaml
tests:
  - name: nobody gets in
    request: { url: / }
    expect: { outcome: denied, rules: { office only: matched, second: matched } }
`;

let editor: Editor;
let files: Files;

beforeEach(async () => {
  files = new Map([
    ['/w/p.yaml', POLICY],
    ['/w/p.test.yaml', TESTS],
  ]);
  const capabilities = { textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true } } };
  editor = await Editor.start(memoryHost(files), capabilities);
  await editor.open(POLICY_URI, POLICY);
  await editor.open(TESTS_URI, TESTS);
});

afterEach(async () => {
  await editor.end();
});

const textOf = (uri: string) => (uri === POLICY_URI ? POLICY : TESTS);

/** The position right after a text. */
function behind(uri: string, found: string) {
  const text = textOf(uri);
  return { textDocument: { uri }, position: new SourceText('', text).positionAt(text.indexOf(found) + found.length) };
}

function shown({ uri, range }: { readonly uri: string; readonly range: Range }): string {
  const source = new SourceText('', textOf(uri));
  const line = range.start.line + 1;
  return `${uri.slice(-11)}:${line} ${source.text.slice(source.offsetAt(range.start), source.offsetAt(range.end))}`;
}

function applied(uri: string, edits: readonly TextEdit[]): string {
  const source = new SourceText('', textOf(uri));
  let { text } = source;
  for (const { range, newText } of edits.toSorted(
    (a, b) => b.range.start.line - a.range.start.line || b.range.start.character - a.range.start.character,
  ))
    text = text.slice(0, source.offsetAt(range.start)) + newText + text.slice(source.offsetAt(range.end));
  return text;
}

describe('definition', () => {
  it.each([
    ['a rule that a test names', TESTS_URI, 'office on', ['w/p.yaml:4 office only']],
    ['the policy of tests', TESTS_URI, 'p.ya', ['w/p.yaml:1 ']],
    ['a variable that an action sets', POLICY_URI, 'vars.te', ['w/p.yaml:12 team']],
    ['the variable of a macro', POLICY_URI, '&& v', ['w/p.yaml:6 v']],
    ['a capture group', POLICY_URI, '/b/$', ['w/p.yaml:15 (']],
  ])('leads to %s', async (_, uri, place, expected) => {
    const found = await editor.request<readonly Location[]>('textDocument/definition', behind(uri, place));
    expect(found.map(one => shown(one).replace(/^.*?(?=w\/p)/, ''))).toEqual(expected);
  });
});

it('finds references across policies and tests', async () => {
  const params = { ...behind(POLICY_URI, 'office o'), context: { includeDeclaration: true } };
  const found = await editor.request<readonly Location[]>('textDocument/references', params);
  expect(found.map(({ uri, range }) => `${uri} ${range.start.line}`).sort()).toEqual(
    [`${TESTS_URI} 4`, `${POLICY_URI} 3`].sort(),
  );
});

it('highlights and links the uses of a variable', async () => {
  const at = behind(POLICY_URI, 'exists(v');
  const found = await editor.request<readonly DocumentHighlight[]>('textDocument/documentHighlight', at);
  expect(found).toHaveLength(3);
  const linked = await editor.request<{ ranges: readonly Range[] }>('textDocument/linkedEditingRange', at);
  expect(linked.ranges).toEqual(found.map(one => one.range));
});

describe('rename', () => {
  it('changes a rule in the policy and its tests, quoted where needed', async () => {
    const at = behind(POLICY_URI, 'office o');
    expect(await editor.request('textDocument/prepareRename', at)).toMatchObject({ placeholder: 'office only' });
    const { changes } = await editor.request<WorkspaceEdit>('textDocument/rename', { ...at, newName: 'a: b' });
    expect(applied(POLICY_URI, changes![POLICY_URI]!)).toContain('name: "a: b"\n');
    expect(applied(TESTS_URI, changes![TESTS_URI]!)).toContain('rules: { "a: b": matched');
  });

  it('changes variables, and refuses names that expressions cannot write', async () => {
    const at = behind(POLICY_URI, 'vars.te');
    const { changes } = await editor.request<WorkspaceEdit>('textDocument/rename', { ...at, newName: 'crew' });
    const text = applied(POLICY_URI, changes![POLICY_URI]!);
    expect(text).toContain("vars.crew == 'x'");
    expect(text).toContain('- crew: red');
    await expect(editor.request('textDocument/rename', { ...at, newName: 'a b' })).rejects.toThrow('identifier');
  });

  it('offers nothing where there is no name of ours', async () => {
    expect(await editor.request('textDocument/prepareRename', behind(POLICY_URI, 'on_http_re'))).toBeNull();
  });
});

it('updates paths in tests when a policy is renamed', async () => {
  const renamed = { files: [{ oldUri: POLICY_URI, newUri: 'file:///w/sub/q.yaml' }] };
  const { changes } = await editor.request<WorkspaceEdit>('workspace/willRenameFiles', renamed);
  expect(applied(TESTS_URI, changes![TESTS_URI]!)).toContain('policy: sub/q.yaml\n');
});

it('outlines documents and finds symbols in all of them', async () => {
  const document = { textDocument: { uri: POLICY_URI } };
  const [phase] = await editor.request<readonly DocumentSymbol[]>('textDocument/documentSymbol', document);
  expect([phase?.name, phase?.children?.map(one => one.name)]).toEqual(['on_http_request', ['office only', 'second']]);
  const found = await editor.request<readonly SymbolInformation[]>('workspace/symbol', { query: 'nbdy' });
  expect(found.map(one => one.name)).toEqual(['nobody gets in']);
});

it('folds blocks and comments, and selects ever larger parts of an expression', async () => {
  const folds = await editor.request<readonly FoldingRange[]>('textDocument/foldingRange', {
    textDocument: { uri: POLICY_URI },
  });
  expect(folds).toContainEqual({ startLine: 0, endLine: 1, kind: 'comment' });
  expect(folds).toContainEqual({ startLine: 2, endLine: 21 });
  const { textDocument, position } = behind(POLICY_URI, "v == 'a");
  const [selection] = await editor.request<readonly SelectionRange[]>('textDocument/selectionRange', {
    textDocument,
    positions: [position],
  });
  const parts: string[] = [];
  for (let one = selection; one; one = one.parent)
    parts.push(shown({ uri: POLICY_URI, range: one.range }).split(' ').slice(1).join(' '));
  expect(parts.slice(0, 3)).toEqual(["'a'", "v == 'a'", "v == 'a' && v != 'b'"]);
});

it('links files, colours expressions, hints at types and offers commands', async () => {
  const [tests, policy] = [{ textDocument: { uri: TESTS_URI } }, { textDocument: { uri: POLICY_URI } }];
  const links = await editor.request<readonly DocumentLink[]>('textDocument/documentLink', tests);
  expect(links.map(one => one.target)).toEqual([POLICY_URI]);
  const { data } = await editor.request<SemanticTokens>('textDocument/semanticTokens/full', policy);
  expect(data.length % 5).toBe(0);
  expect(data.slice(0, 5)).toEqual([5, 8, 3, 0, 0]);
  const range = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
  const hints = await editor.request<readonly InlayHint[]>('textDocument/inlayHint', { ...policy, range });
  expect(hints.map(one => one.label)).toEqual([': string', ': int']);
  const lenses = await editor.request<readonly CodeLens[]>('textDocument/codeLens', tests);
  expect(lenses.map(one => one.command?.title)).toEqual(['run all tests', 'run test']);
});

describe('edits', () => {
  const BAD = 'inbound:\n  - expressions: [\'req.Metod == "GET" && true\']\n    actions: [{type: deny}]\n';
  const uri = 'file:///w/bad.yaml';

  it('fixes findings, and ignores them with a reason', async () => {
    await editor.open(uri, BAD);
    const range = { start: { line: 1, character: 20 }, end: { line: 1, character: 30 } };
    const params = { textDocument: { uri }, range, context: { diagnostics: [] } };
    const actions = await editor.request<readonly CodeAction[]>('textDocument/codeAction', params);
    expect(actions.map(one => one.title)).toEqual(expect.arrayContaining([expect.stringContaining('Method')]));
  });

  it('formats a document, only where asked, and indents new lines', async () => {
    const messy = 'on_http_request:\n- actions:\n  - type:   deny\n\n- actions:\n  - type:   log\n';
    await editor.open(uri, messy);
    const options = { tabSize: 2, insertSpaces: true };
    const document = { textDocument: { uri }, options };
    const edits = await editor.request<readonly TextEdit[]>('textDocument/formatting', document);
    expect(edits.length).toBeGreaterThan(0);
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
    const part = await editor.request<readonly TextEdit[]>('textDocument/rangeFormatting', { ...document, range });
    expect(part.length).toBeLessThanOrEqual(edits.length);
    await editor.change(uri, { text: 'on_http_request:\n  - actions:\n\n' });
    const typed = { ...document, position: { line: 2, character: 0 }, ch: '\n' };
    expect(await editor.request('textDocument/onTypeFormatting', typed)).toMatchObject([{ newText: '      ' }]);
  });
});
