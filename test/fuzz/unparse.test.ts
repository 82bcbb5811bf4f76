import { createEnvironment, type Expr, parse, unparse } from '@tollgate/cel';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expressionText } from './expression-text.ts';

const environment = createEnvironment({ limits: { maxNodes: 20_000 } });

/** A tree without ids and ranges, by which the same text in another layout is equal. */
function shape(expr: Expr): unknown {
  return JSON.parse(
    JSON.stringify(expr, (key, value: unknown) => {
      if (key === 'id' || key === 'range' || key.endsWith('Range')) return undefined;
      if (typeof value === 'bigint') return { big: String(value) };
      return Object.is(value, -0) ? '-0' : value;
    }),
  );
}

test('printed text parses to the tree that was printed', () => {
  fc.assert(
    fc.property(expressionText, source => {
      const { ast, diagnostics } = parse(source, environment);
      fc.pre(diagnostics.every(({ code }) => code.startsWith('limit/') || code === 'syntax/invalid-macro-argument'));
      fc.pre(diagnostics.length === 0);
      const printed = unparse(ast);
      const again = parse(printed, environment);
      expect(again.diagnostics, printed).toEqual([]);
      expect(shape(again.ast.root), printed).toEqual(shape(ast.root));
      expect(unparse(again.ast)).toBe(printed);
    }),
    { numRuns: 1000 },
  );
});
