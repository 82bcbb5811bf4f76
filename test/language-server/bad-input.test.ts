import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Diagnostic } from 'vscode-languageserver-protocol';
import { runs, seed } from '../support/runs.ts';
import { FRACTION } from '../support/text-changes.ts';
import { Editor } from './support/editor.ts';
import { memoryHost } from './support/memory-host.ts';
import { offsetOf, positionAt } from './support/positions.ts';

const URI = 'file:///w/p.yaml';
const POLICY = `# a policy
on_http_request:
  - name: one
    expressions:
      - req.url.path.startsWith('/a') && req.headers['x'].exists(v, v == 'b')
    actions:
      - type: custom-response
        config:
          status_code: 404
          body: "no \${req.url.path} here"
  - name: "two"
    expressions: ['req.method == "GET"']
    actions:
      - {type: redirect, config: {from: '^/(a)', to: '/$1'}}
`;
const JSON_POLICY = JSON.stringify({
  on_http_request: [{ expressions: ['req.method == "GET"'], actions: [{ type: 'deny' }] }],
});
const TESTS = 'policy: p.yaml\ntests:\n  - name: a\n    request: { url: / }\n    expect: { outcome: denied }\n';

/** Requests that are asked at a position. */
const AT = [
  'textDocument/completion',
  'textDocument/hover',
  'textDocument/signatureHelp',
  'textDocument/definition',
  'textDocument/documentHighlight',
  'textDocument/linkedEditingRange',
  'textDocument/prepareRename',
];
const ABOUT = [
  'textDocument/documentSymbol',
  'textDocument/foldingRange',
  'textDocument/documentLink',
  'textDocument/codeLens',
  'textDocument/semanticTokens/full',
  'textDocument/formatting',
];

async function askEverything(editor: Editor, uri: string, position: object): Promise<void> {
  const textDocument = { uri };
  const options = { tabSize: 2, insertSpaces: true };
  for (const method of AT) await editor.request(method, { textDocument, position });
  for (const method of ABOUT) await editor.request(method, { textDocument, options });
  await editor.request('textDocument/selectionRange', { textDocument, positions: [position] });
  const range = { start: position, end: position };
  await editor.request('textDocument/codeAction', { textDocument, range, context: { diagnostics: [] } });
  await editor.request('textDocument/inlayHint', { textDocument, range });
}

/** The server writes defects of features to the log of the client. */
function collectErrors(editor: Editor): string[] {
  const errors: string[] = [];
  editor.connection.onNotification('window/logMessage', ({ type, message }: { type: number; message: string }) => {
    if (type === 1) errors.push(message);
  });
  return errors;
}

function isAboutYaml({ code }: Diagnostic): boolean {
  return String(code).startsWith('yaml/');
}

