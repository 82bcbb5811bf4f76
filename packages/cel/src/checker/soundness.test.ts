import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { DYN, INT, listOf, mapOf, optionalOf, STRING, wrapperOf } from '../ast/types.ts';
import { compileClosures } from '../closures/compile-closures.ts';
import { EXTENSION_LIBRARIES } from '../extension-libraries.ts';
import { matchesType } from '../runtime/host.ts';
import { parse } from '../syntax/parse.ts';
import { NonValue, Optional } from '../values/value.ts';
import { check } from './check.ts';
import { createEnvironment } from './environment.ts';

const ENV = createEnvironment({
  libraries: EXTENSION_LIBRARIES,
  variables: [
    { name: 'any', type: DYN },
    { name: 'tags', type: listOf(STRING) },
    { name: 'sizes', type: mapOf(STRING, INT) },
    { name: 'maybe', type: wrapperOf(INT) },
    { name: 'nested', type: mapOf(STRING, optionalOf(optionalOf(INT))) },
  ],
});
const ACTIVATION = {
  any: [1.5, 'a'],
  tags: ['p', 'q'],
  sizes: { p: 1 },
  maybe: null,
  nested: { k: new Optional(new Optional(1)) },
};

// Without null, which the checker joins with timestamps, optionals and the like without recording it in the type, as the conformance suite
// requires.
const ATOMS = 'any tags sizes maybe 1 1.5 "p" true [] {} x 1u optional.none() optional.of(1) nested type(1)'.split(' ');

const { source: SOURCE } = fc.letrec<{ source: string }>(tie => {
  const part = tie('source');
  const pair = fc.tuple(part, part);
  return {
    source: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(...ATOMS),
      fc.tuple(part, fc.constantFrom('+', '==', ' in ', '&&'), part).map(([a, sign, b]) => `(${a}${sign}${b})`),
      fc.tuple(part, part, part).map(([a, b, c]) => `(dyn(${a}) == ${b} ? ${b} : ${c})`),
      pair.map(([a, b]) => `${a}[${b}]`),
      pair.map(([a, b]) => `[${a}, ${b}]`),
      pair.map(([a, b]) => `{"k": ${a}, "l": ${b}}`),
      part.map(a => `dyn(${a})`),
      part.map(a => `optional.of(${a})`),
      part.map(a => `{"k": ${a}}.?k`),
      part.map(a => `{"k": ${a}}[?"k"]`),
      part.map(a => `[${a}][?0]`),
      part.map(a => `${a}.?k`),
      part.map(a => `${a}.k`),
      pair.map(([a, b]) => `${a}[?${b}]`),
      part.map(a => `${a}.value()`),
      pair.map(([a, b]) => `${a}.orValue(${b})`),
      pair.map(([a, b]) => `${a}.or(${b})`),
      pair.map(([a, b]) => `${a}.optMap(x, ${b})`),
      pair.map(([a, b]) => `${a}.optFlatMap(x, ${b})`),
      pair.map(([a, b]) => `[?${a}, ${b}]`),
      pair.map(([a, b]) => `{?"k": ${a}, "l": ${b}}`),
      part.map(a => `optional.unwrap(${a})`),
      part.map(a => `${a}.first()`),
      pair.map(([a, b]) => `${a}.map(x, ${b})`),
      pair.map(([a, b]) => `${a}.filter(x, ${b})`),
      pair.map(([a, b]) => `cel.bind(x, ${a}, ${b})`),
      pair.map(([a, b]) => `sizes.transformMap(x, y, [${a}, y, ${b}])`),
    ),
  };
});

const RUNS = inject('isDeep') ? 8000 : 3000;

test('a checked expression evaluates to a value of its static type', () => {
  let values = 0;
  fc.assert(
    fc.property(SOURCE, source => {
      const { typed, diagnostics } = check(parse(source, ENV).ast, ENV);
      if (diagnostics.length > 0) return;
      const value = compileClosures(typed, ENV).evaluate(ACTIVATION);
      if (value instanceof NonValue) return;
      values++;
      expect(matchesType(value, typed.resultType)).toBe(true);
    }),
    { numRuns: RUNS },
  );
  expect(values).toBeGreaterThan(RUNS / 16);
});
