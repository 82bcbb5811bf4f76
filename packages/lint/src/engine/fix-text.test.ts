import { type Diagnostic, type Fix, SourceText } from '@tollgate/diagnostics';
import { describe, expect, it } from 'vitest';
import { fixText } from './fix-text.ts';

/** Reports each match of the pattern, with a fix that replaces it. */
type Toy = readonly [pattern: RegExp, replacement: string, applicability?: Fix['applicability']];

function lintWith(toys: readonly Toy[], isError: (text: string) => boolean = () => false) {
  return ({ uri, text }: SourceText): readonly Diagnostic[] => [
    ...toys.flatMap(([pattern, newText, applicability = 'safe'], index) =>
      Array.from(text.matchAll(pattern), ({ 0: { length }, index: start }): Diagnostic => {
        const range = { start, end: start + length };
        const fixes = [{ title: `fix ${index}`, applicability, edits: [{ range, newText }] }];
        return { code: `toy/${index}`, severity: 'warning', message: '', uri, range, args: {}, fixes };
      }),
    ),
    ...(isError(text)
      ? [{ code: 'toy/error', severity: 'error', message: '', uri, range: { start: 0, end: 0 }, args: {} } as const]
      : []),
  ];
}

function fixed(text: string, toys: readonly Toy[], options: { isError?: (text: string) => boolean } = {}) {
  const lint = lintWith(toys, options.isError);
  return fixText(new SourceText('p', text), { lint, kinds: ['safe'] });
}

describe('fixText', () => {
  it.each<[string, string, readonly Toy[], string]>([
    ['all fixes that do not overlap at once', 'a b a', [[/a/g, 'x']], 'x b x'],
    [
      'those that touch each other one after the other',
      'aab',
      [
        [/aa/g, 'c'],
        [/ab/g, 'd'],
      ],
      'cb',
    ],
    [
      'fixes that others make room for',
      'a',
      [
        [/a/g, 'b'],
        [/b/g, 'c'],
      ],
      'c',
    ],
    [
      'only fixes of the kinds that were asked for',
      'ab',
      [
        [/a/g, 'x', 'unsafe'],
        [/b/g, 'y', 'suggestion'],
      ],
      'ab',
    ],
    ['nothing where nothing is found', 'z', [[/a/g, 'b']], 'z'],
  ])('applies %s', (_, before, toys, after) => {
    expect(fixed(before, toys).source.text).toBe(after);
  });

  it('stops when two fixes undo each other', () => {
    const { source, fixed: applied } = fixed('a', [
      [/a/g, 'b'],
      [/b/g, 'a'],
    ]);
    expect([source.text, applied.length]).toEqual(['a', 10]);
  });

  it('skips a fix that causes an error and applies the others', () => {
    const {
      source,
      fixed: applied,
      diagnostics,
    } = fixed('a b c d', [[/[abcd]/g, 'X']], {
      isError: text => text.includes('b') === false,
    });
    expect(source.text).toBe('X b X X');
    expect(applied).toHaveLength(3);
    expect(diagnostics.map(one => one.range.start)).toEqual([2]);
  });

  it('returns what was fixed and what is left', () => {
    const { fixed: applied, diagnostics } = fixed('a b', [
      [/a/g, 'x'],
      [/b/g, 'y', 'suggestion'],
    ]);
    expect([applied.map(one => one.code), diagnostics.map(one => one.code)]).toEqual([['toy/0'], ['toy/1']]);
  });
});
