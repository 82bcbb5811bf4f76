import type { Policy, Rule } from '@tollgate/policy';
import type { Verdict } from '../../decision/verdict.ts';
import { createSimulation } from '../../simulation/simulation.ts';
import { dependsOnOrder } from '../depends-on-order.ts';
import { CountedExchange } from '../keys/counted.ts';
import { orderOfFiles } from '../order/file-order.ts';
import { faultOf, type ReplayOptions, readAll } from '../replay.ts';
import { outcomeKey } from '../summary/outcome-order.ts';
import type { TrafficSummary } from '../summary/summary.ts';
import { decidingRuleOf, type RuleOf } from './deciding-rule.ts';
import { type ComparedExchange, type Guard, type ImpactFigures, ImpactTally } from './impact-tally.ts';

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
  const tally = new ImpactTally([ruleOf(was), ruleOf(becomes)], options.guard);
  const keys = [verdictKeys(was), verdictKeys(becomes)] as const;
  const compare = (compared: ComparedExchange) => {
    const { was: before, becomes: after } = compared;
    tally.addOutcomes(before, after);
    if (isUnchanged(before, after) || keys[0](before) === keys[1](after)) tally.addUnchanged(after);
    else tally.addChange(compared);
  };
  const traffic = await readAll({ ...options, order }, ({ exchanges }) => {
    for (const exchange of exchanges)
      compare({
        counted: new CountedExchange(exchange),
        was: runs[0].judge(exchange),
        becomes: runs[1].judge(exchange),
        exchange: () => exchange,
      });
  });
  return { ...traffic, ...tally.figures(options.top) };
}

function ruleOf({ policy, options: { profile } }: ComparedPolicy): RuleOf {
  return decidingRuleOf(policy, profile);
}

function isUnchanged({ outcomes: [was, ...others] }: Verdict, { outcomes: [becomes, ...more] }: Verdict): boolean {
  return others.length === 0 && more.length === 0 && outcomeKey(was!) === outcomeKey(becomes!);
}

/**
 * Returns what a verdict depends on: the rules that matched, failed or are undetermined. Other rules have no effect. If they are the same in both
 * policies, so is the outcome, even where it is undetermined: whatever it is that is not recorded, it is the same.
 */
function verdictKeys({ policy, options: { profile } }: ComparedPolicy): (verdict: Verdict) => string {
  const { name, switches } = profile;
  const context = JSON.stringify([name, switches]);
  const rules = profile.phases.flatMap(phase => policy.rules[phase]).map(ruleKey);
  const known = new WeakMap<Verdict, string>();
  return verdict => {
    const found =
      known.get(verdict) ??
      [context, ...verdict.hits.map(({ rule, result }) => `${result.status} ${rules[rule]}`)].join('\n');
    known.set(verdict, found);
    return found;
  };
}

function ruleKey({ phase, expressions, actions }: Rule): string {
  const [conditions, effects] = [
    expressions.map(({ source }) => source),
    actions.map(one => [one.type.value, one.config]),
  ];
  return JSON.stringify([phase, conditions, effects]);
}
