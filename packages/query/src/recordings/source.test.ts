import { DuckDBInstance } from '@duckdb/node-api';
import { singleQuoted } from '@tollgate/diagnostics';
import { timeIn } from '@tollgate/traffic/columns';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isoTime } from './source.ts';

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
