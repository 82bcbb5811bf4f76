import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROFILES, type Profile } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, createPhaseEnvironments } from '@tollgate/policy';
import { createSimulation, replay, verdictOf } from '@tollgate/simulator';
import { readTraffic } from '@tollgate/traffic';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { runs } from '../support/runs.ts';
import { meaningfulPolicies } from './generated-rules.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-rows-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Longer than what is walked over: each line is parsed. */
const PARSED = { limits: { maxLineLength: 5_000_000 } };

const HEADERS = fc.dictionary(
  fc.constantFrom('Host', 'X-A', 'x-a', 'X-B', 'Cookie', 'Content-Length', 'Content-Type', 'Authorization'),
  fc.constantFrom('1', '2', 'e.co', 'id=1', '9', 'text/event-stream', 'Basic YWRhOmNvcnJlY3QtaG9yc2U=', 'é'),
  { maxKeys: 4 },
);
const ADDRESS = fc.oneof(fc.constantFrom('10.1.2.3', '::1', '192.0.2.1:80', 'x', 7, null), fc.ipV4());
const URL_TEXT = fc.oneof(
  fc.constantFrom('https://e.co/a?q=1', 'http://e.co', 'https://E.co/b?q', '/a', 'https://e.co/é', 'no'),
  fc.nat(99).map(number => `https://e.co/a/${number}`),
);
const RECORD = fc.record(
  {
    time: fc.oneof(
      fc.nat(99_999).map(ms => new Date(ms).toISOString()),
      fc.constantFrom(1e9, '', null),
    ),
    client_ip: ADDRESS,
    client_port: fc.constantFrom(1024, '51312', null),
    method: fc.constantFrom('GET', 'POST', '', 5),
    url: URL_TEXT,
    host: fc.constantFrom('e.co', 'f.co'),
    path: fc.constantFrom('/a', '/b'),
    query: fc.constantFrom('', 'q=1'),
    protocol: fc.constantFrom('HTTP/1.1', 'h2', 'x'),
    status: fc.constantFrom(200, '404', 503, 0, 1e3, null),
    tls_version: fc.constantFrom('TLS 1.2', '1.3', 'none', null),
    server_name: fc.constantFrom('e.co', ''),
    country: fc.constantFrom('DE', 'FR', 'Atlantis', ''),
    city: fc.constantFrom('Berlin', 1),
    user_agent: fc.constantFrom('', 'curl', null),
    request_headers: fc.oneof({ weight: 4, arbitrary: HEADERS }, fc.constantFrom(null, {}, [], { 'X-A': ['1'] }, 'x')),
    response_headers: HEADERS,
    other: fc.constantFrom(1, 'a', [1], { a: { b: 1 } }),
  },
  { requiredKeys: [] },
);

/** As different programs write JSON, and what is none. */
const STYLES: readonly ((record: object) => string)[] = [
  JSON.stringify,
  JSON.stringify,
  record => JSON.stringify(record).replaceAll('":', '": ').replaceAll(',"', ', "'),
  record => JSON.stringify(record).replaceAll('/', '\\/'),
  record => `${JSON.stringify(record)}\r`,
  record => JSON.stringify(Object.fromEntries(Object.entries(record).toReversed())),
  record => JSON.stringify(record).replace('{', '{"method":"PUT",'),
  record => JSON.stringify(record).replace('"X-A":', '"x-a":"2","X-A":'),
  record => JSON.stringify(record).slice(1),
];

const LINE = fc.tuple(RECORD, fc.constantFrom(...STYLES)).map(([record, write]) => write(record));
const LINES = fc
  .tuple(fc.array(LINE, { minLength: 1, maxLength: 12 }), fc.constantFrom(1, 2, 20, 600))
  .map(([lines, times]) =>
    Array.from({ length: times }, () => lines)
      .flat()
      .join('\n'),
  );

const OTHERWISE = { evaluationError: 'fail-request', responsePhaseAfterAnswer: 'run' } as const;

const PLACES = PROFILES.flatMap(profile =>
  [profile, { ...profile, switches: { ...profile.switches, ...OTHERWISE } }].map((variant: Profile, index) => {
    const endpoint = profile.endpoints[0]!;
    return [`${profile.name}${index === 0 ? '' : ', other switches'}`, { profile: variant, endpoint }] as const;
  }),
);

describe.each(PLACES)('rows of JSON lines under policies of %s', (_, { profile, endpoint }) => {
  const environments = createPhaseEnvironments(profile, endpoint);
  const analyzed = (document: unknown) => {
    const source = new SourceText('policy.json', JSON.stringify(document));
    return analyzePolicy(source, { profile, endpoint, environments }).policy!;
  };
  const file = join(folder, 'traffic.jsonl');

  it('have the verdicts that the exchanges have', async () => {
    await fc.assert(
      fc.asyncProperty(meaningfulPolicies(profile, endpoint), LINES, async (document, lines) => {
        writeFileSync(file, Buffer.from(lines));
        const simulation = createSimulation(analyzed(document), { profile, environments });
        const [judging, deciding] = [simulation.begin(), simulation.begin()];
        for await (const { rows } of readTraffic(file, { format: 'json-lines' })) {
          for (let index = 0; index < rows!.count; index++) {
            const { number: _, ...judged } = judging.judgeRow(rows!, index);
            // Deciding takes long, and repeated lines need not be decided each time.
            if (index < 40 || index % 97 === 0)
              expect(judged).toEqual(verdictOf(deciding.decide(rows!.exchangeAt(index))));
          }
        }
      }),
      { numRuns: runs(1, 12) },
    );
  });

  it('have the figures that parsed lines have', async () => {
    await fc.assert(
      fc.asyncProperty(meaningfulPolicies(profile, endpoint), LINES, LINES, async (document, one, other) => {
        const files = [file, join(folder, 'more.jsonl')];
        writeFileSync(files[0]!, one);
        writeFileSync(files[1]!, other);
        const options = { profile, environments, files, breakdown: { top: 3 } };
        const policy = analyzed(document);
        const traffic = { format: 'json-lines' } as const;
        const expected = await replay(policy, { ...options, traffic: { ...traffic, ...PARSED } });
        expect(await replay(policy, { ...options, traffic })).toEqual(expected);
      }),
      { numRuns: runs(1, 12) },
    );
  });
});
