import { type Input, type PolicyPlan, planPolicy, sqlQuery, type UnsupportedConstruct } from '@tollgate/compile';
import type { Exchange } from '@tollgate/traffic';
import type { Json } from '../schemas/generated-policy.ts';
import type { SqlEngine } from '../support/sql-engines.ts';
import {
  type CaseContext,
  type HostRow,
  hostRows,
  moduleOutcomes,
  policyOf,
  simulatedOutcomes,
} from './decision-cases.ts';

/** What was compared, in cases of a policy and an exchange. */
export interface CompiledTally {
  cases: number;
  /** By target: an engine or `js`. */
  readonly exact: Map<string, number>;
  readonly unsupported: Map<string, Map<string, number>>;
  /** The policies that a target does not support. */
  readonly refused: Map<string, Set<Json>>;
}

export function newTally(): CompiledTally {
  return { cases: 0, exact: new Map(), unsupported: new Map(), refused: new Map() };
}

/** One decision that differs. */
export interface Difference {
  readonly target: string;
  readonly policy: Json;
  readonly row: HostRow;
  readonly expected: readonly string[];
  readonly found: readonly string[];
}

interface Planned {
  readonly document: Json;
  readonly plan: PolicyPlan;
  readonly expected: readonly (readonly string[])[];
}

/** Decides each exchange by each policy with the simulator and all targets, and returns where a target decides differently. */
export async function compareCompiled(
  documents: readonly Json[],
  exchanges: readonly Exchange[],
  { context, engines, tally }: { context: CaseContext; engines: readonly SqlEngine[]; tally: CompiledTally },
): Promise<readonly Difference[]> {
  const targets = ['js', ...engines.map(({ dialect }) => dialect)];
  const planned: Planned[] = [];
  const refuse = (target: string, document: Json, unsupported?: UnsupportedConstruct) => {
    count(tally, exchanges, { target, unsupported });
    tally.refused.set(target, (tally.refused.get(target) ?? new Set()).add(document));
  };
  for (const document of documents) {
    const policy = policyOf(document, context);
    if (policy === undefined) continue;
    tally.cases += exchanges.length;
    const result = planPolicy(policy, context);
    if ('unsupported' in result) for (const target of targets) refuse(target, document, result.unsupported);
    else planned.push({ document, plan: result.plan, expected: simulatedOutcomes(policy, exchanges, context) });
  }
  const inputs = [...new Map(planned.flatMap(({ plan }) => plan.inputs).map(one => [one.path, one])).values()];
  const rows = hostRows(inputs, exchanges, context);
  const different: Difference[] = [];
  const compare = (target: string, { document, expected }: Planned, found: readonly (readonly string[])[]) => {
    tally.exact.set(target, (tally.exact.get(target) ?? 0) + rows.length);
    for (const [at, row] of rows.entries())
      if (found[at]?.join('|') !== expected[at]!.join('|'))
        different.push({ target, policy: document, row, expected: expected[at]!, found: found[at] ?? [] });
  };
  for (const one of planned) {
    const found = await moduleOutcomes(one.plan, rows);
    if (found === undefined) refuse('js', one.document);
    else compare('js', one, found);
  }
  for (const engine of engines) {
    await engine.fill(
      inputs,
      rows.map(row => inputs.map(({ path }) => row[path])),
    );
    const compiled = planned.flatMap(one => {
      const result = sqlQuery(one.plan, queryOptions(engine, inputs));
      if ('code' in result) return [{ one, code: result.code }];
      refuse(engine.dialect, one.document, result.unsupported);
      return [];
    });
    const found = await outcomesOf(
      engine,
      compiled.map(({ code }) => code),
      rows.length,
    );
    for (const [at, { one }] of compiled.entries()) compare(engine.dialect, one, found[at]!);
  }
  return different;
}

function count(
  { unsupported: all }: CompiledTally,
  exchanges: readonly Exchange[],
  { target, unsupported }: { target: string; unsupported: UnsupportedConstruct | undefined },
): void {
  const construct = (unsupported?.construct ?? 'pattern').replace(/pattern `.*`/s, 'pattern');
  const own = all.get(target) ?? new Map<string, number>();
  all.set(target, own.set(construct, (own.get(construct) ?? 0) + exchanges.length));
}

function queryOptions({ dialect, table }: SqlEngine, inputs: readonly Input[]) {
  const columns = Object.fromEntries(inputs.map(({ path }, at) => [path, `c${at}`]));
  return { dialect, table, columns };
}

/** Runs queries as one, and returns the possible outcomes by query and row. */
async function outcomesOf(
  { joined, run }: SqlEngine,
  queries: readonly string[],
  rows: number,
): Promise<readonly (readonly string[])[][]> {
  const found = queries.map(() => Array.from({ length: rows }, (): readonly string[] => []));
  if (queries.length === 0) return found;
  const parts = queries.map(
    (query, at) =>
      `select ${at} as q, row, ${joined('decision_outcomes')} as o, decision_outcome as d from (${query}) x${at}`,
  );
  for (const [query, row, outcomes, outcome] of await run(parts.join(' union all '))) {
    const list = outcomes!.split('|').toSorted();
    // The single outcome is told, and only that.
    const isConsistent = outcome === (list.length === 1 ? list[0]!.split(' ')[0] : null);
    found[Number(query)]![Number(row)] = isConsistent ? list : [...list, `decision_outcome ${outcome}`];
  }
  return found;
}
