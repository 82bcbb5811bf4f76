/** Two policies as one decider, so that an engine finds the impact of a change as it finds a replay; and when no engine can. */
import type { Policy } from '@tollgate/policy';
import {
  type ComparedPolicy,
  type ComparedVerdicts,
  changeOf,
  comparerOf,
  createSimulation,
  type DecisionComparer,
  decidingRules,
  dependsOnOrder,
  type ImpactOptions,
  ImpactTally,
  type LeafCombination,
  type Leaves,
  type ReplayOptions,
  type SimulationRun,
  type Verdict,
} from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import { UnsupportedQueryError } from '../recordings/column-record.ts';
import { Dictionary, impactQuestionsOf } from './questions.ts';
import type { Decider } from './run-context.ts';

/** The properties of verdicts that figures by time and key depend on. */
export interface Kind {
  /** The series that counts its exchanges by time. */
  readonly series: number;
  /** The series under which its keys are listed. */
  readonly listed: readonly number[];
}

/** The verdicts of both policies; with a number if they and their difference are the same for all exchanges with the same answers. */
interface NumberedVerdicts extends ComparedVerdicts {
  readonly number: number | undefined;
}

/** Returns why an engine cannot decide the impact of a change; undefined if nothing is against it. */
export function reasonAgainstImpact(
  policies: readonly ComparedPolicy[],
  {
    guard,
    ...traffic
  }: Omit<ImpactOptions, 'reader' | 'top' | 'guard'> & { readonly guard: ImpactOptions['guard'] | undefined },
): string | undefined {
  for (const { policy, options } of policies) {
    const reason = reasonAgainstEngine(policy, { ...options, ...traffic });
    if (reason !== undefined) return reason;
  }
  return guard && '`--never-touch` reads every exchange that changes with its decisions';
}

/** Returns a tally of the changes from one policy to another. */
export function impactTally(was: ComparedPolicy, becomes: ComparedPolicy): ImpactTally {
  return new ImpactTally(decidingRules(was, becomes));
}

/** Counts exchanges with these verdicts, and returns their kind: keys are listed by transition. */
export function kindIn(tally: ImpactTally, verdicts: ComparedVerdicts, times: number): Kind {
  const transition = tally.addGroup(verdicts, times);
  return { series: 0, listed: transition === undefined ? [] : [transition] };
}

/** Returns what decides single exchanges with two policies. */
export function comparing(was: ComparedPolicy, becomes: ComparedPolicy): (exchange: Exchange) => ComparedVerdicts {
  const [before, after] = [was, becomes].map(({ policy, options }) => createSimulation(policy, options).begin());
  const comparer = comparerOf(was, becomes);
  return exchange => {
    const [one, other] = [before!.judged(exchange), after!.judged(exchange)];
    return { was: one.verdict, becomes: other.verdict, change: changeOf(comparer, one, other) };
  };
}

/** Prepares to decide exchanges with two policies at once. Throws {@link UnsupportedQueryError} if their leaves do not decide. */
export function pairPolicies(was: ComparedPolicy, becomes: ComparedPolicy) {
  const runs = [was, becomes].map(({ policy, options }) => createSimulation(policy, options).begin());
  const [before, after] = runs.map(run => run.leaves());
  if (before === undefined || after === undefined)
    throw new UnsupportedQueryError('verdicts depend on more than conditions');
  const comparer = comparerOf(was, becomes);
  const leaves = pairedLeaves(before, after, comparer);
  return { run: pairedRun(runs[0]!, runs[1]!, comparer), leaves, questions: impactQuestionsOf(leaves) };
}

function pairedRun(was: SimulationRun, becomes: SimulationRun, comparer: DecisionComparer): Decider<NumberedVerdicts> {
  return {
    judge: exchange => paired(comparer, was.judge(exchange), becomes.judge(exchange)),
    judgeInIsolation: (exchange, aside) => {
      const [before, after] = [was.judgedInIsolation(exchange, aside), becomes.judgedInIsolation(exchange, aside)];
      const change = changeOf(comparer, before, after);
      return { was: before.verdict, becomes: after.verdict, change, number: undefined };
    },
  };
}

