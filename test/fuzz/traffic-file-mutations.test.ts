import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExternalError } from '@tollgate/diagnostics';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assertKept, keptCases } from '../support/kept-cases.ts';
import { type ReadRecords, readAll, readFields } from '../support/read-all.ts';
import { runs } from '../support/runs.ts';
import { csvText, fullRecord, harText, writeParquet } from '../support/table-writers.ts';
import { changed, changesWith, FRACTION } from '../support/text-changes.ts';
import type { TrafficRecord } from '../support/traffic-writers.ts';

const KEPT = keptCases(join(import.meta.dirname, 'corpus/traffic-mutations.jsonl'));
const COUNT = 4;

const RECORDS: readonly TrafficRecord[] = Array.from({ length: COUNT }, (_, index) => ({
  ...{ time: 1_795_600_000_000 + 1000 * index, clientIp: '203.0.113.9', clientPort: 51_312, method: 'GET' },
  ...{ scheme: 'https', host: 'e.co', target: `/a${index}?b=%22`, protocol: 'HTTP/1.1', userAgent: 'curl/8 "x"' },
  ...{ referer: 'https://e.co/', status: 200 + index, size: 5, country: 'DE' },
  ...{ tls: { version: 'TLSv1.3', suite: 'TLS_AES_128_GCM_SHA256', serverName: 'e.co' } },
}));

/** The delimiters of JSON and CSV, and what they must not be confused with. */
const CHANGES = changesWith([
  ...['"', '""', '\\', '\\"', '\\u', '{', '}', '[', ']', ',', ':', ';', '\t', '\0', '\r', '\n', 'null', '1e999', '-'],
  ...['"entries":[', '{"request":', '\u00ff', 'é', '\ud800'],
]);

/** What reading gave; undefined if the file was rejected with an I/O error. */
async function readOrReject(content: string | Uint8Array): Promise<ReadRecords | undefined> {
  try {
    const records = await readAll(content, {});
    records.exchanges.forEach(readFields);
    for (const { reason } of records.skipped) expect(reason).toMatch(/^traffic\//);
    const locations = [...records.exchanges, ...records.skipped].map(({ place }) => `${place.unit} ${place.number}`);
    expect(new Set(locations).size).toBe(locations.length);
    return records;
  } catch (error) {
    if (!(error instanceof ExternalError)) throw error;
    expect(error.code).toMatch(/^traffic\//);
    return undefined;
  }
}

describe.each([
  ['HAR', harText(RECORDS), '{"startedDateTime"'],
  ['CSV', csvText(RECORDS), '\n2026-'],
] as const)('a %s file', (name, content, recordStart) => {
  it('is read, or rejected with an I/O error, whatever is changed in it', async () => {
    const property = fc.asyncProperty(CHANGES, async changes => {
      await readOrReject(changed(content, changes, 0));
    });
    await assertKept(KEPT, `${name}: any change`, property, runs(10, 200));
  });

  it('keeps the records before a change', async () => {
    const third = content.split(recordStart).slice(0, 3).join(recordStart).length + recordStart.length;
    const whole = (await readAll(content, {})).exchanges.map(readFields);
    expect(whole.length).toBe(COUNT);
    const property = fc.asyncProperty(CHANGES, async changes => {
      const records = await readOrReject(changed(content, changes, third));
      if (records !== undefined) expect(records.exchanges.slice(0, 2).map(readFields)).toEqual(whole.slice(0, 2));
    });
    await assertKept(KEPT, `${name}: change in the third record`, property, runs(10, 200));
  });
});

describe('a Parquet file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-mutations-'));
  let content: Buffer;
  beforeAll(async () => {
    const [lines, file] = [join(folder, 'a.jsonl'), join(folder, 'a.parquet')];
    writeFileSync(lines, RECORDS.map(record => `${JSON.stringify(fullRecord(record))}\n`).join(''));
    await writeParquet(lines, file);
    content = readFileSync(file);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** A byte at a fraction of the length, and its new value. */
  const bytes = fc.array(fc.tuple(FRACTION, fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 4 });

  it('is read', async () => {
    expect((await readAll(content, {})).exchanges.length).toBe(COUNT);
  });

  it('is read, or rejected with an I/O error, whatever bytes are changed in it', async () => {
    const property = fc.asyncProperty(bytes, async changes => {
      const copy = Buffer.from(content);
      for (const [fraction, byte] of changes) copy[Math.floor(fraction * copy.length)] = byte;
      await readOrReject(copy);
    });
    await assertKept(KEPT, 'Parquet: changed bytes', property, runs(10, 200));
  });

  it('is rejected with an I/O error if its end is missing', async () => {
    const property = fc.asyncProperty(FRACTION, async fraction => {
      const length = 4 + Math.floor(fraction * (content.length - 4));
      expect(await readOrReject(content.subarray(0, length))).toBeUndefined();
    });
    await assertKept(KEPT, 'Parquet: cut', property, runs(6, 100));
  });
});
