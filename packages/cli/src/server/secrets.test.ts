import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { UsageError } from '../process/exit-code.ts';
import { readSecrets } from './secrets.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-secrets-'));
const file = join(folder, 'secrets.yaml');
afterAll(() => rmSync(folder, { recursive: true }));

const TERMINAL = {
  write: () => {},
  writeError: () => {},
  readInput: async () => new Uint8Array(),
  isInteractive: false,
  env: {},
};

function read(text: string) {
  writeFileSync(file, text);
  return readSecrets(file, TERMINAL);
}

describe('a file with secrets', () => {
  it.each([
    ['', 'the file is empty'],
    ['- hooks', 'the file is a list'],
    ['hooks: hush', '`hooks` is a string'],
    ['hooks:', '`hooks` is empty'],
    ['hooks: { github: 12345 }', '`github` of `hooks` is a number; put it in quotes'],
    ['hooks: { github: { a: hush } }', '`github` of `hooks` is a mapping'],
    ['hooks: { github: hush', 'it is neither YAML nor JSON'],
    ['hooks: *hush', 'it is neither YAML nor JSON'],
    ['hooks: { a: hush }\n---\nhooks: {}', 'it is neither YAML nor JSON'],
  ])('%j is refused without a word of it', async (text, what) => {
    const expected = `expected \`${file}\` to contain vaults with secrets by name, such as \`hooks: { github: … }\`; ${what}`;
    await expect(read(text)).rejects.toThrow(new UsageError(expected));
  });

  it('hides secrets, and their beginnings, whichever is longer', async () => {
    const { secrets, hide } = await read('a: { one: "correct horse", two: "correct horse battery", three: "a\\nb" }');
    expect([secrets('a', 'two'), secrets('a', 'none'), secrets('b', 'one')]).toEqual([
      ...['correct horse battery', undefined, undefined],
    ]);
    expect(hide('x correct horse battery, correct horse, correct h… "a\\nb" and correct')).toBe(
      'x ***, ***, ***… "***" and ***',
    );
  });
});
