import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROFILES, type Profile } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, createPhaseEnvironments } from '@tollgate/policy';
import { createSimulation, type Decision, type ReplaySummary, replay } from '@tollgate/simulator';
import { type Exchange, normalizeAddress, type ReadTrafficOptions } from '@tollgate/traffic';
import { FILE_READER } from '@tollgate/traffic-node';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { Json } from '../schemas/generated-policy.ts';
import { runs } from '../support/runs.ts';
import { csvText, fullRecord, harText, writeParquet } from '../support/table-writers.ts';
import { TRAFFIC_WRITERS, type TrafficRecord } from '../support/traffic-writers.ts';
import { meaningfulPolicies } from './generated-rules.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-formats-'));
afterAll(() => rmSync(folder, { recursive: true }));

const RECORDS: fc.Arbitrary<readonly TrafficRecord[]> = fc.array(
  fc
    .record({
      time: fc.integer({ min: 1_700_000_000, max: 1_700_000_200 }).map(seconds => seconds * 1000),
      clientIp: fc.constantFrom('10.1.2.3', '192.0.2.1', '2001:db8::1', '::ffff:10.1.2.3', '2001:DB8:0:0:0:0:0:1'),
      clientPort: fc.constantFrom(1024, 51_312),
      method: fc.constantFrom('GET', 'POST'),
      scheme: fc.constantFrom('http', 'https'),
      host: fc.constantFrom('e.co', 'f.co'),
      target: fc.constantFrom('/', '/a', '/a?q=1', '/b?q=%22', '/%C3%BC'),
      protocol: fc.constantFrom('HTTP/1.1', 'HTTP/2.0'),
      userAgent: fc.constantFrom(undefined, 'a "b" ü', 'curl/8'),
      referer: fc.constantFrom(undefined, 'https://e.co/a'),
      version: fc.constantFrom('TLSv1.2', 'TLSv1.3'),
      status: fc.constantFrom(200, 404, 503),
      size: fc.nat(2000),
      country: fc.constantFrom('DE', 'FR'),
    })
    .map(({ version, ...record }) => {
      const suite = version === 'TLSv1.3' ? 'TLS_AES_128_GCM_SHA256' : 'ECDHE-RSA-AES128-GCM-SHA256';
      return { ...record, tls: { version, suite, serverName: record.host } };
    }),
  { minLength: 1, maxLength: 6 },
);

/** All that there is to know of a record. */
function wholeExchange(record: TrafficRecord, index: number): Exchange {
  const secured = record.scheme === 'https';
  const { userAgent, referer } = record;
  return {
    place: { file: 'a', number: index + 1, unit: 'entry' },
    time: record.time,
    clientIp: normalizeAddress(record.clientIp),
    geo: { countryCode: record.country },
    connection: { clientPort: record.clientPort },
    tls: secured
      ? { version: record.tls.version.replace('v', ' '), cipherSuite: record.tls.suite, serverName: record.host }
      : { version: '', cipherSuite: '', serverName: '' },
    method: record.method,
    target: record.target,
    url: `${record.scheme}://${record.host}${record.target}`,
    protocol: record.protocol,
    requestHeaders: {
      fields: [
        { name: 'Host', value: record.host },
        ...(userAgent === undefined ? [] : [{ name: 'User-Agent', value: userAgent }]),
        ...(referer === undefined ? [] : [{ name: 'Referer', value: referer }]),
      ],
      ...{ absent: [], complete: true, withheld: [] },
    },
    response: {
      status: record.status,
      headers: { fields: [], absent: [], complete: true, withheld: [] },
      bodySize: record.size,
    },
  };
}

/** How often an outcome, or an action of a rule, came about: at least and at most. */
type Bounds = ReadonlyMap<string, readonly [least: number, most: number]>;

function boundsOf({ outcomes, rules }: ReplaySummary): Bounds {
  return new Map([
    ...outcomes.map(({ outcome, count }) => [keyOf(outcome), [count.least, count.most]] as const),
    ...rules.flatMap(({ phase, index, matched, undetermined }) => [
      [`${phase} ${index}`, [matched, matched + undetermined]] as const,
    ]),
  ]);
}

function keyOf({ kind, status, action }: Decision['outcomes'][number]): string {
  return `${kind} ${status} ${action}`;
}

/** The bounds of decisions, counted anew. */
function boundsOfDecisions(decisions: readonly Decision[], labels: readonly string[]): Bounds {
  const bounds = new Map<string, [number, number]>(labels.map(label => [label, [0, 0]]));
  const add = (key: string, isCertain: boolean) => {
    const [least, most] = bounds.get(key) ?? [0, 0];
    bounds.set(key, [least + Number(isCertain), most + 1]);
  };
  for (const { outcomes, rules } of decisions) {
    for (const outcome of outcomes) add(keyOf(outcome), outcomes.length === 1);
    rules.forEach(({ status }, index) => {
      if (status === 'matched' || status === 'undetermined') add(labels[index]!, status === 'matched');
    });
  }
  return bounds;
}

/** Bounds that leave out what the others say is possible. */
function contradictions(whole: Bounds, partial: Bounds): readonly string[] {
  return [...new Set([...whole.keys(), ...partial.keys()])].filter(key => {
    const [least, most] = whole.get(key) ?? [0, 0];
    const [fewest, greatest] = partial.get(key) ?? [0, 0];
    return fewest > least || greatest < most;
  });
}

