import { chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { repositoryRoot, searchUpward } from './trusted-directories.ts';

let home: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'tollgate-search-')));
  mkdirSync(join(home, 'a/b/c'), { recursive: true });
});

afterEach(() => rmSync(home, { recursive: true }));

const put = (name: string) => writeFileSync(join(home, name), '');
const found = (from = 'a/b/c') => searchUpward('tollgate.yaml', join(home, from))?.slice(home.length + 1);
const isRoot = process.getuid?.() === 0;
const SOMEBODY = 12_345;

describe('the search for settings', () => {
  it('finds the nearest file', () => {
    put('tollgate.yaml');
    put('a/b/tollgate.yaml');
    expect([found(), found('a/b'), found('a')]).toEqual(['a/b/tollgate.yaml', 'a/b/tollgate.yaml', 'tollgate.yaml']);
  });

  it.each(['directory', 'file'])('stops at the root of the repository, where `.git` is a %s', kind => {
    put('tollgate.yaml');
    if (kind === 'file') put('a/.git');
    else mkdirSync(join(home, 'a/.git'));
    expect([found(), repositoryRoot(join(home, 'a/b/c'))]).toEqual([undefined, join(home, 'a')]);
    put('a/tollgate.yaml');
    expect(found()).toBe('a/tollgate.yaml');
  });

  it('does not enter a world-writable directory', () => {
    put('a/tollgate.yaml');
    chmodSync(join(home, 'a'), 0o1777);
    put('tollgate.yaml');
    expect(found()).toBeUndefined();
  });

  it('finds the settings of a repository that was cloned without a umask', () => {
    for (const name of ['a', 'a/b', 'a/b/c']) chmodSync(join(home, name), 0o777);
    mkdirSync(join(home, 'a/.git'));
    put('a/tollgate.yaml');
    expect(found()).toBe('a/tollgate.yaml');
  });

  it.runIf(isRoot)('does not enter a directory of another owner', () => {
    put('a/tollgate.yaml');
    put('tollgate.yaml');
    chownSync(join(home, 'a'), SOMEBODY, SOMEBODY);
    expect([found(), repositoryRoot(join(home, 'a/b/c'))]).toEqual([undefined, undefined]);
  });

  it.runIf(isRoot)('ignores files of other owners in a world-writable directory', () => {
    chmodSync(join(home, 'a'), 0o1777);
    put('a/tollgate.yaml');
    expect(found('a')).toBe('a/tollgate.yaml');
    chownSync(join(home, 'a/tollgate.yaml'), SOMEBODY, SOMEBODY);
    put('a/.git');
    chownSync(join(home, 'a/.git'), SOMEBODY, SOMEBODY);
    expect([found('a'), found()]).toEqual([undefined, undefined]);
  });
});
