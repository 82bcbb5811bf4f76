import { expect, it } from 'vitest';
import { DYN } from '../ast/types.ts';
import { check } from '../checker/check.ts';
import { createEnvironment, type Environment } from '../checker/environment.ts';
import { EXTENSION_LIBRARIES } from '../extension-libraries.ts';
import { parse } from '../syntax/parse.ts';
import { instantiateTemplate } from './instantiate.ts';
import { createTemplate, skeletonOf } from './tree-template.ts';

const NAMES = ['a', 'b'].map(name => ({ name, type: DYN, doc: '' }));
const ENVIRONMENT = createEnvironment({ libraries: EXTENSION_LIBRARIES, variables: NAMES });

function templateOf(source: string, environment: Environment = ENVIRONMENT) {
  return createTemplate(check(parse(source, environment).ast, environment).typed, skeletonOf(source)!, environment);
}

function filled(from: string, source: string, environment: Environment = ENVIRONMENT) {
  return instantiateTemplate(templateOf(from, environment)!, source, skeletonOf(source)!);
}

it.each([
  ['a == 1', 'a == 23'],
  ["'x' in a && a['y'] != - 7", "'' in a && a['yyyy'] != - 0"],
  ['a.filter(x, has(x.f) && x.f > 1.5).size() == 2', 'a.filter(x, has(x.f) && x.f > 11.25).size() == 0'],
  ["{'k': [1, 2], b: b'x'}[?'k']", "{'kk': [10, 20], b: br'\\x'}[?'']"],
  ['math.greatest(1, a) > 2', 'math.greatest(100, a) > 200'],
])('instantiates the template of %s for %s', (from, source) => {
  expect(filled(from, source)).toStrictEqual(check(parse(source, ENVIRONMENT).ast, ENVIRONMENT).typed);
});

it.each([
  ['a == 1', 'b == 1'],
  ['a == 1', 'a == 1 '],
  ['a == 1', 'a == 1.0'],
  ['a == 1', "a == '1'"],
  ["a == 'x'", "a == b'x'"],
  ['a == 1', 'a == 1 == 1'],
  ['a == 1', 'a == b'],
])('does not instantiate %s for %s, which has another skeleton', (from, source) => {
  expect(filled(from, source)).toBeUndefined();
});

it.each([
  ['a == 1', 'a == 99999999999999999999'],
  ["a == 'x'", "a == '\\q'"],
  ["a.matches('x')", "a.matches('(')"],
  ["string(a).matches('x')", "string(a).matches('(')"],
  ["timestamp('2026-01-31T12:00:00Z') == a", "timestamp('now') == a"],
])('does not instantiate %s for %s, which has an invalid literal', (from, source) => {
  expect(filled(from, source)).toBeUndefined();
});

it('does not instantiate an expression that is too long', () => {
  const environment = createEnvironment({
    libraries: EXTENSION_LIBRARIES,
    variables: NAMES,
    limits: { maxSourceLength: 10 },
  });
  expect(filled("a == 'x'", "a == '0123456'", environment)).toBeUndefined();
});

it('is not created for a tree that depends on the value of a literal', () => {
  expect(templateOf('cel.block([a, b], cel.index(0) == cel.index(1))')).toBeUndefined();
});

it.each(['a // b', 'a.`b`', "'''a'''", '0xff', '1u', '1e3', '.5', '1.', "'a", 'a == \u0001'])(
  'has no skeleton for rare syntax: %s',
  source => {
    expect(skeletonOf(source)).toBeUndefined();
  },
);
