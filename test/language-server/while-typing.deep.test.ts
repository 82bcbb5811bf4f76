import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import type { CodeLens, DocumentSymbol, Range, SemanticTokens } from 'vscode-languageserver-protocol';
import { createHost } from '../../packages/cli/src/language-server/host.ts';
import { runs, seed } from '../support/runs.ts';
import { FRACTION } from '../support/text-changes.ts';
import { Editor } from './support/editor.ts';
import { positionAt } from './support/positions.ts';

const ROOT = join(import.meta.dirname, '../..');
const example = (path: string) => readFileSync(join(ROOT, 'examples', path), 'utf8');
const indented = (text: string, by: string) => text.replaceAll(/^(?=.)/gm, by);

const POLICY = example('policies/protect-admin.yaml');
const LONG_RULE = (number: number) =>
  `  - name: rule ${number}\n    expressions:\n      - req.url.path.startsWith('/a${number}')\n    actions:\n      - type: deny\n`;
const LONG = `on_http_request:\n${Array.from({ length: 600 }, (_, number) => LONG_RULE(number)).join('')}`;
const IN_STRING = (policy: string) =>
  `apiVersion: v1\nkind: ConfigMap\ndata:\n  policy.yaml: |\n${indented(policy, '    ')}`;
const AS_VALUE = (policy: string) => `apiVersion: v1\nkind: Edge\nspec:\n  policy:\n${indented(policy, '    ')}`;
const MARKDOWN = (policy: string) => `# Policies\n\n\`\`\`yaml\n${policy}\`\`\`\n\nMore.\n`;
const TERRAFORM = (policy: string) =>
  `resource "ngrok_edge" "a" {\n  traffic_policy = <<-EOT\n${indented(policy, '    ')}  EOT\n}\n`;
const TESTS = example('tests/protect-admin.test.yaml');
const INVARIANTS = example('invariants/protect-admin.invariants.yaml');
const PROJECT = readFileSync(join(ROOT, 'tollgate.yaml'), 'utf8');

/** What people type, in the middle of a document: a rule, a condition, an action with its configuration, a string, a comment. */
const PIECES = [
  `  - name: "new rule"\n    expressions:\n      - "req.headers['x'].exists(h, h == 'b')"\n    actions:\n      - type: custom-response\n        config: {status_code: 404, body: "no \${req.url.path}"}\n`,
  `- name: 'it''s'\n  expressions: [req.method == "GET", '!x']\n`,
  '# a comment: with { and [ and "\n',
  `      - req.url.path.matches('^/a[.]b{2}')\n`,
  'key: &a {x: [1, 2], y: *a}\n',
  'text: |\n  {{ .Values.x }}\n  more\n',
  `"open quote`,
  '{{ template }}\n',
  '\t- tab\n',
];

/** Answers that an editor shows for a whole document. */
interface Shown {
  readonly symbols: readonly DocumentSymbol[];
  readonly lenses: readonly CodeLens[];
  readonly tokens: number;
  readonly ranges: readonly Range[];
  /** Names of symbols whose name is not within them, which VS Code refuses. */
  readonly astray: readonly string[];
}

/** A document that is being typed. */
class Typed {
  readonly textDocument: { readonly uri: string };
  text: string;
  readonly #editor: Editor;

  constructor(editor: Editor, uri: string, text: string) {
    this.#editor = editor;
    this.textDocument = { uri };
    this.text = text;
  }

  async type(at: number, characters: string): Promise<void> {
    const start = positionAt(this.text, at);
    this.text = this.text.slice(0, at) + characters + this.text.slice(at);
    await this.#editor.change(this.textDocument.uri, { range: { start, end: start }, text: characters });
  }

  async shown(): Promise<Shown> {
    const { textDocument } = this;
    const ask = <T>(method: string, more: object = {}) =>
      this.#editor.request<T>(`textDocument/${method}`, { textDocument, ...more });
    const [symbols, lenses, tokens] = await Promise.all([
      ask<readonly DocumentSymbol[] | null>('documentSymbol'),
      ask<readonly CodeLens[] | null>('codeLens'),
      ask<SemanticTokens>('semanticTokens/full'),
    ]);
    const flat = (all: readonly DocumentSymbol[]): readonly DocumentSymbol[] =>
      all.flatMap(one => [one, ...flat(one.children ?? [])]);
    const ranges = flat(symbols ?? []).flatMap(one => [one.range, one.selectionRange]);
    return {
      symbols: flat(symbols ?? []),
      lenses: lenses ?? [],
      tokens: tokens.data.length / 5,
      astray: flat(symbols ?? []).flatMap(({ name, range, selectionRange }) =>
        isBefore(selectionRange.start, range.start) || isBefore(range.end, selectionRange.end) ? [name] : [],
      ),
      ranges: [...ranges, ...(lenses ?? []).map(one => one.range), ...rangesOf(tokens)],
    };
  }

  /** Returns how often the document uses what is named at a position. */
  async uses(position: Range['start']): Promise<number> {
    const { textDocument } = this;
    const context = { includeDeclaration: true };
    const request = { textDocument, position, context };
    return (await this.#editor.request<readonly object[] | null>('textDocument/references', request))?.length ?? 0;
  }

  /** Returns the ranges that are not in the document, or end before they start. */
  outside(ranges: readonly Range[]): readonly Range[] {
    const lengths = this.text.split('\n').map(line => line.replace(/\r$/, '').length);
    const isIn = ({ line, character }: Range['start']) => character <= (lengths[line] ?? -1);
    return ranges.filter(({ start, end }) => !isIn(start) || !isIn(end) || isBefore(end, start));
  }
}

function isBefore(a: Range['start'], b: Range['start']): boolean {
  return a.line < b.line || (a.line === b.line && a.character < b.character);
}

function rangesOf({ data }: SemanticTokens): readonly Range[] {
  const ranges: Range[] = [];
  let [line, character] = [0, 0];
  for (let at = 0; at < data.length; at += 5) {
    const [lines = 0, characters = 0, length = 0] = data.slice(at, at + 3);
    character = lines === 0 ? character + characters : characters;
    line += lines;
    ranges.push({ start: { line, character }, end: { line, character: character + length } });
  }
  return ranges;
}

async function start(): Promise<Editor> {
  const capabilities = { textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true } } };
  const terminal = {
    write: () => {},
    writeError: () => {},
    readInput: async () => new Uint8Array(),
    isInteractive: false,
    env: {},
  };
  return Editor.start(createHost(terminal), capabilities);
}

