import { timeIn } from '@tollgate/traffic/columns';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { openClickhouse } from '../../packages/query/src/engines/clickhouse.ts';
import type { EngineSession } from '../../packages/query/src/engines/engine.ts';
import { openPostgres } from '../../packages/query/src/engines/postgres.ts';
import { timeRange, timeSql } from '../../packages/query/src/tables/record-times.ts';
import { clickhouseForTests } from '../support/clickhouse.ts';
import { sparkForTests, trinoForTests } from '../support/cluster-engines.ts';
import { postgresForTests } from '../support/postgres.ts';
import { runs, seed } from '../support/runs.ts';

const [postgres, clickhouse] = [await postgresForTests(), await clickhouseForTests()];
const [trino, spark] = [await trinoForTests(), await sparkForTests()];
const sessions = {
  PostgreSQL: postgres && (await openPostgres(await postgres.newDatabase())),
  ClickHouse: clickhouse && (await openClickhouse(clickhouse.url)),
  Trino: trino?.session,
  Spark: spark?.session,
};

afterAll(async () => {
  for (const session of Object.values(sessions)) await session?.close();
  postgres?.stop();
  clickhouse?.stop();
});

/** Numbers with this many digits at least, and now and then one that is too large. */
const padded = (length: number, [least, most]: readonly [number, number]) =>
  fc.integer({ min: least, max: most }).map(number => String(number).padStart(length, '0'));

const DATE = fc
  .tuple(
    fc.oneof({ weight: 9, arbitrary: padded(4, [1970, 2199]) }, padded(4, [1960, 2210])),
    padded(2, [1, 12]),
    fc.oneof({ weight: 9, arbitrary: padded(2, [1, 28]) }, padded(2, [0, 32])),
  )
  .map(parts => parts.join('-'));
const CLOCK = fc
  .tuple(
    fc.oneof({ weight: 9, arbitrary: padded(2, [0, 23]) }, padded(2, [24, 25])),
    fc.oneof({ weight: 9, arbitrary: padded(2, [0, 59]) }, padded(2, [60, 61])),
    fc.oneof({ weight: 9, arbitrary: padded(2, [0, 59]) }, padded(2, [60, 61])),
  )
  .map(parts => parts.join(':'));
const FRACTION = fc.tuple(fc.constantFrom('.', ','), fc.stringMatching(/^\d{1,10}$/)).map(parts => parts.join(''));
const ZONE = fc.oneof(fc.constantFrom('Z', '', 'z', '+00:00', ' +0000'), fc.stringMatching(/^[+-]\d\d:?\d\d$/));
const ISO = fc
  .tuple(
    DATE,
    fc.oneof({ weight: 20, arbitrary: fc.constantFrom('T', ' ') }, fc.constantFrom('t', '_')),
    CLOCK,
    fc.option(FRACTION, { nil: '' }),
    ZONE,
  )
  .map(parts => parts.join(''));
const LOG = fc
  .tuple(
    padded(2, [0, 32]),
    fc.constantFrom('Jan', 'Feb', 'Mar', 'May', 'Jun', 'Jul', 'Sep', 'Nov', 'Dec', 'anF', 'feb', 'Foo', '   ', 'é__'),
    padded(4, [1960, 2210]),
    CLOCK,
    fc.stringMatching(/^[+-]\d{4}$/),
  )
  .map(([day, month, year, clock, zone]) => `${day}/${month}/${year}:${clock} ${zone}`)
  .chain(text => fc.constantFrom(text, `[${text}]`, `[${text}`));
