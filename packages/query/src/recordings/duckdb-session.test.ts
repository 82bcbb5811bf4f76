import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, describe, expect, it } from 'vitest';
import { openSession, queryFailure } from './duckdb-session.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-failure-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function failureOf(sql: string, settings: Record<string, string> = {}) {
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1', ...settings })).connect();
  try {
    await connection.run(sql);
    return undefined;
  } catch (error) {
    return queryFailure(error);
  } finally {
    connection.closeSync();
  }
}

describe('the failure of a query', () => {
  it('says that memory, or space for temporary files, is not enough', async () => {
    const failure = await failureOf(
      'create table t as select range, uuid()::varchar as b from range(1000000) order by b',
      { memory_limit: '8MB', temp_directory: folder },
    );
    expect(failure).toEqual({
      isOutOfSpace: true,
      reason: expect.stringMatching(/^DuckDB ran out of memory, or of space for temporary files: .+[^.]$/),
    });
  });

  it('says what else is wrong in one line', async () => {
    const failure = await failureOf("select cast('x' as integer)");
    expect(failure).toEqual({
      isOutOfSpace: false,
      reason: "DuckDB failed: Conversion Error: Could not convert string 'x' to INT32",
    });
  });

  it('is none for an error in a program', () => {
    expect(queryFailure(new TypeError('x is not a function'))).toBeUndefined();
  });
});

it('keeps the ids of rows where many others are deleted', async () => {
  const session = await openSession();
  try {
    // DuckDB would write a checkpoint of so much data, with a row group less.
    for (let time = 0; time < 4; time++) {
      await session.run(`create or replace table raw as
        select range as id, repeat('x', 80) || range % 170000 as url, '10.0.' || range % 256 as client from range(766000)`);
      await session.run(`alter table raw alter client type varchar using client || '.1'`);
      await session.run('delete from raw where id < 321000 or id > 498000');
      expect(await session.rows('select min(rowid)::integer, max(rowid)::integer from raw')).toEqual([
        [321000, 498000],
      ]);
      await session.run('create or replace table d as select distinct url from raw');
    }
  } finally {
    await session.close();
  }
});
