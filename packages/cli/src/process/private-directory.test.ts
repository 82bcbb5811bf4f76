import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isPrivateDirectory } from './code-cache.ts';

let home: string;
const at = (name: string) => join(home, name);

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tollgate-private-'));
});

afterEach(() => rmSync(home, { recursive: true }));

describe('a directory for code', () => {
  it('is created so that nobody else may enter it', () => {
    expect(isPrivateDirectory(at('tollgate/code'))).toBe(true);
    expect([statSync(at('tollgate')).mode & 0o777, statSync(at('tollgate/code')).mode & 0o777]).toEqual([0o700, 0o700]);
    expect(isPrivateDirectory(at('tollgate/code'))).toBe(true);
  });

  it.each<[string, () => void]>([
    ['others may enter', () => chmodSync(at('tollgate/code'), 0o755)],
    ['others may write to', () => chmodSync(at('tollgate/code'), 0o777)],
    ['lies where others may enter', () => chmodSync(at('tollgate'), 0o750)],
    ['others may rename the parent of', () => chmodSync(home, 0o777)],
    [
      'is a link',
      () => {
        rmSync(at('tollgate/code'), { recursive: true });
        mkdirSync(at('other'), { mode: 0o700 });
        symlinkSync(at('other'), at('tollgate/code'));
      },
    ],
  ])('is not used when it %s', (_, change) => {
    isPrivateDirectory(at('tollgate/code'));
    change();
    expect(isPrivateDirectory(at('tollgate/code'))).toBe(false);
  });

  it.runIf(process.getuid?.() === 0)('is not used if somebody else owns it', () => {
    isPrivateDirectory(at('tollgate/code'));
    chownSync(at('tollgate/code'), 12_345, 12_345);
    expect(isPrivateDirectory(at('tollgate/code'))).toBe(false);
  });
});
