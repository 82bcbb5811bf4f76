import { type CompletionItem, CompletionItemKind, type CompletionList } from 'vscode-languageserver-protocol';
import { Editor } from '../../language-server/support/editor.ts';
import { memoryHost } from '../../language-server/support/memory-host.ts';

/** A policy whose last line waits for an action. */
export const OPEN =
  'on_http_request:\n  - name: a\n    actions:\n      - type: deny\n  - name: b\n    actions:\n      - \n';

/** Returns the actions that the server offers at the end of {@link OPEN}, with their numbers in the list. */
export async function offeredActions(): Promise<readonly { readonly label: string; readonly index: number }[]> {
  const editor = await Editor.start(memoryHost(new Map()));
  const uri = 'file:///w/p.yaml';
  await editor.open(uri, OPEN, 'tollgate');
  const params = { textDocument: { uri }, position: { line: 6, character: 8 } };
  const { items } = await editor.request<CompletionList>('textDocument/completion', params);
  await editor.end();
  const isAction = ({ kind }: CompletionItem) => kind === CompletionItemKind.Struct;
  return items.flatMap((one, index) => (isAction(one) ? [{ label: one.label, index }] : []));
}

/** Returns the errors of a policy. */
export async function errorsIn(text: string): Promise<readonly string[]> {
  const editor = await Editor.start(memoryHost(new Map()));
  await editor.open('file:///w/p.yaml', text, 'tollgate');
  const found = await editor.pullSettled('file:///w/p.yaml');
  await editor.end();
  return found.filter(one => one.severity === 1).map(one => String(one.message));
}
