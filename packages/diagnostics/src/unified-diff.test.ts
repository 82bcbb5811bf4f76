import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ANSI } from './code-frame.ts';
import { diffLines, unifiedDiff } from './unified-diff.ts';

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `${from + index}\n`);

function diff(before: string, after: string): string {
  return unifiedDiff({ name: 'f', before, after });
}

describe('unifiedDiff', () => {
  it('is empty if nothing changed', () => {
    expect(diff('a\n', 'a\n')).toBe('');
  });

  it('shows three lines around each change, and joins nearby changes', () => {
    const before = numbers(0, 30).join('');
    const after = before.replace('5\n', '5a\n').replace('9\n', '').replace('\n25\n', '\n25\nnew\n');
    expect(diff(before, after)).toBe(
      [
        ...[
          '--- f',
          '+++ f',
          '@@ -3,11 +3,10 @@',
          ' 2',
          ' 3',
          ' 4',
          '-5',
          '+5a',
          ' 6',
          ' 7',
          ' 8',
          '-9',
          ' 10',
          ' 11',
          ' 12',
        ],
        ...['@@ -24,6 +23,7 @@', ' 23', ' 24', ' 25', '+new', ' 26', ' 27', ' 28', ''],
      ].join('\n'),
    );
  });

  it('counts the lines of an empty version from zero', () => {
    expect(diff('', 'a\n')).toBe('--- f\n+++ f\n@@ -0,0 +1 @@\n+a\n');
    expect(diff('a\nb\n', '')).toBe('--- f\n+++ f\n@@ -1,2 +0,0 @@\n-a\n-b\n');
  });

  it('shows that the last line has no line break', () => {
    expect(diff('a', 'a\n')).toBe('--- f\n+++ f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n');
  });

  it('colours removed and added lines', () => {
    expect(unifiedDiff({ name: 'f', before: 'a\n', after: 'b\n' }, ANSI)).toBe(
      `\u001b[1m--- f\u001b[0m\n\u001b[1m+++ f\u001b[0m\n\u001b[34m@@ -1 +1 @@\u001b[0m\n\u001b[1;31m-a\u001b[0m\n\u001b[1;32m+b\u001b[0m\n`,
    );
  });
});

describe('diffLines', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 12 });

  it('transforms one version into the other', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const result = diffLines(before, after);
        expect(result.filter(({ kind }) => kind !== 'added').map(({ text }) => text)).toEqual(before);
        expect(result.filter(({ kind }) => kind !== 'removed').map(({ text }) => text)).toEqual(after);
      }),
    );
  });

  it('keeps a line that both have', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const isCommon = before.some(line => after.includes(line));
        expect(diffLines(before, after).some(({ kind }) => kind === 'kept')).toBe(isCommon);
      }),
    );
  });

  it('aligns lines that are unique in both, even if braces would match sooner', () => {
    const result = diffLines(['{', 'one', '}'], ['{', 'zero', '}', '{', 'one', '}']);
    expect(result.filter(({ kind }) => kind === 'added').map(({ text }) => text)).toHaveLength(3);
    expect(result.filter(({ kind }) => kind === 'removed')).toEqual([]);
  });

  it('replaces large parts that have nothing in common', () => {
    const before = Array.from({ length: 3000 }, (_, index) => `a${index % 7}`);
    const after = Array.from({ length: 3000 }, (_, index) => `b${index % 7}`);
    expect(diffLines(before, after)).toHaveLength(6000);
  });
});
