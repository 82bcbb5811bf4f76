import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import type { TrafficBatch } from '../../exchange/batch.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { KeptByTexts } from '../../exchange/kept-by-texts.ts';
import type { LogSource } from '../../input/read-log.ts';
import type { FieldMapping } from '../field-mapping.ts';
import { readJsonLines } from '../read-json-lines.ts';
import { canScan, scanJsonLines } from './scan-json-lines.ts';

type Read = (source: LogSource, mapping?: FieldMapping) => AsyncGenerator<TrafficBatch>;

const LONGEST = 300;

async function readAll(read: Read, bytes: Uint8Array, { sizes, mapping }: Reading) {
  const exchanges: unknown[] = [];
  const skipped: unknown[] = [];
  for await (const batch of read({ bytes: inChunks(bytes, sizes), file: 'a', maxLineLength: LONGEST }, mapping)) {
    exchanges.push(...batch.exchanges.map(plain));
    skipped.push(...batch.skipped);
  }
  return { exchanges, skipped };
}

interface Reading {
  readonly sizes: readonly number[];
  readonly mapping?: FieldMapping;
}

/** All that an exchange says, and its headers as they are looked up by name. */
function plain(exchange: Exchange) {
  const { place, time, clientIp, geo, connection, tls, method, target, url, protocol } = exchange;
  const { requestHeaders, response } = exchange;
  const headers = [requestHeaders, ...(response ? [response.headers] : [])].map(facts => ({
    fields: facts.fields,
    absent: facts.absent,
    complete: facts.complete,
    withheld: facts.withheld,
  }));
  const found = NAMES.map(name => lookedUp(requestHeaders, name));
  const said = { place, time, clientIp, geo, connection, tls, method, target, url, protocol };
  return { ...said, headers, found, status: response?.status, size: response?.bodySize };
}

const NAMES = ['host', 'x-a', 'user-agent', ''];

function lookedUp(facts: Exchange['requestHeaders'], name: string): readonly string[] | undefined {
  if (facts.valuesOf !== undefined) return facts.valuesOf(name);
  const values = facts.fields.filter(field => field.name.toLowerCase() === name).map(({ value }) => value);
  return values.length === 0 ? undefined : values;
}

const TEXT = fc.oneof(
  fc.constantFrom(
    'GET',
    'https://e.co/a?b#c',
    'HTTP/1.1',
    '192.0.2.1',
    '',
    'é',
    '"',
    '\\',
    '\n',
    'a b',
    '\u{1f600}',
    '\ud800',
  ),
  fc.string({ maxLength: 8 }),
);
const HEADERS = fc.oneof(
  fc.dictionary(fc.constantFrom('Host', 'host', 'X-A', 'x-a', 'User-Agent', '1', '__proto__', ''), TEXT, {
    maxKeys: 4,
  }),
  fc.constantFrom(null, {}, { 'X-A': ['b', 'c'] }, { 'X-A': null }, { 'X-A': 7 }, [{ name: 'X-A', value: 'b' }], 'x'),
);
const SCALAR = fc.oneof(
  TEXT,
  fc.constantFrom(0, -0, 200, 1.5, 1e21, 1e-7, -3, null, true, false),
  fc.constantFrom('2026-11-21T10:00:00Z', 'TLSv1.3', 'DE'),
);
const FIELDS = [
  'time',
  'client_ip',
  'method',
  'url',
  'host',
  'path',
  'protocol',
  'status',
  'tls_version',
  'country',
  'other',
];
const RECORD = fc
  .tuple(
    fc.dictionary(fc.constantFrom(...FIELDS, 'response_size', 'user_agent', '__proto__'), SCALAR, { maxKeys: 8 }),
    fc.record({ request_headers: HEADERS, response_headers: HEADERS, nested: HEADERS }, { requiredKeys: [] }),
  )
  .map(([flat, deep]) => ({ ...flat, ...deep }));

/** As different programs write JSON. */
const STYLES: readonly ((value: unknown) => string)[] = [
  JSON.stringify,
  value => JSON.stringify(value).replaceAll('":', '": ').replaceAll(',"', ', "'),
  value => JSON.stringify(value).replaceAll('/', '\\/'),
  value => ` ${JSON.stringify(value)} `,
  value => `${JSON.stringify(value)}\r`,
  value => JSON.stringify(value).replace('{', '{ '),
  value => JSON.stringify(value).replace('{', '{"method":"PUT",'),
  value => JSON.stringify(value).replace(/"X-A":/i, '"X-A":"z","X-A":'),
  value => JSON.stringify(value).replace(/:(\d)/, ':0$1'),
  value => JSON.stringify(value, null, 1).replaceAll('\n', '\t'),
];

const LINE = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(RECORD, fc.constantFrom(...STYLES)).map(([record, write]) => write(record)) },
  fc.constantFrom(
    '',
    '{}',
    '{',
    '{"a":1}x',
    '[]',
    'null',
    '{"method":"a"',
    '{"method":}',
    '{"method" :"a"}',
    '{"method":"a",}',
  ),
  fc.constantFrom(
    '{"method":-}',
    '{"status":1.}',
    '{"status":.5}',
    '{"status":nul}',
    '{"method":"a""host":"b"}',
    '{"a":{"b":"c"',
  ),
  fc.constantFrom(
    `{"method":"${'x'.repeat(LONGEST)}"}`,
    `{"method":"${'é'.repeat(LONGEST)}"}`,
    'y'.repeat(4 * LONGEST),
  ),
);

