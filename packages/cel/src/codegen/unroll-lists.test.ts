import { describe, expect, test } from 'vitest';
import { hasLoop } from '../analysis/reads.ts';
import type { FunctionDecl, TypedAst } from '../ast/ast.ts';
import { BOOL, INT, listOf, STRING } from '../ast/types.ts';
import { check } from '../checker/check.ts';
import { type Activation, createEnvironment } from '../checker/environment.ts';
import { compileClosures } from '../closures/compile-closures.ts';
import { EXTENSION_LIBRARIES } from '../extension-libraries.ts';
import { inlineBodies } from '../lowering/inline-bodies.ts';
import { parse } from '../syntax/parse.ts';
import { EvaluationError, Unknown } from '../values/value.ts';
import { compileToJavaScript } from './compile.ts';
import { unrollLists } from './unroll-lists.ts';

const IN_RANGES: FunctionDecl = {
  name: 'inRanges',
  doc: '',
  overloads: [
    {
      id: 'in_ranges',
      member: false,
      params: [STRING, listOf(STRING)],
      result: BOOL,
      body: {
        paramNames: ['address', 'ranges'],
        source: 'isIP(address) && ranges.exists(range, isCIDR(range) && cidr(range).containsIP(address))',
      },
    },
  ],
};
const ENV = createEnvironment({
  libraries: EXTENSION_LIBRARIES,
  variables: [
    { name: 'n', type: INT },
    { name: 'address', type: STRING },
  ],
  functions: [IN_RANGES],
});

function read(source: string): TypedAst {
  const { ast, diagnostics } = parse(source, ENV);
  const { typed, diagnostics: found } = check(ast, ENV);
  expect([...diagnostics, ...found]).toEqual([]);
  return inlineBodies(typed, ENV);
}

/** Evaluates in an activation in which a name may be unknown, with both evaluators. */
function results(typed: TypedAst, activation: object): unknown[] {
  const programs = [compileToJavaScript(typed, ENV), compileClosures(typed, ENV)];
  return programs.map(program => {
    const result = program.evaluate(activation as Activation);
    // Copied nodes have ids of their own.
    return result instanceof EvaluationError ? `${result.code}: ${result.message}` : result;
  });
}

const ACTIVATIONS = [0, 1, 2, 9, new Unknown(['n'])].flatMap(n =>
  ['10.1.2.3', '192.0.2.1', '2001:db8::1', 'nobody', new Unknown(['address'])].map(address => ({ n, address })),
);

describe('a loop over a list of literals', () => {
  test.each([
    '[1, 2, 3].exists(i, i == n)',
    '[1, 2].all(i, i != n)',
    '[1].exists(i, i == n)',
    '[].exists(i, i == n)',
    '[].all(i, i == n)',
    '[2, 1, 0].exists(i, 2 / n == i)',
    '[0, 1, 2].all(i, 4 / i > n)',
    'n > 0 && ["10.0.0.0/8", "nonsense", "2001:db8::/32"].exists(r, isCIDR(r) && cidr(r).containsIP(address))',
    '["10.0.0.0/8", "192.0.0.0/16"].all(r, cidr(r).containsIP(address))',
    'inRanges(address, ["10.0.0.0/8", "nonsense", "2001:db8::/32"])',
  ])('%s becomes operators with the same results', source => {
    const typed = read(source);
    const unrolled = unrollLists(typed);
    expect(hasLoop(unrolled)).toBe(false);
    for (const activation of ACTIVATIONS) expect(results(unrolled, activation)).toEqual(results(typed, activation));
  });

  test.each([
    '[[1, 2], [3]].exists(l, [3, 4].exists(k, size(l) + k == n))',
    'inRanges(address + "", ["10.0.0.0/8"]) || !inRanges(address, ["192.0.2.0/24", "nonsense"])',
  ])('%s keeps its other loops', source => {
    const typed = read(source);
    const unrolled = unrollLists(typed);
    expect(unrolled).not.toBe(typed);
    for (const activation of ACTIVATIONS) expect(results(unrolled, activation)).toEqual(results(typed, activation));
  });

  test.each([
    '[n, 2].exists(i, i == n)',
    '[1, 2].exists_one(i, i == n)',
    '[1, 2].map(i, i + n) == [n]',
    `[${Array.from({ length: 65 }, (_, at) => at)}].exists(i, i == n)`,
  ])('%s is left as it is', source => {
    const typed = read(source);
    expect(unrollLists(typed)).toBe(typed);
  });
});