/** If verdicts do not tell how the decisions differ, they have no number, so that each value is decided by itself. */
function paired(comparer: DecisionComparer, was: Verdict, becomes: Verdict): NumberedVerdicts {
  const change = comparer.ofVerdicts(was, becomes);
  const isNumbered = change !== undefined && was.number !== undefined && becomes.number !== undefined;
  return { was, becomes, change: change ?? NOT_TOLD, number: isNumbered ? was.number : undefined };
}

const NOT_TOLD = { isCertain: false, parts: [] } as const;

/** Returns the leaves of two policies as those of one. */
function pairedLeaves(was: Leaves, becomes: Leaves, comparer: DecisionComparer): Leaves<NumberedVerdicts> {
  const count = was.leaves.length;
  return {
    leaves: [...was.leaves, ...becomes.leaves],
    classOf: (leaf, results) => (leaf < count ? was.classOf(leaf, results) : becomes.classOf(leaf - count, results)),
    sources: [...was.sources, ...becomes.sources],
    combination: () => {
      const [before, after] = [was.combination(), becomes.combination()];
      const states: (readonly [before: number, after: number])[] = [];
      const numbers = new Dictionary<string>();
      return {
        stateOf: classes => {
          const state = [before.stateOf(classes.slice(0, count)), after.stateOf(classes.slice(count))] as const;
          const number = numbers.numberOf(state.join());
          states[number] = state;
          return number;
        },
        verdictOf: (state, exchange) => {
          const [one, other] = states[state]!;
          return pairedVerdicts(comparer, before.verdictOf(one, exchange), after.verdictOf(other, exchange));
        },
      };
    },
  };
}

type LeafVerdict<Found> = ReturnType<LeafCombination<Found>['verdictOf']>;

function pairedVerdicts(
  comparer: DecisionComparer,
  was: LeafVerdict<Verdict>,
  becomes: LeafVerdict<Verdict>,
): LeafVerdict<NumberedVerdicts> {
  if (was === 'varied' || becomes === 'varied') return 'varied';
  const needs = [was, becomes].map(one => ('need' in one ? one.need : ''));
  if ('need' in was || 'need' in becomes) return { need: needs.join('\n') };
  return paired(comparer, was, becomes);
}

/** Returns why a replay must decide exchange by exchange, whatever the recordings; undefined if nothing is against an engine. */
export function reasonAgainstEngine(
  policy: Policy,
  { files, traffic, seed, modules, geoip, watch, select }: Omit<ReplayOptions, 'reader'>,
): string | undefined {
  const counting = dependsOnOrder(policy);
  if (counting !== undefined) return `\`${counting}\` keeps state across exchanges`;
  if (seed !== undefined) return 'random results of `--seed` differ from exchange to exchange';
  if (modules !== undefined) return 'modules of a route act on the traffic';
  if (geoip !== undefined) return '`--geoip` locates each client';
  if (traffic?.strict === true) return '`--strict` stops at the first record that cannot be read';
  if (select !== undefined) return 'only some exchanges are selected';
  if (watch?.decided !== undefined) return 'every decision is listed';
  if (files.includes('-') || traffic?.content !== undefined) return 'standard input can be read only once';
  return undefined;
}

/** Returns why DuckDB cannot replay recordings. */
export function reasonAgainstDuckdb(
  policy: Policy,
  { select, ...options }: Omit<ReplayOptions, 'reader'>,
): string | undefined {
  if (select?.where !== undefined) return '`--where` reads every exchange with its decision';
  return reasonAgainstEngine(policy, options);
}

/** The result of a run on an engine, or the reason why it cannot be exact. */
export type EngineResult<Summary> =
  | { readonly kind: 'replayed'; readonly summary: Summary }
  | {
      readonly kind: 'unsuited';
      readonly reason: string;
      /** What to do about it, as an imperative, if there is something better than another engine. */
      readonly remedy?: string;
    }
  /** It was stopped, and nothing is known. */
  | { readonly kind: 'stopped' };
