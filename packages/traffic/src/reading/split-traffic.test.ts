import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { readTraffic } from './read-traffic.ts';
import { readTrafficPart, splitTraffic } from './split-traffic.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'tollgate-parts-'));
afterAll(() => rmSync(FOLDER, { recursive: true }));

const COMMON = '192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 1';

const LINE = fc.oneof(
  fc.constantFrom(COMMON, `${COMMON} "-" "curl/8"`, '', 'no log', '\ufeffno mark', `${COMMON}\r`, '{"method":"GET"}'),
  fc.nat(40).map(length => '{"method":"GET","path":"/'.concat('x'.repeat(length), '"}')),
);

function written(text: string): string {
  const file = join(FOLDER, 'traffic');
  writeFileSync(file, text);
  return file;
}

describe('parts of a log', () => {
  it('return together what the whole returns, each line at its location', async () => {
    const lines = fc.array(LINE, { maxLength: 30 });
    const format = fc.constantFrom('json-lines' as const, 'access-log' as const);
    await fc.assert(
      fc.asyncProperty(
        lines,
        fc.constantFrom('', '\n'),
        format,
        fc.integer({ min: 1, max: 300 }),
        async (all, end, name, size) => {
          const file = written(all.join('\n') + end);
          const options = { format: name };
          const expected: unknown[] = [];
          for await (const { exchanges, skipped } of readTraffic(file, options)) {
            expected.push(...exchanges.map(({ place }) => place.number), ...skipped.map(({ place }) => -place.number));
          }
          const found: unknown[] = [];
          let before = 0;
          for (const part of await splitTraffic(file, options, size)) {
            const { batches, offset, lines } = readTrafficPart(part, options);
            for await (const { exchanges, skipped } of batches) {
              found.push(...exchanges.map(({ place }) => place.number + offset + before));
              found.push(...skipped.map(({ place }) => -(place.number + offset + before)));
            }
            before += lines();
          }
          const sorted = (numbers: unknown[]) => numbers.toSorted((a, b) => Math.abs(Number(a)) - Math.abs(Number(b)));
          expect(sorted(found)).toEqual(sorted(expected));
        },
      ),
      { numRuns: inject('isDeep') ? 200 : 6 },
    );
  });

  it('have about the requested size, or are one if the file cannot be split', async () => {
    const text = `${COMMON}\n`.repeat(100);
    const parts = await splitTraffic(written(text), {}, 1000);
    expect(parts).toHaveLength(Math.floor(text.length / 1000));
    expect(parts.map(({ lines }) => lines?.format)).toEqual(parts.map(() => 'access-log'));
    expect(await splitTraffic(written(text), {}, text.length)).toEqual([{ file: join(FOLDER, 'traffic') }]);
    writeFileSync(
      join(FOLDER, 'compressed'),
      gzipSync(Buffer.from(Array.from({ length: 4000 }, (_, i) => i * i).join())),
    );
    const whole = ['compressed', 'missing'].map(name => join(FOLDER, name));
    for (const file of [...whole, FOLDER, '-']) expect(await splitTraffic(file, {}, 100)).toEqual([{ file }]);
  });
});
