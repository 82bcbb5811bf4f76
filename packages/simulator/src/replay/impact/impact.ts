import type { Policy } from '@tollgate/policy';
import { type DecisionChange, DecisionComparer } from '../../decision/same-decision.ts';
import { createSimulation, type Judged } from '../../simulation/simulation.ts';
import { dependsOnOrder } from '../depends-on-order.ts';
import { CountedExchange } from '../keys/counted.ts';
import { orderOfFiles } from '../order/file-order.ts';
import { faultOf, type ReplayOptions, readAll } from '../replay.ts';
import type { TrafficSummary } from '../summary/summary.ts';
import { decidingRule, type Guard, type ImpactFigures, ImpactTally } from './impact-tally.ts';

/** A policy with the options that it is simulated with, which may name another profile than those of its successor. */
export interface ComparedPolicy {
  readonly policy: Policy;
  readonly options: Pick<ReplayOptions, 'profile' | 'environments' | 'assumptions' | 'now' | 'seed'>;
}

/** How a change of a policy changes what happens to recorded traffic. */
export interface ImpactSummary extends TrafficSummary, ImpactFigures {}

/** The traffic of an impact, and what to list. */
export type ImpactOptions = Pick<ReplayOptions, 'files' | 'traffic' | 'geoip' | 'watch'> & {
  /** The number of clients, paths and countries to list for each transition. */
  readonly top: number;
  readonly guard?: Guard;
};

/**
 * Decides each exchange with two policies, in one pass over the traffic, and counts how outcomes change. Figures are bounds where the recording
 * lacks what a decision depends on.
 */
export async function impact(
  was: ComparedPolicy,
  becomes: ComparedPolicy,
  options: ImpactOptions,
): Promise<ImpactSummary> {
  const isOrdered = [was, becomes].some(({ policy }) => dependsOnOrder(policy) !== undefined);
  const order = isOrdered ? await orderOfFiles(options.files, options.traffic) : undefined;
  const begin = ({ policy, options: simulated }: ComparedPolicy) =>
    createSimulation(policy, simulated).begin(faultOf(order));
  const runs = [begin(was), begin(becomes)] as const;
  const comparer = comparerOf(was, becomes);
  const tally = new ImpactTally(decidingRules(was, becomes), options.guard);
  const traffic = await readAll({ ...options, order }, ({ exchanges }) => {
    for (const exchange of exchanges) {
      const [before, after] = [runs[0].judged(exchange), runs[1].judged(exchange)];
      const compared = { was: before.verdict, becomes: after.verdict, change: changeOf(comparer, before, after) };
      tally.add({ counted: new CountedExchange(exchange), ...compared, exchange: () => exchange });
    }
  });
  return { ...traffic, ...tally.figures(options.top) };
}

/** Returns what compares the decisions of two policies. */
export function comparerOf(was: ComparedPolicy, becomes: ComparedPolicy): DecisionComparer {
  const sideOf = ({ policy, options: { profile } }: ComparedPolicy) => ({ policy, profile });
  return new DecisionComparer(sideOf(was), sideOf(becomes));
}

/** Returns how decisions on one exchange differ. Most verdicts tell without the whole decisions. */
export function changeOf(comparer: DecisionComparer, was: Judged, becomes: Judged): DecisionChange {
  return comparer.ofVerdicts(was.verdict, becomes.verdict) ?? comparer.ofDecisions(was.decision(), becomes.decision());
}

/** Returns what finds the rules that caused the outcomes of two policies. */
export function decidingRules(
  was: ComparedPolicy,
  becomes: ComparedPolicy,
): ConstructorParameters<typeof ImpactTally>[0] {
  const find = ({ policy, options: { profile } }: ComparedPolicy) => decidingRule(policy, profile);
  return [find(was), find(becomes)];
}
