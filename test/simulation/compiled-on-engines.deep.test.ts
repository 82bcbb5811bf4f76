import { EDGE_V2, PROFILES } from '@tollgate/catalog';
import { planPolicy, sqlQuery } from '@tollgate/compile';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { runs, seed } from '../support/runs.ts';
import {
  clickhouseEngine,
  duckdbEngine,
  postgresEngine,
  type SqlEngine,
  sparkEngine,
  trinoEngine,
} from '../support/sql-engines.ts';
import { type CompiledTally, compareCompiled, newTally } from './compare-compiled.ts';
import { runConstructs } from './compiled-constructs.ts';
import { constructsPage, PAGE } from './compiled-constructs-page.ts';
import { caseContext, policyOf } from './decision-cases.ts';
import { DECIDED_EXCHANGES, decidingPolicies } from './generated-decisions.ts';

const isEngine = (engine: SqlEngine | undefined) => engine !== undefined;
// First what may be out of reach, so that no server is left running.
const clusters = [await trinoEngine(), await sparkEngine()].filter(isEngine);
const here = [await duckdbEngine(), await postgresEngine(), await clickhouseEngine()].filter(isEngine);
afterAll(() => Promise.all([...here, ...clusters].map(engine => engine.stop())));

it('decides with each construct what the evaluator decides, on every engine, as the page says', async () => {
  const results = await runConstructs([...here, ...clusters]);
  expect(results.differences).toEqual([]);
  await expect(constructsPage(results)).toMatchFileSnapshot(PAGE);
});

it.each([...here, ...clusters].map(engine => [engine.dialect, engine] as const))(
  'makes a view on %s',
  async (dialect, engine) => {
    const context = caseContext(EDGE_V2);
    const rule = {
      expressions: ["req.Path.startsWith('/admin')"],
      actions: [{ type: 'deny', config: { status_code: 403 } }],
    };
    const planned = planPolicy(policyOf({ inbound: [rule] }, context)!, context);
    const table = "(select 1 as id, '/admin' as req_path union all select 2, '/' union all select 3, null)";
    const compiled = 'plan' in planned && sqlQuery(planned.plan, { dialect, table, view: 'tollgate_decided' });
    await engine.execute(compiled && 'code' in compiled ? compiled.code : '');
    const columns = 'decision_outcome, decision_status, decision_action, decision_rule';
    const rows = await engine.run(`select ${columns} from tollgate_decided order by id`);
    expect(rows.map(row => row.map(value => value && String(value)))).toEqual([
      ['denied', '403', 'deny', 'inbound 1'],
      ['passed', null, '', ''],
      [null, null, null, null],
    ]);
  },
);

const postgres = here.find(({ dialect }) => dialect === 'postgres');

it.skipIf(postgres === undefined)('has PostgreSQL refuse columns of other types than strings', async () => {
  const context = caseContext(EDGE_V2);
  const rule = { expressions: ["inCidrRange(conn.ClientIP, '10.0.0.0/8')"], actions: [{ type: 'deny' }] };
  const planned = planPolicy(policyOf({ inbound: [rule] }, context)!, context);
  const decided = async (type: string, column: string) => {
    const table = `(select '10.1.2.3'::${type} as ip)`;
    const columns = { 'conn.ClientIP': column };
    const compiled = 'plan' in planned && sqlQuery(planned.plan, { dialect: 'postgres', table, columns });
    const [[outcome] = []] = await postgres!.run(
      `select decision_outcome from (${compiled && 'code' in compiled ? compiled.code : ''}) x`,
    );
    return outcome;
  };
  await expect(decided('inet', 'ip')).rejects.toThrow('COALESCE types inet and text cannot be matched');
  expect([await decided('inet', 'host(ip)'), await decided('varchar(20)', 'ip')]).toEqual(['denied', 'denied']);
});

/** Policies and exchanges of a batch: each policy decides each exchange. */
const [POLICIES, EXCHANGES] = [20, 50] as const;

/** Compares until so many decisions were the same under each profile. */
async function compared(engines: readonly SqlEngine[], least: number): Promise<CompiledTally> {
  const tally = newTally();
  const targets = engines.map(({ dialect }) => dialect);
  for (const profile of PROFILES) {
    const context = caseContext(profile);
    const own = newTally();
    let next = seed(17, 'COMPILED_SEED');
    while (Math.min(...targets.map(target => own.exact.get(target) ?? 0)) < least / PROFILES.length) {
      const documents = fc.sample(decidingPolicies(context), { seed: next++, numRuns: POLICIES });
      const exchanges = fc.sample(DECIDED_EXCHANGES, { seed: next++, numRuns: EXCHANGES });
      const different = await compareCompiled(documents, exchanges, { context, engines, tally: own });
      expect(different.map(one => JSON.stringify(one)).slice(0, 5)).toEqual([]);
    }
    add(tally, own);
  }
  return tally;
}

function add(total: CompiledTally, own: CompiledTally): void {
  total.cases += own.cases;
  for (const [target, count] of own.exact) total.exact.set(target, (total.exact.get(target) ?? 0) + count);
  for (const [target, constructs] of own.unsupported) {
    const all = total.unsupported.get(target) ?? new Map<string, number>();
    for (const [construct, count] of constructs) all.set(construct, (all.get(construct) ?? 0) + count);
    total.unsupported.set(target, all);
  }
}

function print({ cases, exact, unsupported }: CompiledTally): void {
  console.log(`${cases} cases; the same: ${[...exact].map(([target, count]) => `${target} ${count}`).join(', ')}`);
  for (const [target, constructs] of unsupported) {
    const most = [...constructs].toSorted(([, a], [, b]) => b - a).slice(0, 12);
    console.log(`unsupported in ${target}: ${most.map(([construct, count]) => `${construct} ${count}`).join(', ')}`);
  }
}

describe('compiled policies', () => {
  it('decide cases as the simulator does, on every engine that is installed', async () => {
    const tally = await compared(here, runs(1000, 20_000, 'TOLLGATE_ENGINE_CASES'));
    print(tally);
    for (const { dialect } of here) expect(tally.exact.get(dialect)).toBeGreaterThan(tally.cases / 2);
  });

  it.skipIf(clusters.length === 0)('decide 3,000 cases as the simulator does, on clusters', async () => {
    const tally = await compared(clusters, runs(1000, 3000, 'CLUSTER_RUNS'));
    print(tally);
    for (const { dialect } of clusters) expect(tally.exact.get(dialect)).toBeGreaterThan(tally.cases / 2);
  });
});
