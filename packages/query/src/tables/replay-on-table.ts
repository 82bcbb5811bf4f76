import type { Policy } from '@tollgate/policy';
import { createSimulation, GroupTally, type ReplayOptions, type ReplaySummary } from '@tollgate/simulator';
import { Unsuited } from '../columns/unsuited.ts';
import { questionsOf } from '../plan/questions.ts';
import type { EngineResult } from '../replay/engine-result.ts';
import { reasonAgainstEngine } from '../replay/unsuited-replay.ts';
import { breakDownTable } from './break-down-table.ts';
import { runOnTable, type TableTraffic } from './run-on-table.ts';

/**
 * Replays the traffic in a table through a policy: the engine scans and groups, the policy is evaluated here, once for each distinct value and each
 * group. The summary is that of `replay` on the same records, except that the locations of examples are unknown. Throws an `ExternalError` if
 * the engine or the table cannot be read.
 */
export async function replayOnTable(
  policy: Policy,
  options: Omit<ReplayOptions, 'files' | 'traffic'>,
  traffic: TableTraffic,
): Promise<EngineResult<ReplaySummary>> {
  const reason = reasonAgainstEngine(policy, { ...options, files: [] });
  if (reason !== undefined) return { kind: 'unsuited', reason };
  const { breakdown, profile, watch } = options;
  const ruleCount = profile.phases.reduce((count, phase) => count + policy.rules[phase].length, 0);
  const place = { file: traffic.table, number: 0, unit: 'table' } as const;
  return runOnTable(traffic, watch?.stop, () => {
    const run = createSimulation(policy, options).begin();
    const leaves = run.leaves();
    if (leaves === undefined) throw new Unsuited('verdicts depend on more than conditions');
    return {
      ...{ run, leaves, questions: questionsOf(leaves, (breakdown?.top ?? 0) > 0) },
      hasTimes: true,
      figuresOf: async (context, coded, decided) => {
        const tally = new GroupTally(policy, options);
        for (const { verdict, ...part } of decided.groups)
          tally.add({ verdict, place, parts: [{ first: 0, ...part }] });
        const request = breakdown && { coded, decided, tally, ruleCount, top: breakdown.top };
        const counted = request && (await breakDownTable(context, request));
        await watch?.read?.(coded.records);
        return tally.summary(counted);
      },
    };
  });
}