/** Lines of a few makes, as programs write them, that are told by the tokens of those before. */
const ALIKE = fc
  .tuple(
    fc.array(fc.tuple(RECORD, fc.constantFrom(...STYLES)), { minLength: 1, maxLength: 3 }),
    fc.array(fc.tuple(fc.nat(2), fc.array(SCALAR, { minLength: 1, maxLength: 3 })), { maxLength: 16 }),
  )
  .map(([makes, lines]) => lines.map(([make, values]) => lineLike(makes[make % makes.length]!, values)));

/** With some of the texts and numbers of the record replaced. */
function lineLike([record, write]: readonly [object, (value: unknown) => string], values: readonly unknown[]): string {
  let at = 0;
  const replaced = Object.entries(record).map(([name, value]) => {
    const other = values[at++ % values.length];
    return [name, typeof other === typeof value && at % 3 > 0 ? other : value] as const;
  });
  return write(Object.fromEntries(replaced));
}

/** Lines, some of them with a byte that is another, or none. */
const FILE = fc
  .tuple(fc.oneof(fc.array(LINE, { maxLength: 12 }), ALIKE), fc.constantFrom('', '\n'), fc.constantFrom('', '\ufeff'))
  .map(([lines, end, start]) => Buffer.from(start + lines.join('\n') + end));
const DAMAGE = fc.option(
  fc.tuple(fc.nat(2000), fc.constantFrom(0x22, 0x0a, 0x00, 0x7b, 0x7d, 0x2c, 0x3a, 0x5c, 0x1f, 0x41)),
);

const MAPPING = fc.constantFrom<FieldMapping | undefined>(
  undefined,
  { completeHeaders: true },
  { fields: { method: 'other', url: '', 'request_headers.X-A': 'country', country: 'country' } },
);

/** What policies, and reports, ask of exchanges. */
const COMPUTED: readonly ((exchange: Exchange) => object)[] = [
  ({ method }) => ({ method }),
  ({ url, target, clientIp }) => ({ url, target, clientIp }),
  ({ geo, tls, connection }) => ({ geo, tls, connection }),
  ({ response }) => ({ status: response?.status }),
  ({ requestHeaders }) => ({ isThere: lookedUp(requestHeaders, 'x-a') !== undefined }),
  ({ requestHeaders }) => ({ first: lookedUp(requestHeaders, 'x-a')?.[0], complete: requestHeaders.complete }),
  ({ response, method }) => ({ method, names: response?.headers.fields.map(({ name }) => name) }),
];

async function* inChunks(bytes: Uint8Array, sizes: readonly number[]) {
  let at = 0;
  for (let index = 0; at < bytes.length; index++) {
    const size = sizes[index % sizes.length]!;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

describe('scanned JSON lines', () => {
  it('are the exchanges, and the skipped records, that parsed ones are', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(FILE, DAMAGE, MAPPING, sizes, async (file, damage, mapping, chunks) => {
        const bytes = Buffer.from(file);
        if (damage !== null && bytes.length > 0) bytes[damage[0] % bytes.length] = damage[1];
        const reading = mapping === undefined ? {} : { mapping };
        const parsed = await readAll(readJsonLines, bytes, { sizes: [bytes.length + 1], ...reading });
        expect(await readAll(scanJsonLines, bytes, { sizes: chunks, ...reading })).toEqual(parsed);
      }),
      { numRuns: inject('isDeep') ? 300 : 20 },
    );
  });

  it('give what is computed of their exchanges, once for all that are alike in what it reads', async () => {
    const sizes = fc.array(fc.integer({ min: 200, max: 2000 }), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(ALIKE, fc.constantFrom(...COMPUTED), sizes, async (lines, compute, chunks) => {
        const bytes = Buffer.from(lines.join('\n'));
        const found: unknown[] = [];
        const kept = new KeptByTexts<object>(compute);
        for await (const { rows } of scanJsonLines({
          bytes: inChunks(bytes, chunks),
          file: 'a',
          maxLineLength: LONGEST,
        })) {
          for (let index = 0; index < rows!.count; index++) found.push(kept.at(rows!, index));
        }
        const expected: unknown[] = [];
        for await (const { exchanges } of readJsonLines({
          bytes: inChunks(bytes, chunks),
          file: 'a',
          maxLineLength: LONGEST,
        }))
          expected.push(...exchanges.map(compute));
        expect(found).toEqual(expected);
      }),
      { numRuns: inject('isDeep') ? 300 : 20 },
    );
  });

  it('are looked at once for each text of what is computed of them', async () => {
    const lines = Array.from({ length: 3000 }, (_, index) =>
      JSON.stringify({ method: ['GET', 'PUT'][index % 2], url: `https://e.co/${index}`, status: 200 + (index % 5) }),
    );
    const computed: string[] = [];
    const kept = new KeptByTexts(({ method, response }) => {
      computed.push(`${method} ${response?.status}`);
      return { method };
    });
    const source = { bytes: inChunks(Buffer.from(lines.join('\n')), [10_000]), file: 'a', maxLineLength: LONGEST };
    for await (const { rows } of scanJsonLines(source)) {
      for (let index = 0; index < rows!.count; index++) kept.at(rows!, index);
    }
    expect(new Set(computed).size).toBe(10);
    // The first line is parsed, and it takes some to find out what is read.
    expect(computed.length).toBeLessThan(20);
  });

  it('need a mapping to members of the record', () => {
    expect(canScan({ fields: { url: 'request.url' } }, 1000)).toBe(false);
    expect(canScan({ fields: { url: 'request', host: '' } }, 1000)).toBe(true);
  });
});
