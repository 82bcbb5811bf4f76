import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openClickhouse } from './clickhouse.ts';
import type { EngineSession } from './engine.ts';

const CANCELED = 'Code: 394. DB::Exception: Query was cancelled. (QUERY_WAS_CANCELLED) (version 26.7.2.1)';
const DENIED = `Code: 516. DB::Exception: ada: Authentication failed: password is incorrect, or there is no user with such name.

If you use ClickHouse Cloud, the password can be reset at https://clickhouse.cloud/

 (AUTHENTICATION_FAILED) (version 26.7.2.1)`;

/** Parts of answers by query (https://clickhouse.com/docs/interfaces/http). Older servers write an error where they are in a result, newer ones between marks. */
const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  'select 1': ['[1]\n'],
  'select whole': ['[1,"a\\n["]\n[null,', '"[b"]\n[3,""]\n'],
  'select none': [],
  'select late': ['[1]\n[2]\n', 'Code: 394. DB::Excep', CANCELED.slice('Code: 394. DB::Excep'.length)],
  'select marked': ['[1]\n[2]\n\r\n__exception__\r\nabcdef\r\n', `${CANCELED}\n`, '94 abcdef\r\n__exception__\r\n'],
  'select inside': ['[1]\n[2,"a', `${CANCELED}\n`],
  'select large': ['Code: 168. DB::Exception: AST is too big. Maximum: 50000. (TOO_BIG_AST) (version 26.7.2.1)\n'],
};

const server = createServer(async (request, response) => {
  let sql = '';
  for await (const part of request) sql += part;
  if (request.headers['x-clickhouse-key'] === 'wrong') {
    response.writeHead(403);
    response.end(DENIED);
    return;
  }
  if (sql.startsWith('select broken')) {
    response.writeHead(200);
    response.write('[1]\n[2', () => response.destroy());
    return;
  }
  if (sql.startsWith('select packed')) {
    response.writeHead(sql.includes('wrongly') ? 500 : 200, { 'Content-Encoding': request.headers['accept-encoding'] });
    const packed = gzipSync(sql.includes('error') ? `[1]\n${CANCELED}` : '[1,"a"]\n[2,"b"]\n');
    if (sql.includes('broken')) response.write(packed.subarray(0, 15), () => response.destroy());
    else response.end(sql.includes('short') ? packed.subarray(0, -10) : packed);
    return;
  }
  response.writeHead(200);
  const parts = ANSWERS[sql.replace(' format JSONCompactEachRow', '')]!;
  for (const part of parts) await new Promise(resolve => response.write(part, resolve));
  response.end();
});
let session: EngineSession;
let place = '';

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  place = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  session = await openClickhouse(`http://${place}/`);
});

afterAll(() => server.close());

async function rows(sql: string): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const batch of session.batches(sql)) found.push(...batch);
  return found;
}

it('reads rows in any parts', async () => {
  expect(await rows('select whole')).toEqual([
    ['1', 'a\n['],
    [null, '[b'],
    ['3', ''],
  ]);
  expect(await rows('select none')).toEqual([]);
});

it.each(['select late', 'select marked', 'select inside'])('says why `%s` ends early', async sql => {
  const message = 'ClickHouse failed: Query was cancelled. (QUERY_WAS_CANCELLED)';
  await expect(rows(sql)).rejects.toMatchObject({ message });
});

it.each(['select broken', 'select packed broken', 'select packed short', 'select packed wrongly short'])(
  'says that the connection broke: `%s`',
  async sql => {
    const message = 'ClickHouse failed: the connection broke before the end of the result';
    await expect(rows(sql)).rejects.toMatchObject({ message });
  },
);

it('reads compressed rows, and errors after them or instead of them', async () => {
  expect(await rows('select packed')).toEqual([
    ['1', 'a'],
    ['2', 'b'],
  ]);
  const message = 'ClickHouse failed: Query was cancelled. (QUERY_WAS_CANCELLED)';
  await expect(rows('select packed error')).rejects.toMatchObject({ message });
  await expect(rows('select packed wrongly error')).rejects.toMatchObject({ message });
});

it('says that the connection broke in the answer to a statement', async () => {
  await expect(session.run!('select packed short')).rejects.toThrow('the connection broke');
});

it('says which limit a query exceeds', async () => {
  await expect(rows('select large')).rejects.toThrow(
    'ClickHouse failed: AST is too big. Maximum: 50000. (TOO_BIG_AST); have `max_ast_elements` raised for this user',
  );
});

it('says that the password is wrong', async () => {
  await expect(openClickhouse(`http://ada:wrong@${place}/`)).rejects.toMatchObject({
    message:
      'ClickHouse failed: ada: Authentication failed: password is incorrect, or there is no user with such name.',
  });
});
