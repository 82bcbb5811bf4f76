import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REPLAY_POLICY } from '../bench/replay-policy.ts';
import { writeTraffic } from '../bench/replay-traffic.ts';
import { installedCommand } from '../support/installed-command.ts';

const HAR = join(import.meta.dirname, '../../examples/traffic/browse.har');

const COMMAND = await installedCommand();

/** Threads of the installed command start faster than those of the sources. */
function tollgate(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args], { encoding: 'utf8' });
  return { code: status, output: stdout, errors: stderr };
}

const FOLDER = mkdtempSync(join(tmpdir(), 'tollgate-threads-'));
const at = (name: string) => join(FOLDER, name);

beforeAll(() => {
  writeTraffic(at('traffic.jsonl'), 'json-lines', 9_000_000);
  writeTraffic(at('access.log'), 'combined', 200_000);
  writeFileSync(at('policy.json'), JSON.stringify(REPLAY_POLICY));
  writeFileSync(at('other.txt'), 'hello\n');
  const limit = { name: 'a', algorithm: 'sliding_window', capacity: 9, rate: '60s', bucket_key: ['conn.client_ip'] };
  const limited = { on_http_request: [{ actions: [{ type: 'rate-limit', config: limit }] }] };
  writeFileSync(at('limited.json'), JSON.stringify(limited));
});
afterAll(() => rmSync(FOLDER, { recursive: true }));

const EDGE = join(import.meta.dirname, '../../examples/edges/bookshop.json');

describe('a replay on several threads', () => {
  it('has the same figures as on one thread', () => {
    const traffic = [at('traffic.jsonl'), at('access.log'), HAR];
    const options = ['--format', 'json', '--top', '0', at('policy.json'), ...traffic];
    const one = tollgate('replay', '--threads', '1', ...options);
    const three = tollgate('replay', '--threads', '3', ...options);
    expect([one.code, three.code, three.errors]).toEqual([0, 0, '']);
    expect(JSON.parse(three.output)).toEqual(JSON.parse(one.output));
  });

  it('reports an unreadable file as on one thread', () => {
    const files = [at('access.log'), at('other.txt')];
    const found = tollgate('replay', '--threads', '2', at('policy.json'), ...files);
    expect(found.code).toBe(3);
    expect(found.errors).toContain(`\`${at('other.txt')}\` is not recorded traffic`);
    expect(found.output).toContain('access.log');
  });

  it.each([
    [['--seed', '1', 'policy.json'], 'random results of `--seed` depend on the position of each exchange'],
    [['limited.json'], '`rate-limit` keeps state across exchanges'],
  ])('runs on one thread, and says so, for %j', (args, reason) => {
    const policy = at(args.at(-1)!);
    const found = tollgate('replay', '--threads', '2', ...args.slice(0, -1), policy, at('access.log'));
    expect(found.code).toBe(0);
    expect(found.errors).toBe(`tollgate: replaying on one thread: ${reason}\n`);
  });

  it('runs on one thread, and says so, for an edge', () => {
    const found = tollgate('replay', '--threads', '2', '--edge', EDGE, HAR);
    expect([found.code, found.errors]).toEqual([0, 'tollgate: replaying on one thread: `--edge` supports only one\n']);
  });
});
