import { expect, it } from 'vitest';
import type { Diagnostic } from '../diagnostic.ts';
import { SourceText } from '../source-text.ts';
import { fingerprints, lineHashes } from './fingerprints.ts';

/** A finding at each `x`. */
function found(text: string, message = 'odd', uri = 'a.yaml'): readonly string[] {
  const diagnostics: Diagnostic[] = [...text.matchAll(/x/g)].map(({ index }) => ({
    code: 'yaml/odd',
    severity: 'error',
    message,
    uri,
    range: { start: index, end: index + 1 },
    args: {},
  }));
  return fingerprints(diagnostics, new Map([[uri, new SourceText(uri, text)]]));
}

it('gives equal findings different fingerprints', () => {
  expect(new Set(found('x: 1\nx: 1\nx: 1\nx x\n')).size).toBe(5);
});

it.each([
  ['lines are added above', found('a\nb\nx: 1\n')],
  ['the line is indented', found('  x: 1\n')],
  ['the message is reworded', found('x: 1\n', 'strange')],
  ['the file is moved or renamed', found('x: 1\n', 'odd', 'other/b.yaml')],
  ['lines end otherwise', found('x: 1\r\n')],
])('keeps a fingerprint when %s', (_, others) => {
  expect(others).toEqual(found('x: 1\n'));
});

it.each([['line', found('x: 2\n')]])('changes with another %s', (_, others) => {
  expect(others).not.toEqual(found('x: 1\n'));
});

it('depends only on the context in a line of megabytes', () => {
  const line = 'y'.repeat(2_000_000);
  expect(found(`${line}x${line}`)).toEqual(found(`${line.slice(5)}x${line}`));
});

// From the tests of the CodeQL action.
it.each<[string, readonly string[]]>([
  ['', ['c129715d7a2bc9a3:1']],
  [' a\nb\n  \t\tc\n d', ['271789c17abda88f:1', '54703d4cd895b18:1', '180aee12dab6264:1', 'a23a3dc5e078b07b:1']],
])('hashes the lines of %j as GitHub does', (text, hashes) => {
  expect(lineHashes(text)).toEqual(hashes);
});

it('ignores spaces and kinds of line breaks', () => {
  expect(lineHashes('a: 1\r\n  b: 2\r\n')).toEqual(lineHashes('a:1\nb:2\n'));
});

it('numbers lines that start the same', () => {
  const [first, second] = lineHashes(`${'x\n'.repeat(200)}`);
  expect(second!.split(':')).toEqual([first!.split(':')[0], '2']);
});
