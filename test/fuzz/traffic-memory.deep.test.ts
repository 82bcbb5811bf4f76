import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ExternalError } from '@tollgate/diagnostics';
import type { ReadTrafficOptions } from '@tollgate/traffic';
import { readTraffic } from '@tollgate/traffic-node';
import { describe, expect, it } from 'vitest';
import { readFields } from '../support/read-all.ts';
import { csvText, harText } from '../support/table-writers.ts';
import { TRAFFIC_WRITERS, type TrafficRecord } from '../support/traffic-writers.ts';

const RECORD: TrafficRecord = {
  ...{ time: 1_795_600_000_000, clientIp: '203.0.113.9', clientPort: 51_312, method: 'GET', scheme: 'https' },
  ...{ host: 'e.co', target: '/a?b=%22', protocol: 'HTTP/1.1', userAgent: 'curl/8 "x"', referer: 'https://e.co/' },
  ...{ status: 200, size: 5, country: 'DE' },
  ...{ tls: { version: 'TLSv1.3', suite: 'TLS_AES_128_GCM_SHA256', serverName: 'e.co' } },
};

const CHUNK_BYTES = 64 * 1024;
const LIMITS = { maxHarEntryBytes: 1024 * 1024, maxLineLength: 64 * 1024 };
/** Measurements while an input is read; each collects garbage. */
const MEASUREMENTS = 6;
/** How much is read. */
const INPUT_BYTES = 12 * 1024 * 1024;
/** The most of it that a reader may hold. A HAR entry takes about four times its limit. */
const MOST_HELD = 8 * 1024 * 1024;

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

function heldBytes(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** An endless input: how it begins, and what is repeated. */
interface Input {
  readonly head: string;
  readonly repeated: string;
  readonly options?: ReadTrafficOptions;
}

/** Reads an input; returns the most bytes held meanwhile, in addition to those before, and the number of exchanges. */
async function mostHeld({
  head,
  repeated,
  options = {},
}: Input): Promise<{ readonly most: number; readonly count: number }> {
  const chunk = Buffer.from(repeated.repeat(Math.ceil(CHUNK_BYTES / repeated.length)));
  let [most, count] = [0, 0];
  const before = heldBytes();
  const stride = Math.floor(INPUT_BYTES / chunk.length / MEASUREMENTS);
  async function* content() {
    yield Buffer.from(head);
    for (let sent = 0, chunks = 1; sent < INPUT_BYTES; sent += chunk.length, chunks++) {
      yield Buffer.from(chunk);
      if (chunks % stride === 0) most = Math.max(most, heldBytes() - before);
    }
  }
  try {
    for await (const { exchanges } of readTraffic('a.log', { limits: LIMITS, ...options, content: content() })) {
      exchanges.forEach(readFields);
      count += exchanges.length;
    }
  } catch (error) {
    expect(error).toBeInstanceOf(ExternalError);
  }
  return { most, count };
}

const HAR = harText([RECORD, RECORD]);
const ENTRY = HAR.slice(HAR.indexOf('{"startedDateTime"'), HAR.lastIndexOf(']'));
const [CSV_HEAD = ''] = csvText([RECORD]).split('\n');

describe('readers hold a bounded part of the input', () => {
  // The others read lines with the same code.
  it.each(['json-lines', 'access-log'])('%s', async name => {
    const { head, line, options } = TRAFFIC_WRITERS.find(writer => writer.name === name)!;
    const record = line(RECORD);
    const inputs: readonly Input[] = [
      { head, repeated: `${record}\n`, options },
      { head: `${head}${record}\n`, repeated: record, options },
    ];
    const [whole, endless] = [await mostHeld(inputs[0]!), await mostHeld(inputs[1]!)];
    expect(whole.count).toBeGreaterThan(10_000);
    expect(Math.max(whole.most, endless.most)).toBeLessThan(MOST_HELD);
  });

  it.each<[string, Input]>([
    ['entries', { head: HAR.slice(0, HAR.indexOf('{"startedDateTime"')), repeated: `${ENTRY},` }],
    ['a string without end', { head: `${HAR.slice(0, -20)},"a":"`, repeated: 'x' }],
    [
      'a header without end',
      { head: '{"log":{"entries":[{"request":{"headers":[{"name":"a","value":"', repeated: 'x' },
    ],
    ['lists in lists', { head: '{"log":{"entries":[{"request":{"url":', repeated: '[' }],
    ['objects in objects', { head: '{"log":{"entries":[', repeated: '{"request":' }],
  ])('HAR: %s', async (name, input) => {
    const { most, count } = await mostHeld(input);
    if (name === 'entries') expect(count).toBeGreaterThan(10_000);
    expect(most).toBeLessThan(MOST_HELD);
  });

  it('CSV: a row without end', async () => {
    expect((await mostHeld({ head: `${CSV_HEAD}\n`, repeated: 'x' })).most).toBeLessThan(MOST_HELD);
  });
});
