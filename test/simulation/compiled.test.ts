import { PROFILES } from '@tollgate/catalog';
import { planPolicy, sqlQuery } from '@tollgate/compile';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { runs, seed } from '../support/runs.ts';
import { duckdbEngine } from '../support/sql-engines.ts';
import { compareCompiled, newTally } from './compare-compiled.ts';
import { caseContext, type HostRow, policyOf } from './decision-cases.ts';
import { DECIDED_EXCHANGES, decidingPolicies } from './generated-decisions.ts';

/** Forms of addresses that servers and proxies write. */
const SPELLINGS: readonly ((address: string) => string)[] = [
  address => (address.includes(':') ? address.toUpperCase() : `::ffff:${address}`),
  address => (address.includes(':') ? `[${address}]:443` : `${address}:443`),
  address => ` ${address}`,
  address => `${address}, 192.0.2.1`,
  address => address,
];

/** Cases in which servers write the names of headers. */
const CASES: readonly ((name: string) => string)[] = [
  name => name.toLowerCase(),
  name => name.toUpperCase(),
  name => name.toLowerCase().replace(/(?:^|-)[a-z]/g, letter => letter.toUpperCase()),
  name => name,
];

function renamed(headers: HostRow[string], nameOf: (name: string) => string): HostRow[string] {
  if (typeof headers !== 'object' || headers === null) return headers;
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [nameOf(name), value]));
}

const engines = [await duckdbEngine()];
afterAll(() => Promise.all(engines.map(engine => engine.stop())));

describe.each(PROFILES.map(profile => [profile.name, profile] as const))('a compiled policy under %s', (_, profile) => {
  const context = caseContext(profile);

  it('decides what the simulator decides in SQL, or says what is not supported', async () => {
    const tally = newTally();
    const usual = { seed: seed(3, 'COMPILED_SEED') };
    const documents = fc.sample(decidingPolicies(context), { ...usual, numRuns: runs(8, 200) });
    const exchanges = fc.sample(DECIDED_EXCHANGES, { ...usual, numRuns: 24 });
    expect(await compareCompiled(documents, exchanges, { context, engines, tally })).toEqual([]);
    expect(tally.exact.get('duckdb') ?? 0).toBeGreaterThan(tally.cases / 2.5);
  });

  it('decides the same on addresses in other forms, or leaves it open', async () => {
    const tally = newTally();
    const usual = { seed: seed(10, 'COMPILED_SEED') };
    const documents = fc.sample(decidingPolicies(context), { ...usual, numRuns: runs(8, 200) });
    const exchanges = fc.sample(DECIDED_EXCHANGES, { ...usual, numRuns: 24 });
    const [address] = profile.variables.filter(({ role }) => role === 'client-address').map(({ path }) => path);
    const handed = (row: HostRow, at: number): HostRow => {
      const own = row[address!];
      return typeof own === 'string' ? { ...row, [address!]: SPELLINGS[at % SPELLINGS.length]!(own) } : row;
    };
    expect(await compareCompiled(documents, exchanges, { context, engines, tally, handed })).toEqual([]);
  });

  it('decides the same on names of headers in another case, or leaves it open', async () => {
    const tally = newTally();
    const usual = { seed: seed(11, 'COMPILED_SEED') };
    const name = profile.headerNames === 'lower-case' ? 'x-a' : 'X-A';
    const headers = profile.headerNames === 'lower-case' ? 'req.headers' : 'req.Headers';
    const rules = [`'${name}' in ${headers}`, `${headers}['${name}'][0] == '1'`, `!('${name}' in ${headers})`];
    const documents = [
      ...rules.map(one => ({ [context.phase]: [{ expressions: [one], actions: [{ type: 'deny' }] }] })),
      ...fc.sample(decidingPolicies(context), { ...usual, numRuns: runs(4, 300) }),
    ];
    const exchanges = fc.sample(DECIDED_EXCHANGES, { ...usual, numRuns: 24 });
    const maps = profile.variables.flatMap(({ role, path }) => (role?.endsWith('-headers') ? [path] : []));
    const handed = (row: HostRow, at: number): HostRow => ({
      ...row,
      ...Object.fromEntries(maps.map(path => [path, renamed(row[path], CASES[at % CASES.length]!)])),
    });
    expect(await compareCompiled(documents, exchanges, { context, engines, tally, handed })).toEqual([]);
  });

  it('writes no variable into the SQL of Spark, which would replace it before it reads the query', () => {
    for (const document of fc.sample(decidingPolicies(context), {
      seed: seed(5, 'COMPILED_SEED'),
      numRuns: runs(20, 400),
    })) {
      const policy = policyOf(document, context);
      const planned = policy && planPolicy(policy, context);
      const result =
        planned && 'plan' in planned ? sqlQuery(planned.plan, { dialect: 'spark', table: 'requests' }) : {};
      expect('code' in result ? result.code : '').not.toContain('${');
    }
  });

  it('says which place in the policy is not supported', () => {
    for (const document of fc.sample(decidingPolicies(context), { seed: seed(4, 'COMPILED_SEED'), numRuns: 15 })) {
      const policy = policyOf(document, context);
      const planned = policy && planPolicy(policy, context);
      if (planned === undefined || 'plan' in planned) continue;
      const { construct, expression, range } = planned.unsupported;
      const length = expression?.source.length ?? JSON.stringify(document).length;
      expect([construct === '', range.start < range.end && range.end <= length]).toEqual([false, true]);
    }
  });
});
