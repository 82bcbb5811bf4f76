import type { Policy } from '@tollgate/policy';
import { createSimulation } from '../../simulation/simulation.ts';
import { dependsOnOrder } from '../depends-on-order.ts';
import { CountedExchange } from '../keys/counted.ts';
import { orderOfFiles } from '../order/file-order.ts';
import { faultOf, type ReplayOptions, readAll } from '../replay.ts';
import type { TrafficSummary } from '../summary/summary.ts';
import { comparedRules } from './compared-rules.ts';
import { type Guard, type ImpactFigures, ImpactTally } from './impact-tally.ts';

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
  const rules = ({ policy, options: { profile } }: ComparedPolicy) => comparedRules(policy, profile);
  const tally = new ImpactTally([rules(was), rules(becomes)], options.guard);
  const traffic = await readAll({ ...options, order }, ({ exchanges }) => {
    for (const exchange of exchanges)
      tally.add({
        counted: new CountedExchange(exchange),
        was: runs[0].judge(exchange),
        becomes: runs[1].judge(exchange),
        exchange: () => exchange,
      });
  });
  return { ...traffic, ...tally.figures(options.top) };
}
