import type { Expr } from '@tollgate/cel';
import type { ActiveRule } from '../config/active-rule.ts';
import type { CallVisitor, NodeVisitor, Visitor } from '../rule-api/visitor.ts';
import { RuleRun } from './rule-run.ts';

/** Functions of one kind, with the runs that they belong to. */
type Listeners<F> = readonly { readonly call: F; readonly run: RuleRun }[];

type Part = 'suppressions' | 'tests' | 'file' | 'policy' | 'rule' | 'action' | 'configString' | 'expression';

/** The functions to call for each kind of event. */
export interface Dispatch {
  readonly runs: readonly RuleRun[];
  readonly suppressions: Listeners<NonNullable<Visitor['suppressions']>>;
  readonly tests: Listeners<NonNullable<Visitor['tests']>>;
  readonly file: Listeners<NonNullable<Visitor['file']>>;
  readonly policy: Listeners<NonNullable<Visitor['policy']>>;
  readonly rule: Listeners<NonNullable<Visitor['rule']>>;
  readonly action: Listeners<NonNullable<Visitor['action']>>;
  readonly configString: Listeners<NonNullable<Visitor['configString']>>;
  readonly expression: Listeners<NonNullable<Visitor['expression']>>;
  readonly nodes: ReadonlyMap<Expr['kind'], Listeners<NodeVisitor<Expr['kind']>>>;
  readonly calls: ReadonlyMap<string, Listeners<CallVisitor>>;
}

/** Collects the functions of lint rules. Slow lint rules come last. */
export function dispatchTo(active: readonly ActiveRule[], isOwn: boolean): Dispatch {
  const slowLast = active.toSorted((a, b) => Number(a.rule.cost === 'slow') - Number(b.rule.cost === 'slow'));
  const runs = slowLast.map(one => new RuleRun(one, isOwn));
  const to = <P extends Part>(part: P) =>
    runs.flatMap(run => {
      const call = run.active.rule.check[part];
      return call ? [{ call: call as NonNullable<Visitor[P]>, run }] : [];
    });
  return {
    runs,
    suppressions: to('suppressions'),
    tests: to('tests'),
    file: to('file'),
    policy: to('policy'),
    rule: to('rule'),
    action: to('action'),
    configString: to('configString'),
    expression: to('expression'),
    nodes: grouped(runs, check => check.nodes) as Dispatch['nodes'],
    calls: grouped(runs, check => check.calls) as Dispatch['calls'],
  };
}

function grouped(
  runs: readonly RuleRun[],
  part: (check: Visitor) => Readonly<Record<string, unknown>> | undefined,
): ReadonlyMap<string, Listeners<unknown>> {
  const found = new Map<string, { call: unknown; run: RuleRun }[]>();
  for (const run of runs) {
    for (const [key, call] of Object.entries(part(run.active.rule.check) ?? {})) {
      found.set(key, [...(found.get(key) ?? []), { call, run }]);
    }
  }
  return found;
}
