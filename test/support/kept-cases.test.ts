import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { assertKept } from './kept-cases.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-kept-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SMALL = fc.asyncProperty(fc.nat(1000), async value => value < 100);

it('keeps a shrunk counterexample once, and tries it first from then on', async () => {
  const file = join(folder, 'cases.jsonl');
  const kept = { file, isRecording: true };
  await expect(assertKept(kept, 'small', SMALL, 100)).rejects.toThrow('Counterexample: [100]');
  await expect(assertKept(kept, 'small', SMALL, 100)).rejects.toThrow('Property failed after 1 tests');
  expect(readFileSync(file, 'utf8')).toBe('{"test":"small","counterexample":[100]}\n');
  // Another test does not try it.
  const isSmall: number[] = [];
  await assertKept(
    kept,
    'other',
    fc.asyncProperty(fc.nat(9), async value => void isSmall.push(value)),
    5,
  );
  expect(isSmall.length).toBe(5);
});

it('adds nothing where it is not to record', async () => {
  const file = join(folder, 'none.jsonl');
  await expect(assertKept({ file, isRecording: false }, 'small', SMALL, 100)).rejects.toThrow('Counterexample: [100]');
  expect(() => readFileSync(file)).toThrow('ENOENT');
});
