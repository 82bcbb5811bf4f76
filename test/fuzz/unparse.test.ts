import { isDeepStrictEqual } from 'node:util';
import { createEnvironment, EXTENSION_LIBRARIES, type Expr, parse, unparse } from '@tollgate/cel';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../support/runs.ts';
import { expressionText } from './expression-text.ts';

const environment = createEnvironment({ libraries: EXTENSION_LIBRARIES, limits: { maxNodes: 20_000 } });

const PLACES = new Set(['id', 'range', 'fieldRange', 'functionRange']);

/** A tree without ids and ranges, by which the same text in another layout is equal. */
function shape(expr: Expr): unknown {
  return JSON.parse(
    JSON.stringify(expr, (key, value: unknown) => {
      if (PLACES.has(key)) return undefined;
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
    { numRuns: runs(40, 1000) },
  );
});

test('no printed pair of parentheses can be left out', () => {
  fc.assert(
    fc.property(expressionText, source => {
      const { ast, diagnostics } = parse(source, environment);
      fc.pre(diagnostics.length === 0);
      const printed = unparse(ast);
      for (const text of withoutOnePair(printed)) {
        const again = parse(text, environment);
        const isSame = again.diagnostics.length === 0 && isDeepStrictEqual(shape(again.ast.root), shape(ast.root));
        expect(isSame, `${printed} is also ${text}`).toBe(false);
      }
    }),
    { numRuns: runs(20, 500) },
  );
});

/** The text without each of its pairs of grouping parentheses in turn; none when quotes make them hard to tell. */
function withoutOnePair(text: string): string[] {
  if (/["'`]/.test(text)) return [];
  const texts: string[] = [];
  const open: number[] = [];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') open.push(at);
    if (text[at] !== ')') continue;
    const start = open.pop() as number;
    const isGrouping = start === 0 || /[\s([{,!?:-]/.test(text[start - 1] as string);
    if (isGrouping) texts.push(text.slice(0, start) + text.slice(start + 1, at) + text.slice(at + 1));
  }
  return texts;
}