/** The part of what was shown that stays, whatever somebody types in one place. */
const KEPT = 0.7;

/** After how many characters the editor asks: a quick typist's editor skips most. */
const [ASKED, ASKED_OF_LONG] = inject('isDeep') ? [1, 1] : [3, 10];

const DOCUMENTS = [
  ['a policy', 'p.yaml', 'tollgate', POLICY],
  ['a policy with CR LF', 'p.yaml', 'tollgate', POLICY.replaceAll('\n', '\r\n')],
  ['a policy in plain YAML', 'p.yaml', 'yaml', POLICY],
  ['a policy in JSON', 'p.json', 'json', example('edges/bookshop.json')],
  ['a policy that is a value', 'deploy.yaml', 'yaml', AS_VALUE(POLICY)],
  ['a policy in a string', 'deploy.yaml', 'yaml', IN_STRING(POLICY)],
  ['a policy in Markdown', 'policies.md', 'markdown', MARKDOWN(POLICY)],
  ['a policy in Terraform', 'main.tf', 'terraform', TERRAFORM(POLICY)],
  ['policy tests', 'p.test.yaml', 'yaml', TESTS],
  ['invariants', 'p.invariants.yaml', 'yaml', INVARIANTS],
  ['settings', 'tollgate.yaml', 'yaml', PROJECT],
  ['a long policy', 'p.yaml', 'tollgate', LONG],
  ['a long policy in plain YAML', 'p.yaml', 'yaml', LONG],
  ['a long policy in a string', 'deploy.yaml', 'yaml', IN_STRING(LONG)],
] as const;

describe('while somebody types', () => {
  const SEED = seed(1, 'TYPING_SEED');

  it.each(DOCUMENTS)('into %s, what was shown stays, and is in the document', async (what, name, language, text) => {
    const editor = await start();
    const places = fc.sample(fc.tuple(FRACTION, fc.constantFrom(...PIECES)), {
      numRuns: what.includes('long') ? runs(1, 4) : runs(2, 12),
      seed: SEED,
    });
    for (const [index, [where, piece]] of places.entries()) {
      const document = new Typed(editor, `file:///w/${index}/${name}`, text);
      await editor.open(document.textDocument.uri, text, language);
      const whole = await document.shown();
      expect(whole.symbols).not.toEqual([]);
      const lineStart = text.indexOf('\n', Math.floor(where * (text.length - 1))) + 1;
      const above = whole.symbols.findLast(one => isBefore(one.selectionRange.end, positionAt(text, lineStart)));
      const uses = (above && (await document.uses(above.selectionRange.start))) ?? 0;
      const lost: string[] = [];
      for (let typed = 0; typed < piece.length; typed += 1) {
        await document.type(lineStart + typed, piece.charAt(typed));
        // Also after a pause, when the whole document has been read again.
        if (typed === Math.floor(piece.length / 2))
          await editor.request('tollgate/settled', { textDocument: document.textDocument });
        const isAsked = typed % (what.includes('long') ? ASKED_OF_LONG : ASKED) === 0 || typed === piece.length - 1;
        if (!isAsked) continue;
        const { symbols, lenses, tokens, ranges, astray } = await document.shown();
        const used = above && uses > 0 ? await document.uses(above.selectionRange.start) : uses;
        const counts = [symbols.length, lenses.length, tokens, used];
        const before = [whole.symbols.length, whole.lenses.length, whole.tokens, uses];
        if (counts.some((count, index) => count < before[index]! * KEPT))
          lost.push(`${JSON.stringify(piece.slice(0, typed + 1))}: ${counts.join(', ')} of ${before.join(', ')}`);
        expect(astray).toEqual([]);
        expect([piece.slice(0, typed + 1), document.outside(ranges)]).toEqual([piece.slice(0, typed + 1), []]);
      }
      expect([lineStart, lost]).toEqual([lineStart, []]);
      await editor.connection.sendNotification('textDocument/didClose', { textDocument: document.textDocument });
    }
    await editor.end();
  });

  it.each(DOCUMENTS.filter(([what]) => !what.includes('long')))(
    '%s from nothing, the outline stays',
    async (_, name, language, text) => {
      const editor = await start();
      const document = new Typed(editor, `file:///w/${name}`, '');
      await editor.open(document.textDocument.uri, '', language);
      let isShown = false;
      const lost: string[] = [];
      for (const [at, character] of [...text.slice(0, runs(400, 2000))].entries()) {
        await document.type(document.text.length, character);
        if (at % ASKED !== 0) continue;
        const { symbols, ranges } = await document.shown();
        isShown ||= symbols.length > 0;
        if (isShown && symbols.length === 0) lost.push(JSON.stringify(document.text.slice(-30)));
        expect([document.text.slice(-30), document.outside(ranges)]).toEqual([document.text.slice(-30), []]);
      }
      expect(lost).toEqual([]);
      await editor.end();
    },
  );
});
