import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A ClickHouse server for the tests of one file. */
interface TestClickhouse {
  readonly url: string;
  readonly pid: number;
  readonly run: (sql: string) => Promise<string>;
  readonly stop: () => void;
}

const PYTHON = fileURLToPath(new URL('../../node_modules/.cache/tollgate-chdb/bin/python', import.meta.url));
const PROGRAM = fileURLToPath(new URL('chdb-server.py', import.meta.url));

/**
 * Starts chdb, the engine of ClickHouse as a library, behind its HTTP interface; undefined where it is not installed.
 *
 * @param reader a folder with a `config.xml` of a user who may only read
 */
export async function clickhouseForTests(reader?: string): Promise<TestClickhouse | undefined> {
  if (!existsSync(PYTHON)) return undefined;
  const how = reader === undefined ? { args: [] } : { args: ['reader'], cwd: reader };
  const child = spawn(PYTHON, [PROGRAM, ...how.args], { stdio: ['pipe', 'pipe', 'inherit'], cwd: how.cwd });
  const [port] = await once(child.stdout, 'data');
  const url = `http://127.0.0.1:${Number(port)}/`;
  const run = async (sql: string) => {
    const response = await fetch(url, { method: 'POST', body: sql });
    if (!response.ok) throw new Error(await response.text());
    return response.text();
  };
  return { url, pid: child.pid!, run, stop: () => child.kill('SIGKILL') };
}
