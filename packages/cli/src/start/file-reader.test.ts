import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FileReader } from './file-reader.ts';

it('reads files of any size one after the other', () => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-reader-'));
  try {
    const reader = new FileReader();
    const path = join(directory, 'file');
    for (const text of ['short', '', 'long'.repeat(1_000_000), 'short again']) {
      writeFileSync(path, text);
      expect(reader.read(path).equals(Buffer.from(text))).toBe(true);
    }
    expect(() => reader.read(join(directory, 'none'))).toThrow('ENOENT');
  } finally {
    rmSync(directory, { recursive: true });
  }
});
