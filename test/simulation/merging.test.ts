import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { MODERN } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy } from '@tollgate/policy';
import { type ReplaySummary, replay } from '@tollgate/simulator';
import { FILE_READER } from '@tollgate/traffic-node';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { runs } from '../support/runs.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-merging-'));
afterAll(() => rmSync(folder, { recursive: true }));

const limit = (capacity: number, key: string) => ({
  type: 'rate-limit',
  config: { name: 'a', algorithm: 'sliding_window', capacity, rate: '60s', bucket_key: [key] },
});
const BREAKER = {
  type: 'circuit-breaker',
  config: { error_threshold: 0.5, volume_threshold: 3, window_duration: '10s', tripped_duration: '5s' },
};
const POLICIES = [
  [limit(1, 'conn.client_ip')],
  [limit(3, 'req.host')],
  [BREAKER],
  [limit(2, 'conn.client_ip'), BREAKER],
];

interface Request {
  /** Undefined where it is not recorded. */
  readonly time: number | undefined;
  readonly client_ip: string;
  readonly status: number;
}

/** Of different times, in order. */
const TRAFFIC: fc.Arbitrary<readonly Request[]> = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 20_000 }), fc.nat(2), fc.boolean()), { minLength: 4, maxLength: 40 })
  .map(steps => {
    let time = 1_700_000_000_000;
    return steps.map(([step, client, fails]) => {
      time += step;
      return { time, client_ip: `192.0.2.${client}`, status: fails ? 502 : 200 };
    });
  });

function written(name: string, requests: readonly Request[]): string {
  const file = join(folder, name);
  const text = requests.map(one => `${JSON.stringify({ ...one, url: 'https://e.co/' })}\n`).join('');
  writeFileSync(file, name.endsWith('.gz') ? gzipSync(text) : text);
  return file;
}

async function replayed(actions: readonly object[], files: readonly string[]): Promise<ReplaySummary> {
  const source = new SourceText('p', JSON.stringify({ on_http_request: [{ actions }] }));
  const { policy, environments } = analyzePolicy(source, { profile: MODERN, endpoint: 'https-route' });
  return replay(policy!, { profile: MODERN, environments, files, reader: FILE_READER });
}

/** What does not depend on how the traffic is spread over files. */
function figures({ exchanges, rules, outcomes, undetermined, late }: ReplaySummary) {
  const told = rules.map(({ matched, actions }) => ({ matched, actions }));
  return { exchanges, rules: told, outcomes, undetermined: undetermined.exchanges, late };
}

describe('files that are merged by time', () => {
  it('come to the same however the traffic is spread over them', async () => {
    const spread = fc.infiniteStream(fc.nat(3));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...POLICIES), TRAFFIC, spread, async (actions, traffic, stream) => {
        const whole = await replayed(actions, [written('whole.jsonl', traffic)]);
        const parts = [0, 1, 2, 3].map((): Request[] => []);
        for (const request of traffic) parts[stream.next().value]!.push(request);
        const names = ['d.jsonl', 'a.jsonl.gz', 'c.jsonl', 'b.jsonl'];
        const files = parts
          .map((part, index) => written(names[index]!, part))
          .filter((_, index) => parts[index]!.length > 0);
        expect(figures(await replayed(actions, files))).toEqual(figures(whole));
        expect(figures(whole).undetermined).toBe(0);
      }),
      { numRuns: runs(2, 25) },
    );
  });

  it('may have lines in the order in which requests ended', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...POLICIES), TRAFFIC, fc.nat(), async (actions, traffic, seed) => {
        const shuffled = traffic.toSorted((a, b) => ((a.time! * 7919 + seed) % 997) - ((b.time! * 7919 + seed) % 997));
        const found = await replayed(actions, [written('shuffled.jsonl', shuffled)]);
        expect(figures(found)).toEqual(figures(await replayed(actions, [written('sorted.jsonl', traffic)])));
      }),
      { numRuns: runs(1, 15) },
    );
  });

  it('give bounds that hold where their order is not known', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...POLICIES), TRAFFIC, fc.nat(38), async (actions, traffic, at) => {
        const whole = figures(await replayed(actions, [written('known.jsonl', traffic)]));
        const untimed = traffic.map((one, index) =>
          index === at % traffic.length ? { ...one, time: undefined } : one,
        );
        const halves = [untimed.filter((_, index) => index % 2 === 0), untimed.filter((_, index) => index % 2 === 1)];
        const files = halves.map((half, index) => written(`half-${index}.jsonl`, half));
        const found = await replayed(actions, files);
        for (const { outcome, count } of whole.outcomes) {
          const bounds = found.outcomes.find(one => JSON.stringify(one.outcome) === JSON.stringify(outcome))!.count;
          expect([bounds.least <= count.least, bounds.most >= count.most]).toEqual([true, true]);
        }
        expect(found.undetermined.exchanges).toBe(traffic.length);
        const file = files[(at % traffic.length) % 2];
        expect(found.undetermined.needs.map(({ text }) => text)).toEqual([
          `the order of the exchanges (\`${file}\` has exchanges without a time)`,
        ]);
      }),
      { numRuns: runs(1, 15) },
    );
  });

  it('are not in order where one is not sorted beyond a window', async () => {
    const many = Array.from(
      { length: 2500 },
      (_, index): Request => ({ time: 1_700_000_000_000 + index * 1000, client_ip: '192.0.2.1', status: 200 }),
    );
    const file = written('unsorted.jsonl', [...many, { ...many[0]!, time: 1_600_000_000_000 }]);
    const found = await replayed([limit(1, 'conn.client_ip')], [file]);
    expect(found.undetermined).toMatchObject({
      exchanges: 2501,
      needs: [{ text: `the order of the exchanges (\`${file}\` is not sorted by time)`, count: 2501 }],
    });
    const sorted = await replayed([limit(1, 'conn.client_ip')], [written('sorted-many.jsonl', many)]);
    expect([sorted.undetermined.exchanges, sorted.outcomes.map(({ count }) => count)]).toEqual([
      0,
      [
        { least: 42, most: 42 },
        { least: 2458, most: 2458 },
      ],
    ]);
  });

  it('may be many where they come one after the other', async () => {
    // In a format whose reader takes little memory.
    const logged = (name: string, seconds: readonly string[]) => {
      const file = join(folder, name);
      const lines = seconds.map(time => `192.0.2.1 - - [14/Nov/2023:${time} +0000] "GET / HTTP/1.1" 200 5\n`);
      writeFileSync(file, lines.join(''));
      return file;
    };
    const files = Array.from({ length: 80 }, (_, index) =>
      logged(`rotated-${index}.log`, [
        `${22 - Math.floor(index / 60)}:${String(59 - (index % 60)).padStart(2, '0')}:00`,
      ]),
    );
    expect((await replayed([limit(1, 'conn.client_ip')], files)).outcomes).toMatchObject([
      { outcome: { kind: 'passed' }, count: { least: 80 } },
    ]);
    const same = Array.from({ length: 65 }, (_, index) => logged(`same-${index}.log`, ['22:13:20', '22:13:21']));
    const { undetermined } = await replayed([limit(1, 'conn.client_ip')], same);
    expect(undetermined.needs[0]?.text).toBe('the order of the exchanges (more than 64 files are of the same time)');
  });
});
