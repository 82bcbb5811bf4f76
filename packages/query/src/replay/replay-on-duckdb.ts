import type { Policy } from '@tollgate/policy';
import { createSimulation, GroupTally, type ReplayOptions, type ReplaySummary } from '@tollgate/simulator';
import { Unsuited } from '../columns/unsuited.ts';
import { inTurns } from '../plan/in-turns.ts';
import { questionsOf } from '../plan/questions.ts';
import { breakDown } from './break-down.ts';
import type { EngineResult } from './engine-result.ts';
import { type DuckdbOptions, runOnDuckdb } from './run-on-duckdb.ts';
import { reasonAgainstDuckdb } from './unsuited-replay.ts';

/**
 * Replays recorded traffic on DuckDB: the engine scans and groups, the policy is evaluated once for each distinct value and each group. The summary
 * equals that of `replay`, except that counts of keys are always exact. Where that cannot be guaranteed, the result says why.
 */
export async function replayOnDuckdb(
  policy: Policy,
  options: ReplayOptions,
  settings: DuckdbOptions = {},
): Promise<EngineResult<ReplaySummary>> {
  const reason = reasonAgainstDuckdb(policy, options);
  if (reason !== undefined) return { kind: 'unsuited', reason };
  const { breakdown, profile } = options;
  const ruleCount = profile.phases.reduce((count, phase) => count + policy.rules[phase].length, 0);
  return runOnDuckdb(options, settings, () => {
    const run = createSimulation(policy, options).begin();
    const leaves = run.leaves();
    if (leaves === undefined) throw new Unsuited('verdicts depend on more than conditions');
    return {
      ...{ run, leaves, questions: questionsOf(leaves, (breakdown?.top ?? 0) > 0) },
      figuresOf: async (context, { answers, groups }) => {
        const tally = new GroupTally(policy, options);
        for await (const part of inTurns(groups, context.session.stop)) for (const group of part) tally.add(group);
        const request = breakdown && { answers, groups, tally, ruleCount, top: breakdown.top };
        return tally.summary(request && (await breakDown(context, request)));
      },
    };
  });
}
