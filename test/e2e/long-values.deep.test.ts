import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, describe, expect, it } from 'vitest';
import { installedCommand } from '../support/installed-command.ts';

// Small files whose values are long: DuckDB counts rows, so that a few kilobytes became gigabytes between it and JavaScript.

const COMMAND = await installedCommand();
const POLICY = resolve(import.meta.dirname, '../../examples/policies/bookshop.yaml');
const directory = mkdtempSync(join(tmpdir(), 'tollgate-long-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** In MB; the values alone have 600, and took 900 to 1,200. */
const MOST = 600;

const ROWS = 6000;
const LONG = 100_000;
const URL = "'https://books.example/'";
const HEADER = `repeat(chr(97 + (range % 26)::int), ${LONG})`;

/** Writes the most memory that the process held, in kB. On Linux, its usage of resources has that of the process that started it, too. */
const PEAK = join(directory, 'peak.cjs');
writeFileSync(
  PEAK,
  `const { existsSync, readFileSync, writeFileSync } = require('node:fs');
  process.on('exit', () => {
    const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
    const peak = /VmHWM:\\s*(\\d+)/.exec(status)?.[1] ?? process.resourceUsage().maxRSS;
    writeFileSync(${JSON.stringify(join(directory, 'peak'))}, String(peak));
  });`,
);

/** Runs the command, and returns its report and the most memory that it held, in MB. */
function replay(file: string, ...options: readonly string[]) {
  const args = ['--require', PEAK, COMMAND, 'replay', '--format', 'json', ...options, POLICY, file];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  const peak = Number(readFileSync(join(directory, 'peak'), 'utf8')) / 1024;
  return { report: JSON.parse(stdout || `"${stderr}"`), peak };
}

async function parquet(name: string, url: string, headers = '{a: null}'): Promise<string> {
  const file = join(directory, name);
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
  await connection.run(
    `copy (select 'GET' as method, ${url} as url, 200 as status, ${headers} as request_headers from range(${ROWS}))
      to '${file}' (format parquet)`,
  );
  connection.closeSync();
  return file;
}

describe('a small file of long values takes little memory:', () => {
  it.each([
    ['Parquet with one URL', `${URL} || repeat('a', ${LONG})`],
    ['Parquet whose first rows are short', `${URL} || repeat('a', if(range > 2000, ${LONG}, 1))`],
    ['Parquet with a struct of headers', URL, `{'User-Agent': 'curl/8', x: ${HEADER}}`],
  ])('%s', async (name, url, headers?: string) => {
    const { report, peak } = replay(await parquet(`${name}.parquet`, url, headers));
    expect(report).toMatchObject({ exchanges: ROWS, skipped: [] });
    expect(peak).toBeLessThan(MOST);
  });

  it('compressed CSV', () => {
    const file = join(directory, 'long.csv.gz');
    const row = `GET,https://books.example/${'a'.repeat(LONG)},200\n`;
    // Members of a gzip file may be compressed one by one (RFC 1952, section 2.2).
    const member = gzipSync(row.repeat(ROWS / 100));
    writeFileSync(file, Buffer.concat([gzipSync('method,url,status\n'), ...Array.from({ length: 100 }, () => member)]));
    const { report, peak } = replay(file);
    expect(report).toMatchObject({ exchanges: ROWS, skipped: [] });
    expect(peak).toBeLessThan(MOST);
  });

  it('Parquet with a map of headers, which DuckDB only reads whole, is refused with what to do', async () => {
    const file = await parquet('map.parquet', URL, `map {'X': ${HEADER}}`);
    const { report, peak } = replay(file);
    const message = `cannot read \`${file}\`: its rows need more memory than the 48MB limit; convert it to JSON lines`;
    expect(report).toMatchObject({ exchanges: 0, files: [{ failure: { message } }] });
    expect(peak).toBeLessThan(MOST);
  });
});
