import { posix, win32 } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { directoryOf, nameFrom, pathFrom, pathOfUri, uriOfPath } from './paths.ts';

const CHARACTERS = [
  'a',
  'B',
  '1',
  '.',
  ' ',
  '%',
  '?',
  '#',
  '~',
  '[',
  '{',
  '|',
  '"',
  'ü',
  '語',
  '\u{1F600}',
  ':',
  '&',
  '=',
];
const NAME = fc.string({ unit: fc.constantFrom(...CHARACTERS), minLength: 1, maxLength: 4 });
/** Names that Windows accepts within a path. */
const PLAIN_NAME = fc.string({ unit: fc.constantFrom('a', 'B', '1', ' ', '%', '#', 'ü'), minLength: 1, maxLength: 4 });
const NAMES = fc.array(NAME, { minLength: 1, maxLength: 4 });
const PLAIN_NAMES = fc.array(PLAIN_NAME, { minLength: 1, maxLength: 4 });
const POSIX_PATH = NAMES.map(names => `/${names.join('/')}`);
const WINDOWS_PATH = fc
  .tuple(fc.constantFrom('C:\\', 'd:\\', '\\\\server\\share\\'), PLAIN_NAMES)
  .map(([root, names]) => root + names.join('\\'));
const RELATIVE = fc
  .array(fc.oneof(NAME, fc.constantFrom('..', '.')), { minLength: 1, maxLength: 4 })
  .map(parts => parts.join('/'));
const PLAIN_RELATIVE = fc
  .array(fc.oneof(PLAIN_NAME, fc.constantFrom('..', '.')), { minLength: 1, maxLength: 4 })
  .map(parts => parts.join('/'));
const RUNS = { numRuns: inject('isDeep') ? 5000 : 300 };

describe('paths of POSIX', () => {
  it('have the URIs that Node gives them', () => {
    const check = (path: string) => {
      expect(uriOfPath(path)).toBe(pathToFileURL(path, { windows: false }).href);
      expect(pathOfUri(uriOfPath(path))).toBe(fileURLToPath(uriOfPath(path), { windows: false }));
    };
    fc.assert(
      fc.property(
        POSIX_PATH.filter(path => !/^\/[A-Za-z]:(?:\/|$)/.test(posix.normalize(path))),
        check,
      ),
      RUNS,
    );
  });

  it('have the directories and relatives that Node computes', () => {
    const check = (path: string, other: string, name: string) => {
      expect(directoryOf(path)).toBe(posix.dirname(path));
      expect(pathFrom(path, name)).toBe(posix.join(posix.dirname(path), name));
      expect(nameFrom(path, other)).toBe(posix.relative(path, other));
    };
    fc.assert(fc.property(POSIX_PATH, POSIX_PATH, RELATIVE, check), RUNS);
  });
});

describe('paths of Windows', () => {
  it('have the URIs that Node gives them', () => {
    const check = (path: string) => {
      expect(uriOfPath(path)).toBe(pathToFileURL(path, { windows: true }).href);
      expect(pathOfUri(uriOfPath(path))).toBe(fileURLToPath(uriOfPath(path), { windows: true }));
    };
    fc.assert(fc.property(WINDOWS_PATH, check), RUNS);
    expect(pathOfUri('file:///c%3A/a%20b/c.yaml')).toBe('c:\\a b\\c.yaml');
  });

  it('have the directories and relatives that Node computes', () => {
    const check = (path: string, name: string) => {
      expect(directoryOf(path)).toBe(win32.dirname(path));
      expect(pathFrom(path, name)).toBe(win32.join(win32.dirname(path), name));
    };
    fc.assert(fc.property(WINDOWS_PATH, PLAIN_RELATIVE, check), RUNS);
    expect(nameFrom('C:\\w\\a', 'c:\\w\\b\\x.yaml')).toBe('../b/x.yaml');
    expect(nameFrom('C:\\w', 'D:\\x.yaml')).toBe('D:\\x.yaml');
  });
});

describe('other documents', () => {
  it.each(['untitled:Untitled-1', 'file:///a%2Fb', 'file:///a%zz'])('leaves %s as it is', uri => {
    expect(pathOfUri(uri)).toBe(uri);
    expect(uriOfPath('untitled:Untitled-1')).toBe('untitled:Untitled-1');
  });

  it('resolves names of documents without a directory as they are written', () => {
    expect(directoryOf('untitled:Untitled-1')).toBe('.');
    expect(pathFrom('untitled:Untitled-1', './policy.yaml')).toBe('policy.yaml');
    expect(pathFrom('untitled:Untitled-1', '../policy.yaml')).toBe('../policy.yaml');
  });
});
