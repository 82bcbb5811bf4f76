import { expect, it } from 'vitest';
import type { CodeLens, DocumentSymbol, SemanticTokens } from 'vscode-languageserver-protocol';
import { Editor } from './support/editor.ts';
import { memoryHost } from './support/memory-host.ts';

const RULE = (number: number) =>
  `  - name: rule ${number}\n    expressions:\n      - req.url.path.startsWith('/a${number}')\n    actions:\n      - type: deny\n`;
const TYPED = `  - name: "new`;

it.each([20, 600])('outline, lenses and colours never vanish while typing in a policy of %i rules', async count => {
  const capabilities = { textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true } } };
  const editor = await Editor.start(memoryHost(new Map()), capabilities);
  const textDocument = { uri: 'file:///w/p.yaml' };
  const head = `on_http_request:\n${Array.from({ length: count }, (_, number) => RULE(number)).join('')}`;
  await editor.open(textDocument.uri, head + RULE(count), 'tollgate');
  const line = head.split('\n').length - 1;
  const lost: string[] = [];
  for (let character = 0; character < TYPED.length; character += 1) {
    const at = { line, character };
    await editor.change(textDocument.uri, { range: { start: at, end: at }, text: TYPED[character] });
    const ask = <T>(method: string) => editor.request<T>(`textDocument/${method}`, { textDocument });
    const [phase] = await ask<readonly DocumentSymbol[]>('documentSymbol');
    const lenses = await ask<readonly CodeLens[]>('codeLens');
    const { data } = await ask<SemanticTokens>('semanticTokens/full');
    const counts = [phase?.children?.length ?? 0, lenses.length / 2, data.length / 5 / 5];
    if (counts.some(one => one < count - 1)) lost.push(`${TYPED.slice(0, character + 1)}: ${counts.join(', ')}`);
    // What is above stays where it is.
    expect(phase?.children?.[1]?.range.start.line).toBe(6);
  }
  expect(lost).toEqual([]);
  await editor.end();
});
