import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CodeCache } from './code-cache.ts';
import { FileReader } from './file-reader.ts';

const SOURCE = `(function () { '${'some words '.repeat(200)}'.trim(); return [1, 2].map(one => one * 2); })`;
let home: string;
let directory: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tollgate-code-'));
  directory = join(home, 'this-build');
});

afterEach(() => rmSync(home, { recursive: true }));

/** Runs the source once as a start does; whether what was kept was of use. */
function start(source = SOURCE, folder: string | undefined = directory): boolean | undefined {
  const cache = new CodeCache(folder, new FileReader());
  const script = cache.compile('a.cjs', '/a.cjs', source);
  expect(script.runInThisContext()()).toEqual([2, 4]);
  cache.save();
  return script.cachedDataRejected === undefined ? undefined : !script.cachedDataRejected;
}

describe('the code that is kept', () => {
  it('is used by the next run', () => {
    expect([start(), start(), start()]).toEqual([undefined, true, true]);
  });

  it('is written by the first runs only', () => {
    const written = Array.from({ length: 8 }, () => {
      start();
      return readFileSync(join(directory, 'a.cjs')).at(-1);
    });
    expect(written).toEqual([1, 2, 3, 4, 5, 6, 6, 6]);
    expect(readdirSync(directory)).toEqual(['a.cjs']);
  });

  it('is not used for another text', () => {
    start();
    expect([start(`${SOURCE} // other`), start(`${SOURCE} // other`)]).toEqual([false, true]);
  });

  it.each<[string, (kept: Buffer) => Buffer]>([
    ['cut off', kept => kept.subarray(0, kept.length / 2)],
    ['cut off by two', kept => kept.subarray(0, -2)],
    ['without a block', kept => Buffer.concat([kept.subarray(0, 1024), Buffer.alloc(512), kept.subarray(1536)])],
    ['different in one bit', kept => Buffer.from(kept.map((byte, at) => (at === 777 ? byte ^ 4 : byte)))],
    ['empty', () => Buffer.alloc(0)],
  ])('is not used when it is %s, and made anew', (_, damage) => {
    start();
    const path = join(directory, 'a.cjs');
    writeFileSync(path, damage(readFileSync(path)));
    expect([start(), start()]).toEqual([undefined, true]);
  });

  it('is that of the latest builds', () => {
    for (const [age, name] of ['a', 'b', 'c', 'd', 'e'].entries()) {
      mkdirSync(join(home, name));
      utimesSync(join(home, name), 1000 - age, 1000 - age);
    }
    start();
    expect(readdirSync(home)).toEqual(['a', 'b', 'c', 'this-build']);
  });

  it('is none where there is no place for it', () => {
    writeFileSync(join(home, 'file'), '');
    expect(start(SOURCE, join(home, 'file/inside'))).toBeUndefined();
    const nowhere = new CodeCache(undefined, new FileReader());
    expect(nowhere.compile('a.cjs', '/a.cjs', SOURCE).cachedDataRejected).toBeUndefined();
    nowhere.save();
    expect(readdirSync(home)).toEqual(['file']);
  });
});
