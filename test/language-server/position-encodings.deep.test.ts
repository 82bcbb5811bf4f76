import { SourceText } from '@tollgate/diagnostics';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs, seed } from '../support/runs.ts';
import { FRACTION } from '../support/text-changes.ts';
import { Editor } from './support/editor.ts';
import { memoryHost } from './support/memory-host.ts';

const POLICY = `# 🚪 the gate: żółw
on_http_request:
  - name: "🐢 slow żółw" # 💤 why
    expressions: ["req.headers['x-🐢'].exists(v, v == '💤') && req.url.path.startsWith('/ż')"]
    actions:
      - {type: custom-response, config: {status_code: 404, body: "💤 \${req.url.path} 🐢 \${req.metod}"}}
  - name: 日本
    expressions:
      - "'💤' == req.mthod"
    actions:
    -   type: deny
`;
const indented = (text: string, by: string) => text.replaceAll(/^(?=.)/gm, by);
const DOCUMENTS = [
  ['p.yaml', POLICY],
  ['p.yaml', POLICY.replaceAll('\n', '\r\n')],
  ['deploy.yaml', `a: "🐢"\ndata:\n  "🐢": 1\n  p: |\n${indented(POLICY, '    ')}`],
  ['p.md', `# 🐢\n\n- 💤\n\n  \`\`\`yaml\n${indented(POLICY, '  ')}  \`\`\`\n`],
  [
    'p.test.yaml',
    'policy: p.yaml\ntests:\n  - name: "🐢 a 💤"\n    request: { url: "/💤" } # 🐢\n    expect: { outcom: denied }\n',
  ],
] as const;

const BYTES = new TextEncoder();

/** Positions of a document in UTF-8 as those in UTF-16, in whatever an answer contains. */
function inUtf16(answer: unknown, texts: ReadonlyMap<string, string>, uri: string): unknown {
  if (Array.isArray(answer)) return answer.map(one => inUtf16(one, texts, uri));
  if (typeof answer !== 'object' || answer === null) return answer;
  const own = 'uri' in answer && typeof answer.uri === 'string' ? answer.uri : uri;
  if ('line' in answer && 'character' in answer) {
    const text = texts.get(own)!.split(/\r\n|\n/)[Number(answer.line)] ?? '';
    const before = new TextDecoder().decode(BYTES.encode(text).slice(0, Number(answer.character)));
    return { line: answer.line, character: before.length };
  }
  return Object.fromEntries(Object.entries(answer).map(([key, value]) => [key, inUtf16(value, texts, own)]));
}

/** Semantic tokens with absolute positions of their starts and ends. */
function absolute(answer: { readonly data: readonly number[] }): unknown {
  const found: unknown[] = [];
  let [line, character] = [0, 0];
  for (let at = 0; at < answer.data.length; at += 5) {
    const [lines = 0, characters = 0, length = 0, type] = answer.data.slice(at, at + 4);
    character = lines === 0 ? character + characters : characters;
    line += lines;
    found.push([{ line, character }, { line, character: character + length }, type]);
  }
  return found;
}

describe('a client that prefers UTF-8', () => {
  it.each([
    [['utf-8', 'utf-16'], 'utf-8'],
    [['utf-16', 'utf-8'], 'utf-16'],
    [['utf-32'], 'utf-16'],
    [undefined, 'utf-16'],
  ])('that offers %j gets %s', async (positionEncodings, expected) => {
    const editor = await Editor.start(
      memoryHost(new Map()),
      positionEncodings ? { general: { positionEncodings } } : {},
    );
    expect(editor.result.capabilities.positionEncoding).toBe(expected);
    await editor.end();
  });

  it.each(DOCUMENTS)('gets the same answers, in its positions, about %s', async (name, original) => {
    const files = new Map([['/w/p.yaml', POLICY]]);
    const common = { textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true } } };
    const utf16 = await Editor.start(memoryHost(files), common);
    const utf8 = await Editor.start(memoryHost(files), { ...common, general: { positionEncodings: ['utf-8'] } });
    const uri = `file:///w/${name}`;
    let text: string = original;
    const texts = new Map([['file:///w/p.yaml', POLICY]]);
    texts.set(uri, text);
    for (const one of [utf16, utf8]) await one.open(uri, text);
    const edits = fc.sample(fc.tuple(FRACTION, fc.constantFrom('', '🐢', 'x', 'ż', '\n', "'💤"), fc.nat(2)), {
      numRuns: runs(12, 150),
      seed: seed(1, 'ENCODING_SEED'),
    });
    for (const [where, newText, removed] of edits) {
      const source = new SourceText('', text);
      const bytes = new SourceText('', text, 'utf-8');
      const start = offsetOfCharacter(text, where);
      const end = offsetOfCharacter(text, where, removed);
      const at = (one: SourceText) => ({ start: one.positionAt(start), end: one.positionAt(end) });
      await utf16.change(uri, { range: at(source), text: newText });
      await utf8.change(uri, { range: at(bytes), text: newText });
      text = text.slice(0, start) + newText + text.slice(end);
      texts.set(uri, text);
      const [now, nowBytes] = [new SourceText('', text), new SourceText('', text, 'utf-8')];
      const point = offsetOfCharacter(text, (where * 7919) % 1);
      const ask = async (editor: Editor, document: SourceText) => {
        const textDocument = { uri };
        const position = document.positionAt(point);
        const whole = { start: { line: 0, character: 0 }, end: document.positionAt(text.length) };
        const request = (method: string, more: object = {}) =>
          editor.request<unknown>(`textDocument/${method}`, { textDocument, ...more });
        const found = await editor.pullSettled(uri);
        const tokens = (await request('semanticTokens/full')) as { readonly data: readonly number[] };
        return [
          found,
          absolute(tokens),
          await request('documentSymbol'),
          await request('foldingRange'),
          await request('codeLens'),
          await request('inlayHint', { range: whole }),
          await request('selectionRange', { positions: [position] }),
          await request('hover', { position }),
          await request('documentHighlight', { position }),
          await request('references', { position, context: { includeDeclaration: true } }),
          await request('definition', { position }),
          await request('prepareRename', { position }),
          await request('completion', { position }),
          await request('signatureHelp', { position }),
          await request('formatting', { options: { tabSize: 2, insertSpaces: true } }),
          await request('codeAction', { range: { start: position, end: position }, context: { diagnostics: [] } }),
        ];
      };
      const [expected, found] = [await ask(utf16, now), await ask(utf8, nowBytes)];
      expect([text, point, inUtf16(found, texts, uri)]).toEqual([text, point, expected]);
    }
    await utf16.end();
    await utf8.end();
  });
});

/** An offset between two characters. */
function offsetOfCharacter(text: string, where: number, further = 0): number {
  const characters = [...text];
  const count = Math.min(Math.floor(where * characters.length) + further, characters.length);
  const offset = characters.slice(0, count).join('').length;
  // Not inside a line break, where positions mean the end of the line.
  return text[offset] === '\n' && text[offset - 1] === '\r' ? offset - 1 : offset;
}
