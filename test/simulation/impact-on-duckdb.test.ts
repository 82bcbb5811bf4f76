import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROFILES } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, createPhaseEnvironments } from '@tollgate/policy';
import { impactOnDuckdb } from '@tollgate/query';
import { type ComparedPolicy, type ImpactOptions, impact } from '@tollgate/simulator';
import { FILE_READER } from '@tollgate/traffic-node';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { runs } from '../support/runs.ts';
import { PLAIN_LINES, VARIED_LINES } from './generated-lines.ts';
import { meaningfulPolicies } from './generated-rules.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-impact-duckdb-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PLACES = PROFILES.map(profile => {
  const endpoint = profile.endpoints[0]!;
  const environments = createPhaseEnvironments(profile, endpoint);
  const compared = (document: unknown): ComparedPolicy => {
    const source = new SourceText('policy.json', JSON.stringify(document));
    const { policy } = analyzePolicy(source, { profile, endpoint, environments });
    return { policy: policy!, options: { profile, environments } };
  };
  return { profile, compared, policies: meaningfulPolicies(profile, endpoint) };
});

/** Two policies of one profile, or of two. */
const PAIRS = PLACES.flatMap(one =>
  [...new Set([one, PLACES[0]!])].map(other => [`${one.profile.name} and ${other.profile.name}`, one, other] as const),
);

function optionsFor(...contents: readonly string[]): ImpactOptions {
  const files = contents.map((_, at) => join(folder, `${at}.jsonl`));
  for (const [at, file] of files.entries()) writeFileSync(file, contents[at]!);
  return { files, reader: FILE_READER, traffic: { format: 'json-lines' }, top: 3 };
}

describe.each(PAIRS)('an impact on DuckDB of policies of %s', (_, one, other) => {
  it('has the figures of one in process, or says why not', async () => {
    await fc.assert(
      fc.asyncProperty(
        one.policies,
        other.policies,
        fc.oneof(PLAIN_LINES, VARIED_LINES),
        VARIED_LINES,
        fc.constantFrom(1, 4, undefined),
        async (old, changed, first, second, manyValues) => {
          const [was, becomes] = [one.compared(old), other.compared(changed)];
          const options = optionsFor(first, second);
          const found = await impactOnDuckdb(was, becomes, options, { threads: 2, manyValues });
          if (found.kind === 'replayed') expect(found.summary).toEqual(await impact(was, becomes, options));
          else expect(found).not.toMatchObject({ reason: expect.stringMatching(/Error/) });
        },
      ),
      { numRuns: runs(2, 40) },
    );
  });
});

const { compared } = PLACES[0]!;
const NOTHING = compared({ inbound: [] });
const DENY = compared({
  inbound: [{ expressions: ["req.Path.startsWith('/a')"], actions: [{ type: 'deny', config: { status_code: 403 } }] }],
});

describe('an impact on DuckDB', () => {
  it('shows the first exchanges of each change with their places', async () => {
    const lines = Array.from({ length: 40 }, (_, n) =>
      JSON.stringify({ client_ip: '::1', url: `https://e.co/${n % 2 ? 'a' : 'b'}/${n}` }),
    );
    const options = optionsFor(`\n${lines.join('\n')}`);
    const found = await impactOnDuckdb(NOTHING, DENY, options);
    expect(found).toEqual({ kind: 'replayed', summary: await impact(NOTHING, DENY, options) });
    const [file] = options.files;
    const first = [3, 5, 7, 9, 11].map(number => ({ file, number, unit: 'line' }));
    expect(found).toMatchObject({ summary: { transitions: [{ count: { least: 20, most: 20 }, first }] } });
  });

  it.each<[string, ComparedPolicy, Partial<ImpactOptions>, string]>([
    ['a guard', DENY, { guard: () => true }, '`--never-touch` reads every exchange that changes with its decisions'],
    ['locations of addresses', DENY, { geoip: {} as never }, '`--geoip` locates each client'],
    [
      'a policy that counts',
      compared({ inbound: [{ expressions: [], actions: [{ type: 'rate-limit', config: limit() }] }] }),
      {},
      '`rate-limit` keeps state across exchanges',
    ],
  ])('is refused for %s', async (_, becomes, others, reason) => {
    const options = { ...optionsFor('{"method":"GET"}'), ...others };
    expect(await impactOnDuckdb(NOTHING, becomes, options)).toEqual({ kind: 'unsuited', reason });
  });
});

function limit(): object {
  return { name: 'a', algorithm: 'sliding_window', capacity: 1, rate: '60s', bucket_key: ['conn.ClientIP'] };
}
