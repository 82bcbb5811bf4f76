import { DuckDBInstance } from '@duckdb/node-api';
import { singleQuoted } from '@tollgate/diagnostics';
import { startIn, timeIn } from '@tollgate/traffic/columns';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isoTime, sentAs, sentInJson, startInJson } from './source.ts';

it('reads times of UTC with any decimals in SQL as in process', async () => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const decimals = fc.oneof(fc.constant(''), fc.stringMatching(/^[.]\d{1,9}$/));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(4e9), decimals, fc.constantFrom('Z', '+00:00')), { minLength: 50, maxLength: 50 }),
      async parts => {
        const times = parts.map(
          ([seconds, fraction, zone]) => `${new Date(seconds * 1000).toISOString().slice(0, 19)}${fraction}${zone}`,
        );
        const values = times.map((time, at) => `(${at}, ${singleQuoted(JSON.stringify(time))})`).join(', ');
        const sql = `select (${isoTime('v', '"')})::double from (values ${values}) as t(n, v) order by n`;
        const found = (await connection.runAndReadAll(sql)).getRows().map(([time]) => time);
        expect(found).toEqual(times.map(timeIn));
      },
    ),
    { numRuns: 10 },
  );
  connection.closeSync();
});

it('reads times of every usual size in SQL as in process', async () => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const seconds = fc.double({ min: 1e8, max: 9e9, noNaN: true });
  const times = fc.oneof(
    seconds,
    seconds.map(Math.round),
    // Halves of a millisecond are rounded up.
    fc.nat(4e9).map(number => 2e8 + number + 0.0005),
    seconds.map(number => number * 1000),
    seconds.map(number => Math.round(number) * 1_000_000_000),
    seconds.map(number => new Date(number * 1000).toISOString()),
    fc.constantFrom(null, 5, -1, 1e20, 'yesterday', '2026/03/02 10:15:30'),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(times, { minLength: 100, maxLength: 100 }), async all => {
      const text = (value: unknown) => (value === null ? 'null::varchar' : singleQuoted(JSON.stringify(value)));
      const rows = all.map((time, at) => `(${at}, ${text(time)})`).join(', ');
      const sql = `select ${startInJson('t')} from (values ${rows}) as r(n, t) order by n`;
      const found = (await connection.runAndReadAll(sql)).getRows().map(([start]) => JSON.parse(String(start)));
      expect(found.map(start => (Array.isArray(start) ? startIn(start[0], undefined) : (start ?? undefined)))).toEqual(
        all.map(time => startIn(time, undefined)),
      );
      expect(found.filter(Number.isInteger).length).toBeGreaterThan(20);
    }),
    { numRuns: 10 },
  );
  connection.closeSync();
});

it('finds headers with one value in SQL as in process, and escaped ones never', async () => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const text = fc.constantFrom('a', '', '-', ' 1', '1, 2', '"', '\\', '\t', 'é', '["a"]');
  const other = fc.constantFrom(null, true, 7, -1.5, { a: 'b' });
  const values = fc.oneof(
    text,
    text.map(one => [one]),
    fc.array(fc.oneof(text, other), { maxLength: 2 }),
    other,
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(values, { minLength: 50, maxLength: 50 }),
      fc.constantFrom('x-a', 'referer'),
      async (all, name) => {
        const layout = { signs: ['-', ''] };
        const rows = all.map((one, at) => `(${at}, ${singleQuoted(JSON.stringify(one))})`).join(', ');
        const sql = `select ${sentInJson(name, 'v', layout)} from (values ${rows}) as r(n, v) order by n`;
        const found = (await connection.runAndReadAll(sql)).getRows().map(([sent]) => sent);
        const isEscaped = (one: unknown) => JSON.stringify(one).includes('\\');
        expect(found).toEqual(all.map(one => (isEscaped(one) ? 'several' : sentAs(name, one, layout))));
      },
    ),
    { numRuns: 20 },
  );
  connection.closeSync();
});