/** Bytes in use after a collection; `setFlagsFromString` makes it available without a flag of the command line. */
function usedHeap(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

describe('bad input', () => {
  it.each([
    ['YAML', URI, POLICY],
    ['YAML with CR LF', URI, POLICY.replaceAll('\n', '\r\n')],
    ['YAML that begins with empty lines', URI, `\n\n${POLICY}`],
    ['JSON', 'file:///w/p.json', JSON_POLICY],
    ['tests', 'file:///w/p.test.yaml', TESTS],
    ['settings', 'file:///w/tollgate.yaml', 'profile: modern\nlint:\n  rules: { style/*: off }\n'],
  ])('that is cut anywhere is answered: %s', async (_, uri, text) => {
    const editor = await Editor.start(memoryHost(new Map()));
    const errors = collectErrors(editor);
    await editor.open(uri, '', 'tollgate');
    const step = Math.max(1, Math.floor(text.length / runs(5, 200)));
    for (let length = 0; length <= text.length; length += step) {
      await editor.change(uri, { text: text.slice(0, length) });
      const lines = text.slice(0, length).split('\n');
      await askEverything(editor, uri, { line: lines.length - 1, character: lines.at(-1)!.length });
      await askEverything(editor, uri, { line: 0, character: 0 });
    }
    expect(errors).toEqual([]);
    await editor.end();
  });

  it('is answered after many edits in random places, and memory returns', async () => {
    const piece = fc.constantFrom(
      ...'"\'[{: -#a|>\n.('.split(''),
      '',
      '',
      '\r\n',
      '\n  - ',
      'req.',
      '---\n',
      '${',
      '\ud800',
    );
    const change = fc.tuple(FRACTION, fc.nat(4), piece);
    const editor = await Editor.start(memoryHost(new Map()));
    const errors = collectErrors(editor);
    const edits = fc.sample(change, { numRuns: runs(50, 10_000), seed: seed(1, 'EDIT_SEED') });
    await editor.open(URI, POLICY, 'tollgate');
    let text = POLICY;
    const sizes: number[] = [];
    for (const [index, [where, length, newText]] of edits.entries()) {
      if (index % 25 === 24) {
        text = POLICY;
        await editor.change(URI, { text });
      }
      const start = Math.floor(where * text.length);
      const range = { start: positionAt(text, start), end: positionAt(text, Math.min(start + length, text.length)) };
      await editor.change(URI, { range, text: newText });
      text = text.slice(0, offsetOf(text, range.start)) + newText + text.slice(offsetOf(text, range.end));
      if (index % 10 === 0) await askEverything(editor, URI, range.start);
      if (index % 1000 === 999) sizes.push(usedHeap());
    }
    expect(errors).toEqual([]);
    const [first = 0, ...others] = sizes;
    expect(Math.max(first, ...others)).toBeLessThanOrEqual(first * 1.5);
    await editor.end();
  });

  it('never brings down the server: requests for closed documents, unknown methods, and versions out of order', async () => {
    const editor = await Editor.start(memoryHost(new Map()));
    const errors = collectErrors(editor);
    await askEverything(editor, 'file:///w/never-opened.yaml', { line: 3, character: 7 });
    await editor.open(URI, POLICY, 'tollgate');
    await askEverything(editor, URI, { line: 9999, character: 9999 });
    await expect(editor.request('textDocument/unheardOf', {})).rejects.toThrow();
    await editor.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri: URI, version: -5 },
      contentChanges: [{ text: 'inbound: nonsense' }],
    });
    await editor.connection.sendNotification('textDocument/didClose', { textDocument: { uri: URI } });
    await editor.change(URI, { text: 'x' });
    await askEverything(editor, URI, { line: 0, character: 0 });
    expect(errors).toEqual([]);
    const last = editor.published.findLast(one => one.uri === URI);
    expect(last?.diagnostics).toEqual([]);
    expect(await editor.end()).toBe(true);
  });

  it('is read again once a long policy is repaired that was broken when it was opened', async () => {
    const editor = await Editor.start(memoryHost(new Map()));
    const rule = POLICY.slice(POLICY.indexOf('  - name: "two"'));
    const text = POLICY + rule.repeat(runs(80, 400));
    const broken = text.replace('"two"', '"two');
    await editor.open(URI, broken, 'tollgate');
    const unclosed = (await editor.diagnostics(URI, found => found.length > 0)).filter(isAboutYaml);
    expect(unclosed).not.toEqual([]);
    const insert = (offset: number, newText: string) => {
      const start = positionAt(broken, offset);
      return editor.change(URI, { range: { start, end: start }, text: newText });
    };
    await insert(0, '# comment\n');
    const version = await editor.change(URI, {
      range: { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } },
      text: '',
    });
    const kept = await editor.diagnostics(URI, (_, last) => last === version);
    expect(kept.filter(isAboutYaml)).toEqual(unclosed);
    await insert(broken.indexOf('"two') + '"two'.length, '"');
    const repaired = await editor.pullSettled(URI);
    expect(repaired.filter(isAboutYaml)).toEqual([]);
    const textDocument = { uri: URI };
    expect(await editor.request<unknown[]>('textDocument/documentSymbol', { textDocument })).not.toEqual([]);
    await editor.end();
  });

  it('says once that a policy of several megabytes is too large, answers in it, and reads it again when it has shrunk', async () => {
    const editor = await Editor.start(memoryHost(new Map()));
    const errors = collectErrors(editor);
    const rule = POLICY.slice(POLICY.indexOf('  - name: one'), POLICY.indexOf('  - name: "two"'));
    const more = rule.repeat(Math.ceil(runs(1_500_000, 5_000_000) / rule.length));
    const codes = (found: readonly { readonly code?: unknown }[]) => found.map(one => one.code);
    await editor.open(URI, POLICY + more, 'tollgate');
    expect(codes(await editor.pullSettled(URI))).toEqual(['limit/document-size']);
    const end = positionAt(POLICY + more, (POLICY + more).length);
    const typed = { start: end, end };
    for (const text of ['  -', ' name', ': x\n']) {
      const version = await editor.change(URI, { range: typed, text });
      expect(codes(await editor.diagnostics(URI, (_, last) => last === version))).toEqual(['limit/document-size']);
    }
    await askEverything(editor, URI, end);
    const shrunk = { start: positionAt(POLICY, POLICY.length), end: { line: end.line + 2, character: 0 } };
    await editor.change(URI, { range: shrunk, text: '' });
    const original = await editor.pullSettled(URI);
    expect(codes(original)).not.toContain('limit/document-size');
    const twin = 'file:///w/twin.yaml';
    await editor.open(twin, POLICY, 'tollgate');
    expect(codes(await editor.pullSettled(twin))).toEqual(codes(original));
    // A policy that was read grows too large while it is open, and shrinks again.
    const start = shrunk.start;
    await editor.change(URI, { range: { start, end: start }, text: more });
    expect(codes(await editor.pullSettled(URI))).toEqual(['limit/document-size']);
    const last = positionAt(POLICY + more, (POLICY + more).length);
    await editor.change(URI, { range: { start, end: last }, text: '' });
    expect(await editor.pullSettled(URI)).toEqual(original);
    expect(errors).toEqual([]);
    await editor.end();
  });

  it('survives a large policy and a lint rule that throws', async () => {
    const throwing = {
      id: 'acme/throws',
      severity: 'warning',
      summary: 'throws',
      rationale: 'To see what happens.',
      bad: { policy: '' },
      good: { policy: '' },
      cost: 'fast',
      fixable: 'no',
      presets: ['recommended'],
      check: {
        rule: () => {
          throw new Error('as intended');
        },
      },
    } as const;
    const editor = await Editor.start(memoryHost(new Map(), { customRules: [throwing] }));
    await editor.open(URI, POLICY, 'tollgate');
    await editor.diagnostics(URI, found => found.some(one => one.code === 'lint/rule-failed'));
    const rule = POLICY.slice(POLICY.indexOf('  - name: one'), POLICY.indexOf('  - name: "two"'));
    await editor.change(URI, { text: `on_http_request:\n${rule.repeat(runs(500, 17_000))}` });
    const hover = { textDocument: { uri: URI }, position: { line: 3, character: 16 } };
    expect(await editor.request('textDocument/hover', hover)).not.toBeNull();
    const version = await editor.change(URI, { text: POLICY.replace('req.method', 'req.metod') });
    const found = await editor.diagnostics(URI, (_, last) => last === version);
    expect(found.map(one => one.code)).toContain('name/undeclared-field');
    await editor.end();
  });
});
