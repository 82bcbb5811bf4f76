import { describe, expect, it } from 'vitest';
import type { HeaderFacts } from '../exchange/exchange.ts';
import { readerOfPath } from './field-mapping.ts';
import { valuesIn } from './logged-headers.ts';
import { MappedFacts, PARSED, type ParsedRecord, prepareMapping } from './mapped-facts.ts';
import { RecordExchange } from './record-exchange.ts';

const PLACE = { file: 'a.jsonl', number: 1, unit: 'line' } as const;

const MAPPING = {
  fields: {
    'request_headers.X-Key': 'key',
    'request_headers.user-agent': 'agent',
    'request_headers.Host': 'authority',
    'response_headers.Server': 'server',
  },
  absentIn: { 'request_headers.X-Key': ['none'] },
};

/** Returns the headers of a record, and the members that were looked up for them. */
function headersOf(record: ParsedRecord): { readonly headers: HeaderFacts; readonly read: Set<string> } {
  const read = new Set<string>();
  const watched = prepareMapping<ParsedRecord>(MAPPING, {
    ...PARSED,
    readerOf: path => held => {
      read.add(path);
      return readerOfPath(path)(held);
    },
  });
  return { headers: new RecordExchange(PLACE, new MappedFacts(record, watched)).requestHeaders, read };
}

const VALUES = ['a', '', '-', 'none', null, ['b', 'c'], 7, undefined];
const NAMES = ['user-agent', 'referer', 'x-key', 'host', 'cookie'];

describe('headers with fields of their own', () => {
  it('are read only when they are looked up', () => {
    const { headers, read } = headersOf({ user_agent: 'curl/8', referer: 'https://e.co/', key: '1', host: 'e.co' });
    read.clear();
    expect(headers.valuesOf?.('referer')).toEqual(['https://e.co/']);
    expect([...read]).toEqual(['referer']);
  });

  it('are the same whether they are looked up one by one or all at once', () => {
    const seed = Math.floor(Math.random() * 2 ** 32);
    console.log(`seed ${seed}`);
    const pick = picking(seed);
    for (let turn = 0; turn < 3000; turn++) {
      const members = ['user_agent', 'referer', 'key', 'agent', 'authority', 'host', 'path'];
      const record: Record<string, unknown> = Object.fromEntries(
        members.map(name => [name, pick(VALUES)] as const).filter(([, value]) => value !== undefined),
      );
      const names = ['User-Agent', 'Referer', 'X-Key', 'host', 'Cookie'].filter(() => pick([true, false]));
      if (pick([true, false])) record.target = pick(['/a', 'http://e.co/a', 'HTTPS://e.co:8443/a', 7]);
      if (pick([true, false])) record.request_headers = Object.fromEntries(names.map(name => [name, pick(VALUES)]));
      const text = JSON.stringify(record);
      const { headers } = headersOf(record);
      const { fields, absent, unclear } = headersOf(record).headers;
      const copy: HeaderFacts = { ...{ fields, absent }, complete: false, withheld: [], ...(unclear && { unclear }) };
      for (const name of NAMES) {
        const values = valuesIn(headers, name);
        expect(values, text).toEqual(valuesIn(copy, name));
        // A value has precedence over what else was recorded for a name.
        if (values !== undefined) continue;
        expect(headers.unclearOf?.(name) ?? headers.unclear?.get(name), text).toBe(unclear?.get(name));
        expect(headers.isAbsent?.(name) ?? headers.absent.includes(name), text).toBe(absent.includes(name));
      }
    }
  });

  it.each([
    [{ target: '/' }, ['E.co']],
    [{ target: '/?next=http://e.co/' }, ['E.co']],
    [{ target: 'http://e.co/' }, undefined],
    [{ target: 'HTTPS://e.co:8443/' }, undefined],
    [{ request_line: 'GET / HTTP/1.1' }, ['E.co']],
    [{ request_line: 'GET http://e.co/ HTTP/1.0' }, undefined],
    [{ target: '/', request_line: 'GET http://e.co/ HTTP/1.0' }, undefined],
  ])('may have been another host if the target was a whole URL: %j', (record, values) => {
    for (const [host, mapping] of [
      [{ host: 'E.co' }, {}],
      [{ authority: 'E.co' }, MAPPING],
      [{ request_headers: { Host: 'E.co' } }, {}],
      [{ request_headers: { Host: 'E.co' } }, { completeHeaders: true }],
    ] as const) {
      const facts = new MappedFacts({ ...record, ...host }, prepareMapping(mapping, PARSED));
      const { requestHeaders } = new RecordExchange(PLACE, facts);
      const isOpen = requestHeaders.complete ? requestHeaders.isWithheld?.('host') : !requestHeaders.isAbsent?.('host');
      expect([valuesIn(requestHeaders, 'host'), isOpen]).toEqual([
        values,
        values === undefined || !requestHeaders.complete,
      ]);
      const { fields, absent, withheld } = requestHeaders;
      expect(fields.filter(({ name }) => /^host$/i.test(name)).map(({ value }) => value)).toEqual(values ?? []);
      expect([absent, withheld]).toEqual([[], values === undefined ? ['host'] : []]);
    }
  });

  it('make a response known', () => {
    const responseOf = (record: ParsedRecord) =>
      new RecordExchange(PLACE, new MappedFacts(record, prepareMapping(MAPPING, PARSED))).response;
    expect(responseOf({ path: '/', server: 'nginx' })?.headers).toMatchObject({
      fields: [{ name: 'Server', value: 'nginx' }],
    });
    expect(responseOf({ path: '/' })).toBeUndefined();
  });
});

/** Picks members of lists (mulberry32). */
function picking(seed: number): <T>(list: readonly T[]) => T {
  let state = seed;
  return list => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return list[((mixed ^ (mixed >>> 14)) >>> 0) % list.length]!;
  };
}
