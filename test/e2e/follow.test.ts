import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { freePort } from '../servers/log-servers.ts';
import { eventually } from '../support/eventually.ts';
import { installedCommand } from '../support/installed-command.ts';

// `--follow` as a person uses it: while something else writes the log.

const COMMAND = await installedCommand();
const started: ChildProcess[] = [];
let directory: string;

const policy = (prefix: string) =>
  `on_http_request:\n  - expressions: ["req.url.path.startsWith('${prefix}')"]\n    actions: [{ type: deny, config: { status_code: 403 } }]\n`;

/** A request as nginx logs it. */
const line = (client: string, path: string) =>
  `${client} - - [29/Nov/2026:07:30:00 +0000] "GET ${path} HTTP/1.1" 200 12 "-" "curl/8"\n`;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-follow-'));
  writeFileSync(join(directory, 'old.yaml'), policy('/admin'));
  writeFileSync(join(directory, 'new.yaml'), policy('/a'));
  writeFileSync(join(directory, 'access.log'), '');
});

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  rmSync(directory, { recursive: true });
});

function write(text: string): void {
  appendFileSync(join(directory, 'access.log'), text);
}

function tollgate(...args: readonly string[]) {
  const child = spawn(process.execPath, [COMMAND, ...args], { cwd: directory });
  started.push(child);
  const printed = { out: '', err: '' };
  child.stdout.on('data', text => {
    printed.out += text;
  });
  child.stderr.on('data', text => {
    printed.err += text;
  });
  const ended = new Promise<number | null>(done => child.on('close', done));
  return {
    printed,
    ended,
    says: (text: string) => eventually(() => `${printed.out}${printed.err}`.includes(text)),
    interrupt: () => child.kill('SIGINT'),
  };
}

it('names each client that a change newly denies as it happens, and reports at the end what an impact does', async () => {
  const address = `127.0.0.1:${await freePort()}`;
  const followed = tollgate('impact', '--follow', '--metrics', address, 'old.yaml', 'new.yaml', 'access.log');
  await followed.says('metrics are at');
  // One in a thousand.
  for (let index = 0; index < 2000; index++) write(line('203.0.113.7', `/books/${index}`));
  write(line('203.0.113.9', '/apples') + line('203.0.113.9', '/apricots') + line('203.0.113.8', '/admin'));
  await followed.says('newly denied with 403: 203.0.113.9 GET /apples (access.log:2001)\n');
  await followed.says('2,003 exchanges, 2 changed, 2 newly denied\n');
  const metrics = await (await fetch(`http://${address}/metrics`)).text();
  expect(metrics).toContain('tollgate_followed_decisions_total{outcome="denied"} 3\n');
  expect(metrics).toContain('tollgate_followed_newly_denied_total 2\n');
  renameSync(join(directory, 'access.log'), join(directory, 'access.log.1'));
  write(line('203.0.113.10', '/apples'));
  await followed.says('newly denied with 403: 203.0.113.10 GET /apples (access.log:1)\n');
  followed.interrupt();
  expect(await followed.ended).toBe(0);
  expect(followed.printed.out.match(/203\.0\.113\.9 GET/g)).toHaveLength(1);
  expect(followed.printed.out).toContain('3 of 2,004 exchanges change');
});

it('stops when the condition holds, with the exit code of findings and the report in its format', async () => {
  const followed = tollgate(
    'replay',
    '--follow',
    '--stop-when',
    'denied.least > 1',
    '-f',
    'json',
    'old.yaml',
    'access.log',
  );
  await eventually(() => {
    write(line('203.0.113.9', '/admin'));
    return followed.printed.err.includes('denied with 403: 203.0.113.9 GET /admin');
  });
  write(line('203.0.113.9', '/admin'));
  expect(await followed.ended).toBe(1);
  expect(followed.printed.err).toMatch(
    /stopped, because `denied\.least > 1` holds: [\d,]+ exchanges, [\d,]+ denied\n$/,
  );
  expect(JSON.parse(followed.printed.out)).toMatchObject({ exchanges: expect.any(Number) });
});

it('says nothing of a log to which nothing is added', async () => {
  const address = `127.0.0.1:${await freePort()}`;
  const followed = tollgate('impact', '--follow', '--metrics', address, 'old.yaml', 'new.yaml', 'access.log');
  await followed.says('metrics are at');
  followed.interrupt();
  expect(await followed.ended).toBe(0);
  expect(followed.printed.out).toMatch(/^old\.yaml → new\.yaml /);
});

it('says that limits are unknown in a log that is still being written', async () => {
  const limits = `on_http_request:\n  - actions: [{ type: rate-limit, config: { name: all, algorithm: sliding_window, capacity: 1, rate: 60s, bucket_key: [conn.client_ip] } }]\n`;
  writeFileSync(join(directory, 'limits.yaml'), limits);
  write(line('203.0.113.9', '/a') + line('203.0.113.9', '/b'));
  const followed = tollgate('replay', '--follow', '--stop-when', 'exchanges >= 2', 'limits.yaml', 'access.log');
  expect(await followed.ended).toBe(1);
  expect(followed.printed.out).toContain('2 exchanges, 0–2 denied\n');
  expect(followed.printed.out.replace(/\s+/g, ' ')).toContain('a recording that is followed cannot be sorted by time');
});

it.each([
  [['replay', '--from-end', 'old.yaml', 'access.log'], 'use `--from-end` together with `--follow`'],
  [
    ['replay', '--follow', '--engine', 'duckdb', 'old.yaml', 'access.log'],
    '`--follow` reads recordings while they are written, which only `--engine js` does',
  ],
  [
    ['impact', '--follow', '--stop-when', 'newly_denied > 3', 'old.yaml', 'new.yaml', 'access.log'],
    'it can read `exchanges`, `changed.least`, `changed.most`, `newly_denied.least`, `newly_denied.most`',
  ],
  [
    ['replay', '--follow', '--stop-when', 'exchanges', 'old.yaml', 'access.log'],
    '--stop-when `exchanges`: expected a condition, such as `denied.least > 0`',
  ],
  [['replay', '--follow', '--sample', '10', 'old.yaml', 'access.log'], 'sample a share such as `1%`'],
  [
    ['replay', '--follow', '--metrics', 'x', 'old.yaml', 'access.log'],
    '`--metrics` expects a port, or address and port',
  ],
  [['replay', '--follow', 'old.yaml', 'no.log'], 'no.log'],
])('refuses %j', async (args, message) => {
  const { ended, printed } = tollgate(...args);
  expect([2, 3]).toContain(await ended);
  expect(printed.err).toContain(message);
});
