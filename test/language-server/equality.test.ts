import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Diagnostic } from 'vscode-languageserver-protocol';
import { runs, seed } from '../support/runs.ts';
import { FRACTION } from '../support/text-changes.ts';
import { Editor } from './support/editor.ts';
import { memoryHost } from './support/memory-host.ts';
import { offsetOf, positionAt } from './support/positions.ts';

const RULES = `  - name: one # the first
    expressions:
      - req.url.path.startsWith('/a') && req.headers['x'].exists(v, v == 'b')
    actions:
      - type: custom-response
        config:
          status_code: 404
          body: "no \${req.url.path} here"
  # between
  - name: "two"
    expressions: ['req.method == "GET"']
    actions:
      - {type: redirect, config: {from: '^/(a)', to: '/$1'}}
`;
const POLICY = `# a policy\non_http_request:\n${RULES}`;
const indented = (text: string, by: string) => text.replaceAll(/^(?=.)/gm, by);
const IN_STRING = `apiVersion: v1
kind: ConfigMap
data:
  policy.yaml: |
${indented(POLICY, '    ')}`;
const AS_VALUE = `apiVersion: v1\nkind: Edge\nspec:\n  policy:\n${indented(POLICY, '    ')}`;
const MARKDOWN = `# Policies\n\n\`\`\`yaml\n${POLICY}\`\`\`\n\nMore.\n`;
const TESTS =
  'policy: p.yaml\ntests:\n  - name: a\n    request: { url: / }\n    expect: { outcome: denied }\n  - name: b\n    request: { url: /b }\n';

const PIECES = [
  ...'"\'[{: -#a|>\n.('.split(''),
  '',
  '',
  '',
  '\r\n',
  '\n  - ',
  '\n  -',
  'req.',
  '---\n',
  '${',
  '&a ',
  '*a',
  '\ud800',
];

/** Diagnostics that say that the document cannot be read as a whole: what is read of it may then differ. */
const UNREADABLE = /^(?:yaml|json|limit|policy\/unknown-key)/;

describe('after each edit anywhere in a document, everything is as if it had just been opened', () => {
  it.each([
    ['a policy', 'p.yaml', POLICY],
    ['a policy with CR LF', 'p.yaml', POLICY.replaceAll('\n', '\r\n')],
    ['a policy in a string', 'deploy.yaml', IN_STRING],
    ['a policy in a string with CR LF', 'deploy.yaml', IN_STRING.replaceAll('\n', '\r\n')],
    ['a policy that is a value', 'deploy.yaml', AS_VALUE],
    ['a policy in Markdown', 'policies.md', MARKDOWN],
    ['policy tests', 'p.test.yaml', TESTS],
  ])('%s', async (_, name, original) => {
    const [uri, twin] = [`file:///w/${name}`, `file:///w/twin/${name}`];
    const editor = await Editor.start(memoryHost(new Map()));
    const change = fc.tuple(FRACTION, fc.nat(4), fc.constantFrom(...PIECES));
    const edits = fc.sample(change, { numRuns: runs(3, 750), seed: seed(1, 'EDIT_SEED') });
    await editor.open(uri, original);
    let text = original;
    for (const [index, [where, length, newText]] of edits.entries()) {
      // A document that is mostly broken says little: begin again now and then.
      if (index % 12 === 11) {
        text = original;
        await editor.change(uri, { text });
      }
      const start = Math.floor(where * text.length);
      const range = { start: positionAt(text, start), end: positionAt(text, Math.min(start + length, text.length)) };
      await editor.change(uri, { range, text: newText });
      text = text.slice(0, offsetOf(text, range.start)) + newText + text.slice(offsetOf(text, range.end));
      await editor.open(twin, text);
      const [found, expected] = [await stateOf(editor, uri), await stateOf(editor, twin)];
      expect([text, found]).toEqual([text, expected]);
      await editor.connection.sendNotification('textDocument/didClose', { textDocument: { uri: twin } });
    }
    await editor.end();
  });
});

/** The settled diagnostics, and what depends on the positions of everything that was read. */
async function stateOf(editor: Editor, uri: string): Promise<readonly unknown[]> {
  const found = await editor.pullSettled(uri);
  if (found.some(({ code }: Diagnostic) => UNREADABLE.test(String(code)))) return [found];
  const textDocument = { uri };
  const methods = ['documentSymbol', 'semanticTokens/full', 'foldingRange'];
  const answers = methods.map(method => editor.request(`textDocument/${method}`, { textDocument }));
  const options = { tabSize: 2, insertSpaces: true };
  answers.push(editor.request('textDocument/formatting', { textDocument, options }));
  return JSON.parse(JSON.stringify([found, ...(await Promise.all(answers))]).replaceAll(uri, ''));
}
