import { expect, it } from 'vitest';
import type { TextEdit } from 'vscode-languageserver-protocol';
import { Editor } from './support/editor.ts';
import { memoryHost } from './support/memory-host.ts';

it('formats without waiting for lint rules that are running in the thread', async () => {
  const posted: string[] = [];
  const wake: { checking?: () => void } = {};
  const checking = new Promise<void>(resolve => {
    wake.checking = resolve;
  });
  // A thread whose checks never end.
  const startThread = () => ({
    post: (message: unknown) => {
      const text = JSON.stringify(message);
      posted.push(text);
      if (text.includes('"kind":"check"')) wake.checking?.();
    },
    onMessage: () => {},
    onEnd: () => {},
    end: () => {},
  });
  const editor = await Editor.start({ ...memoryHost(new Map()), startThread });
  const uri = 'file:///w/p.yaml';
  await editor.open(uri, 'on_http_request:\n  - actions:\n    - type:   deny\n', 'tollgate');
  await editor.connection.sendNotification('textDocument/didSave', { textDocument: { uri } });
  await checking;
  const params = { textDocument: { uri }, options: { tabSize: 2, insertSpaces: true } };
  const edits = await editor.request<readonly TextEdit[]>('textDocument/formatting', params);
  expect(edits.map(one => one.newText)).toEqual(['      - type: deny\n']);
  expect(posted.filter(text => text.includes('"kind":"format"'))).toEqual([]);
  await editor.end();
});
