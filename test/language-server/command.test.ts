import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CommandRun } from '@tollgate/language-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InlayHint, TextEdit } from 'vscode-languageserver-protocol';
import { Editor } from './support/editor.ts';

const COMMANDS = new URL('../../node_modules/.bin', import.meta.url).pathname;

const POLICY = `on_http_request:
  - name: office only
    expressions:
      - req.metod == 'GET'
    actions:
    -   type: deny
`;

/** Lint rules of a user: one never returns, and one throws. */
const RULES = `
const rule = (name, check) => ({
  id: 'acme/' + name,
  severity: 'warning',
  summary: name,
  rationale: 'To see what happens.',
  bad: { policy: 'on_http_request: []' },
  good: { policy: 'on_http_request: []' },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended'],
  check,
});
export const endless = rule('endless', { rule: () => { for (;;); } });
export const throws = rule('throws', { rule: () => { throw new Error('as intended'); } });
export const finds = rule('finds', { rule: ({ range }, policy, { report }) => report({ range, message: 'a rule' }) });
`;

describe('tollgate lsp', () => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-lsp-'));
  const uriOf = (name: string) => pathToFileURL(join(directory, name)).href;
  const uri = uriOf('p.yaml');
  let editor: Editor;

  beforeAll(async () => {
    writeFileSync(join(directory, 'tollgate.yaml'), 'lint:\n  load: [rules.mjs]\n');
    writeFileSync(join(directory, 'rules.mjs'), RULES);
    // By its name, as editors start it.
    const path = [COMMANDS, dirname(process.execPath), process.env.PATH].join(delimiter);
    const server = spawn('tollgate', ['lsp', '--stdio'], {
      cwd: directory,
      env: { ...process.env, HOME: directory, PATH: path },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await once(server, 'spawn');
    const ended = once(server, 'exit').then(([code]) => code === 0);
    const options = { rootUri: uriOf(''), initializationOptions: { trusted: true } };
    editor = await Editor.connect({ input: server.stdin, output: server.stdout, ended }, {}, options);
  });

  afterAll(async () => {
    expect(await editor.end()).toBe(true);
    rmSync(directory, { recursive: true, force: true });
  });

  it('answers while a lint rule of the user does not return, and reports those that fail', async () => {
    await editor.open(uri, POLICY);
    const settled = editor.pullSettled(uri);
    const textDocument = { uri };
    const hover = await editor.request('textDocument/hover', { textDocument, position: { line: 5, character: 14 } });
    expect(JSON.stringify(hover)).toContain('deny');
    const codes = (await settled).map(one => one.code);
    const wanted = ['lint/rule-stopped', 'lint/rule-failed', 'acme/finds', 'name/undeclared-field'];
    expect(codes).toEqual(expect.arrayContaining(wanted));
  });

  it('does not run a lint rule again that did not return', async () => {
    await editor.change(uri, { text: POLICY.replace('metod', 'method') });
    const codes = (await editor.pullSettled(uri)).map(one => one.code);
    expect(codes).not.toContain('name/undeclared-field');
    expect(codes.filter(one => one === 'lint/rule-stopped')).toHaveLength(1);
  });

  it('formats', async () => {
    const edits = await editor.request<TextEdit[]>('textDocument/formatting', {
      textDocument: { uri },
      options: { tabSize: 2, insertSpaces: true },
    });
    expect(edits).toEqual([
      { range: { start: { line: 5, character: 0 }, end: { line: 6, character: 0 } }, newText: '      - type: deny\n' },
    ]);
  });

  it('runs the commands of lenses', async () => {
    writeFileSync(
      join(directory, 'traffic.log'),
      '203.0.113.7 - - [21/Nov/2026:01:00:00 +0000] "GET / HTTP/1.1" 200 1\n',
    );
    writeFileSync(join(directory, 'q.yaml'), POLICY.replace('metod', 'method'));
    const traffic = join(directory, 'traffic.log');
    const given = [uriOf('q.yaml'), 'on_http_request', 1, traffic];
    const run = await editor.request<CommandRun>('workspace/executeCommand', {
      command: 'tollgate.replayRule',
      arguments: given,
    });
    expect(run.code).toBe(0);
    await editor.open(uriOf('q.yaml'), POLICY.replace('metod', 'method'));
    const range = { start: { line: 0, character: 0 }, end: { line: 6, character: 0 } };
    const hints = await editor.request<InlayHint[]>('textDocument/inlayHint', {
      textDocument: { uri: uriOf('q.yaml') },
      range,
    });
    expect(hints.map(one => one.label)).toEqual(['1 of 1 matched']);
    const wrong = editor.request('workspace/executeCommand', {
      command: 'tollgate.replayRule',
      arguments: given.slice(0, 3),
    });
    await expect(wrong).rejects.toThrow('no traffic to replay');
  });

  it('runs commands on what the editor shows, and saves nothing', async () => {
    const [policy, tests, base] = ['unsaved.yaml', 'unsaved.test.yaml', 'base.test.yaml'].map(uriOf);
    const saved = 'on_http_request:\n  - actions:\n      - type: log\n';
    writeFileSync(join(directory, 'unsaved.yaml'), saved);
    writeFileSync(join(directory, 'unsaved.test.yaml'), 'policy: gone.yaml\ntests: []\n');
    await editor.open(policy!, saved.replace('log', 'deny'));
    await editor.open(base!, 'policy: unsaved.yaml\nrequests:\n  home: {url: "https://example.com/"}\n');
    const test =
      'extends: base.test.yaml\npolicy: unsaved.yaml\ntests:\n  - name: denied\n    use: [home]\n    expect: {outcome: denied}\n';
    await editor.open(tests!, test);
    const run = (command: string, given: readonly unknown[]) =>
      editor.request<CommandRun>('workspace/executeCommand', { command, arguments: given });
    expect(await run('tollgate.runTest', [tests, null])).toMatchObject({
      code: 0,
      errors: '',
      output: expect.stringContaining('1 passed'),
    });
    const trace = await run('tollgate.traceRule', [policy, 'on_http_request', 1]);
    expect(trace.output).toContain('denied');
    const traffic = join(directory, 'traffic.log');
    const replay = await run('tollgate.replayRule', [policy, 'on_http_request', 1, traffic]);
    expect(JSON.parse(replay.output)).toMatchObject({ outcomes: expect.anything() });
    expect(replay.output).toContain('denied');
    // A policy that was never saved.
    await editor.open(uriOf('new.yaml'), saved.replace('log', 'deny'));
    expect((await run('tollgate.traceRule', [uriOf('new.yaml'), 'on_http_request', 1])).output).toContain('denied');
    expect(readFileSync(join(directory, 'unsaved.yaml'), 'utf8')).toBe(saved);
    expect(existsSync(join(directory, 'new.yaml'))).toBe(false);
  });

  it('shows what is wrong with settings in their file, until they are right', async () => {
    const settings = uriOf('tollgate.yaml');
    writeFileSync(join(directory, 'tollgate.yaml'), 'profil: modern\n');
    const changes = [{ uri: settings, type: 2 }];
    await editor.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
    const [wrong] = await editor.diagnostics(settings, found => found.length > 0);
    expect(wrong).toMatchObject({ range: { start: { line: 0, character: 0 }, end: { line: 0, character: 6 } } });
    writeFileSync(join(directory, 'tollgate.yaml'), 'profile: modern\n');
    await editor.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
    await editor.diagnostics(settings, found => found.length === 0);
  });

  it('serves a document in a directory that does not exist yet', async () => {
    const added = uriOf('new/p.yaml');
    await editor.open(added, POLICY);
    const found = await editor.diagnostics(added, some => some.length > 0);
    expect(found.map(one => one.code)).toContain('name/undeclared-field');
  });
});
