import {
  type ComparedPolicy,
  type ComparedVerdicts,
  comparedRules,
  createSimulation,
  type ImpactOptions,
  type ImpactSummary,
  ImpactTally,
  type LeafCombination,
  type Leaves,
  type SimulationRun,
  type Verdict,
} from '@tollgate/simulator';
import { Unsuited } from '../columns/unsuited.ts';
import { Dictionary } from '../plan/dictionary.ts';
import { IMPACT_DIMENSIONS, impactQuestionsOf } from '../plan/questions.ts';
import type { Decider } from '../replay/run-context.ts';
import { reasonAgainstEngine } from '../replay/unsuited-replay.ts';
import { listTableKeys } from './list-table-keys.ts';
import { runOnTable, type TableResult, type TableTraffic } from './run-on-table.ts';
import { kindsOf } from './table-kinds.ts';

/** The verdicts of both policies; with a number if they are the same for all exchanges with the same answers. */
interface NumberedVerdicts extends ComparedVerdicts {
  readonly number: number | undefined;
}

/**
 * Decides the traffic in a table with two policies. The leaves of both are evaluated over the same distinct values, so this takes about as long as one
 * `replayOnTable`. The summary is that of `impact` on the same records without examples. Throws an `ExternalError` if the engine or the table
 * cannot be read.
 */
export async function impactOnTable(
  was: ComparedPolicy,
  becomes: ComparedPolicy,
  { top, guard, geoip, watch }: Omit<ImpactOptions, 'files' | 'traffic'>,
  traffic: TableTraffic,
): Promise<TableResult<ImpactSummary>> {
  for (const { policy, options } of [was, becomes]) {
    const reason = reasonAgainstEngine(policy, { ...options, ...(geoip && { geoip }), files: [] });
    if (reason !== undefined) return { kind: 'unsuited', reason };
  }
  if (guard !== undefined)
    return { kind: 'unsuited', reason: '`--never-touch` reads every exchange that changes with its decisions' };
  const rules = ({ policy, options: { profile } }: ComparedPolicy) => comparedRules(policy, profile);
  return runOnTable(traffic, watch?.stop, () => {
    const runs = [was, becomes].map(({ policy, options }) => createSimulation(policy, options).begin());
    const [before, after] = runs.map(run => run.leaves());
    if (before === undefined || after === undefined) throw new Unsuited('verdicts depend on more than conditions');
    const leaves = pairedLeaves(before, after);
    return {
      ...{ run: pairedRun(runs[0]!, runs[1]!), leaves, questions: impactQuestionsOf(leaves) },
      hasTimes: false,
      figuresOf: async (context, coded, decided) => {
        const tally = new ImpactTally([rules(was), rules(becomes)]);
        const kinds = kindsOf(context, coded, decided, (verdicts, times) => {
          const transition = tally.addGroup(verdicts, times);
          return { series: 0, listed: transition === undefined ? [] : [transition] };
        });
        const listing = { kinds, dimensions: IMPACT_DIMENSIONS, seriesCount: tally.transitionCount, top };
        const keys = await listTableKeys(context, listing);
        await watch?.read?.(coded.records);
        return tally.figures(top, keys);
      },
    };
  });
}

function pairedRun(was: SimulationRun, becomes: SimulationRun): Decider<NumberedVerdicts> {
  return {
    judge: exchange => paired({ was: was.judge(exchange), becomes: becomes.judge(exchange) }),
    judgeApart: (exchange, aside) =>
      paired({ was: was.judgeApart(exchange, aside), becomes: becomes.judgeApart(exchange, aside) }),
  };
}

function paired(verdicts: ComparedVerdicts): NumberedVerdicts {
  const { was, becomes } = verdicts;
  const isNumbered = was.number !== undefined && becomes.number !== undefined;
  return { ...verdicts, number: isNumbered ? was.number : undefined };
}

/** Returns the leaves of two policies as those of one. */
function pairedLeaves(was: Leaves, becomes: Leaves): Leaves<NumberedVerdicts> {
  const count = was.leaves.length;
  return {
    leaves: [...was.leaves, ...becomes.leaves],
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
          return pairedVerdicts(before.verdictOf(one, exchange), after.verdictOf(other, exchange));
        },
      };
    },
  };
}

type LeafVerdict<Found> = ReturnType<LeafCombination<Found>['verdictOf']>;

function pairedVerdicts(was: LeafVerdict<Verdict>, becomes: LeafVerdict<Verdict>): LeafVerdict<NumberedVerdicts> {
  if (was === 'varied' || becomes === 'varied') return 'varied';
  const needs = [was, becomes].map(one => ('need' in one ? one.need : ''));
  if ('need' in was || 'need' in becomes) return { need: needs.join('\n') };
  return paired({ was, becomes });
}
