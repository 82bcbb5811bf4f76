import { SourceText } from '@tollgate/diagnostics';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CompletionList, Hover, Location, SemanticTokens } from 'vscode-languageserver-protocol';
import { Editor } from './support/editor.ts';
import { memoryHost } from './support/memory-host.ts';

const POLICY = `on_http_request:
  - name: office only
    expressions: ["req.url.path.startsWith('/admin/')"]
    actions: [{ type: deny }]
`;
const INVARIANTS = `policy: p.yaml
invariants:
  - name: nobody gets in
    never: "req.url.path == '/admin/' && decision.reachesUpstream"
  - name: it can run
    never_fails: office only
`;
const URI = 'file:///w/p.invariants.yaml';

let editor: Editor;
beforeEach(async () => {
  editor = await Editor.start(memoryHost(new Map([['/w/p.yaml', POLICY]])));
});
afterEach(() => editor.end());

const textDocument = { uri: URI };
const source = new SourceText('', INVARIANTS);
const behind = (found: string) => source.positionAt(INVARIANTS.indexOf(found) + found.length);
const edited = (from: string, to: string) => {
  const text = INVARIANTS.replace(from, to);
  const place = (part: string) => new SourceText('', text).positionAt(text.indexOf(part) + part.length);
  return { text, place };
};

describe('a file of invariants', () => {
  it.each([
    ['a claim that does not exist', 'never:', 'newer:', ['settings/invalid']],
    ['a variable that does not exist', 'decision.reachesUpstream', 'decision.reaches', ['name/undeclared-field']],
    ['a rule that does not exist', 'never_fails: office', 'never_fails: ofice', ['prove/unknown-rule']],
    ['nothing', '', '', []],
  ])('gets diagnostics about %s', async (_, from, to, codes) => {
    await editor.open(URI, edited(from, to).text);
    const found = await editor.pullSettled(URI);
    expect(found.map(one => one.code).toSorted()).toEqual(codes);
  });

  it('completes keys, variables of requests and decisions, and the names of rules', async () => {
    const { text, place } = edited('decision.reachesUpstream"', 'decision."');
    await editor.open(URI, `${text}    `);
    const labelsAt = async (position: object) => {
      const list = await editor.request<CompletionList>('textDocument/completion', { textDocument, position });
      return list.items.map(one => one.label);
    };
    expect(await labelsAt(place('decision.'))).toContain('reachesUpstream');
    expect(await labelsAt(place('req.'))).toContain('url');
    expect(await labelsAt(place('never_fails: '))).toEqual(['office only']);
    expect(await labelsAt({ line: 6, character: 4 })).toContain('unreachable');
  });

  it('explains keys and expressions, and colours the latter', async () => {
    await editor.open(URI, INVARIANTS);
    const hoverAt = async (position: object) =>
      JSON.stringify((await editor.request<Hover | null>('textDocument/hover', { textDocument, position }))?.contents);
    expect(await hoverAt(behind('decision.reaches'))).toContain('Whether the upstream receives the request');
    expect(await hoverAt(behind('    nev'))).toContain('true for no request');
    const { data } = await editor.request<SemanticTokens>('textDocument/semanticTokens/full', { textDocument });
    const { line, character } = source.positionAt(INVARIANTS.indexOf('req.'));
    expect(data.slice(0, 2)).toEqual([line, character]);
  });

  it('leads to its policy and rules, which are renamed in it', async () => {
    await editor.open(URI, INVARIANTS);
    const at = (position: object) => editor.request<Location[]>('textDocument/definition', { textDocument, position });
    expect(await at(behind('policy: p'))).toMatchObject([{ uri: 'file:///w/p.yaml' }]);
    expect(await at(behind('never_fails: of'))).toMatchObject([
      { uri: 'file:///w/p.yaml', range: { start: { line: 1, character: 10 } } },
    ]);
    const position = behind('never_fails: of');
    const edit = await editor.request('textDocument/rename', { textDocument, position, newName: 'staff only' });
    expect(Object.keys((edit as { changes: object }).changes).toSorted()).toEqual([URI, 'file:///w/p.yaml']);
  });
});
