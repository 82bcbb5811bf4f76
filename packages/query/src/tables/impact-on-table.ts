import {
  type ComparedPolicy,
  comparedRules,
  type ImpactOptions,
  type ImpactSummary,
  ImpactTally,
} from '@tollgate/simulator';
import { IMPACT_DIMENSIONS } from '../plan/questions.ts';
import type { EngineResult } from '../replay/engine-result.ts';
import { pairPolicies } from '../replay/paired-policies.ts';
import { reasonAgainstEngine } from '../replay/unsuited-replay.ts';
import { listTableKeys } from './list-table-keys.ts';
import { runOnTable, type TableTraffic } from './run-on-table.ts';
import { kindsOf } from './table-kinds.ts';

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
): Promise<EngineResult<ImpactSummary>> {
  for (const { policy, options } of [was, becomes]) {
    const reason = reasonAgainstEngine(policy, { ...options, ...(geoip && { geoip }), files: [] });
    if (reason !== undefined) return { kind: 'unsuited', reason };
  }
  if (guard !== undefined)
    return { kind: 'unsuited', reason: '`--never-touch` reads every exchange that changes with its decisions' };
  const rules = ({ policy, options: { profile } }: ComparedPolicy) => comparedRules(policy, profile);
  return runOnTable(traffic, watch?.stop, () => {
    return {
      ...pairPolicies(was, becomes),
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
        return tally.figures(
          top,
          keys.map(ofTransition => ({ keys: ofTransition, first: [] })),
        );
      },
    };
  });
}
