import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { ExternalError } from '@tollgate/diagnostics';
import { type Exchange, normalizeAddress, type ReadTrafficOptions } from '@tollgate/traffic';
import { readTraffic } from '@tollgate/traffic-node';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { runs } from '../support/runs.ts';
import { TRAFFIC_WRITERS, type TrafficRecord, type TrafficWriter } from '../support/traffic-writers.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-readers-'));
afterAll(() => rmSync(folder, { recursive: true }));

const text = fc.string({ unit: 'grapheme', maxLength: 12 }).map(value => `a${value.replaceAll(/[\s+]/g, ' ')}z`);
const path = fc.webPath().map(value => `/${value.slice(1)}`);
const query = fc.option(fc.webQueryParameters(), { nil: undefined });

const records: fc.Arbitrary<TrafficRecord> = fc.record({
  time: fc.integer({ min: 1_000_000_000, max: 2_000_000_000 }).map(seconds => seconds * 1000),
  clientIp: fc.oneof(
    fc.ipV4(),
    fc.ipV4().map(address => `::ffff:${address}`),
    fc.constant('2001:db8::1'),
  ),
  clientPort: fc.integer({ min: 1, max: 65_535 }),
  method: fc.constantFrom('GET', 'POST', 'PROPFIND'),
  scheme: fc.constantFrom('http', 'https'),
  host: fc.constantFrom('e.co', 'shop.example:8443'),
  target: fc.tuple(path, query).map(([one, other]) => (other ? `${one}?${other}` : one)),
  protocol: fc.constantFrom('HTTP/1.1', 'HTTP/2.0'),
  userAgent: fc.option(text, { nil: undefined }),
  referer: fc.option(fc.webUrl(), { nil: undefined }),
  tls: fc.constantFrom(
    { version: 'TLSv1.3', suite: 'TLS_AES_128_GCM_SHA256', serverName: 'e.co' },
    { version: 'TLSv1.2', suite: 'ECDHE-RSA-AES128-GCM-SHA256', serverName: 'shop.example' },
  ),
  status: fc.integer({ min: 100, max: 599 }),
  size: fc.nat(),
  country: fc.constantFrom('DE', 'JP'),
});

interface Read {
  /** By their lines. */
  readonly exchanges: ReadonlyMap<number, unknown>;
  readonly skipped: ReadonlyMap<number, string>;
  readonly failure: unknown;
}

async function read(content: Uint8Array, options: ReadTrafficOptions, chunk = content.length): Promise<Read> {
  const exchanges = new Map<number, unknown>();
  const skipped = new Map<number, string>();
  async function* source() {
    for (let at = 0; at < content.length; at += chunk) yield content.subarray(at, at + chunk);
  }
  let failure: unknown;
  try {
    for await (const batch of readTraffic('a.log', { ...options, content: source() })) {
      for (const exchange of batch.exchanges) exchanges.set(exchange.place.number, plain(exchange));
      for (const { place, reason } of batch.skipped) skipped.set(place.number, reason);
    }
  } catch (error) {
    failure = error;
  }
  return { exchanges, skipped, failure };
}

/** All that an exchange says, in plain data. */
function plain({ place, time, clientIp, geo, connection, tls, ...rest }: Exchange) {
  const { method, target, url, protocol, requestHeaders, response } = rest;
  const { status, headers, bodySize } = response ?? {};
  const answer = response && { status, headers, bodySize };
  return {
    place,
    time,
    clientIp,
    geo,
    connection,
    tls,
    method,
    target,
    url,
    protocol,
    requestHeaders,
    response: answer,
  };
}

/** A line that was damaged, on which no other lines depend. */
function damaged(line: string): fc.Arbitrary<Buffer> {
  const bytes = Buffer.from(line);
  const change = fc.tuple(
    fc.nat(bytes.length - 1),
    fc.nat(255).filter(byte => byte !== 10 && byte !== 35),
  );
  return fc
    .tuple(fc.array(change, { minLength: 1, maxLength: 5 }), fc.integer({ min: 1, max: bytes.length }))
    .map(([changes, length]) => {
      const copy = Buffer.from(bytes);
      for (const [at, byte] of changes) copy[at] = byte;
      return copy.subarray(0, length);
    });
}

