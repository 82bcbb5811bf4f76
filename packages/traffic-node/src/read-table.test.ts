import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { type Exchange, formatLocation, type ReadTrafficOptions, type SkippedRecord } from '@tollgate/traffic';
import { csvHeader } from '@tollgate/traffic/reading';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { readTraffic } from './read-traffic.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-tables-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The folder of temporary copies, which no other process uses. */
const copies = join(folder, 'copies');
const usual = process.env.TMPDIR;
beforeAll(() => {
  mkdirSync(copies);
  process.env.TMPDIR = copies;
});
afterEach(() => expect(readdirSync(copies)).toEqual([]));
afterAll(() => {
  if (usual === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = usual;
});

interface Read {
  readonly exchanges: readonly Exchange[];
  readonly skipped: readonly SkippedRecord[];
  readonly failure?: unknown;
}

async function read(file: string, options: ReadTrafficOptions = {}): Promise<Read> {
  const exchanges: Exchange[] = [];
  const skipped: SkippedRecord[] = [];
  try {
    for await (const batch of readTraffic(file, options)) {
      exchanges.push(...batch.exchanges);
      skipped.push(...batch.skipped);
    }
  } catch (failure) {
    return { exchanges, skipped, failure };
  }
  return { exchanges, skipped };
}

function written(name: string, content: string | Buffer): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

const TIME = Date.parse('2026-11-21T10:00:00.123Z');

/** The compared parts of an exchange. */
function factsOf({ place, time, clientIp, method, url, requestHeaders, response }: Exchange) {
  const headers = requestHeaders.fields.map(({ name, value }) => `${name}: ${value}`);
  return { place: place.number, time, clientIp, method, url, headers, status: response?.status };
}

describe('reading a CSV file', () => {
  it('reads columns by name, with any delimiter', async () => {
    const rows = [
      ['time', 'note', 'client_ip', 'method', 'url', 'status', 'user_agent'],
      ['2026-11-21T10:00:00.123Z', 'x', '192.0.2.1', 'GET', 'https://e.co/a', '200', '"a ""b"", c"'],
      ['1795255200.123', '', '', 'POST', '', '""', '""'],
    ];
    const expected = [
      {
        place: 1,
        time: TIME,
        clientIp: '192.0.2.1',
        method: 'GET',
        url: 'https://e.co/a',
        headers: ['Host: e.co', 'User-Agent: a "b", c'],
        status: 200,
      },
      {
        place: 2,
        time: TIME,
        clientIp: undefined,
        method: 'POST',
        url: undefined,
        headers: [],
        status: undefined,
      },
    ];
    for (const delimiter of [',', '\t', ';', '|']) {
      for (const end of delimiter === ',' ? ['\n', '\r\n'] : ['\n']) {
        const text = rows.map(row => row.join(delimiter)).join(end);
        for (const [name, content] of [
          ['a.csv', text],
          ['b[1].csv', `\ufeff${text}${end}`],
          ['c.csv.gz', gzipSync(text)],
        ] as const) {
          const { exchanges, skipped, failure } = await read(written(name, content));
          expect([skipped, failure]).toEqual([[], undefined]);
          expect(exchanges.map(factsOf).map(withoutHost)).toEqual(expected.map(withoutHost));
        }
      }
    }
  });

  it('skips malformed rows and locates them', async () => {
    const good = 'GET,https://e.co/a';
    const lines = ['method,url', good, 'broken', good, 'GET,"https://e.co/', 'b",more', `"G"ET,x`, ',', good];
    const file = written('malformed.csv', `${lines.join('\n')}\nGET,${'x'.repeat(300_000)}\n${good}\n`);
    const { exchanges, skipped, failure } = await read(file);
    expect(failure).toBeUndefined();
    expect(exchanges.map(({ place }) => formatLocation(place))).toEqual([1, 2, 4, 5].map(row => `${file}#${row}`));
    expect(skipped.map(({ place, reason, excerpt }) => [formatLocation(place), reason, excerpt.slice(0, 20)])).toEqual([
      [`${file}#3`, 'traffic/no-fields', '{}'],
      [`${file}:3`, 'traffic/malformed-row', 'broken'],
      [`${file}:5`, 'traffic/malformed-row', 'GET,"https://e.co/␊b'],
      [`${file}:7`, 'traffic/malformed-row', '"G"ET,x'],
      [`${file}:10`, 'traffic/malformed-row', 'GET,xxxxxxxxxxxxxxxx'],
    ]);
  });

  it('counts every line that an open quote takes', async () => {
    // Around lines with fields of several lines, empty lines, and rows with too many fields; more bytes than DuckDB shows of a row.
    const rows = (count: number) => Array.from({ length: count }, (_, index) => `GET,https://e.co/${index}`);
    const other = ['POST,"https://e.co/', '', 'b"', 'GET,"https://e.co/', 'b",more'];
    for (const taken of [0, 1, 2, 3000]) {
      const lines = ['method,url', ...other, ...rows(4), 'GET,"https://e.co/open', ...rows(taken)];
      const { exchanges, skipped, failure } = await read(written('open.csv', `${lines.join('\n')}\n`));
      expect(failure).toBeUndefined();
      expect(exchanges).toHaveLength(5);
      const expected = [
        [5, 'traffic/malformed-row'],
        [11, 'traffic/malformed-row'],
      ];
      const after = Array.from({ length: taken }, (_, index) => [12 + index, 'traffic/open-quote']);
      expect(skipped.map(({ place, reason }) => [place.number, reason])).toEqual([...expected, ...after]);
    }
  });

  it('counts each line once if another quote ends what an open one takes', async () => {
    const good = 'GET,https://e.co/';
    const open = 'GET,"https://e.co/';
    const lines = ['method,url', good, open, good, good, open, good, open, good];
    const { exchanges, skipped } = await read(written('quotes.csv', lines.join('\n')));
    const counted = [...exchanges.map(() => 1), ...skipped.map(() => 1)].length;
    expect(counted).toBe(lines.length - 1);
    expect(new Set(skipped.map(({ place }) => place.number)).size).toBe(skipped.length);
  });

  it.each(['\n', '\r\n', '\r'])('locates malformed rows among lines that end with %j', async end => {
    const lines = ['method,url', 'GET,https://e.co/', 'broken', 'GET,https://e.co/', 'broken', ''];
    const { skipped } = await read(written('ends.csv', lines.join(end)));
    expect(skipped.map(({ place }) => place.number)).toEqual([3, 5]);
  });

  it('reads mapped columns, and headers in columns or in JSON', async () => {
    const json = '"{""X-A"": ""1"", ""X-B"": null}"';
    const text = `verb,http.target,Verb,request_headers,request_headers.X-C\nPUT,/a,x,${json},2\nPUT,/a,x,none,\n`;
    const mapping = { fields: { method: 'verb', target: 'http.target' } };
    const { exchanges, failure } = await read(written('mapped.csv', text), { mapping });
    expect(failure).toBeUndefined();
    expect(exchanges.map(({ method, target }) => [method, target])).toEqual([
      ['PUT', '/a'],
      ['PUT', '/a'],
    ]);
    expect(exchanges.map(({ requestHeaders }) => requestHeaders)).toMatchObject([
      {
        fields: [
          { name: 'X-A', value: '1' },
          { name: 'X-C', value: '2' },
        ],
        absent: ['x-b'],
        complete: false,
        mayBeComplete: true,
        withheld: [],
      },
      { fields: [], absent: [], complete: false, withheld: [] },
    ]);
  });

  it('reports the columns it found if none is read', async () => {
    const file = written('other.csv', 'a,b,c,d,e,f,g,h,i\n1,2,3,4,5,6,7,8,9\n');
    const found = '`a`, `b`, `c`, `d`, `e`, `f`, `g`, `h` and others';
    expect((await read(file)).failure).toMatchObject({ code: 'traffic/unknown-format' });
    expect((await read(file, { format: 'csv' })).failure).toMatchObject({
      code: 'traffic/no-columns',
      message: `cannot read \`${file}\`: expected columns such as \`time\`, \`client_ip\`, \`method\`, \`url\` and \`status\`, or a mapping of fields; found ${found}`,
    });
  });

  it("reports mixed line endings without the database's words", async () => {
    const file = written('ends.csv', 'method,url\r\nGET,/\r\nGET,/\nGET,/\n');
    expect((await read(file)).failure).toMatchObject({
      code: 'traffic/malformed-table',
      message: `cannot read \`${file}\`: expected a CSV file with consistent line endings`,
    });
  });

  it.each([
    ['method,url', { delimiter: ',', names: ['method', 'url'] }],
    ['"a,b";"c ""d""" ;e', { delimiter: ';', names: ['a,b', 'c "d"', 'e'] }],
    [' a | b ', { delimiter: '|', names: ['a', 'b'] }],
    ['{"a":1,"b":2}', { delimiter: ',', names: ['{"a":1', '"b":2}'] }],
    ['', { delimiter: ',', names: [''] }],
  ])('splits the names %s', (line, expected) => {
    expect(csvHeader(line)).toEqual(expected);
  });
});

function withoutHost({ headers, ...facts }: ReturnType<typeof factsOf>) {
  return { ...facts, headers: headers.filter(header => !header.startsWith('Host')) };
}

const ROWS = `
  select timestamptz '2026-11-21 10:00:00.123Z' as time, timestamp '2026-11-21 10:00:00.123' as ts, timestamp_s '2026-11-21 10:00:00' as s,
    timestamp_ms '2026-11-21 10:00:00.123' as ms, timestamp_ns '2026-11-21 10:00:00.123456789' as ns, 'infinity'::timestamp as endless,
    1795255200::bigint as seconds, 404::utinyint::hugeint + 0 as status,
    'GET' as method, 'https://e.co/a'::blob as url, {'Host': 'e.co', 'X-A': '1', 'X-B': null, 'X-L': null} as request_headers,
    map {'Via': ['a', 'b'], 'Set-Cookie': null} as response_headers, {'client': {'address': '192.0.2.1'}} as source
`;

/** Rows of several batches. */
const MANY = 30_000;

const OPEN_FILES = '/proc/self/fd';

describe('reading a Parquet file', () => {
  const file = join(folder, 'country=DE', 'a.parquet');
  const many = join(folder, 'many.parquet');

  beforeAll(async () => {
    mkdirSync(join(folder, 'country=DE'));
    const instance = await DuckDBInstance.create();
    const connection = await instance.connect();
    const copy = (rows: string, to: string) => connection.run(`copy (${rows}) to '${to}' (format parquet)`);
    await copy(ROWS.replace('404::utinyint::hugeint + 0', '404::bigint'), file);
    await copy(`select 'GET' as method, '/' || i as target from range(${MANY}) t(i)`, many);
    connection.closeSync();
    instance.closeSync();
  });

  it('reads columns of every type, including structs and maps of headers', async () => {
    const { exchanges, skipped, failure } = await read(file, {
      mapping: { fields: { client_ip: 'source.client.address' } },
    });
    expect([skipped, failure]).toEqual([[], undefined]);
    const [exchange] = exchanges;
    expect(exchange).toMatchObject({ time: TIME, clientIp: '192.0.2.1', method: 'GET', url: 'https://e.co/a' });
    expect(exchange!.geo, 'directories are no columns').toBeUndefined();
    expect(exchange!.requestHeaders).toMatchObject({
      fields: [
        { name: 'Host', value: 'e.co' },
        { name: 'X-A', value: '1' },
      ],
      absent: [],
      complete: false,
      mayBeComplete: true,
      withheld: [],
    });
    expect(exchange!.response).toMatchObject({
      status: 404,
      headers: {
        fields: [
          { name: 'Via', value: 'a' },
          { name: 'Via', value: 'b' },
        ],
        absent: ['set-cookie'],
        complete: false,
        withheld: [],
      },
      bodySize: undefined,
    });
  });

  it.each([
    ['ts', TIME],
    ['s', TIME - 123],
    ['ms', TIME],
    ['ns', TIME],
    ['seconds', TIME - 123],
    ['endless', undefined],
  ])('reads times of a column %s', async (column, expected) => {
    const { exchanges } = await read(file, { mapping: { fields: { time: column } } });
    expect(exchanges.map(({ time }) => time)).toEqual([expected]);
  });

  it('reads all rows in order, including compressed ones', async () => {
    for (const path of [many, written('many.parquet.gz', gzipSync(readFileSync(many)))]) {
      const { exchanges, failure } = await read(path);
      expect(failure).toBeUndefined();
      expect(exchanges.length).toBe(MANY);
      expect(exchanges.every(({ target, place }, index) => target === `/${index}` && place.number === index + 1)).toBe(
        true,
      );
    }
  });

  it.each([
    ['nothing but the sign', 'PAR1'],
    ['a file that is cut off', undefined],
    ['bytes behind the sign', `PAR1${'x'.repeat(99)}PAR1`],
  ])('rejects %s', async (_, text) => {
    const path = written('bad.parquet', text ?? readFileSync(many).subarray(0, 10_000));
    expect((await read(path)).failure).toMatchObject({
      name: 'ExternalError',
      code: 'traffic/malformed-table',
      message: `cannot read \`${path}\`: expected a complete, undamaged Parquet file`,
    });
  });

  it('closes what it opened if the reader stops early', async () => {
    for await (const { exchanges } of readTraffic(many)) {
      expect(exchanges.length).toBeGreaterThan(0);
      break;
    }
  });

  it.skipIf(!existsSync(OPEN_FILES))('leaves no file open once its results are collected', async () => {
    const csv = written('often.csv', `method,url\n${'GET,https://e.co/\n'.repeat(20_000)}`);
    const open = () => readdirSync(OPEN_FILES).filter(one => linkOf(join(OPEN_FILES, one)).startsWith(folder));
    for (const path of [csv, many]) expect((await read(path)).failure).toBeUndefined();
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    // DuckDB keeps a file open as long as there is a result of reading it.
    await vi.waitFor(
      () => {
        collect();
        expect(open()).toEqual([]);
      },
      { timeout: 600_000 },
    );
  });
});

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
