import { describe, expect, it } from 'vitest';
import type { CompletionList } from 'vscode-languageserver-protocol';
import { Editor } from './support/editor.ts';
import { memoryHost } from './support/memory-host.ts';

/** What a person types, with `«»` around everything that should be offered when it begins. */
const RULES = `«on_http_request»:
  - «name»: no writes
    «expressions»:
      - «req».«method» == '«PUT»' && !«conn».«client_ip».«startsWith»('10.')
    «actions»:
      - «type»: «deny»
        «config»:
          «status_code»: «403»
`;
const JSON_RULES = `{
  "«on_http_request»": [
    {
      "«name»": "no writes",
      "«expressions»": ["«req».«method» == '«PUT»' && !«conn».«client_ip».«startsWith»('10.')"],
      "«actions»": [{ "«type»": "«deny»", "«config»": { "«status_code»": «403»
`;

/** Without the first key, which nothing announces in a file of any name. */
const begun = (marked: string) => marked.replace(/«(\w+)»/, '$1');

interface Document {
  readonly what: string;
  readonly path: string;
  readonly marked: string;
  readonly languageId?: string;
}

const DOCUMENTS: readonly Document[] = [
  { what: 'a document with our language id', path: '/w/a.yaml', marked: RULES, languageId: 'tollgate' },
  { what: 'YAML with a name of policies', path: '/w/shop.policy.yaml', marked: RULES },
  { what: 'YAML with the name of the README', path: '/w/policy.yaml', marked: RULES },
  { what: 'YAML that policy tests name', path: '/w/tested.yaml', marked: RULES },
  { what: 'YAML that settings name', path: '/w/live.yaml', marked: RULES },
  { what: 'YAML that begins with a comment', path: '/w/b.yaml', marked: `# tollgate: policy\n${RULES}` },
  { what: 'YAML that begins with a phase', path: '/w/c.yaml', marked: begun(RULES) },
  { what: 'JSON with a name of policies', path: '/w/shop.policy.json', marked: JSON_RULES, languageId: 'json' },
  { what: 'JSON that begins with a phase', path: '/w/d.json', marked: begun(JSON_RULES), languageId: 'json' },
];

const FILES = new Map([
  ['/w/tested.test.yaml', 'policy: tested.yaml\ntests: []\n'],
  ['/w/tollgate.yaml', 'targets:\n  shop: { url: https://x.example, policy: live.yaml }\n'],
]);

/** Returns each marked word with the text before it, without marks. */
function positions(marked: string): readonly { readonly before: string; readonly word: string }[] {
  return [...marked.matchAll(/«([^»]*)»/g)].map(({ 1: word = '', index }) => {
    return { before: marked.slice(0, index).replaceAll(/[«»]/g, ''), word };
  });
}

describe('a policy that is written from nothing', () => {
  it.each(DOCUMENTS)('is completed at every word: $what', async ({ path, marked, languageId = 'yaml' }) => {
    const editor = await Editor.start(memoryHost(FILES));
    const uri = `file://${path}`;
    const missing: string[] = [];
    await editor.open(uri, '', languageId);
    for (const { before, word } of positions(marked)) {
      await editor.change(uri, { text: before });
      const lines = before.split('\n');
      const position = { line: lines.length - 1, character: lines.at(-1)!.length };
      const params = { textDocument: { uri }, position };
      const list = await editor.request<CompletionList | null>('textDocument/completion', params);
      if (!list?.items.some(one => one.label === word)) missing.push(`${lines.at(-1)}«${word}»`);
    }
    expect(missing).toEqual([]);
    await editor.end();
  });

  it.each([
    ['a workflow', '/w/ci.yaml', 'on:\n  push:\njobs:\n  '],
    ['a configuration with a key of the same name', '/w/proxy.yaml', 'inbound:\n  port: 8080\n'],
    ['a policy of another tool', '/w/kyverno.policy.yaml', 'apiVersion: kyverno.io/v1\nkind: ClusterPolicy\nspec:\n  '],
    ['an empty file of any name', '/w/any.yaml', ''],
  ])('is not seen in %s', async (_, path, text) => {
    const editor = await Editor.start(memoryHost(FILES));
    const uri = `file://${path}`;
    await editor.open(uri, text, 'yaml');
    const position = { line: text.split('\n').length - 1, character: 0 };
    const params = { textDocument: { uri }, position };
    const found = await editor.request<CompletionList | null>('textDocument/completion', params);
    expect(found?.items ?? []).toEqual([]);
    await editor.end();
  });
});
