import { expect, test } from 'vitest';
import { INT, listOf, mapOf, objectType, STRING } from '../ast/types.ts';
import { check } from '../checker/check.ts';
import { createEnvironment } from '../checker/environment.ts';
import { EXTENSION_LIBRARIES } from '../extension-libraries.ts';
import { parse } from '../syntax/parse.ts';
import { costOf } from './cost.ts';

const ENV = createEnvironment({
  libraries: EXTENSION_LIBRARIES,
  variables: [
    { name: 'req', type: objectType('Request') },
    { name: 'a', type: INT },
    { name: 'b', type: INT },
  ],
  objects: [
    {
      name: 'Request',
      fields: new Map([
        ['Path', { type: STRING }],
        ['Headers', { type: mapOf(STRING, listOf(STRING)) }],
        ['Tags', { type: listOf(STRING) }],
      ]),
    },
  ],
});

const LARGE = { limits: { maxDepth: 1000 } };
const HINTS = {
  'req.Path': { min: 1, max: 100 },
  'req.Headers': { min: 0, max: 20 },
  'req.Headers.*': { min: 1, max: 3 },
  'req.Headers.*.*': { min: 0, max: 50 },
  'req.Tags': { min: 2, max: 10 },
  'req.Tags.*': { min: 0, max: 40 },
};
const { POSITIVE_INFINITY: ENDLESS } = Number;

test.each([
  ['1', 0, 0],
  ['a', 1, 1],
  ['a + 1', 2, 2],
  ['a == 1 && b == 2', 2, 4],
  ['a == 1 ? a + b : 2', 2, 5],
  ['req.Path', 2, 2],
  ['req.Path.startsWith("/a")', 3, 3],
  ['req.Path.contains("admin")', 3, 12],
  ['req.Path.matches("^/users/[0-9]+$")', 6, 46],
  ['req.Path + "x" == "y"', 4, 14],
  ['[1, a]', 11, 11],
  ['{"a": a}', 31, 31],
  ['a in [1, 2, 3]', 14, 14],
  ['"X" in req.Headers', 3, 3],
  ['req.Headers["X"][0].contains("bot")', 5, 9],
  ['req.Tags.exists(t, t == "x")', 7, 63],
  ['req.Tags.map(t, t.size())', 41, 153],
  ['cel.bind(p, req.Path, p.contains("admin") || p.contains("root"))', 4, 24],
  ['math.greatest(a, b)', 3, 3],
])('%s costs %i to %i', (source, min, max) => {
  const { ast } = parse(source, ENV);
  const { typed, diagnostics } = check(ast, ENV);
  expect(diagnostics).toEqual([]);
  expect(costOf(typed, HINTS)).toEqual({ min, max });
});

test('has no upper bound if the size of an input is unknown', () => {
  const { typed } = check(parse('req.Tags.all(t, t.contains("x"))', ENV).ast, ENV);
  expect(costOf(typed).max).toBe(ENDLESS);
  expect(costOf(typed, HINTS).max).toBeLessThan(ENDLESS);
});

test.each([
  'lists.range(20000).all(x, x in lists.range(20000))',
  'lists.range(999).map(a, lists.range(1000000)).size() > 0',
  'lists.range(10).map(x, [x]).flatten().sort().distinct().reverse() == [1]',
  '"a,b".split(",").join("-").replace("a", "bb").contains("b")',
  'req.Path.replace("a", req.Path).lowerAscii().matches("b+")',
  'req.Tags.sort().slice(0, 1).join() == "x"',
])('%s has an upper bound', source => {
  const { typed, diagnostics } = check(parse(source, ENV).ast, ENV);
  expect(diagnostics).toEqual([]);
  const { min, max } = costOf(typed, HINTS);
  expect(min).toBeLessThanOrEqual(max);
  expect(max).toBeLessThan(ENDLESS);
});

test('takes linear time for nested loops', () => {
  const loops = '.map(t, t + "x")'.repeat(100);
  const env = createEnvironment({
    libraries: EXTENSION_LIBRARIES,
    ...LARGE,
    variables: [{ name: 'tags', type: listOf(STRING) }],
  });
  const { typed } = check(parse(`tags${loops}.exists(t, t == "y")`, env).ast, env);
  expect(costOf(typed, { tags: { min: 0, max: 1 }, 'tags.*': { min: 0, max: 1 } })).toEqual({ min: 1102, max: 2968 });
});
