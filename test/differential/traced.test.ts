import { check, compileClosures, type Expr, NonValue, parse, type TypedAst, traceExpression } from '@tollgate/cel';
import { childrenOf } from '@tollgate/cel/tooling';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs, seed } from '../support/runs.ts';
import { activationOf, caseOf, ENVIRONMENT, EVERYTHING } from './case.ts';
import { obscure } from './data.ts';
import { showOursExactly } from './engines.ts';

const UNFOLDED = { ...ENVIRONMENT, constantFolding: false };

function typedOf(source: string): TypedAst {
  return check(parse(source, ENVIRONMENT).ast, ENVIRONMENT).typed;
}

/** Returns every node outside of loops, except names that are part of another. */
function nodesOf({ references }: TypedAst, expr: Expr): readonly Expr[] {
  const reference = references[expr.id];
  if (expr.kind === 'comprehension' || reference?.kind === 'variable' || reference?.kind === 'type') return [expr];
  const children = childrenOf(expr);
  const isNamespaced = reference?.kind === 'function' && expr.kind === 'call' && !reference.overloads[0]?.member;
  const values = isNamespaced && expr.target !== undefined ? children.slice(1) : children;
  return [expr, ...values.flatMap(child => nodesOf({ references } as TypedAst, child))];
}

const RUNS = runs(60, 3_000);

describe('the trace of an expression', () => {
  it('has the result of the evaluators, and the value of each subexpression on its own', () => {
    let compared = 0;
    fc.assert(
      fc.property(fc.gen(), take => {
        const { source, data } = caseOf(take, EVERYTHING);
        const typed = typedOf(source);
        const full = activationOf(data);
        const partial = Object.fromEntries(
          Object.entries(full).map(([name, value]) => [name, obscure(value, name, take)]),
        );
        const trace = traceExpression(typed, ENVIRONMENT);
        for (const activation of [full, partial]) {
          const { result, nodes } = trace(activation);
          const expected = compileClosures(typed, ENVIRONMENT).evaluate(activation);
          expect({ source, result: showOursExactly(result) }).toEqual({ source, result: showOursExactly(expected) });
          for (const node of nodesOf(typed, typed.ast.root)) {
            const found = nodes.get(node.id);
            if (found === undefined) continue;
            const alone = { ...typed, ast: { ...typed.ast, root: node }, resultType: typed.types[node.id]! };
            const value = compileClosures(alone, UNFOLDED).evaluate(activation);
            const shown = showOursExactly(value);
            expect({ source, id: node.id, count: found.count }).toEqual({ source, id: node.id, count: 1 });
            // If a part of it may be unknown, it is unknown as a result.
            if (value instanceof NonValue || !(found.values[0] instanceof NonValue)) compared += 1;
            if (!(value instanceof NonValue))
              expect({ source, id: node.id, value: showOursExactly(found.values[0]) }).toEqual({
                source,
                id: node.id,
                value: shown,
              });
          }
        }
      }),
      { numRuns: RUNS, seed: seed(20_261_121, 'TOLLGATE_DIFFERENTIAL_SEED') },
    );
    expect(compared).toBeGreaterThan(10 * RUNS);
  });

  const values = (source: string, activation: Record<string, unknown>) => {
    const typed = typedOf(source);
    const { nodes } = traceExpression(typed, ENVIRONMENT)(activation);
    const text = (expr: Expr) => source.slice(expr.range.start, expr.range.end);
    return Object.fromEntries(
      nodesOf(typed, typed.ast.root).map(node => [text(node), nodes.get(node.id)?.values.map(showOursExactly)]),
    );
  };

  it('leaves out what was not evaluated', () => {
    expect(values("s == 'a' || t == 'b'", { s: 'a', t: 'b' })).toMatchObject({
      "s == 'a'": ['true'],
      s: ['"a"'],
      "t == 'b'": undefined,
      t: undefined,
    });
    expect(values('b ? i + 1 : j', { b: false, i: 1, j: 2 })).toMatchObject({
      b: ['false'],
      'i + 1': undefined,
      j: ['int 2'],
    });
    expect(values('i / j + 1 > 0 && b', { i: 1, j: 0, b: false })).toMatchObject({
      'i / j': ['eval/division-by-zero at 4'],
      '1': undefined,
      b: ['false'],
    });
  });

  it('includes calls of constants, and parts that programs run as one', () => {
    expect(
      values("duration('1h') > span && headers['a'][0].startsWith('x')", { headers: { a: ['xy'] } }),
    ).toMatchObject({ "headers['a'][0]": ['"xy"'], "headers['a']": ['["xy"]'], "'x'": ['"x"'] });
  });

  it('counts evaluations inside a loop, and keeps the first values', () => {
    const typed = typedOf('ints.exists(x, x * 2 > 600)');
    const { nodes, result } = traceExpression(typed, ENVIRONMENT)({ ints: Array.from({ length: 400 }, (_, i) => i) });
    const product = [...nodes.values()].find(node => node.values[1] === 2);
    expect(result).toBe(true);
    expect(product).toMatchObject({ count: 302 });
    expect(product?.values.length).toBe(100);
  });
});
