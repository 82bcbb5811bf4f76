import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ExternalError } from '@tollgate/diagnostics';
import { type Exchange, normalizeAddress, type ReadTrafficOptions, readTraffic } from '@tollgate/traffic';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../support/runs.ts';
import { TRAFFIC_WRITERS, type TrafficRecord } from '../support/traffic-writers.ts';

const CORPUS = readFileSync(join(import.meta.dirname, 'corpus/traffic-lines.txt'), 'utf8')
  .trimEnd()
  .split('\n');
const CLIENT = '203.0.113.9';

const RECORD: TrafficRecord = {
  ...{ time: 1_795_600_000_000, clientIp: CLIENT, clientPort: 51_312, method: 'GET', scheme: 'https', host: 'e.co' },
  ...{ target: '/a?b=%22', protocol: 'HTTP/1.1', userAgent: 'curl/8 "x"', referer: 'https://e.co/', status: 200 },
  ...{ tls: { version: 'TLSv1.3', suite: 'TLS_AES_128_GCM_SHA256', serverName: 'e.co' }, size: 5, country: 'DE' },
};

interface Seed {
  readonly name: string;
  readonly options: ReadTrafficOptions;
  readonly head: string;
  readonly line: string;
}

const SEEDS: readonly Seed[] = [
  ...TRAFFIC_WRITERS.map(({ name, options, head, line }) => ({ name, options, head, line: line(RECORD) })),
  ...CORPUS.map((line, index) => ({ name: `line ${index + 1} of the corpus`, options: {}, head: '', line })),
];

/** What lines are taken apart by. */
const TOKENS = [
  '"',
  '\\',
  ' ',
  '-',
  '[',
  ']',
  '{',
  '}',
  ',',
  ':',
  '\t',
  '\\"',
  '\\x',
  '#',
  '%',
  '::ffff:',
  '" "',
  '\0',
  '\u00ff',
  'é',
];

/** One change of a line, from a place on. */
type Change = readonly [
  kind: 'replace' | 'insert' | 'remove' | 'repeat' | 'cut',
  at: number,
  length: number,
  token: string,
];

const CHANGES: fc.Arbitrary<readonly Change[]> = fc.array(
  fc.tuple(
    fc.constantFrom('replace', 'insert', 'remove', 'repeat', 'cut'),
    fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    fc.integer({ min: 1, max: 8 }),
    fc.oneof(
      fc.constantFrom(...TOKENS),
      fc.string({ maxLength: 3 }).map(text => text.replaceAll(/[\r\n]/g, ' ')),
    ),
  ) as fc.Arbitrary<Change>,
  { minLength: 1, maxLength: 4 },
);

function changed(line: string, changes: readonly Change[], from: number): string {
  let text = line;
  for (const [kind, share, length, token] of changes) {
    const at = from + Math.floor(share * Math.max(1, text.length - from));
    const [before, rest] = [text.slice(0, at), text.slice(at)];
    if (kind === 'insert') text = before + token + rest;
    else if (kind === 'replace') text = before + token + rest.slice(token.length);
    else if (kind === 'remove') text = before + rest.slice(length);
    else if (kind === 'repeat') text = before + rest.slice(0, length) + rest;
    else text = before;
  }
  return text;
}

async function read(text: string, options: ReadTrafficOptions) {
  async function* content() {
    yield Buffer.from(text);
  }
  const exchanges: Exchange[] = [];
  const skipped: { readonly number: number; readonly reason: string }[] = [];
  for await (const batch of readTraffic('a.log', { ...options, content: content() })) {
    for (const exchange of batch.exchanges) exchanges.push(exchange);
    for (const { place, reason } of batch.skipped) skipped.push({ number: place.number, reason });
  }
  return { exchanges, skipped };
}

/** Asks for all that an exchange says. */
function askAll({
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
  response,
}: Exchange) {
  const answer = response && [response.status, response.bodySize, response.headers.fields];
  return [time, clientIp, geo, connection, tls, method, target, url, protocol, requestHeaders.fields, answer];
}

describe.each(SEEDS.map(seed => [seed.name, seed] as const))('%s', (_, { options, head, line }) => {
  const first = head.split('\n').length;

  it('is an exchange or skipped with a reason, however it is changed', async () => {
    await fc.assert(
      fc.asyncProperty(CHANGES, async changes => {
        const text = changed(line, changes, 0);
        const { exchanges, skipped } = await read(`${head}${line}\n${text}\n${line}\n`, options);
        exchanges.forEach(askAll);
        const numbers = [...exchanges.map(({ place }) => place.number), ...skipped.map(({ number }) => number)];
        const isRecord = text.trim() !== '' && !text.startsWith('#');
        // Empty lines, comments, and lines that go on in the next one are no records; nor are empty lines that were wrapped.
        if (isRecord && !/^\S+ stdout P|^.?\{|[\]\-:|F] ?$/.test(text))
          expect(numbers.toSorted((a, b) => a - b)).toEqual([first, first + 1, first + 2]);
        expect(new Set(numbers).size).toBe(numbers.length);
        for (const { reason } of skipped) expect(reason).toMatch(/^traffic\//);
      }),
      { numRuns: runs(15, 60) },
    );
  });

  it('keeps its client whatever is changed behind it', async () => {
    const address = line.includes('2001:db8::7') ? '2001:db8::7' : CLIENT;
    // A port may follow it, and then what ends the field.
    const at = line.lastIndexOf(address) + address.length;
    const end = at + /^[^\s",]*["\s,]*/.exec(line.slice(at))![0].length;
    const [whole] = (await read(`${head}${line}\n`, options)).exchanges;
    expect(whole?.clientIp).toBe(normalizeAddress(address));
    await fc.assert(
      fc.asyncProperty(CHANGES, async changes => {
        const { exchanges } = await read(`${head}${line}\n${changed(line, changes, end)}\n`, options);
        const found = exchanges.find(({ place }) => place.number === first + 1);
        if (found !== undefined) expect(found.clientIp).toBe(whole?.clientIp);
      }),
      { numRuns: runs(15, 60) },
    );
  });

  it('alone is read, or refused as what it is not', async () => {
    await fc.assert(
      fc.asyncProperty(CHANGES, async changes => {
        try {
          (await read(changed(line, changes, 0), options)).exchanges.forEach(askAll);
        } catch (error) {
          expect(error).toBeInstanceOf(ExternalError);
        }
      }),
      { numRuns: runs(8, 30) },
    );
  });
});
