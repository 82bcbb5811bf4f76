import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './source-file.ts';

/** Asked of the index of Git: `npm install` makes commands executable in the working tree, which hides that the commit does not. */
function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 });
}

/** Returns the files of the index that may be executed. */
function executables(): readonly string[] {
  return git('ls-files', '--stage', '-z')
    .split('\0')
    .filter(line => line.startsWith('100755 '))
    .map(line => line.slice(line.indexOf('\t') + 1));
}

/** Returns the files of the index that name their interpreter in the first line. */
function scripts(): readonly string[] {
  return [...git('grep', '--cached', '-nI', '-e', '^#!').matchAll(/^(.+?):1:/gm)].map(([, path = '']) => path);
}

describe.skipIf(!existsSync(join(ROOT, '.git')))('permissions of files in Git', () => {
  it('lets all scripts that name their interpreter be executed, and nothing else', () => {
    expect(scripts()).toContain('packages/cli/bin/tollgate.js');
    expect(executables()).toEqual(scripts());
  });
});
