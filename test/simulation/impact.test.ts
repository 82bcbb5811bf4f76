import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROFILES } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, createPhaseEnvironments } from '@tollgate/policy';
import {
  changeOf,
  comparerOf,
  createSimulation,
  type Decision,
  DecisionTexts,
  type ImpactOptions,
  type Interval,
  impact,
  type Outcome,
  replay,
  type Transition,
} from '@tollgate/simulator';
import { comparePolicies } from '@tollgate/solver';
import type { Exchange, HeaderFacts } from '@tollgate/traffic';
import { exchangeRecord } from '@tollgate/traffic';
import { FILE_READER, readTraffic } from '@tollgate/traffic-node';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { CONTEXT, EDITED_RULES, editedRules, policyOf, RICH } from '../solver/random-policies.ts';
import { effectOf } from '../support/decision-effect.ts';
import { runs } from '../support/runs.ts';
import { LINES, PLAIN_LINES } from './generated-lines.ts';
import { meaningfulPolicies } from './generated-rules.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-impact-'));
afterAll(() => rmSync(folder, { recursive: true }));
const TRAFFIC = { format: 'json-lines' } as const;

const NONE = { least: 0, most: 0 };

/** Fields whose absence means that they are unknown, and nothing else. */
const HIDDEN = ['client_ip', 'country', 'method', 'protocol', 'status'] as const;

/** Returns an exchange of which everything is known. */
function completed(exchange: Exchange): Exchange {
  const url = exchange.url ?? 'https://e.co/a';
  const known = (facts: HeaderFacts | undefined) => ({
    ...{ fields: facts?.fields ?? [], absent: [], withheld: [], complete: true },
  });
  return {
    ...{ place: exchange.place, time: exchange.time ?? 0, clientIp: exchange.clientIp ?? '10.1.2.3' },
    ...{ tls: exchange.tls, method: exchange.method ?? 'GET', url, target: URL.parse(url)?.pathname ?? '/' },
    protocol: exchange.protocol ?? 'HTTP/1.1',
    requestHeaders: known(exchange.requestHeaders),
    response: { status: exchange.response?.status ?? 200, bodySize: 0, headers: known(exchange.response?.headers) },
  };
}

function firstPhase(document: unknown): object {
  const [first] = Object.entries(document as object);
  return first === undefined ? {} : Object.fromEntries([first]);
}

const textOf = ({ kind, status, action }: Outcome) => `${kind} ${status} ${action}`;

const keyed = ({ was, becomes, count }: Transition) => ({ key: `${textOf(was)} → ${textOf(becomes)}`, count });

