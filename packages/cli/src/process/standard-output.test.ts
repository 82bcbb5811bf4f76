import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeAll } from './standard-output.ts';

it('writes a whole string to a file', () => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-output-'));
  try {
    const file = openSync(join(directory, 'a'), 'w');
    writeAll(file, 'ü'.repeat(500_000));
    writeAll(file, '');
    closeSync(file);
    expect(readFileSync(join(directory, 'a'), 'utf8')).toBe('ü'.repeat(500_000));
  } finally {
    rmSync(directory, { recursive: true });
  }
});
