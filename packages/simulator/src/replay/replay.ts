import type { Phase } from '@tollgate/catalog';
import { WorldError } from '@tollgate/diagnostics';
import type { Policy } from '@tollgate/policy';
import { type ReadTrafficOptions, readTraffic, type TrafficBatch } from '@tollgate/traffic';
import { createSimulation, type SimulationOptions } from '../decide/simulation.ts';
import { OutcomeTally } from './outcome-tally.ts';
import { RuleTally } from './rule-tally.ts';
import type { ReplaySummary } from './summary.ts';
import { TrafficTally } from './traffic-tally.ts';

/** What is replayed, and how. */
export interface ReplayOptions extends SimulationOptions {
  /** Paths of files; `-` for standard input. */
  readonly files: readonly string[];
  readonly traffic?: ReadTrafficOptions;
}

/**
 * Runs a policy on recorded traffic and adds up what it does. Memory does not grow with access logs. A file that cannot be read,
 * or not to its end, is told in its summary by the `WorldError` of {@link readTraffic}; the others are read all the same.
 */
export async function replay(policy: Policy, options: ReplayOptions): Promise<ReplaySummary> {
  const run = createSimulation(policy, options).begin();
  const traffic = new TrafficTally();
  const outcomes = new OutcomeTally();
  const rules = options.profile.phases.flatMap(phase => policy.rules[phase]).map(rule => new RuleTally(labelOf(rule)));
  const addAll = ({ exchanges }: TrafficBatch) => {
    for (const exchange of exchanges) {
      const decision = run.decide(exchange);
      outcomes.add(decision, exchange.place);
      decision.rules.forEach((result, index) => {
        rules[index]!.add(result, exchange.place);
      });
    }
  };
  for (const file of options.files) {
    traffic.open(file);
    try {
      for await (const batch of readTraffic(file, options.traffic)) {
        traffic.add(file, batch);
        addAll(batch);
      }
    } catch (error) {
      if (!(error instanceof WorldError)) throw error;
      traffic.fail(file, error);
    }
  }
  return {
    exchanges: traffic.exchanges,
    files: traffic.files(),
    skipped: traffic.skipped(),
    rules: rules.map(rule => rule.summary()),
    outcomes: outcomes.outcomes(),
    undetermined: outcomes.undetermined(),
  };
}

function labelOf(rule: Policy['rules'][Phase][number]) {
  return {
    phase: rule.phase,
    index: rule.index,
    name: rule.name?.value,
    actions: rule.actions.map(action => action.type.value),
  };
}
