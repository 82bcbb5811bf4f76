import { afterEach, describe, expect, it } from 'vitest';
import { Editor } from './support/editor.ts';
import { memoryHost } from './support/memory-host.ts';

const POLICY = 'on_http_request:\n  - actions:\n      - type: deny\n';
const TESTS =
  'policy: p.yaml\ntests:\n  - name: one\n    request: { url: / }\n    expect: { outcome: denied }\n  - request: {}\n';

let editor: Editor;
afterEach(() => editor.end());

const about = (uri: string) => ({ textDocument: { uri } });

describe('what a document is', () => {
  it.each([
    ['a policy', 'file:///w/p.yaml', POLICY, 'policy', [{ profile: 'modern', endpoint: 'http-endpoint' }]],
    ['policy tests', 'file:///w/p.test.yaml', TESTS, 'tests', []],
    ['settings', 'file:///w/tollgate.yaml', 'profile: modern\n', 'project', []],
    ['something else', 'file:///w/other.yaml', 'a: b\n', 'other', []],
  ])('is told for %s', async (_, uri, text, kind, targets) => {
    editor = await Editor.start(memoryHost(new Map()));
    await editor.open(uri, text);
    const summary = await editor.request('tollgate/document', about(uri));
    expect(summary).toEqual({ kind, targets, project: null, failures: [] });
  });

  it('is unknown for a document that is not open', async () => {
    editor = await Editor.start(memoryHost(new Map()));
    expect(await editor.request('tollgate/document', about('file:///w/p.yaml'))).toBeNull();
  });
});

describe('the tests of a file', () => {
  const range = (line: number, from: number, toLine: number, to: number) => {
    return { start: { line, character: from }, end: { line: toLine, character: to } };
  };
  const one = { name: 'one', nameRange: range(2, 10, 2, 13) };

  it('are listed for a file that is not open, without those that have no name', async () => {
    editor = await Editor.start(memoryHost(new Map([['/w/p.test.yaml', TESTS]])));
    const found = await editor.request<readonly object[]>('tollgate/tests', about('file:///w/p.test.yaml'));
    expect(found).toEqual([expect.objectContaining(one)]);
    expect(found[0]).toMatchObject({ range: { start: { line: 2, character: 4 } } });
  });

  it('are those of the editor, if the file is open', async () => {
    editor = await Editor.start(memoryHost(new Map([['/w/p.test.yaml', TESTS]])));
    await editor.open('file:///w/p.test.yaml', TESTS.replace('one', 'two'));
    const found = await editor.request<readonly object[]>('tollgate/tests', about('file:///w/p.test.yaml'));
    expect(found).toEqual([expect.objectContaining({ ...one, name: 'two' })]);
  });

  it.each(['file:///w/p.yaml', 'file:///w/none.test.yaml'])('are missing for %s', async uri => {
    editor = await Editor.start(memoryHost(new Map([['/w/p.yaml', POLICY]])));
    expect(await editor.request('tollgate/tests', about(uri))).toBeNull();
  });
});
