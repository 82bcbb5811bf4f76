// What sentences say is what conditions mean: each is read back to CEL, and the solver compares a policy that denies what the condition
// matches with one that denies what the sentence says. What it leaves open is compared on exchanges.

import { existsSync, globSync, readFileSync } from 'node:fs';
import { EDGE_V2, MODERN, PROFILES, type Profile } from '@tollgate/catalog';
import {
  type Clause,
  clauseOf,
  describePolicy,
  hasCode,
  nounOf,
  phrasesOf,
  phrasesOfRule,
  textOf,
} from '@tollgate/describe';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, type Policy } from '@tollgate/policy';
import { createSimulation } from '@tollgate/simulator';
import { comparePolicies } from '@tollgate/solver';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EXCHANGES, MODERN_CONDITIONS } from '../lint/whole-exchanges.ts';
import { SHAPE } from '../solver/condition-shapes.ts';
import { CONTEXT, RICH, type Dialect as Written } from '../solver/random-policies.ts';
import { RICH_CONDITIONS, SOLVER_CONDITIONS } from '../solver/solver-conditions.ts';
import { runs, seed } from '../support/runs.ts';
import { parseBack } from './parse-back.ts';

const CASES = runs(30, 1000, 'TOLLGATE_DESCRIBE_CASES');
const SEED = seed(20_261_128, 'TOLLGATE_DESCRIBE_SEED');

interface Dialect {
  readonly name: string;
  readonly dialect: Written;
  readonly profile: Profile;
  /** Rules before it. */
  readonly set?: readonly object[];
}

const DIALECTS: readonly [Dialect, Dialect] = [
  {
    name: 'the oldest profile',
    dialect: { context: CONTEXT, phase: 'inbound', conditions: SOLVER_CONDITIONS, actions: [] },
    profile: EDGE_V2,
  },
  {
    name: 'the modern profile',
    dialect: { ...RICH, conditions: [...MODERN_CONDITIONS, ...RICH_CONDITIONS] },
    profile: MODERN,
  },
];

/** Returns a policy that denies what an expression matches; undefined if it has an error. */
function denying(expression: string, { dialect, set = [] }: Dialect): Policy | undefined {
  const type = dialect.phase === 'on_tcp_connect' ? 'close-connection' : 'deny';
  const text = JSON.stringify({ [dialect.phase]: [...set, { expressions: [expression], actions: [{ type }] }] });
  const { policy } = analyzePolicy(new SourceText('p.json', text), dialect.context);
  return policy?.rules[dialect.phase].at(-1)?.expressions[0]?.typed ? policy : undefined;
}

function clauseIn(policy: Policy, { dialect }: Dialect): Clause {
  return clauseOf(policy.rules[dialect.phase].at(-1)!.expressions[0]!.typed!);
}

