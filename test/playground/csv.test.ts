// CSV in a page, which has no DuckDB, against the command, which has.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TrafficBatch } from '@tollgate/traffic';
import { readTraffic } from '@tollgate/traffic-node';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { recordingReader } from '../../packages/playground/src/runner/recordings.ts';
import { runs } from '../support/runs.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-csv-'));

afterAll(() => rmSync(folder, { recursive: true }));

interface Read {
  readonly exchanges: readonly unknown[];
  readonly skipped: readonly string[];
  readonly failure: string | undefined;
}

async function collected(batches: AsyncIterable<TrafficBatch>): Promise<Read> {
  const exchanges: unknown[] = [];
  const skipped: string[] = [];
  let failure: string | undefined;
  try {
    for await (const batch of batches) {
      for (const { place, method, target, requestHeaders } of batch.exchanges)
        exchanges.push([place.number, method, target, requestHeaders.fields]);
      skipped.push(...batch.skipped.map(({ place, reason }) => `${place.unit} ${place.number} ${reason}`));
    }
  } catch (error) {
    failure = (error as { code?: string }).code ?? String(error);
  }
  return { exchanges, skipped: skipped.toSorted(), failure };
}

async function byCommand(content: string): Promise<Read> {
  const file = join(folder, 'log.csv');
  writeFileSync(file, content);
  return collected(readTraffic(file, { format: 'csv' }));
}

function inPage(content: string): Promise<Read> {
  const reader = recordingReader([{ name: 'log.csv', content: new Blob([content]) }], () => {});
  return collected(reader.read('log.csv', { format: 'csv' }));
}

const GOOD = 'GET,https://e.co/a';

it.each([
  ['rows of every kind', ['method,url', GOOD, 'broken', GOOD, 'GET,"https://e.co/', 'b",more', '"G"ET,x', ',', GOOD]],
  ['fields of several lines', ['method,url', 'POST,"https://e.co/', '', 'b"', GOOD]],
  ['an open quote at the end', ['method,url', GOOD, 'GET,"https://e.co/open', GOOD, GOOD]],
  ['quotes in quotes, and within', ['method,url,x', 'GET,"https://e.co/""a""",1', 'GET,https://e.co/a"b,2']],
  ['empty fields and empty lines', ['method,url', '', 'GET,', ',https://e.co/', '"",""', '']],
  ['a byte order mark', ['\ufeffmethod,url', GOOD]],
  ['another delimiter', ['method;url', 'GET;https://e.co/a,b']],
  ['no rows', ['method,url']],
  ['no known column', ['a,b', '1,2']],
  ['headers', ['url,request_headers', 'https://e.co/,"{""X-A"": ""1""}"']],
  ['names of a prototype', ['method,url,__proto__,constructor', 'GET,https://e.co/,x,y']],
  ['the same column twice', ['method,method,url', 'GET,POST,https://e.co/', 'GET,,https://e.co/']],
])('reads %s like the command', async (_, lines) => {
  for (const end of ['\n', '\r\n', '\r']) {
    const text = lines.join(end);
    expect([end, await inPage(text)]).toEqual([end, await byCommand(text)]);
  }
});

it('reads rows like the command, whatever they contain', async () => {
  const field = fc.oneof(
    fc.constantFrom('', 'GET', 'https://e.co/a', 'a"b', 'ä€😀'),
    fc.string({ maxLength: 4 }).map(text => `"${text.replaceAll('\0', '').replaceAll('"', '""')}"`),
  );
  const row = fc.tuple(fc.constantFrom('GET', 'POST'), field, field).map(fields => fields.join(','));
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 8 }), fc.constantFrom('\n', '\r\n'), async (rows, end) => {
      const text = `method,url,x${end}${rows.join(end)}`;
      const expected = await byCommand(text);
      // Line ends that differ are refused there.
      fc.pre(expected.failure === undefined);
      expect(await inPage(text)).toEqual(expected);
    }),
    { numRuns: runs(20, 200) },
  );
});

it('gives up a row that is too long, and reads on', async () => {
  const { exchanges, skipped } = await inPage(`method,url\nGET,"${'x'.repeat(3_000_000)}\n${GOOD}\n`);
  expect(exchanges).toHaveLength(1);
  expect(skipped).toEqual(['line 2 traffic/malformed-row']);
});
