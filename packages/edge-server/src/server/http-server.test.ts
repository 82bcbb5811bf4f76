import { mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { watchProgram } from './http-server.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-program-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

function replace(path: string): void {
  writeFileSync(`${path}.new`, 'same');
  renameSync(`${path}.new`, path);
}

it.each([
  ['nothing', false, () => undefined],
  ['a new file over it', true, replace],
  ['other contents', true, (path: string) => writeFileSync(path, 'longer than before')],
  ['another time', true, (path: string) => utimesSync(path, 1, 1)],
  ['a deletion', true, (path: string) => rmSync(path)],
])('a program is replaced by %s: %s', (_, isReplaced, change) => {
  const path = join(folder, 'thread.js');
  writeFileSync(path, 'same');
  const check = watchProgram([path, join(folder, 'never there')]);
  expect(check()).toBe(false);
  change(path);
  expect(check()).toBe(isReplaced);
});
