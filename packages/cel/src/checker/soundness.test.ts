import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileClosures } from '../closures/compile-closures.ts';
import { createEnvironment } from '../environment.ts';
import { matchesType } from '../runtime/representation.ts';
import { NonValue } from '../runtime/value.ts';
import { parse } from '../syntax/parse.ts';
import { DYN, INT, listOf, mapOf, STRING, wrapperOf } from '../types/type.ts';
import { check } from './check.ts';

const ENV = createEnvironment({
  variables: [
    { name: 'any', type: DYN },
    { name: 'tags', type: listOf(STRING) },
    { name: 'sizes', type: mapOf(STRING, INT) },
    { name: 'maybe', type: wrapperOf(INT) },
  ],
});
const ACTIVATION = { any: [1.5, 'a'], tags: ['p', 'q'], sizes: { p: 1 }, maybe: null };

// Without null: it joins timestamps, optionals and the like without a trace in the type, as the conformance suite has it.
const ATOMS = 'any tags sizes maybe 1 1.5 "p" true [] {} x 1u optional.none() type(1)'.split(' ');

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
      pair.map(([a, b]) => `${a}.map(x, ${b})`),
      pair.map(([a, b]) => `${a}.filter(x, ${b})`),
      pair.map(([a, b]) => `cel.bind(x, ${a}, ${b})`),
      pair.map(([a, b]) => `sizes.transformMap(x, y, [${a}, y, ${b}])`),
    ),
  };
});

test('the value of a checked expression is of the type that the checker gave', () => {
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
    { numRuns: 5000 },
  );
  expect(values).toBeGreaterThan(500);
});
