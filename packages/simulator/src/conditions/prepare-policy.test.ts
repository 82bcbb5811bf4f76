import {
  check,
  createEnvironment,
  EvaluationError,
  EXTENSION_LIBRARIES,
  INT,
  type NonValue,
  parse,
  STRING,
  type TypedAst,
  Unknown,
} from '@tollgate/cel';
import { expect, it } from 'vitest';
import { compileRules, MANY_RULES } from './prepare-policy.ts';

const ENVIRONMENT = createEnvironment({
  libraries: EXTENSION_LIBRARIES,
  variables: [
    { name: 'host', type: STRING },
    { name: 'size', type: INT },
  ],
});

function typedOf(source: string): TypedAst {
  return check(parse(source, ENVIRONMENT).ast, ENVIRONMENT).typed;
}

/** Returns the results of `count` rules that are not `false`. */
function found(count: number, activation: object): Readonly<Record<number, unknown>> {
  const rules = Array.from({ length: count }, (_, rule) => [
    typedOf(rule % 2 === 0 ? `host == "h${rule}"` : `10 / size == ${rule}`),
  ]);
  const results: (boolean | NonValue)[] = [true];
  compileRules(rules, ENVIRONMENT).evaluateAll({ ...activation }, results);
  expect(results.length).toBe(count);
  return Object.fromEntries([...results.entries()].filter(([, result]) => result !== false));
}

it.each([MANY_RULES - 1, MANY_RULES + 1])('decides %i rules, however they are compiled', count => {
  expect(found(count, { host: 'h8', size: 2 })).toEqual({ 5: true, 8: true });
  const unknown = found(count, { host: new Unknown(['host']), size: 2 });
  expect(Object.keys(unknown).length).toBe(Math.ceil(count / 2) + 1);
  const failing = Object.values(found(count, { host: 'h8', size: 0 })).filter(one => one instanceof EvaluationError);
  expect(failing.length).toBe(Math.floor(count / 2));
});
