import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROFILES } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, createPhaseEnvironments } from '@tollgate/policy';
import {
  createSimulation,
  type ImpactOptions,
  type Interval,
  impact,
  type Outcome,
  replay,
  type Transition,
} from '@tollgate/simulator';
import { readTraffic } from '@tollgate/traffic';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { runs } from '../support/runs.ts';
import { LINES, PLAIN_LINES } from './generated-lines.ts';
import { meaningfulPolicies } from './generated-rules.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-impact-'));
afterAll(() => rmSync(folder, { recursive: true }));
const TRAFFIC = { format: 'json-lines' } as const;

const NONE = { least: 0, most: 0 };

/** Fields whose absence means that they are unknown, and nothing else. */
const HIDDEN = ['client_ip', 'country', 'method', 'protocol', 'status'] as const;

const textOf = ({ kind, status, action }: Outcome) => `${kind} ${status} ${action}`;

const keyed = ({ was, becomes, count }: Transition) => ({ key: `${textOf(was)} → ${textOf(becomes)}`, count });

function countOf(transitions: readonly Transition[], key: string): Interval {
  return transitions.map(keyed).find(one => one.key === key)?.count ?? NONE;
}

describe.each(PROFILES.map(profile => [profile.name, profile] as const))('an impact under %s', (_, profile) => {
  const endpoint = profile.endpoints[0]!;
  const environments = createPhaseEnvironments(profile, endpoint);
  const options = { profile, environments };
  const compared = (document: unknown) => {
    const source = new SourceText('policy.json', JSON.stringify(document));
    return { policy: analyzePolicy(source, { ...options, endpoint }).policy!, options };
  };
  const policies = meaningfulPolicies(profile, endpoint);
  const impactOn = (
    pair: readonly [unknown, unknown],
    lines: string,
    name: string,
    more: Partial<ImpactOptions> = {},
  ) => {
    const file = join(folder, name);
    writeFileSync(file, lines);
    return impact(compared(pair[0]), compared(pair[1]), { files: [file], traffic: TRAFFIC, top: 3, ...more });
  };

  it('equals the difference of decisions', async () => {
    await fc.assert(
      fc.asyncProperty(fc.tuple(policies, policies), PLAIN_LINES, async (pair, lines) => {
        const found = await impactOn(pair, lines, 'lines.jsonl');
        const [was, becomes] = pair.map(one => createSimulation(compared(one).policy, options).begin());
        const expected = new Map<string, number>();
        let least = 0;
        for await (const { exchanges } of readTraffic(join(folder, 'lines.jsonl'), TRAFFIC)) {
          for (const exchange of exchanges) {
            const [before, after] = [was!, becomes!].map(run => run.decide(exchange).outcomes.map(textOf));
            if (before!.every(one => !after!.includes(one))) least++;
            if (before!.length > 1 || after!.length > 1 || before![0] === after![0]) continue;
            const key = `${before} → ${after}`;
            expected.set(key, (expected.get(key) ?? 0) + 1);
          }
        }
        const certain = found.transitions.flatMap(one =>
          one.count.least > 0 ? [[`${textOf(one.was)} → ${textOf(one.becomes)}`, one.count.least] as const] : [],
        );
        expect(new Map(certain)).toEqual(expected);
        expect(found.changed.least).toBe(least);
        for (const { rules, count } of found.transitions)
          expect(rules.reduce((sum, one) => sum + one.count, 0)).toBe(count.least);
      }),
      { numRuns: runs(2, 40) },
    );
  });

  it('has the outcomes of two replays', async () => {
    await fc.assert(
      fc.asyncProperty(fc.tuple(policies, policies), PLAIN_LINES, async (pair, lines) => {
        const found = await impactOn(pair, lines, 'both.jsonl');
        const reading = { ...options, files: [join(folder, 'both.jsonl')], traffic: TRAFFIC };
        const [was, becomes] = await Promise.all(pair.map(one => replay(compared(one).policy, reading)));
        expect([found.was, found.becomes]).toEqual([was!.outcomes, becomes!.outcomes]);
        expect(found.exchanges).toBe(was!.exchanges);
        const cells = [...found.unchanged, ...found.transitions].map(one => one.count);
        expect(cells.reduce((sum, { least }) => sum + least, 0)).toBeLessThanOrEqual(found.exchanges);
        expect(cells.reduce((sum, { most }) => sum + most, 0)).toBeGreaterThanOrEqual(found.exchanges);
      }),
      { numRuns: runs(1, 40) },
    );
  });

  it('has bounds that contain the impact on complete recordings', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(policies, policies),
        PLAIN_LINES,
        fc.subarray([...HIDDEN]),
        async (pair, lines, hidden) => {
          const reduced = lines.split('\n').map(line => {
            const record: Record<string, unknown> = JSON.parse(line);
            for (const name of hidden) delete record[name];
            // Still a record of an exchange.
            return JSON.stringify({ ...record, server_name: record.server_name ?? 'e.co' });
          });
          const whole = lines.split('\n').map(line => {
            const record: Record<string, unknown> = JSON.parse(line);
            return JSON.stringify({ ...record, server_name: record.server_name ?? 'e.co' });
          });
          const truth = await impactOn(pair, whole.join('\n'), 'whole.jsonl');
          const found = await impactOn(pair, reduced.join('\n'), 'reduced.jsonl');
          for (const figure of ['changed', 'newlyDenied'] as const) {
            expect(found[figure].least).toBeLessThanOrEqual(truth[figure].least);
            expect(found[figure].most).toBeGreaterThanOrEqual(truth[figure].most);
          }
          for (const { key, count } of [...truth.transitions, ...found.transitions].map(keyed)) {
            const [real, bounds] = [countOf(truth.transitions, key), countOf(found.transitions, key)];
            expect([key, count, bounds.least <= real.least, bounds.most >= real.most]).toEqual([
              key,
              count,
              true,
              true,
            ]);
          }
        },
      ),
      { numRuns: runs(1, 40) },
    );
  });

  it('touches what changes if everything is guarded, and nothing if nothing is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.tuple(policies, policies), PLAIN_LINES, async (pair, lines) => {
        const all = await impactOn(pair, lines, 'guarded.jsonl', { guard: () => true });
        const none = await impactOn(pair, lines, 'guarded.jsonl', { guard: () => false });
        const open = await impactOn(pair, lines, 'guarded.jsonl', { guard: () => undefined });
        expect(all.touched?.count.least).toBe(all.changed.least);
        expect([none.touched, open.touched?.count]).toEqual([
          { count: NONE, first: [] },
          { least: 0, most: all.touched?.count.most },
        ]);
      }),
      { numRuns: runs(2, 40) },
    );
  });

  it('is nothing for a policy and itself, whatever is not recorded', async () => {
    await fc.assert(
      fc.asyncProperty(policies, LINES, async (document, lines) => {
        const found = await impactOn([document, document], lines, 'same.jsonl');
        expect([found.changed, found.newlyDenied, found.transitions, found.was]).toEqual([
          NONE,
          NONE,
          [],
          found.becomes,
        ]);
      }),
      { numRuns: runs(1, 40) },
    );
  });
});
