// Runs rules: which visitors are called for what, and what happens if one of a user fails or does not end.

import type { Expr } from '@tollgate/cel';
import type { Diagnostic } from '@tollgate/diagnostics';
import type { CallVisitor, LintRule, NodeVisitor, Visitor } from '../rule-api/lint-rule.ts';
import type { ActiveRule } from './resolve-rules.ts';
import { failureFinding, type RuleFailure, RuleRun } from './rule-run.ts';

/** The findings of lint rules, and which lint rules failed. */
export interface RuleOutcome {
  readonly found: readonly Diagnostic[];
  readonly failures: readonly RuleFailure[];
  /** Ids of lint rules that reached the work limit. */
  readonly undecided: readonly string[];
}

/** Calls lint rules for a file and returns their findings. */
type Walk = (dispatch: Dispatch) => readonly Diagnostic[];

/** Options of {@link RuleRunner}. */
interface RunnerOptions {
  /** Returns true for lint rules that come with Tollgate. */
  readonly isOwn: (rule: LintRule) => boolean;
  /** Called around each lint rule of a user and each file. */
  readonly runWithTimeout?: RunWithTimeout | undefined;
}

/**
 * Runs lint rules so that none affects another: all built-in ones in one walk, each of the users' in a walk of its own under a timeout, so
 * that it is known which one does not return.
 */
export class RuleRunner {
  readonly #own: Dispatch;
  readonly #added: readonly Dispatch[];
  readonly #runWithTimeout: RunWithTimeout;

  constructor(active: readonly ActiveRule[], { isOwn, runWithTimeout = WITHOUT_TIMEOUT }: RunnerOptions) {
    this.#own = dispatchTo(
      active.filter(one => isOwn(one.rule)),
      true,
    );
    this.#added = active.flatMap(one => (isOwn(one.rule) ? [] : [dispatchTo([one], false)]));
    this.#runWithTimeout = runWithTimeout;
  }

  /** Runs all lint rules. The findings of a lint rule that fails are replaced by one that says so. */
  run(uri: string, walk: Walk): RuleOutcome {
    const runs = [this.#own, ...this.#added].flatMap(dispatch => dispatch.runs);
    for (const run of runs) run.begin();
    const own = walk(this.#own);
    const added = this.#added.flatMap(dispatch => this.#runTimed(dispatch, walk));
    const failures = runs.flatMap(run => run.failure ?? []);
    const found = [...own, ...added];
    const undecided = runs.flatMap(run => (run.isUndecided ? [run.active.rule.id] : []));
    if (failures.length === 0) return { found, failures, undecided };
    const failed = new Set<string>(failures.map(one => one.id));
    const kept = found.filter(one => !failed.has(one.code));
    return { found: [...kept, ...failures.map(one => failureFinding(one, uri))], failures, undecided };
  }

  #runTimed(dispatch: Dispatch, walk: Walk): readonly Diagnostic[] {
    const [run] = dispatch.runs;
    if (run!.isStopped) return [];
    const outcome = this.#runWithTimeout(() => walk(dispatch));
    if (outcome.isFinished) return outcome.value;
    run!.stop();
    return [];
  }
}

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
function dispatchTo(active: readonly ActiveRule[], isOwn: boolean): Dispatch {
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

/** The result of timed code: its return value, or nothing if it was stopped. */
export type Timed<T> = { readonly isFinished: true; readonly value: T } | { readonly isFinished: false };

/** Runs code of users and stops it if it does not return. Exceptions pass through. */
export type RunWithTimeout = <T>(run: () => T) => Timed<T>;

/** Runs code without a time limit. */
export const WITHOUT_TIMEOUT: RunWithTimeout = run => ({ isFinished: true, value: run() });