/** Fails if a sentence says anything else than its condition. */
function expectSame(expression: string, dialect: Dialect): 'proved' | 'compared' {
  const policy = denying(expression, dialect)!;
  const text = textOf(clauseIn(policy, dialect));
  const read = parseBack(text, dialect.profile, expression.match(/\bactions(?:\.\w+)+(?!\()/g) ?? []);
  const other = denying(read, dialect);
  expect(other, `${expression}\n${text}\n${read}`).toBeDefined();
  const { verdict } = comparePolicies(policy, other!, dialect.dialect.context);
  expect(verdict, `${expression}\n${text}\n${read}`).not.toBe('different');
  if (verdict === 'same') return 'proved';
  const [own, its] = [policy, other!].map(one => createSimulation(one, dialect.dialect.context));
  for (const exchange of EXCHANGES.slice(0, 1000)) {
    const [left, right] = [own!.decide(exchange), its!.decide(exchange)].map(({ outcomes }) => outcomes);
    expect(left, `${expression}\n${text}\n${read}`).toEqual(right);
  }
  return 'compared';
}

describe.each(DIALECTS)('in $name', dialect => {
  const { conditions } = dialect.dialect;

  it.each([...new Set(conditions)])('says what `%s` means', expression => {
    if (denying(expression, dialect) !== undefined) expectSame(expression, dialect);
  });

  it(`says what ${CASES} combinations mean (seed ${SEED})`, { timeout: 3_600_000 }, () => {
    const counts = { proved: 0, compared: 0 };
    fc.assert(
      fc.property(SHAPE, fc.shuffledSubarray([...conditions], { minLength: 6, maxLength: 6 }), (shape, atoms) => {
        const expression = shape(atoms);
        fc.pre(denying(expression, dialect) !== undefined);
        counts[expectSame(expression, dialect)]++;
      }),
      { numRuns: CASES, seed: SEED },
    );
    console.log(`${counts.proved} proved, ${counts.compared} compared on exchanges`);
    expect(counts.proved).toBeGreaterThan(CASES / 2);
  });

  it('says each part of a condition once', () => {
    fc.assert(
      fc.property(SHAPE, fc.shuffledSubarray([...conditions], { minLength: 6, maxLength: 6 }), (shape, atoms) => {
        const policy = denying(shape(atoms), dialect);
        fc.pre(policy !== undefined);
        const ranges = phrasesOf(clauseIn(policy!, dialect)).flatMap(({ range }) => range ?? []);
        const sorted = ranges.toSorted((a, b) => a.start - b.start);
        expect(sorted.every((one, at) => at === 0 || one.start >= sorted[at - 1]!.end)).toBe(true);
        const source = policy!.rules[dialect.dialect.phase].at(-1)!.expressions[0]!.source;
        const left = sorted.reduceRight((text, { start, end }) => text.slice(0, start) + text.slice(end), source);
        expect(left.replaceAll(/[\s()!]|&&|\|\|/g, '')).toBe('');
      }),
      { numRuns: 200, seed: SEED },
    );
  });
});

it.each(PROFILES.map(profile => [profile.name, profile] as const))(
  'gives each variable of %s a noun of its own',
  (_, profile: Profile) => {
    const paths = [...new Set(profile.variables.map(({ path }) => path))];
    const byNoun = Map.groupBy(paths, nounOf);
    expect([...byNoun].filter(([, same]) => same.length > 1)).toEqual([]);
  },
);

it('says the rules of the examples in full', () => {
  for (const file of globSync('examples/policies/*.yaml')) {
    const source = new SourceText(file, readFileSync(file, 'utf8'));
    for (const profile of PROFILES) {
      const { policy, diagnostics } = analyzePolicy(source, { ...CONTEXT, profile, endpoint: profile.endpoints[0]! });
      if (policy === undefined || diagnostics.some(({ severity }) => severity === 'error')) continue;
      const phrases = describePolicy(policy, profile).rules.flatMap(phrasesOfRule);
      expect(phrases.filter(({ isCode }) => isCode)).toEqual([]);
    }
  }
});

/** Expressions that are not part of this repository, as a list in JSON: `TOLLGATE_DESCRIBE_EXPRESSIONS=FILE`. */
const GIVEN = process.env.TOLLGATE_DESCRIBE_EXPRESSIONS ?? '';

/** Returns a rule that sets the variables that an expression reads. */
function variablesOf(expression: string): readonly object[] {
  const names = [...new Set([...expression.matchAll(/\bvars\.(\w+)/g)].map(([, name]) => name!))];
  const config = { vars: names.map(name => ({ [name]: "${getReqHeader('x')[0]}" })) };
  return names.length === 0 ? [] : [{ actions: [{ type: 'set-vars', config }] }];
}

it.runIf(existsSync(GIVEN))('says nine of ten given expressions without code', { timeout: 3_600_000 }, () => {
  const all = JSON.parse(readFileSync(GIVEN, 'utf8')) as readonly string[];
  const counts = { said: 0, code: 0, unread: 0, proved: 0, compared: 0 };
  const phases = ['on_http_request', 'on_http_response', 'on_tcp_connect'] as const;
  for (const expression of all) {
    const dialect = phases
      .map(phase => ({ ...DIALECTS[1], set: variablesOf(expression), dialect: { ...DIALECTS[1].dialect, phase } }))
      .find(one => denying(expression, one) !== undefined);
    if (dialect === undefined) {
      counts.unread++;
      continue;
    }
    if (hasCode(clauseIn(denying(expression, dialect)!, dialect))) counts.code++;
    else counts.said++;
    counts[expectSame(expression, dialect)]++;
  }
  console.log(JSON.stringify(counts));
  expect(counts.said / (counts.said + counts.code)).toBeGreaterThan(0.9);
});
