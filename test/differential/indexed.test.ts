import {
  type Activation,
  check,
  compileConditions,
  createEnvironment,
  DOUBLE,
  EXTENSION_LIBRARIES,
  INT,
  indexConditions,
  listOf,
  mapOf,
  type NonValue,
  parse,
  STRING,
  type TypedAst,
  Unknown,
} from '@tollgate/cel';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs, seed } from '../support/runs.ts';
import type { Take } from './data.ts';
import { showOursExactly } from './engines.ts';

const POLICIES = runs(300, 20_000, 'TOLLGATE_DIFFERENTIAL_CASES') / 20;
const SEED = seed(20_261_121, 'TOLLGATE_DIFFERENTIAL_SEED');

const BODY = 'isIP(address) && isCIDR(range) && cidr(range).containsIP(address)';
const ENVIRONMENT = createEnvironment({
  libraries: EXTENSION_LIBRARIES,
  variables: [
    { name: 'host', type: STRING },
    { name: 'path', type: STRING },
    { name: 'address', type: STRING },
    { name: 'length', type: INT },
    { name: 'share', type: DOUBLE },
    { name: 'headers', type: mapOf(STRING, listOf(STRING)) },
  ],
  functions: [
    {
      name: 'inRange',
      doc: '',
      overloads: [
        {
          id: 'in_range',
          member: false,
          params: [STRING, STRING],
          result: { kind: 'bool' },
          body: { paramNames: ['address', 'range'], source: BODY },
        },
      ],
    },
  ],
});

const HOSTS = ['a.example', 'b.example', 'c.example', ''];
const PARTS = ['/', '/a', '/ab', 'b', '/api/v1', 'é', '.php', 'ap', '/a/b', ''];
const PATTERNS = [
  '^/a',
  '/(?:a|b)/b',
  '/api/v[0-9]+$',
  '(?i)/API/',
  '/ab?p',
  'ap{2}/',
  '[.]php$',
  '^(/a|/b)+é',
  '/a|b/b',
  'a\\b/',
];
const RANGES = [
  '10.0.0.0/8',
  '10.1.0.0/16',
  '10.1.2.3/32',
  '0.0.0.0/0',
  '2001:db8::/33',
  '::/0',
  '10.9.9.9/9',
  'no range',
];
const ADDRESSES = ['10.1.2.3', '10.200.0.1', '11.0.0.1', '2001:db8::1', '2001:db8:8000::1', 'nobody'];
const NUMBERS = [-1, 0, 5, 5.5, 100];
const INTS = ['-1', '0', '5', '100', '9223372036854775807'];

function pick<T>(take: Take, values: readonly T[]): T {
  return values[take(fc.nat, values.length - 1)]!;
}

function quoted(take: Take, values: readonly string[]): string {
  return JSON.stringify(pick(take, values));
}

function text(take: Take): string {
  return pick(take, ['host', 'path', 'headers["X"][0]', 'address']);
}

const TESTS: readonly ((take: Take) => string)[] = [
  take => `host == ${quoted(take, HOSTS)}`,
  take => `${quoted(take, HOSTS)} == host`,
  take => `path == ${quoted(take, PARTS)}`,
  take => `${text(take)} in [${quoted(take, HOSTS)}, ${quoted(take, PARTS)}, ${quoted(take, PARTS)}]`,
  take => `(host == ${quoted(take, HOSTS)} || host == ${quoted(take, HOSTS)})`,
  take => `(host == ${quoted(take, HOSTS)} || path == ${quoted(take, PARTS)})`,
  take => `path.startsWith(${quoted(take, PARTS)})`,
  take => `${text(take)}.endsWith(${quoted(take, PARTS)})`,
  take => `${text(take)}.contains(${quoted(take, PARTS)})`,
  take => `${text(take)}.matches(${quoted(take, PATTERNS)})`,
  take => `inRange(address, ${quoted(take, RANGES)})`,
  take => `inRange(headers["X"][0], ${quoted(take, RANGES)})`,
  take => `cidr(${quoted(take, RANGES)}).containsIP(address)`,
  take => `length ${pick(take, ['<', '<=', '>', '>=', '=='])} ${pick(take, INTS)}`,
  take => `${pick(take, INTS)} ${pick(take, ['<', '<=', '>', '>='])} length`,
  take => `share ${pick(take, ['<', '<=', '>', '>='])} ${pick(take, ['-0.0', '5.5', '1e300'])}`,
  take => `!(host == ${quoted(take, HOSTS)})`,
  take => `[${quoted(take, PARTS)}, ${quoted(take, PARTS)}].exists(p, ${text(take)}.startsWith(p))`,
  take => `[${quoted(take, RANGES)}, ${quoted(take, RANGES)}].exists(r, inRange(address, r))`,
  take => `[${quoted(take, PARTS)}, ${quoted(take, PARTS)}].all(p, path != p)`,
  () => '"X" in headers',
  take => `size(path) == ${take(fc.nat, 4)}`,
  () => '10 / length > 1',
  take => `cel.bind(it, headers["Y"][0], host == ${quoted(take, HOSTS)} && it == "")`,
  take => `cel.bind(it, path, cel.bind(other, it, other.startsWith(${quoted(take, PARTS)}) && length > 0))`,
  () => 'true',
];

