import { type Input, type PolicyPlan, planPolicy, sqlQuery, type UnsupportedConstruct } from '@tollgate/compile';
import type { Exchange } from '@tollgate/traffic';
import type { Json } from '../schemas/generated-policy.ts';
import type { SqlEngine } from '../support/sql-engines.ts';
import {
  type CaseContext,
  type HostRow,
  hostRows,
  policyOf,
  shownDecision,
  simulatedDecisions,
} from './decision-cases.ts';

/** What was compared, in cases of a policy and an exchange. */
export interface CompiledTally {
  cases: number;
  /** By engine. */
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
  readonly expected: string;
  readonly found: string | undefined;
}

interface Planned {
  readonly document: Json;
  readonly plan: PolicyPlan;
  readonly expected: readonly string[];
}

interface Comparison {
  readonly context: CaseContext;
  readonly engines: readonly SqlEngine[];
  readonly tally: CompiledTally;
  /** Returns what is handed over instead of the values of the evaluator: a target then decides the same or leaves it open. */
  readonly handed?: (row: HostRow, at: number) => HostRow;
}

/** Decides each exchange by each policy with the simulator and all targets, and returns where a target decides differently. */
export async function compareCompiled(
  documents: readonly Json[],
  exchanges: readonly Exchange[],
  { context, engines, tally, handed }: Comparison,
): Promise<readonly Difference[]> {
  const targets = engines.map(({ dialect }) => dialect);
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
    else planned.push({ document, plan: result.plan, expected: simulatedDecisions(policy, exchanges, context) });
  }
  const inputs = [...new Map(planned.flatMap(({ plan }) => plan.inputs).map(one => [one.path, one])).values()];
  const own = hostRows(inputs, exchanges, context);
  const rows = handed === undefined ? own : own.map(handed);
  const different: Difference[] = [];
  const compare = (target: string, { document, expected }: Planned, found: readonly (string | undefined)[]) => {
    tally.exact.set(target, (tally.exact.get(target) ?? 0) + rows.length);
    for (const [at, row] of rows.entries())
      if (found[at] !== expected[at] && !(handed !== undefined && / or |by \?$/.test(found[at] ?? '')))
        different.push({ target, policy: document, row, expected: expected[at]!, found: found[at] });
  };
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
    const queries = compiled.map(({ code }) => code);
    const found = await decisionsOf(engine, queries, rows.length);
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

/** Runs queries as one, and returns the decisions by query and row. */
async function decisionsOf(
  { joined, run }: SqlEngine,
  queries: readonly string[],
  rows: number,
): Promise<readonly (readonly (string | undefined)[])[]> {
  const found = queries.map(() => Array.from({ length: rows }, (): string | undefined => undefined));
  if (queries.length === 0) return found;
  const columns = `row, ${joined('decision_outcomes')} as o, decision_outcome, decision_status, decision_action, decision_rule`;
  const parts = queries.map((query, at) => `select ${at} as q, ${columns} from (${query}) x${at}`);
  for (const [query, row, outcomes, ...own] of await run(parts.join(' union all ')))
    found[Number(query)]![Number(row)] = shownRow(outcomes!.split('|'), own);
  return found;
}

/** The columns of a single outcome repeat it, and are null if there are more. */
function shownRow(outcomes: readonly string[], [outcome, status, action, rule]: readonly (string | null)[]): string {
  const single = [outcome, status, action].filter(one => one !== null && one !== '').join(' ');
  const isConsistent =
    outcomes.length === 1 ? single === outcomes[0] : [outcome, status, action].every(one => one === null);
  return `${shownDecision(outcomes, rule ?? undefined)}${isConsistent ? '' : `, but ${single}`}`;
}
