import { SourceText } from '@tollgate/diagnostics';
import { describe, expect, it } from 'vitest';
import type { ClientCapabilities, CodeAction, TextDocumentEdit, TextEdit } from 'vscode-languageserver-protocol';
import { Editor } from './support/editor.ts';
import { type Files, memoryHost } from './support/memory-host.ts';

const POLICY = `on_http_request:
  - name: no scanners
    expressions:
      - req.url.path.startsWith('/wp-') || req.url.path == '/.env'
    actions:
      - type: deny
  - name: robots
    expressions: ["req.url.path == '/robots.txt'"]
    actions:
      - type: custom-response
        config: {status_code: 200}
`;
const TESTS = `# kept
policy: shop.yaml
tests:
  - name: robots are answered
    request: {url: 'https://shop.example/robots.txt'}
    expect: {outcome: answered}
`;
const URI = 'file:///w/shop.yaml';
const RESOLVES = {
  textDocument: { codeAction: { dataSupport: true, resolveSupport: { properties: ['edit'] } } },
};
const CREATES: ClientCapabilities = {
  workspace: { workspaceEdit: { documentChanges: true, resourceOperations: ['create'] } },
};

async function actionsAt(line: number, capabilities: ClientCapabilities, files: Files = new Map(), text = POLICY) {
  const host = memoryHost(files);
  const editor = await Editor.start(host, capabilities, { workspaceFolders: [{ uri: 'file:///w', name: 'w' }] });
  await editor.open(URI, text, 'tollgate');
  const at = { line, character: 8 };
  const actions = await editor.request<readonly CodeAction[]>('textDocument/codeAction', {
    textDocument: { uri: URI },
    range: { start: at, end: at },
    context: { diagnostics: [], only: ['refactor'] },
  });
  const [action] = actions.filter(one => one.kind === 'refactor.test');
  return { editor, action };
}

function applied(text: string, edits: readonly TextEdit[]): string {
  const source = new SourceText('', text);
  return edits
    .map(({ range, newText }) => ({ start: source.offsetAt(range.start), end: source.offsetAt(range.end), newText }))
    .toSorted((a, b) => b.start - a.start)
    .reduce((now, { start, end, newText }) => now.slice(0, start) + newText + now.slice(end), text);
}

describe('the missing tests of a rule', () => {
  it('are written into the file with the other tests, only those of the rule, and then none is missing', async () => {
    const files = new Map([['/w/shop.test.yaml', TESTS]]);
    const { editor, action } = await actionsAt(3, RESOLVES, files);
    expect(action).toMatchObject({ title: 'write the missing tests of this rule' });
    expect(action?.edit).toBeUndefined();
    const { edit } = await editor.request<CodeAction>('codeAction/resolve', action!);
    const text = applied(TESTS, edit!.changes!['file:///w/shop.test.yaml']!);
    expect(text.startsWith(TESTS)).toBe(true);
    expect(text.slice(TESTS.length)).toMatch(/no scanners/);
    expect(text.slice(TESTS.length)).not.toMatch(/robots:/);
    await editor.end();
    files.set('/w/shop.test.yaml', text);
    const again = await actionsAt(3, RESOLVES, files);
    expect(again.action).toBeUndefined();
    await again.editor.end();
  });

  it('come at once for clients that cannot ask for them later, and count what an open file shows', async () => {
    const files = new Map([['/w/shop.test.yaml', TESTS]]);
    const { editor, action } = await actionsAt(3, {}, files);
    expect(action?.edit?.changes?.['file:///w/shop.test.yaml']).toHaveLength(1);
    await editor.end();
  });

  it('get a file of their own if there is none, where the client can create one', async () => {
    const without = await actionsAt(7, {});
    expect(without.action).toBeUndefined();
    await without.editor.end();
    const { editor, action } = await actionsAt(7, CREATES);
    expect(action?.title).toBe('write tests of this rule');
    const [created, change] = action!.edit!.documentChanges!;
    expect(created).toMatchObject({ kind: 'create', uri: 'file:///w/shop.test.yaml' });
    const [edit] = (change as TextDocumentEdit).edits as TextEdit[];
    expect(edit?.newText).toMatch(/^# Tests of shop\.yaml\.\npolicy: shop\.yaml\ntests:\n {2}- name: .*robots/);
    await editor.end();
  });

  it.each([
    ['a policy with errors', POLICY.replace('path.startsWith', 'pth.startsWith')],
    ['another part of the document', `# a comment\n\n\n\n${POLICY}`],
  ])('are not offered in %s', async (_, text) => {
    const { editor, action } = await actionsAt(3, CREATES, new Map(), text);
    expect(action).toBeUndefined();
    await editor.end();
  });
});

it('shows rules that no test of the folder reaches, as `tollgate lint` does, until a test is written', async () => {
  const files = new Map([['/w/shop.test.yaml', TESTS]]);
  const folders = { workspaceFolders: [{ uri: 'file:///w', name: 'w' }] };
  const editor = await Editor.start(memoryHost(files), {}, folders);
  await editor.open(URI, POLICY, 'tollgate');
  const untested = async () => {
    const found = await editor.pullSettled(URI);
    return found.flatMap(one => (one.code === 'test/rule-untested' ? [`${one.range.start.line} ${one.message}`] : []));
  };
  expect(await untested()).toEqual([
    '1 rule matches in no test; add a test',
    '6 rule matches in every test that reaches it; add a test',
  ]);
  const more = `${TESTS}  - name: scanners are not
    request: {method: GET, url: 'https://shop.example/.env'}
    expect: {outcome: denied}
  - name: others pass
    request: {method: GET, url: 'https://shop.example/books'}
    expect: {outcome: passed}
`;
  files.set('/w/shop.test.yaml', more);
  const changes = [{ uri: 'file:///w/shop.test.yaml', type: 2 }];
  await editor.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
  expect(await untested()).toEqual([]);
  await editor.end();
});