/** Tests on their own, and disjunctions of a few conjunctions of them. */
function conditionOf(take: Take): string {
  if (take(fc.nat, 2) > 0) return pick(take, TESTS)(take);
  const operand = () => Array.from({ length: 1 + take(fc.nat, 1) }, () => pick(take, TESTS)(take)).join(' && ');
  return `(${Array.from({ length: 2 + take(fc.nat, 1) }, operand).join(' || ')})`;
}

function ruleOf(take: Take): string[] {
  const expression = () => Array.from({ length: 1 + take(fc.nat, 2) }, () => conditionOf(take)).join(' && ');
  return Array.from({ length: take(fc.nat, 2) }, expression);
}

function typedOf(source: string): TypedAst {
  const { ast, diagnostics } = parse(source, ENVIRONMENT);
  const checked = check(ast, ENVIRONMENT);
  const errors = [...diagnostics, ...checked.diagnostics].filter(({ severity }) => severity === 'error');
  expect(errors, source).toEqual([]);
  return checked.typed;
}

function activationOf(take: Take): Activation {
  const maybe = (name: string, value: unknown) => {
    const fate = take(fc.nat, 9);
    return fate === 0 ? new Unknown([name]) : fate === 1 ? undefined : value;
  };
  const list = () => maybe('headers["X"]', [pick(take, [...HOSTS, ...PARTS, ...ADDRESSES])]);
  const headers: Record<string, unknown> = {};
  for (const name of ['X', 'Y']) {
    const value = list();
    if (value !== undefined) headers[name] = value;
  }
  return {
    host: maybe('host', pick(take, HOSTS)),
    path: maybe('path', pick(take, PARTS) + pick(take, PARTS) + pick(take, PARTS)),
    address: maybe('address', pick(take, ADDRESSES)),
    length: maybe('length', pick(take, [-1, 0, 5, 100, 2n ** 63n - 1n])),
    share: maybe('share', pick(take, [...NUMBERS, Number.NaN, 1e301])),
    headers: maybe('headers', headers),
  };
}

/** Returns the results of an evaluation without an index, except those of rules that do not match. */
function plainly(rules: readonly (readonly TypedAst[])[], activation: Activation): readonly string[] {
  const results: (boolean | NonValue)[] = [];
  compileConditions(rules, ENVIRONMENT).evaluateAll(activation, results);
  return results.flatMap((result, rule) => (result === false ? [] : [`${rule}: ${showOursExactly(result)}`]));
}

test('indexed rules have the same outcomes as rules evaluated one by one', () => {
  let compared = 0;
  fc.assert(
    fc.property(fc.gen(), take => {
      const rules = Array.from({ length: 1 + take(fc.nat, 40) }, () => ruleOf(take).map(typedOf));
      const { evaluate } = indexConditions(rules, ENVIRONMENT);
      for (let run = 0; run < 4; run++) {
        const activation = activationOf(take);
        const expected = plainly(rules, activation);
        compared += expected.length;
        const last = take(fc.nat, 50);
        for (const limit of [Number.POSITIVE_INFINITY, last]) {
          const found: string[] = [];
          evaluate(activation, (rule, result) => found.push(`${rule}: ${showOursExactly(result)}`) <= limit);
          expect(found).toEqual(expected.slice(0, limit + 1));
        }
      }
    }),
    { numRuns: POLICIES, seed: SEED },
  );
  expect(compared).toBeGreaterThan(POLICIES);
});
