import { createEnvironment, EXTENSION_LIBRARIES, formatExpression, parse, unparse } from '@tollgate/cel';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../support/runs.ts';
import { expressionText } from './expression-text.ts';

const environment = createEnvironment({ libraries: EXTENSION_LIBRARIES, limits: { maxNodes: 20_000 } });
/** As a formatter parses that knows no profile. */
const withoutMacros = { ...environment, macros: new Map() };

const WIDTHS = fc.constantFrom(1, 10, 40, 100, Number.POSITIVE_INFINITY);
const COMMENT = /\/\/ c\d*/g;

/** Expressions in which each comment has a number. */
const numbered = expressionText.map(source => {
  let count = 0;
  return source.replaceAll('// c\n', () => `// c${++count}\n`);
});

test('a formatted expression has the same tree and comments, and formatting it again changes nothing', () => {
  fc.assert(
    fc.property(numbered, WIDTHS, fc.constantFrom(environment, withoutMacros), (source, width, env) => {
      const { ast, diagnostics } = parse(source, env);
      fc.pre(diagnostics.length === 0);
      const { text, keepsLines } = formatExpression(ast, { width });
      const again = parse(text, env);
      expect(again.diagnostics, text).toEqual([]);
      expect(unparse(again.ast)).toBe(unparse(ast));
      expect(text.match(COMMENT)?.sort()).toEqual(source.match(COMMENT)?.sort());
      expect(formatExpression(again.ast, { width }).text).toBe(text);
      if (!keepsLines) expect(unparse(parse(text.replaceAll(/\n */g, ' '), env).ast)).toBe(unparse(ast));
    }),
    { numRuns: runs(30, 600) },
  );
});

test('no line is longer than the width where the expression could be broken', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'bb == 1', 'c.f(x)', '!d'), { minLength: 2 }), WIDTHS, (terms, width) => {
      const { text } = formatExpression(parse(terms.join(' && '), environment).ast, { width });
      const longest = Math.max(...terms.map(term => `${term} &&`.length));
      for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(Math.max(width, longest));
      expect(text.includes('\n')).toBe(terms.join(' && ').length > width);
    }),
  );
});
