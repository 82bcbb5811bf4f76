import { createEnvironment, type ParseEnvironment, parse } from '@tollgate/cel';
import { disableSyntax } from '@tollgate/cel/tooling';
import { describe, expect, test } from 'vitest';
import { KIND_ADORNER, toDebugString } from './debug-string.ts';
import { SYNTAX_TESTS, type SyntaxTest } from './suites.ts';

// The suites were recorded with the standard macros only, without optional syntax and names in backticks, and the parsing suite with a
// nesting limit of 32.
const { macros, limits } = createEnvironment({ libraries: [] });
const RECORDED: ParseEnvironment = { macros, limits, checkTokens: disableSyntax('optionals', 'quoted-names') };
const RECORDED_SHALLOW: ParseEnvironment = { ...RECORDED, limits: { ...limits, maxDepth: 32 } };

function parseAsRecorded({ suite, source }: SyntaxTest) {
  return parse(source, suite === 'parsing' ? RECORDED_SHALLOW : RECORDED);
}

/** Rejected when recorded because of 32 parentheses around a number, which the specification requires. */
const NESTED = `${'('.repeat(32)}7${')'.repeat(32)}`;

describe.each(['parsing', 'comprehension', 'checking', 'conformance'])('the %s suite', suite => {
  const tests = SYNTAX_TESTS.filter(one => one.suite === suite);
  const accepted = tests.filter(({ ast }) => ast !== undefined);
  const refused = tests.filter(({ ast, source }) => ast === undefined && source !== NESTED);

  test('accepts what the reference implementation accepts, as the same trees', () => {
    const differing = accepted.filter(one => {
      const { ast, diagnostics } = parseAsRecorded(one);
      return diagnostics.length > 0 || toDebugString(ast.root, KIND_ADORNER) !== one.ast;
    });
    expect(accepted.length).toBeGreaterThan(0);
    expect(differing.map(({ source }) => source)).toEqual([]);
  });

  test('rejects what the reference implementation rejects', () => {
    const taken = refused.filter(one => parseAsRecorded(one).diagnostics.length === 0);
    expect(taken.map(({ source }) => source)).toEqual([]);
  });
});

test('has as many tests as were published', () => {
  const counts = Object.groupBy(SYNTAX_TESTS, ({ suite }) => suite);
  expect(Object.fromEntries(Object.entries(counts).map(([suite, tests = []]) => [suite, tests.length]))).toEqual({
    parsing: 194,
    comprehension: 92,
    checking: 135,
    conformance: 2344,
  });
});

test('the default limits allow the nesting that the specification requires', () => {
  expect(parse(NESTED, RECORDED).diagnostics).toEqual([]);
});

test("reports an unexpected token at the position of the reference implementation's first error", () => {
  const placed = SYNTAX_TESTS.filter(one => unexpectedTokenOffset(one) !== undefined);
  const differing = placed.filter(one => {
    const starts = parseAsRecorded(one).diagnostics.map(({ range }) => range.start);
    return !starts.includes(unexpectedTokenOffset(one) as number);
  });
  expect(placed.length).toBe(21);
  expect(differing.map(({ source }) => source)).toEqual([]);
});

/**
 * Returns the offset of the first complaint about a token that does not follow from invalid characters. Lines and columns count code points
 * from 1.
 */
function unexpectedTokenOffset({ source, error = '' }: SyntaxTest): number | undefined {
  if (error.includes('token recognition')) return undefined;
  const found = /^ERROR: [^:]*:(\d+):(\d+): Syntax error: (?:mismatched|extraneous|no viable)/m.exec(error);
  if (found === null) return undefined;
  const [line, column] = [Number(found[1]), Number(found[2])];
  const lines = source.split('\n');
  const before = [...(lines[line - 1] ?? '')].slice(0, column - 1).join('');
  return [...lines.slice(0, line - 1), before].join('\n').length;
}
