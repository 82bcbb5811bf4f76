import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ExternalError } from '@tollgate/diagnostics';
import { normalizeAddress, type ReadTrafficOptions } from '@tollgate/traffic';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertKept, keptCases } from '../support/kept-cases.ts';
import { readAll, readFields } from '../support/read-all.ts';
import { runs } from '../support/runs.ts';
import { changed, changesWith } from '../support/text-changes.ts';
import { TRAFFIC_WRITERS, type TrafficRecord } from '../support/traffic-writers.ts';

const LINES = readFileSync(join(import.meta.dirname, 'corpus/traffic-lines.txt'), 'utf8')
  .trimEnd()
  .split('\n');
const KEPT = keptCases(join(import.meta.dirname, 'corpus/traffic-mutations.jsonl'));
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
  ...LINES.map((line, index) => ({ name: `line ${index + 1} of the corpus`, options: {}, head: '', line })),
];

/** The delimiters of log lines. */
const CHANGES = changesWith([
  ...['"', '\\', ' ', '-', '[', ']', '{', '}', ',', ':', '\t', '\\"', '\\x', '#', '%', '::ffff:', '" "', '\0'],
  ...['\u00ff', 'é'],
]);

describe.each(SEEDS.map(seed => [seed.name, seed] as const))('%s', (name, { options, head, line }) => {
  const first = head.split('\n').length;

  it('is an exchange or skipped with a reason, whatever is changed in it', async () => {
    const property = fc.asyncProperty(CHANGES, async changes => {
      const text = changed(line, changes, 0);
      const { exchanges, skipped } = await readAll(`${head}${line}\n${text}\n${line}\n`, options);
      exchanges.forEach(readFields);
      const numbers = [...exchanges, ...skipped].map(({ place }) => place.number);
      const isRecord = text.trim() !== '' && !text.startsWith('#');
      // Empty lines, comments, and lines that continue in the next one are not records; nor are empty lines in a wrapper.
      if (isRecord && !/^\S+ stdout P|^.?\{|[\]\-:|F] ?$/.test(text))
        expect(numbers.toSorted((a, b) => a - b)).toEqual([first, first + 1, first + 2]);
      expect(new Set(numbers).size).toBe(numbers.length);
      for (const { reason } of skipped) expect(reason).toMatch(/^traffic\//);
    });
    await assertKept(KEPT, `${name}: any change`, property, runs(3, 60));
  });

  it('keeps its client whatever is changed after it', async () => {
    const address = line.includes('2001:db8::7') ? '2001:db8::7' : CLIENT;
    // A port may follow it, and then the delimiter of the field.
    const at = line.lastIndexOf(address) + address.length;
    const end = at + /^[^\s",]*["\s,]*/.exec(line.slice(at))![0].length;
    const [whole] = (await readAll(`${head}${line}\n`, options)).exchanges;
    expect(whole?.clientIp).toBe(normalizeAddress(address));
    const property = fc.asyncProperty(CHANGES, async changes => {
      const { exchanges } = await readAll(`${head}${line}\n${changed(line, changes, end)}\n`, options);
      const exchange = exchanges.find(({ place }) => place.number === first + 1);
      if (exchange !== undefined) expect(exchange.clientIp).toBe(whole?.clientIp);
    });
    await assertKept(KEPT, `${name}: change after the client`, property, runs(3, 60));
  });

  it('alone is read, or rejected with an I/O error', async () => {
    const property = fc.asyncProperty(CHANGES, async changes => {
      try {
        (await readAll(changed(line, changes, 0), options)).exchanges.forEach(readFields);
      } catch (error) {
        expect(error).toBeInstanceOf(ExternalError);
      }
    });
    await assertKept(KEPT, `${name}: changed and alone`, property, runs(2, 30));
  });
});
