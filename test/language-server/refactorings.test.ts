import { SourceText } from '@tollgate/diagnostics';
import { describe, expect, it } from 'vitest';
import type { CodeAction } from 'vscode-languageserver-protocol';
import { Editor } from './support/editor.ts';
import { memoryHost } from './support/memory-host.ts';

const RULE = (conditions: readonly string[], name = 'a', deny = 'deny') =>
  `  - name: ${name}\n    expressions:\n${conditions.map(one => `      - ${one}\n`).join('')}    actions:\n      - type: ${deny}\n`;
const POLICY = (...rules: readonly string[]) => `on_http_request:\n${rules.join('')}`;

/** Asks for refactorings at the first condition, and returns the text that each of them leads to, by its title. */
async function refactored(
  text: string,
  context: object = { only: ['refactor'] },
  selected?: string,
): Promise<ReadonlyMap<string, string>> {
  const editor = await Editor.start(memoryHost(new Map()));
  const uri = 'file:///w/p.yaml';
  await editor.open(uri, text, 'tollgate');
  const source = new SourceText(uri, text);
  const first = text.indexOf('- ', text.indexOf('expressions:')) + 4;
  const start = selected === undefined ? first : text.indexOf(selected);
  const range = { start: source.positionAt(start), end: source.positionAt(start + (selected?.length ?? 0)) };
  const actions = await editor.request<readonly CodeAction[]>('textDocument/codeAction', {
    textDocument: { uri },
    range,
    context: { diagnostics: [], ...context },
  });
  await editor.end();
  return new Map(
    actions
      .filter(one => one.kind?.startsWith('refactor'))
      .map(({ title, edit }) => {
        const edits = (edit?.changes?.[uri] ?? []).map(({ range, newText }) => {
          return { range: { start: source.offsetAt(range.start), end: source.offsetAt(range.end) }, newText };
        });
        const result = edits
          .toSorted((a, b) => b.range.start - a.range.start)
          .reduce((now, { range, newText }) => now.slice(0, range.start) + newText + now.slice(range.end), text);
        return [title, result];
      }),
  );
}

