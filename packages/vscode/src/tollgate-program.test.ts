import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseCommand, commandEnvironment, runTollgate } from './tollgate-program.ts';

const INSTALLED = join('/b', 'node_modules', '@tollgate', 'cli', 'bin', 'tollgate.js');
const CHOICE = {
  setting: 'workspace',
  isTrusted: true,
  bundled: '/extension/tollgate.js',
  folders: ['/a', '/b'],
  exists: (path: string) => path === INSTALLED,
};

describe('the command that serves the editor', () => {
  it.each([
    ['is that of the workspace, in the first folder that has one', {}, INSTALLED],
    ['is bundled by default', { setting: 'bundled' }, CHOICE.bundled],
    ['is bundled in an untrusted workspace', { isTrusted: false }, CHOICE.bundled],
    ['is bundled where none is installed', { folders: ['/a'] }, CHOICE.bundled],
    ['is bundled without a folder', { folders: [] }, CHOICE.bundled],
  ])('%s', (_, changes, script) => {
    const origin = script === INSTALLED ? 'workspace' : 'bundled';
    expect(chooseCommand({ ...CHOICE, ...changes })).toEqual({ script, origin });
  });
});

const EDITOR = { PATH: '/bin', NODE_OPTIONS: '--require ./evil.cjs', EMPTY: undefined, TOLLGATE_TRUST: '1' };

it('trusts no code in an untrusted workspace, whatever the environment says', () => {
  expect(commandEnvironment(EDITOR, false)).toEqual({ PATH: '/bin', ELECTRON_RUN_AS_NODE: '1', TOLLGATE_TRUST: '0' });
});

it('runs code of a trusted workspace', () => {
  expect(commandEnvironment(EDITOR, true).TOLLGATE_TRUST).toBe('1');
});

const directory = mkdtempSync(join(tmpdir(), 'tollgate-run-'));
const script = join(directory, 'script.cjs');
const env = { PATH: process.env.PATH ?? '' };

beforeAll(() => {
  writeFileSync(
    script,
    `const { readFileSync } = require('node:fs');
if (process.argv[2] === 'wait') { process.stdout.write('waiting'); setInterval(() => {}, 1000); }
else if (process.argv[2] === 'read') {
  const place = process.env.TOLLGATE_UNSAVED;
  process.stdout.write(readFileSync(place + '/' + process.argv[3], 'utf8') + '|' + place);
} else { process.stdout.write(readFileSync(0, 'utf8') + process.argv.slice(2).join('|')); process.stderr.write('é'); process.exitCode = 3; }
`,
  );
});
afterAll(() => rmSync(directory, { recursive: true }));

it('passes arguments and input as they are, and returns all that is printed', async () => {
  const result = await runTollgate({ script, directory, env, args: ['a b', '$(c)', '"'], input: 'in:' });
  expect(result).toEqual({ code: 3, output: 'in:a b|$(c)|"', errors: 'é' });
});

it('lets the command read what the editor shows, and leaves nothing behind', async () => {
  const path = join(directory, 'p.yaml');
  const shown = [{ path, text: 'é: unsaved' }];
  const name = createHash('sha256').update(path).digest('hex');
  const result = await runTollgate({ script, directory, env, args: ['read', name], shown });
  const [text, place = ''] = result.output.split('|');
  expect(text).toBe('é: unsaved');
  expect([existsSync(path), existsSync(place)]).toEqual([false, false]);
});

it('stops the process when it is cancelled', async () => {
  const abort = new AbortController();
  const running = runTollgate({ script, directory, env, args: ['wait'], signal: abort.signal });
  abort.abort();
  expect((await running).code).toBeUndefined();
});

it('rejects if the process cannot be started', async () => {
  await expect(runTollgate({ script, directory: join(directory, 'none'), env, args: [] })).rejects.toThrow('ENOENT');
});
