import { createEnvironment, EXTENSION_LIBRARIES, type Expr, parse, unparse } from '@tollgate/cel';
import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import { runs } from '../support/runs.ts';
import { expressionText } from './expression-text.ts';

const environment = createEnvironment({ libraries: EXTENSION_LIBRARIES });
const roomy = { ...environment, limits: { ...environment.limits, maxSourceLength: 10_000_000 } };

/** What `parse` promises of any text. */
function assertSound(source: string, env = environment): void {
  const { ast, diagnostics } = parse(source, env);
  const offsets = diagnostics.flatMap(({ range }) => [range.start, range.end - range.start, source.length - range.end]);
  collectRanges(ast.root, offsets, source.length);
  // One comparison for all: assertions are slow.
  expect(offsets.every(offset => Number.isInteger(offset) && offset >= 0)).toBe(true);
  expect(diagnostics.length).toBeLessThanOrEqual(env.limits.maxDiagnostics);
  for (const { message, code } of diagnostics) {
    expect(code).toMatch(/^(?:syntax|limit)\/[a-z-]+$/);
    expect(message).not.toMatch(/undefined|NaN|\[object|\.$/);
    expect(message.isWellFormed()).toBe(true);
  }
  expect(typeof unparse(ast)).toBe('string');
}

function collectRanges(expr: Expr, offsets: number[], length: number): void {
  offsets.push(expr.range.start, expr.range.end - expr.range.start, length - expr.range.end);
  for (const value of Object.values(expr)) {
    const parts: unknown[] = Array.isArray(value) ? value : [value];
    for (const part of parts) if (isNode(part)) collectRanges(part, offsets, length);
  }
}

function isNode(value: unknown): value is Expr {
  return typeof value === 'object' && value !== null && 'id' in value && 'range' in value;
}

const TOKENS = [
  'a',
  'in',
  'for',
  '1',
  '2.5',
  '7u',
  "'s'",
  'b"x"',
  '.',
  '?',
  ':',
  ',',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '!',
];
const PIECES = [
  ...TOKENS,
  '-',
  '+',
  '&&',
  '||',
  '=',
  '<',
  '|',
  '`',
  '"',
  "'",
  '"""',
  '\\',
  '#',
  '//',
  '\n',
  '\u0000',
  '\ud800',
  '😀',
  'has',
  'map',
  '.map(x,',
  'cel.bind(',
];

describe('any text gives diagnostics in its bounds, and a tree', () => {
  test('of arbitrary characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), text => assertSound(text)),
      { numRuns: runs(6, 500) },
    );
  });

  test('of pieces of the language in any order', () => {
    const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map(pieces => pieces.join(''));
    fc.assert(
      fc.property(text, source => assertSound(source)),
      { numRuns: runs(6, 700) },
    );
  });

  test('of expressions with something cut out, put in or doubled', () => {
    const edit = fc.tuple(fc.nat(), fc.nat({ max: 5 }), fc.constantFrom('', ...PIECES));
    const edited = fc.tuple(expressionText, fc.array(edit, { minLength: 1, maxLength: 3 })).map(([text, edits]) => {
      return edits.reduce((source, [at, length, insert]) => {
        const start = at % (source.length + 1);
        return source.slice(0, start) + insert + source.slice(start + length);
      }, text);
    });
    fc.assert(
      fc.property(edited, source => assertSound(source)),
      { numRuns: runs(6, 500) },
    );
  });

  const parts = [
    '(',
    ')',
    '[',
    '{',
    '{a:',
    'f(',
    'a[',
    '!',
    '-',
    '- ',
    'a.',
    '.a',
    'a ',
    '1 ',
    '?',
    'a?',
    'a?b:',
    ':',
    ',',
    '"',
    '#',
    '`',
    '\\',
    '\u0000',
    '\ud83d',
    '😀',
    '1+',
    'a&&',
    '/',
    '// ',
    '0x',
    '1.',
    '1e',
    'has(',
    'a.map(x,',
    '[1,',
    'a b+',
    ') + ',
    '(]',
    '.optMap(x,x)',
    'a==b,',
    '"\\',
    "'''",
  ];
  test.each(parts)('of %j repeated', part => {
    assertSound(`a${part.repeat(1_000 / part.length)}`);
  });

  /** Those that nest or chain. */
  const many = inject('isDeep') ? parts : ['(', '.a', 'a.map(x,'];
  test.each(many)('of %j repeated to the default limit and past it', part => {
    assertSound(`a${part.repeat(99_990 / part.length)}`);
  });

  test.each(many)('of %j repeated past the default limit, where that is allowed', part => {
    assertSound(`a${part.repeat(300_000 / part.length)}`, roomy);
  });

  test('of a hundred million brackets', () => {
    const { diagnostics } = parse('('.repeat(100_000_000), environment);
    expect(diagnostics.map(({ code, args }) => [code, args.limit])).toEqual([
      ['limit/source-length', 'maxSourceLength'],
    ]);
  });
});