describe('refactorings', () => {
  it.each([
    [
      'join the conditions with `&&`',
      [RULE(["req.method == 'GET'", "req.url.path == '/a' || req.url.path == '/b'"])],
      [RULE(["req.method == 'GET' && (req.url.path == '/a' || req.url.path == '/b')"])],
    ],
    [
      'make each part of `&&` a condition',
      [
        RULE([
          "req.method == 'GET' && (req.url.path == '/a' || req.url.path == '/b') && conn.client_ip != '192.0.2.1'",
        ]),
      ],
      [RULE(["req.method == 'GET'", "req.url.path == '/a' || req.url.path == '/b'", "conn.client_ip != '192.0.2.1'"])],
    ],
    [
      'write `startsWith` for the pattern of a prefix',
      [RULE(["req.url.path.matches('^/admin[.]d/')"])],
      [RULE(["req.url.path.startsWith('/admin.d/')"])],
    ],
    [
      'split the rule at `||`',
      [RULE(["req.method == 'PUT' || req.url.path == '/a'"])],
      [RULE(["req.method == 'PUT'"]), RULE(["req.url.path == '/a'"], 'a 2')],
    ],
    [
      'merge with the next rule, which does the same',
      [RULE(["req.method == 'PUT'"]), RULE(["req.url.path == '/a'"], 'b')],
      [RULE(["req.method == 'PUT' || req.url.path == '/a'"])],
    ],
  ])('%s', async (title, before, after) => {
    const found = await refactored(POLICY(...before));
    expect(found.get(title)).toBe(POLICY(...after));
  });

  it.each([
    ['patterns that are no prefixes', POLICY(RULE(["req.url.path.matches('^/a.c')"])), 'write `startsWith`'],
    [
      'actions that can happen twice',
      POLICY(RULE(["req.method == 'PUT' || req.url.path == '/a'"], 'a', 'log')),
      'split',
    ],
    [
      'rules with other actions',
      POLICY(RULE(["req.method == 'PUT'"]), RULE(["req.url.path == '/a'"], 'b', 'close-connection')),
      'merge',
    ],
    ['comments', POLICY(RULE(["req.method == 'PUT' # why", "req.url.path == '/a'"])), 'join'],
  ])('are not offered for %s', async (_, text, title) => {
    const found = await refactored(text);
    expect([...found.keys()].filter(one => one.startsWith(title))).toEqual([]);
  });

  const BLOCK = `on_http_request:
  - name: a
    expressions:
      - req.method == 'PUT'
      - "!('x' in req.headers)"
    actions:
      - type: custom-response
        config:
          status_code: 404
          headers:
            x-why: "1"
`;

  it('write a list or map on one line, and in block style again', async () => {
    const conditions = await refactored(BLOCK, undefined, "req.method == 'PUT'");
    const onOneLine = conditions.get('write the value on one line')!;
    expect(onOneLine).toContain(`    expressions: [req.method == 'PUT', "!('x' in req.headers)"]\n    actions:`);
    const back = await refactored(onOneLine, undefined, "req.method == 'PUT'");
    expect(back.get('write the value in block style')).toBe(BLOCK);
    const config = await refactored(BLOCK, undefined, 'status_code');
    const flow = config.get('write the value on one line')!;
    expect(flow).toContain(`        config: {status_code: 404, headers: {x-why: "1"}}\n`);
    const block = (await refactored(flow, undefined, 'status_code')).get('write the value in block style')!;
    expect(block).toBe(BLOCK.replace(/headers:\n +x-why: "1"/, 'headers: {x-why: "1"}'));
  });

  it('keep comments and texts of several lines as they are', async () => {
    const commented = await refactored(BLOCK.replace("'PUT'", "'PUT' # why"), undefined, 'req.method');
    expect(commented.has('write the value on one line')).toBe(false);
    const long = BLOCK.replace('x-why: "1"', 'x-why: |\n              a\n              b');
    expect((await refactored(long, undefined, 'status_code')).has('write the value on one line')).toBe(false);
  });

  const EXTRACT = 'extract to a variable that `set-vars` sets';

  it('extract a part of a condition to a variable', async () => {
    const text = POLICY(RULE(["req.method == 'PUT' && (req.url.path == '/a' || req.url.path == '/b')"]));
    const found = await refactored(text, undefined, "req.url.path == '/a' || req.url.path == '/b'");
    expect(found.get(EXTRACT)).toBe(`on_http_request:
  - actions:
      - type: set-vars
        config:
          vars:
            - condition: \${req.url.path == '/a' || req.url.path == '/b'}
  - name: a
    expressions:
      - req.method == 'PUT' && vars.condition
    actions:
      - type: deny
`);
  });

  it.each([
    [
      'a part that may fail, which was not evaluated before',
      "'x' in req.headers && req.headers['x'][0] == 'a'",
      "req.headers['x'][0] == 'a'",
    ],
    ['a part that uses what a macro binds', "req.headers['x'].exists(v, v == 'a')", "v == 'a'"],
    ['a part that is no condition', "req.url.path == '/a'", 'req.url.path'],
    ['nothing that is selected', "req.url.path == '/a'", ''],
  ])('do not extract %s', async (_, condition, selected) => {
    expect((await refactored(POLICY(RULE([condition])), undefined, selected || undefined)).has(EXTRACT)).toBe(false);
  });

  it('are offered when a person asks, and not while the cursor moves', async () => {
    const text = POLICY(RULE(["req.method == 'GET'", "req.url.path == '/a'"]));
    expect([...(await refactored(text, { triggerKind: 1 })).keys()]).toContain('join the conditions with `&&`');
    expect((await refactored(text, { triggerKind: 2 })).size).toBe(0);
    expect((await refactored(text, { only: ['quickfix'] })).size).toBe(0);
  });
});