/** Bytes that come at a time: in the quick form, more than one. */
const SMALLEST = runs(7, 1);

/** Lines of one format, damaged ones among them. */
function logs({ line }: TrafficWriter) {
  const whole = records.map(record => ({ bytes: Buffer.from(line(record)), isGood: true, client: record }));
  const broken = records
    .chain(record => damaged(line(record)))
    .map(bytes => ({ bytes, isGood: false, client: undefined }));
  return fc.array(fc.oneof({ weight: 2, arbitrary: whole }, broken), { minLength: 1, maxLength: 8 });
}

describe.each(TRAFFIC_WRITERS.map(writer => [writer.name, writer] as const))('a log of %s', (_, writer) => {
  const first = fc.sample(records, { numRuns: 1, seed: 1 })[0]!;
  const begin = Buffer.from(`${writer.head}${writer.line(first)}\n`);
  const before = writer.head.split('\n').length;

  it('gives every line that is whole, whatever stands between, and the same however its bytes come', async () => {
    await fc.assert(
      fc.asyncProperty(logs(writer), fc.integer({ min: 1, max: 300 }), async (lines, chunk) => {
        const content = Buffer.concat([begin, ...lines.flatMap(({ bytes }) => [bytes, Buffer.from('\n')])]);
        const found = await read(content, writer.options);
        expect(found.failure).toBeUndefined();
        const good = lines.flatMap(({ isGood }, index) => (isGood ? [before + 1 + index] : []));
        for (const number of [before, ...good]) expect([...found.exchanges.keys()]).toContain(number);
        for (const at of [SMALLEST, chunk]) expect(await read(content, writer.options, at)).toEqual(found);
        const alone = Buffer.concat([
          begin,
          ...lines.flatMap(one => (one.isGood ? [one.bytes, Buffer.from('\n')] : [])),
        ]);
        const undisturbed = [...(await read(alone, writer.options)).exchanges.values()].map(withoutPlace);
        expect([before, ...good].map(number => withoutPlace(found.exchanges.get(number)))).toEqual(undisturbed);
        const clients = [first, ...lines.flatMap(one => one.client ?? [])].map(({ clientIp }) => clientIp);
        expect(undisturbed).toMatchObject(clients.map(address => ({ clientIp: normalizeAddress(address) })));
      }),
      { numRuns: runs(1, 20) },
    );
  });

  it('gives what comes before the end of a compressed file that breaks off', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(records, { minLength: 1, maxLength: 30 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (all, part) => {
          const content = Buffer.concat([begin, ...all.map(record => Buffer.from(`${writer.line(record)}\n`))]);
          const whole = await read(content, writer.options);
          for (const compress of [gzipSync, zstdCompressSync]) {
            const compressed = compress(content);
            expect(await read(compressed, writer.options)).toEqual(whole);
            const joined = Buffer.concat([compressed, compressed.subarray(0, 6 + part * (compressed.length - 7))]);
            const cut = await read(joined, writer.options);
            expect(cut.failure).toBeInstanceOf(ExternalError);
            for (const [number, exchange] of whole.exchanges) expect(cut.exchanges.get(number)).toEqual(exchange);
          }
        },
      ),
      { numRuns: runs(1, 10) },
    );
  });
});

function withoutPlace(exchange: unknown): unknown {
  return { ...(exchange as object), place: undefined };
}

it('fails with nothing but an I/O error, whatever a file holds', async () => {
  const samples = TRAFFIC_WRITERS.map(({ head, line }) => head + fc.sample(records, 1).map(line).join('\n'));
  const content = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map(bytes => Buffer.from(bytes)),
    fc.constantFrom(...samples, '{"log":{"entries":[{}]}}').chain(damaged),
  );
  const file = join(folder, 'any');
  await fc.assert(
    fc.asyncProperty(content, async bytes => {
      writeFileSync(file, bytes);
      try {
        for await (const batch of readTraffic(file)) batch.exchanges.map(plain);
      } catch (error) {
        expect(error).toBeInstanceOf(ExternalError);
      }
    }),
    { numRuns: runs(20, 300) },
  );
});
