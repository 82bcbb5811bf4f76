import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { installedCommand } from '../support/installed-command.ts';

const COMMAND = await installedCommand();
const POLICY = resolve('examples/policies/bookshop.yaml');
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-interrupt-'));
});

afterEach(() => rmSync(directory, { recursive: true }));

/** Resolves when a file with such a name appears in the directory. */
function appears(folder: string, start: string): Promise<void> {
  return new Promise(done => {
    const look = () => {
      if (!readdirSync(folder).some(name => name.startsWith(start))) return;
      watcher.close();
      done();
    };
    const watcher = watch(folder, look);
    look();
  });
}

it.each<NodeJS.Signals>(['SIGINT', 'SIGTERM'])('leaves no temporary file behind after %s', async signal => {
  const out = join(directory, 'decisions.ndjson');
  const args = [COMMAND, 'replay', '--format', `ndjson=${out}`, POLICY, '-'];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'ignore'] });
  const ended = new Promise<NodeJS.Signals | null>(done => child.on('exit', (_, by) => done(by)));
  const begun = appears(directory, '.');
  // More than one batch, without an end.
  const line = '{"method":"GET","url":"https://books.example/"}\n';
  child.stdin.on('error', () => undefined);
  child.stdin.write(line.repeat(100_000));
  await Promise.race([begun, ended.then(by => expect.fail(`it ended before it was interrupted, by ${by}`))]);
  child.kill(signal);
  expect(await ended).toBe(signal);
  expect(readdirSync(directory)).toEqual([]);
});

it('interrupts DuckDB, removes its temporary files, and reports the beginning', async () => {
  const [traffic, temporary] = [join(directory, 'traffic.jsonl'), join(directory, 'tmp')];
  mkdirSync(temporary);
  // Loading takes a hundred times as long as the signal.
  writeFileSync(traffic, '{"method":"GET","url":"https://books.example/"}\n'.repeat(4_000_000));
  const args = [COMMAND, 'replay', '--engine', 'duckdb', POLICY, traffic];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TMPDIR: temporary },
  });
  let [output, errors] = ['', ''];
  child.stdout.on('data', text => {
    output += text;
  });
  child.stderr.on('data', text => {
    errors += text;
  });
  const ended = new Promise<number | null>(done => child.on('close', status => done(status)));
  await appears(temporary, 'tollgate-query-');
  child.kill('SIGINT');
  expect(await ended).toBe(130);
  expect(errors).toBe('tollgate: interrupted; the report is partial\n');
  expect(output.replace(/\n +/g, ' ')).toContain('replayed in process, without DuckDB: it was interrupted');
  expect(readdirSync(temporary).filter(name => name.startsWith('tollgate-query-'))).toEqual([]);
});

it('exits with 70 if a command waits for something that never comes', () => {
  writeFileSync(join(directory, 'env.mjs'), 'export const then = () => {};\nexport default {};\n');
  const args = [COMMAND, 'check', '--trust', POLICY, '--env', join(directory, 'env.mjs')];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect([status, stderr.split('\n')[0]]).toEqual([70, 'tollgate: internal error; please report it']);
});
