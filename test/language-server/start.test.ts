import { PassThrough } from 'node:stream';
import { type Host, startServer } from '@tollgate/language-server';
import { streamTransport } from '@tollgate/language-server/node';
import { expect, it } from 'vitest';
import { Editor } from './support/editor.ts';
import { memoryHost } from './support/memory-host.ts';

const TEXT = 'on_http_request:\n  - expressions: [req.metod == "GET"]\n    actions: [{ type: deny }]\n';

it('tells the client what it offers before it loads anything, and then answers in order', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const host = Promise.withResolvers<Host>();
  const loadHost = () => host.promise;
  const ended = startServer({ version: 'test', runsCommands: false, loadHost }, streamTransport({ input, output }));
  const editor = await Editor.connect({ input, output, ended });
  expect(editor.result.capabilities.hoverProvider).toBe(true);
  const uri = 'file:///w/p.yaml';
  await editor.open(uri, '');
  await editor.change(uri, { text: TEXT });
  const symbols = editor.request<readonly object[]>('textDocument/documentSymbol', { textDocument: { uri } });
  host.resolve(memoryHost(new Map()));
  expect(await symbols).not.toEqual([]);
  const found = await editor.diagnostics(uri, (_, version) => version === 2);
  expect(found.map(({ code }) => code)).toContain('name/undeclared-field');
  expect(await editor.end()).toBe(true);
});

it('ends with the failure if the host cannot be loaded', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const failure = new Error('no host');
  const setup = { version: 'test', runsCommands: false, loadHost: () => Promise.reject(failure) };
  const ended = startServer(setup, streamTransport({ input, output }));
  const checked = expect(ended).rejects.toBe(failure);
  await Editor.connect({ input, output, ended });
  await checked;
});