const NUMBER = fc.oneof(
  fc.stringMatching(/^\d{1,21}$/),
  fc.stringMatching(/^1[67]\d{8}\.\d{1,6}$/),
  fc.stringMatching(/^-?[1-9]\d{0,9}(\.\d{3})?$/),
);
const OTHER = fc.oneof(
  fc.constantFrom('', '-', "it's", '\\', '${HOME}', '2026-11-21', '2026-11-21T10:00', 'Sat, 21 Nov 2026 10:00:00 GMT'),
  fc.string({ unit: 'grapheme', maxLength: 30 }).map(text => text.replaceAll('\0', '')),
);
const TEXT = fc
  .oneof({ weight: 4, arbitrary: ISO }, LOG, NUMBER, OTHER)
  .chain(text =>
    fc.oneof(
      { weight: 9, arbitrary: fc.constant(text) },
      fc.constantFrom(`${text}\n`, ` ${text}`, text.slice(1).toWellFormed()),
    ),
  );

async function rowsOf(session: EngineSession, sql: string) {
  const found: (readonly (string | null)[])[] = [];
  for await (const rows of session.batches(sql)) found.push(...rows);
  return found;
}

function columnOf({ dialect }: EngineSession, texts: readonly string[]) {
  const from = dialect.lookup(
    'texts',
    [{ name: 'v', type: 'text' }],
    texts.map(text => [text]),
  );
  return { sql: 'v', kind: 'text', type: 'text', sample: texts, from, table: 'texts', decode: String } as const;
}

function expectedTime(text: string): number | undefined {
  const time = timeIn(text);
  return time !== undefined && Math.abs(time) <= 8.64e15 ? Math.floor(time) : undefined;
}

describe.each(Object.entries(sessions))('times in strings on %s', (_, session) => {
  it.skipIf(session === undefined)('are those that readers of recordings find', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(TEXT, { minLength: 100, maxLength: 100 }), async texts => {
        const column = columnOf(session!, texts);
        const { sql, join, column: own } = await timeSql(session!, column);
        const rows = await rowsOf(
          session!,
          `select records.ct, ${sql} as t from (select ${own} from ${column.from}) records ${join}`,
        );
        const found = new Map(rows.map(([text, time]) => [text!, time === null ? undefined : Number(time)]));
        expect(found).toEqual(new Map([...found.keys()].map(text => [text, expectedTime(text)])));
        expect(found.size).toBe(new Set(texts).size);
      }),
      { numRuns: runs(6, 100), seed: seed(11, 'TIMES_SEED'), endOnFailure: true },
    );
  });

  it.skipIf(session === undefined)('are in a range or not, or unknown', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(TEXT, { minLength: 30, maxLength: 30 }),
        fc.nat(29),
        fc.nat(29),
        async (texts, a, b) => {
          const column = columnOf(session!, texts);
          const [since, until] = [expectedTime(texts[a]!) ?? 0, expectedTime(texts[b]!) ?? 1e12];
          const { isIn, isUnknown } = await timeRange(session!, column, { since, until });
          const [[inside, unknown] = []] = await rowsOf(
            session!,
            `select sum(case when ${isIn} then 1 else 0 end), sum(case when ${isUnknown} then 1 else 0 end) from ${column.from}`,
          );
          const times = texts.map(expectedTime);
          expect(Number(inside)).toBe(times.filter(time => time !== undefined && time >= since && time < until).length);
          expect(Number(unknown)).toBe(times.filter(time => time === undefined).length);
        },
      ),
      { numRuns: runs(3, 40), seed: seed(12, 'TIMES_SEED'), endOnFailure: true },
    );
  });

  it.skipIf(session === undefined)('of usual formats do not come back', async () => {
    const texts = [
      ...['2026-11-21T10:00:00Z', '2026-11-21T10:00:00.123456Z', '2026-11-21T10:00:00.5+01:00', '2024-02-29 10:00:00'],
      ...[
        '21/Nov/2026:10:00:00 +0000',
        '[21/Nov/2026:10:00:00 -0530]',
        '1763892000',
        '1763892000.123',
        '1763892000123',
      ],
    ];
    const { join } = await timeSql(session!, columnOf(session!, texts));
    expect(join).toBe('');
  });
});
