import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CodeAction, ShowMessageParams } from 'vscode-languageserver-protocol';
import { createHost } from '../../packages/cli/src/language-server/host.ts';
import { Editor } from './support/editor.ts';

const SETTINGS = 'env: [own.mjs]\nlint:\n  load:\n    - "./rules.mjs"\n';
const terminal = {
  write: () => {},
  writeError: () => {},
  readInput: async () => new Uint8Array(),
  isInteractive: false,
  env: {},
};

describe.each([
  ['in a directory that nobody trusts', {}, /have not trusted; review it, then run `tollgate trust/],
  ['in an editor that has not trusted the workspace', { trusted: false }, /the editor has not trusted this workspace/],
])('modules %s', (_, initializationOptions, reason) => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-untrusted-'));
  const uri = pathToFileURL(join(directory, 'tollgate.yaml')).href;
  const messages: ShowMessageParams[] = [];
  let editor: Editor;

  beforeAll(async () => {
    writeFileSync(join(directory, 'tollgate.yaml'), SETTINGS);
    for (const name of ['own.mjs', 'rules.mjs']) writeFileSync(join(directory, name), 'throw new Error("it ran");\n');
    const host = { ...createHost(terminal), runCommand: () => Promise.reject(new Error('nothing runs')) };
    editor = await Editor.start(host, {}, { initializationOptions, rootUri: pathToFileURL(directory).href });
    editor.connection.onNotification('window/showMessage', (params: ShowMessageParams) => {
      messages.push(params);
    });
  });
  afterAll(async () => {
    await editor.end();
    rmSync(directory, { recursive: true });
  });

  it('are warnings where settings name them', async () => {
    await editor.open(uri, SETTINGS);
    const found = await editor.diagnostics(uri, all => all.length === 2);
    expect(
      found.map(({ code, severity, range, message }) => [code, severity, range, reason.test(JSON.stringify(message))]),
    ).toEqual([
      ['settings/untrusted-module', 2, { start: { line: 0, character: 6 }, end: { line: 0, character: 13 } }, true],
      ['settings/untrusted-module', 2, { start: { line: 3, character: 6 }, end: { line: 3, character: 19 } }, true],
    ]);
  });

  it('have a fix that explains trust', async () => {
    const at = { line: 3, character: 8 };
    const request = { textDocument: { uri }, range: { start: at, end: at }, context: { diagnostics: [] } };
    const [action] = await editor.request<CodeAction[]>('textDocument/codeAction', request);
    expect(action?.title).toBe('explain why it does not run, and how to trust it');
    await editor.request('workspace/executeCommand', action!.command!);
    expect(JSON.stringify(messages.at(-1))).toMatch(/rules\.mjs.*They run only in directories that you trust/s);
  });

  it('are warnings in the settings also if only a policy is open', async () => {
    await editor.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
    const policy = pathToFileURL(join(directory, 'p.yaml')).href;
    await editor.open(policy, 'on_http_request: []\n', 'tollgate');
    await editor.connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri, type: 2 }] });
    await editor.diagnostics(uri, all => all.length === 2);
  });

  it('are shown once to clients that ask, also when the settings are opened after a policy', async () => {
    const capabilities = { textDocument: { diagnostic: {} }, workspace: { diagnostics: { refreshSupport: true } } };
    const pulling = await Editor.start(createHost(terminal), capabilities, { initializationOptions });
    pulling.connection.onRequest('workspace/diagnostic/refresh', () => null);
    await pulling.open(pathToFileURL(join(directory, 'p.yaml')).href, 'on_http_request: []\n', 'tollgate');
    await pulling.diagnostics(uri, all => all.length === 2);
    await pulling.open(uri, SETTINGS);
    await pulling.diagnostics(uri, all => all.length === 0);
    const report = await pulling.request<{ items: readonly unknown[] }>('textDocument/diagnostic', {
      textDocument: { uri },
    });
    expect(report.items).toHaveLength(2);
    await pulling.end();
  });
});