interface Format {
  readonly name: string;
  readonly options: ReadTrafficOptions;
  readonly write: (records: readonly TrafficRecord[], file: string) => void | Promise<void>;
}

const COMPLETE: ReadTrafficOptions = { mapping: { completeHeaders: true } };

function jsonLines(records: readonly object[]): string {
  return records.map(record => `${JSON.stringify(record)}\n`).join('');
}

/** Formats that hold all there is to know. */
const RICH: readonly Format[] = [
  {
    name: 'json-lines with all headers',
    options: COMPLETE,
    write: (records, file) => writeFileSync(file, jsonLines(records.map(fullRecord))),
  },
  { name: 'csv', options: COMPLETE, write: (records, file) => writeFileSync(file, csvText(records)) },
  {
    name: 'parquet',
    options: COMPLETE,
    async write(records, file) {
      writeFileSync(`${file}.jsonl`, jsonLines(records.map(fullRecord)));
      await writeParquet(`${file}.jsonl`, file);
    },
  },
];

const POOR: readonly Format[] = [
  { name: 'har', options: {}, write: (records, file) => writeFileSync(file, harText(records)) },
  ...TRAFFIC_WRITERS.map(
    ({ name, options, head, line }): Format => ({
      name,
      options,
      write: (records, file) => writeFileSync(file, `${head}${records.map(record => `${line(record)}\n`).join('')}`),
    }),
  ),
];

/** A policy, and what it does to records without unknown fields. */
function prepared(document: Json, records: readonly TrafficRecord[], { profile, endpoint, environments }: Place) {
  const source = new SourceText('policy.json', JSON.stringify(document));
  const { policy, diagnostics } = analyzePolicy(source, { profile, endpoint, environments });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const run = createSimulation(policy!, { profile, environments }).begin();
  const labels = profile.phases.flatMap(phase => policy!.rules[phase].map(rule => `${phase} ${rule.index}`));
  const whole = boundsOfDecisions(
    records.map((record, index) => run.decide(wholeExchange(record, index))),
    labels,
  );
  return {
    whole,
    replayed: async (file: string, traffic: ReadTrafficOptions) => {
      const summary = await replay(policy!, { profile, environments, files: [file], reader: FILE_READER, traffic });
      expect([summary.exchanges, summary.skipped, summary.files.map(one => one.failure)]).toEqual([
        records.length,
        [],
        [undefined],
      ]);
      return boundsOf(summary);
    },
  };
}

interface Place {
  readonly profile: Profile;
  readonly endpoint: Profile['endpoints'][number];
  readonly environments: ReturnType<typeof createPhaseEnvironments>;
}

const PLACES = PROFILES.map(profile => {
  const endpoint = profile.endpoints.find(one => one === 'https-route' || one === 'http-endpoint')!;
  return [profile.name, { profile, endpoint, environments: createPhaseEnvironments(profile, endpoint) }] as const;
});

describe.each(PLACES)('one set of exchanges, replayed on policies of %s', (name, place) => {
  const policies = meaningfulPolicies(place.profile, place.endpoint);
  const file = join(folder, name);

  it('comes to the same from every format that holds all of it', async () => {
    await fc.assert(
      fc.asyncProperty(policies, RECORDS, async (document, records) => {
        const { whole, replayed } = prepared(document, records, place);
        for (const format of RICH) {
          await format.write(records, file);
          const found = await replayed(file, format.options);
          expect([format.name, Object.fromEntries(found)]).toEqual([format.name, Object.fromEntries(whole)]);
        }
      }),
      { numRuns: runs(1, 8) },
    );
  });

  it('is never contradicted by a format that holds less', async () => {
    await fc.assert(
      fc.asyncProperty(policies, RECORDS, async (document, records) => {
        const { whole, replayed } = prepared(document, records, place);
        for (const format of POOR) {
          await format.write(records, file);
          const found = await replayed(file, format.options);
          expect([format.name, contradictions(whole, found)]).toEqual([format.name, []]);
        }
      }),
      { numRuns: runs(1, 12) },
    );
  });

  it('stays within the bounds of the same records with fields left out', async () => {
    const left = fc.array(fc.constantFrom(...FIELDS), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(policies, RECORDS, fc.infiniteStream(left), async (document, records, losses) => {
        const { whole, replayed } = prepared(document, records, place);
        const partial = records.map(record => without(fullRecord(record), losses.next().value));
        writeFileSync(file, jsonLines(partial));
        expect(contradictions(whole, await replayed(file, {}))).toEqual([]);
      }),
      { numRuns: runs(2, 40) },
    );
  });
});

const FIELDS = [
  ...['time', 'client_ip', 'client_port', 'method', 'scheme', 'host', 'target', 'protocol', 'tls_version', 'country'],
  ...['server_name', 'request_headers', 'response_headers', 'status', 'response_size'],
];

function without(record: Readonly<Record<string, unknown>>, fields: readonly string[]) {
  // One is kept: a line that says nothing is no record.
  const kept = Object.entries(record).filter(([name]) => name === 'protocol' || !fields.includes(name));
  return Object.fromEntries(kept);
}