/** Returns how often outcomes become others, whatever else differs. */
function countOf(transitions: readonly Transition[], key: string): Interval {
  const counts = transitions.map(keyed).flatMap(one => (one.key === key ? one.count : []));
  return {
    least: counts.reduce((all, { least }) => all + least, 0),
    most: counts.reduce((all, { most }) => all + most, 0),
  };
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
    return impact(compared(pair[0]), compared(pair[1]), {
      files: [file],
      reader: FILE_READER,
      traffic: TRAFFIC,
      top: 3,
      ...more,
    });
  };

  it('equals the difference of decisions', async () => {
    let told = 0;
    await fc.assert(
      fc.asyncProperty(fc.tuple(policies, policies), PLAIN_LINES, async ([old, changed], lines) => {
        // Half of the pairs are a policy and one with a rule more, so that many decisions are the same.
        const pair = [old, lines.length % 2 === 0 ? changed : { ...(old as object), ...firstPhase(changed) }] as const;
        const found = await impactOn(pair, lines, 'lines.jsonl');
        const [was, becomes] = pair.map(one => compared(one));
        const comparer = comparerOf(was!, becomes!);
        const runsOf = [was!, becomes!].map(({ policy }) => createSimulation(policy, options).begin());
        const whole = [was!, becomes!].map(({ policy }) => createSimulation(policy, options).begin());
        const texts = [was!, becomes!].map(({ policy }) => new DecisionTexts({ policy, profile }));
        const areWrittenAlike = (one: Exchange, decisions: readonly Decision[]) => {
          const [before, after] = decisions.map((decision, at) => [...texts[at]!.partsOf(decision, one)].sort());
          return JSON.stringify(before) === JSON.stringify(after);
        };
        const expected = { least: 0, most: 0 };
        for await (const { exchanges } of readTraffic(join(folder, 'lines.jsonl'), TRAFFIC)) {
          for (const exchange of exchanges) {
            const judged = runsOf.map(run => run.judged(exchange));
            const { isCertain, parts } = changeOf(comparer, judged[0]!, judged[1]!);
            // What a snapshot holds of a decision that certainly differs is another text.
            if (isCertain)
              expect(
                areWrittenAlike(
                  exchange,
                  judged.map(one => one.decision()),
                ),
              ).toBe(false);
            if (isCertain) expected.least++;
            if (parts.length > 0) expected.most++;
            const complete = completed(exchange);
            const [before, after] = whole.map(run => effectOf(run.decide(complete)));
            const decided = whole.map(run => run.judged(complete));
            const change = changeOf(comparer, decided[0]!, decided[1]!);
            if (before === undefined || after === undefined) continue;
            told++;
            const isSame = before === after;
            expect(
              areWrittenAlike(
                complete,
                decided.map(one => one.decision()),
              ),
            ).toBe(isSame);
            expect({
              pair,
              complete,
              before,
              after,
              found: [change.isCertain, change.parts.length === 0],
            }).toMatchObject({
              found: [!isSame, isSame],
            });
          }
        }
        expect(found.changed).toEqual(expected);
        for (const { rules, count } of found.transitions)
          expect(rules.reduce((sum, one) => sum + one.count, 0)).toBe(count.least);
      }),
      { numRuns: runs(2, 80) },
    );
    expect(told).toBeGreaterThan(0);
  });

  it('has the outcomes of two replays', async () => {
    await fc.assert(
      fc.asyncProperty(fc.tuple(policies, policies), PLAIN_LINES, async (pair, lines) => {
        const found = await impactOn(pair, lines, 'both.jsonl');
        const reading = { ...options, files: [join(folder, 'both.jsonl')], reader: FILE_READER, traffic: TRAFFIC };
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

const DIALECTS: readonly (readonly [name: string, dialect: typeof RICH | undefined, editing: typeof EDITED_RULES])[] = [
  ['edge-v2', undefined, EDITED_RULES],
  ['modern', RICH, editedRules(RICH)],
];

it.each(DIALECTS)(
  'tells apart what a search tells apart by the request that it finds: %s',
  async (_, dialect, editing) => {
    let told = 0;
    await fc.assert(
      fc.asyncProperty(editing, async ([rules, edited]) => {
        const [before, after] = [rules, edited].map(one => policyOf(one, dialect));
        const context = dialect?.context ?? CONTEXT;
        const { differences } = comparePolicies(before!, after!, context);
        const [was, becomes] = [before!, after!].map(policy => ({ policy, options: context }));
        const comparer = comparerOf(was!, becomes!);
        for (const { exchange } of differences) {
          const [one, other] = [before!, after!].map(policy =>
            createSimulation(policy, context).begin().judged(exchange),
          );
          expect([rules, edited, changeOf(comparer, one!, other!).isCertain]).toEqual([rules, edited, true]);
        }
        // Records cannot say that a client has no location.
        const readsLocation = /conn[.]geo/i.test(JSON.stringify([rules, edited]));
        const recorded = readsLocation ? [] : differences;
        if (recorded.length === 0) return;
        const file = join(folder, 'witnesses.jsonl');
        writeFileSync(file, recorded.map(({ exchange }) => JSON.stringify(exchangeRecord(exchange))).join('\n'));
        const traffic = { format: 'json-lines', mapping: { completeHeaders: true } } as const;
        const { exchanges, changed } = await impact(was!, becomes!, {
          files: [file],
          reader: FILE_READER,
          traffic,
          top: 3,
        });
        const { length } = recorded;
        expect({ rules, edited, exchanges, changed }).toMatchObject({
          exchanges: length,
          changed: { least: length, most: length },
        });
        told += length;
      }),
      { numRuns: runs(8, 1500) },
    );
    expect(told).toBeGreaterThan(0);
  },
);
