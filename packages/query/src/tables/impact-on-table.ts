import type { ComparedPolicy, ImpactOptions, ImpactSummary } from '@tollgate/simulator';
import { IMPACT_DIMENSIONS } from '../plan/questions.ts';
import type { EngineResult } from '../replay/engine-result.ts';
import { impactTally, kindIn, pairPolicies, reasonAgainstImpact } from '../replay/paired-policies.ts';
import { listTableKeys } from './list-table-keys.ts';
import { runOnTable, type TableTraffic } from './run-on-table.ts';
import { kindsOf } from './table-kinds.ts';

/**
 * Decides the traffic in a table with two policies. The leaves of both are evaluated over the same distinct values, so this takes as many queries as
 * `replayOnTable`. The summary is that of `impact` on the same records without examples. Throws an `ExternalError` if the engine or the table
 * cannot be read.
 */
export async function impactOnTable(
  was: ComparedPolicy,
  becomes: ComparedPolicy,
  { top, guard, geoip, watch }: Omit<ImpactOptions, 'files' | 'traffic'>,
  traffic: TableTraffic,
): Promise<EngineResult<ImpactSummary>> {
  const reason = reasonAgainstImpact([was, becomes], { ...(geoip && { geoip }), guard, files: [] });
  if (reason !== undefined) return { kind: 'unsuited', reason };
  return runOnTable(traffic, watch?.stop, () => {
    return {
      ...pairPolicies(was, becomes),
      hasTimes: false,
      figuresOf: async (context, coded, decided) => {
        const tally = impactTally(was, becomes);
        const kinds = kindsOf(context, coded, decided, (verdicts, times) => kindIn(tally, verdicts, times));
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
