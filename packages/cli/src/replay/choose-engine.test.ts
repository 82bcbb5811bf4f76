import { closeSync, mkdtempSync, openSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { TrafficSelection } from '@tollgate/simulator';
import { afterAll, expect, it } from 'vitest';
import { COMPRESSION, chooseEngine, LARGE_JSON_LINES } from './choose-engine.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-choose-'));
afterAll(() => rmSync(folder, { recursive: true }));

const LINES = '{"method":"GET","url":"https://e.co/"}\n'.repeat(1000);
const WRAPPED = '2026-11-21T10:00:00.123456789Z stdout F {"method":"GET","url":"https://e.co/"}\n'.repeat(1000);
const NGINX = '{"remote_addr":"192.0.2.1","request_method":"GET","request_uri":"/"}\n'.repeat(1000);
const LOG = '192.0.2.1 - - [21/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 5 "-" "curl"\n'.repeat(1000);

/** A sparse file of a size; only its beginning is looked at. */
function fileOf(name: string, content: string | Buffer, size: number): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  truncateSync(file, Math.ceil(size));
  return file;
}

const HALF = LARGE_JSON_LINES / 2;
const TRAEFIK = '{"ClientHost":"192.0.2.1","RequestMethod":"GET","RequestPath":"/","DownstreamStatus":200}\n';
const CADDY = '{"request":{"remote_ip":"192.0.2.1","method":"GET","uri":"/"},"status":200}\n';
const COMMON =
  '192.0.2.1 - - [02/Mar/2026:10:15:30 +0000] "GET /a HTTP/1.1" 200 5 "-" "-" 1 "r@docker" "http://10.0.0.1" 2ms\n';

it.each<[string, string[], 'duckdb' | 'js']>([
  ['small JSON lines', [fileOf('small', LINES, LARGE_JSON_LINES - 1)], 'js'],
  ['large JSON lines', [fileOf('large', LINES, LARGE_JSON_LINES)], 'duckdb'],
  ['large JSON lines of nginx', [fileOf('nginx', NGINX, LARGE_JSON_LINES)], 'duckdb'],
  ['large JSON lines of Traefik', [fileOf('traefik', TRAEFIK, LARGE_JSON_LINES)], 'duckdb'],
  ['large JSON lines of Caddy', [fileOf('caddy', CADDY, LARGE_JSON_LINES)], 'js'],
  ['a large log of Traefik that is not JSON', [fileOf('traefik.log', COMMON, LARGE_JSON_LINES)], 'js'],
  ['JSON lines that are large together', [fileOf('one', LINES, HALF), fileOf('other', LINES, HALF)], 'duckdb'],
  ['small compressed JSON lines', [fileOf('few.gz', gzipSync(LINES), LARGE_JSON_LINES / COMPRESSION - 1)], 'js'],
  ['large compressed JSON lines', [fileOf('many.gz', gzipSync(LINES), LARGE_JSON_LINES / COMPRESSION)], 'duckdb'],
  ['JSON lines in lines of a container', [fileOf('wrapped', WRAPPED, LARGE_JSON_LINES)], 'js'],
  ['an access log', [fileOf('access.log', LOG, LARGE_JSON_LINES)], 'js'],
  ['several formats', [fileOf('more', LINES, LARGE_JSON_LINES), fileOf('another.log', LOG, 1e5)], 'js'],
  ['standard input', ['-'], 'js'],
  ['a file that does not exist', [join(folder, 'none')], 'js'],
  ['no file', [], 'js'],
])('chooses the engine of %s', async (_, files, engine) => {
  expect(await chooseEngine(files, {})).toBe(engine);
});

/** A sparse file with some exchanges of each minute of a day, as far from each other as in one of that size. */
function dayOf(name: string, lineAt: (time: string) => object): string {
  const file = fileOf(name, '', LARGE_JSON_LINES);
  const handle = openSync(file, 'r+');
  for (let minute = 0; minute < 1440; minute++) {
    const time = new Date(Date.UTC(2026, 10, 21, 0, minute)).toISOString();
    writeSync(handle, `\n${JSON.stringify(lineAt(time))}\n`.repeat(8), (LARGE_JSON_LINES / 1440) * minute);
  }
  closeSync(handle);
  return file;
}

const LINES_OF_DAY = dayOf('day', time => ({ time, method: 'GET', url: 'https://e.co/' }));
const NGINX_OF_DAY = dayOf('nginx-day', time => ({
  ...{ time_iso8601: time, remote_addr: '192.0.2.1', request_method: 'GET', request_uri: '/' },
}));
const at = (hour: number) => Date.UTC(2026, 10, 21, hour);

it.each<[string, TrafficSelection, 'duckdb' | 'js']>([
  ['an hour', { since: at(10), until: at(11) }, 'js'],
  ['an hour of another day', { since: at(34), until: at(35) }, 'js'],
  ['the last hour', { since: at(23) }, 'js'],
  ['most of the day', { since: at(6) }, 'duckdb'],
  ['a share', { sample: { percent: 5, seed: 1 } }, 'js'],
  ['a share of nearly all', { since: at(6), sample: { percent: 90, seed: 1 } }, 'duckdb'],
  ['a number', { sample: { count: 5, seed: 1 } }, 'duckdb'],
])('chooses the engine of %s of a large recording', async (_, select, engine) => {
  for (const file of [LINES_OF_DAY, NGINX_OF_DAY]) expect(await chooseEngine([file], {}, select)).toBe(engine);
});
