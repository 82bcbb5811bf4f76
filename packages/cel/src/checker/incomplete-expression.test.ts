import { describe, expect, test } from 'vitest';
import { INT, mapOf, STRING } from '../ast/types.ts';
import { EXTENSION_LIBRARIES } from '../extension-libraries.ts';
import { parse } from '../syntax/parse.ts';
import { check } from './check.ts';
import { createEnvironment } from './environment.ts';

const ENV = createEnvironment({
  libraries: EXTENSION_LIBRARIES,
  variables: [
    { name: 'path', type: STRING },
    { name: 'counts', type: mapOf(STRING, INT) },
  ],
});

/** Returns the checker's diagnostics for a parsed expression. */
function checked(source: string): string[] {
  const { ast } = parse(source, ENV);
  return check(ast, ENV).diagnostics.map(({ range, message }) => `${range.start}-${range.end} ${message}`);
}

describe('checking an expression that ends too early', () => {
  test.each([
    ['pth == 3 && (', ['0-3 `pth` is not declared; did you mean `path`?']],
    ['pth == 3 &&', ['0-3 `pth` is not declared; did you mean `path`?']],
    [
      "path.startsWith(pth == '' && x",
      ['16-19 `pth` is not declared; did you mean `path`?', '29-30 `x` is not declared'],
    ],
    ['counts.all(k, k == y && (', ['19-20 `y` is not declared']],
    ['counts[pth', ['7-10 `pth` is not declared; did you mean `path`?']],
  ])('reports the names in %j', (source, expected) => {
    expect(checked(source)).toEqual(expected);
  });

  test.each([
    ['size('],
    ['true && size(path'],
    ['true && [1'],
    ['true && (1'],
    ['true && counts[path'],
    ["path.startsWith('a' == 'b'"],
    ['counts.all('],
    ['counts.all(k'],
    ['cel.bind(x'],
    ['size(path x.y) == 1'],
  ])('reports no consequential errors for %j', source => {
    expect(checked(source)).toEqual([]);
  });
});

describe('checking a macro with the wrong number of arguments', () => {
  test.each([
    ['has()', ['0-3 `has` takes 1 argument, found 0']],
    ['counts.all(k)', ['7-10 `all` takes 2 or 3 arguments, found 1']],
    ['true && counts.exists(a, b, c, d)', ['15-21 `exists` takes 2 or 3 arguments, found 4']],
    ['cel.bind(x)', ['4-8 `bind` takes 3 arguments, found 1']],
  ])('reports the number of arguments in %j, and nothing inside them', (source, expected) => {
    expect(checked(source)).toEqual(expected);
  });
});
