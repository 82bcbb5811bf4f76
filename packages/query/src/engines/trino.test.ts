import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EngineSession } from './engine.ts';
import { openTrino } from './trino.ts';

type Answer = (request: IncomingMessage, sql: string) => { readonly status?: number; readonly body: unknown } | 'break';

const ROWS = [{ name: 'n', type: 'bigint' }];
const seen: string[] = [];
let isBusy = true;
let origin = '';

/** As a coordinator answers (https://trino.io/docs/current/develop/client-protocol.html), recorded from Trino 476. */
const answer: Answer = ({ method, url = '', headers }, sql) => {
  seen.push(`${method} ${url} ${headers.authorization ?? '-'} ${headers['x-trino-user']} ${headers['x-trino-schema']}`);
  if (method === 'DELETE') return { status: 204, body: '' };
  if (sql === 'set time zone local' || url === '/next/last')
    return { body: { id: 'q', columns: ROWS, data: [[3], [null]], stats: {} } };
  if (sql === 'select broken') return 'break';
  if (sql === 'select nothing')
    return { body: { id: 'q', error: { message: "line 1:8: Column 'nothing' cannot be resolved\nat …" }, stats: {} } };
  if (sql === 'select long')
    return { body: { id: 'q', error: { message: 'Query text length (7) exceeds the maximum length (6)' }, stats: {} } };
  if (sql === 'select denied') return { status: 401, body: 'Access Denied: Invalid credentials' };
  if (url === '/next/busy' && isBusy) {
    isBusy = false;
    return { status: 503, body: '' };
  }
  if (url === '/next/busy')
    return { body: { id: 'q', nextUri: `${origin}/next/last`, columns: ROWS, data: [[1], [2]] } };
  return { body: { id: 'q', nextUri: `${origin}/next/busy`, stats: { state: 'QUEUED' } } };
};

const server = createServer(async (request, response) => {
  let sql = '';
  for await (const part of request) sql += part;
  const found = answer(request, sql);
  if (found === 'break') {
    response.writeHead(200, { 'Content-Length': 1000 });
    response.write('{"id":', () => response.destroy());
    return;
  }
  response.writeHead(found.status ?? 200);
  response.end(typeof found.body === 'string' ? found.body : JSON.stringify(found.body));
});
let session: EngineSession;

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  session = await openTrino(`${origin.replace('//', '//ada:secret@')}/hive/logs`);
});

afterAll(() => server.close());

async function rows(sql: string): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const batch of session.batches(sql)) found.push(...batch);
  return found;
}

it('follows a result to its end, and tries again if the coordinator is overloaded', async () => {
  expect(await rows('select n')).toEqual([['1'], ['2'], ['3'], [null]]);
  expect(seen.at(-1)).toBe(`GET /next/last Basic ${Buffer.from('ada:secret').toString('base64')} ada logs`);
});

it('ends the query of a result that is not read to its end', async () => {
  for await (const _ of session.batches('select n')) break;
  expect(seen.at(-1)).toMatch(/^DELETE [/]next[/]last /);
});

it.each([
  ['select nothing', "Trino failed: line 1:8: Column 'nothing' cannot be resolved"],
  [
    'select long',
    'Trino failed: Query text length (7) exceeds the maximum length (6); restrict the table to fewer distinct values, or raise `query.max-length`',
  ],
  ['select denied', 'Trino failed: status 401: Access Denied: Invalid credentials'],
  ['select broken', 'Trino failed: the connection broke before the end of the result'],
])('says in one line why `%s` has no result', async (sql, message) => {
  await expect(rows(sql)).rejects.toMatchObject({ message });
});

it('ends a query that is canceled before the coordinator has answered', async () => {
  const result = rows('select n');
  const canceled = session.cancel();
  await expect(result).rejects.toMatchObject({ message: 'Trino failed: the query was canceled' });
  await canceled;
  expect(seen.at(-1)).toMatch(/^DELETE [/]next[/]busy /);
});

it('sends a token instead of a password', async () => {
  const before = process.env.TRINO_ACCESS_TOKEN;
  process.env.TRINO_ACCESS_TOKEN = 'e30.e30.c2ln';
  try {
    await openTrino(`${origin}/hive/logs`);
    expect(seen.at(-1)).toBe('POST /v1/statement Bearer e30.e30.c2ln undefined logs');
    await openTrino(`${origin.replace('//', '//ada@')}/hive/logs`);
    expect(seen.at(-1)).toBe('POST /v1/statement Bearer e30.e30.c2ln ada logs');
    await openTrino(`${origin.replace('//', '//ada:secret@')}/hive/logs`);
    expect(seen.at(-1)).toMatch(/ Basic /);
  } finally {
    if (before === undefined) delete process.env.TRINO_ACCESS_TOKEN;
    else process.env.TRINO_ACCESS_TOKEN = before;
  }
});

it('sends the password to no other host', async () => {
  const other = createServer((request, response) => {
    seen.push(`other ${request.headers.authorization ?? '-'}`);
    response.end(JSON.stringify({ id: 'q', columns: ROWS, data: [] }));
  });
  await once(other.listen(0, '127.0.0.1'), 'listening');
  const before = origin;
  origin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  await rows('select n');
  origin = before;
  other.close();
  expect(seen.at(-1)).toBe('other -');
});
