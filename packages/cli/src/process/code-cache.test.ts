import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CodeCache } from './code-cache.ts';

const SOURCE = `module.exports = '${'some words '.repeat(200)}'.trim() && [1, 2].map(one => one * 2);`;
let home: string;
let directory: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tollgate-code-'));
  directory = join(home, 'caches/this-build');
  mkdirSync(join(home, 'caches'));
  writeFileSync(join(home, 'a.cjs'), SOURCE);
});

afterEach(() => rmSync(home, { recursive: true }));

/** Runs the file once; returns whether the cached code was used, or undefined if there was none. */
function start(folder = directory): boolean | undefined {
  const cache = new CodeCache(folder);
  const script = cache.compile(join(home, 'a.cjs'))!;
  const module = { exports: {} };
  script.runInThisContext()(module.exports, undefined, module);
  expect(module.exports).toEqual([2, 4]);
  cache.save();
  return script.cachedDataRejected === undefined ? undefined : !script.cachedDataRejected;
}

describe('cached code', () => {
  it('is used by the next run', () => {
    expect([start(), start(), start()]).toEqual([undefined, true, true]);
  });

  it('is read as UTF-8', () => {
    const text = 'exports.text = String.raw`Ä → · 読 𝄞`;';
    writeFileSync(join(home, 'b.cjs'), text);
    const run = () => {
      const cache = new CodeCache(directory);
      const module = { exports: { text: '' } };
      cache.compile(join(home, 'b.cjs'))!.runInThisContext()(module.exports, undefined, module);
      cache.save();
      return module.exports.text;
    };
    expect([run(), run()]).toEqual(Array(2).fill('Ä → · 読 𝄞'));
  });

  it('is written by the first runs only', () => {
    const written = Array.from({ length: 8 }, () => {
      start();
      return readFileSync(join(directory, 'a.cjs')).at(-1);
    });
    expect(written).toEqual([1, 2, 3, 4, 5, 6, 6, 6]);
    expect(readdirSync(directory)).toEqual(['a.cjs']);
  });

  it('is not used for another source, even one of the same length', () => {
    start();
    writeFileSync(join(home, 'a.cjs'), SOURCE.replace('words', 'wards'));
    utimesSync(join(home, 'a.cjs'), 5, 5);
    expect([start(), start()]).toEqual([undefined, true]);
  });

  it('is shared by copies with other times', () => {
    start();
    utimesSync(join(home, 'a.cjs'), 5, 5);
    expect([start(), start()]).toEqual([true, true]);
  });

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['truncated', bytes => bytes.subarray(0, bytes.length / 2)],
    ['two bytes too short', bytes => bytes.subarray(0, -2)],
    ['zero in one block', bytes => Buffer.concat([bytes.subarray(0, 1024), Buffer.alloc(512), bytes.subarray(1536)])],
    ['different in one bit', bytes => Buffer.from(bytes.map((byte, at) => (at === 777 ? byte ^ 4 : byte)))],
    ['empty', () => Buffer.alloc(0)],
  ])('is not used if it is %s, and is replaced', (_, damage) => {
    start();
    const path = join(directory, 'a.cjs');
    writeFileSync(path, damage(readFileSync(path)));
    expect([start(), start()]).toEqual([undefined, true]);
  });

  it('is not made of a file that imports modules at run time', () => {
    writeFileSync(join(home, 'a.cjs'), 'import(1)');
    expect(new CodeCache(directory).compile(join(home, 'a.cjs'))).toBeUndefined();
  });

  it('is kept for the latest builds only', () => {
    for (const [age, name] of ['a', 'b', 'c', 'd', 'e'].entries()) {
      mkdirSync(join(home, 'caches', name));
      utimesSync(join(home, 'caches', name), 1000 - age, 1000 - age);
    }
    start();
    expect(readdirSync(join(home, 'caches'))).toEqual(['a', 'b', 'c', 'this-build']);
  });

  it('is not written where that is impossible', () => {
    writeFileSync(join(home, 'file'), '');
    expect(start(join(home, 'file/inside'))).toBeUndefined();
    expect(readFileSync(join(home, 'file'), 'utf8')).toBe('');
  });
});
