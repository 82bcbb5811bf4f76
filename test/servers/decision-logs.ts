import type { DecisionRecord } from '@tollgate/enforce';
import type { Policy, Rule } from '@tollgate/policy';
import { createSimulation, type SimulationOptions } from '@tollgate/simulator';
import { type Exchange, readTraffic } from '@tollgate/traffic';
import { expect } from 'vitest';

/** Expects that a replay of a decision log decides what was decided. */
export async function expectSameReplay(
  records: readonly DecisionRecord[],
  policy: Policy,
  options: Pick<SimulationOptions, 'profile' | 'environments'>,
): Promise<void> {
  const run = createSimulation(policy, options).begin();
  const rules = options.profile.phases.flatMap(phase => policy.rules[phase]);
  for (const [at, exchange] of (await recordedExchanges(records)).entries()) {
    const { outcomes, rules: results, upstream } = run.decide(exchange);
    const matched = results.flatMap(({ status }, rule) => (status === 'matched' ? [nameOf(rules[rule]!)] : []));
    const record = records[at]!;
    const { outcome, action, rules: names } = record.decision;
    if (outcome === 'undetermined') {
      expect([outcomes.length > 1 || results.some(({ status }) => status === 'undetermined'), record]).toEqual([
        true,
        record,
      ]);
      continue;
    }
    // Only the application knows what it responds to a URL that the policy has rewritten.
    if (upstream.request.changes.url) continue;
    const replayed = { outcome: outcomes[0]!.kind, action: outcomes[0]!.action };
    expect([replayed, matched, record]).toEqual([{ outcome, action }, names, record]);
  }
}

function nameOf({ phase, index }: Rule): string {
  return `${phase} ${index + 1}`;
}

/** Returns what is read from a decision log. */
export async function recordedExchanges(records: readonly DecisionRecord[]): Promise<readonly Exchange[]> {
  const lines = records.map(record => `${JSON.stringify(record)}\n`).join('');
  async function* content() {
    yield Buffer.from(lines);
  }
  const exchanges: Exchange[] = [];
  for await (const batch of readTraffic('decisions.jsonl', { content: content() })) exchanges.push(...batch.exchanges);
  expect(exchanges).toHaveLength(records.length);
  return exchanges;
}
