import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { runCaptured } from '@tollgate/cli';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-history-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(name: string, content: string | Buffer): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

const ACTIONS = {
  limit:
    '{ type: rate-limit, config: { name: a, algorithm: sliding_window, capacity: 2, rate: 60s, bucket_key: [conn.client_ip] } }',
  breaker:
    '{ type: circuit-breaker, config: { error_threshold: 0.5, volume_threshold: 2, window_duration: 10s, tripped_duration: 30s } }',
};
const LIMIT = fileOf('limit.yaml', `on_http_request:\n  - actions: [${ACTIONS.limit}]\n`);
const BREAKER = fileOf('breaker.yaml', `on_http_request:\n  - actions: [${ACTIONS.breaker}]\n`);

/** Within a minute, three requests of one client and one of another, all failing; then one more later. */
const LINES = [
  ['192.0.2.1', '10:00:00'],
  ['192.0.2.2', '10:00:01'],
  ['192.0.2.1', '10:00:03'],
  ['192.0.2.1', '10:00:02'],
  ['192.0.2.1', '10:05:00'],
].map(([client, time]) => `${client} - - [21/Nov/2026:${time} +0000] "GET / HTTP/1.1" 502 5`);
const LOG = fileOf('a.log', `${LINES.join('\n')}\n`);

async function outcome(policy: string, request: string, ...args: readonly string[]): Promise<readonly string[]> {
  const options = ['--endpoint', 'http-endpoint', '--format', 'json', ...args];
  const { code, output, errors } = await runCaptured(['trace', policy, '--request', request, ...options]);
  expect([code, errors]).toEqual([0, '']);
  return JSON.parse(output).outcomes.map(({ kind, status }: { kind: string; status?: number }) =>
    status === undefined ? kind : `${kind} ${status}`,
  );
}

it('shows each list of `restrict-ips` once, and the range that decides', async () => {
  const config = '{ enforce: true, allow: ["192.0.2.0/24", "203.0.113.0/24"], deny: ["192.0.2.1/32"] }';
  const policy = fileOf('ips.yaml', `on_http_request:\n  - actions: [{ type: restrict-ips, config: ${config} }]\n`);
  const { output } = await runCaptured(['trace', policy, '--endpoint', 'http-endpoint', '--request', `${LOG}#1`]);
  expect(output.match(/inCidrRanges\(/g)).toHaveLength(2);
  expect(output).toContain('denies the address, which is in 192.0.2.1/32');
});

describe('a traced request', () => {
  it.each([
    [LIMIT, 1, ['passed']],
    [LIMIT, 2, ['passed']],
    // It came after the one that follows it in the log.
    [LIMIT, 3, ['refused 429']],
    [LIMIT, 4, ['passed']],
    [LIMIT, 5, ['passed']],
    [BREAKER, 2, ['passed']],
    [BREAKER, 3, ['refused 503']],
    [BREAKER, 5, ['passed']],
  ])('is limited by the requests before it in its recording: %s, line %i', async (policy, line, expected) => {
    expect(await outcome(policy, `${LOG}#${line}`)).toEqual(expected);
    const compressed = fileOf('a.log.gz', gzipSync(`${LINES.join('\n')}\n`));
    expect(await outcome(policy, `${compressed}#${line}`, '--with-history')).toEqual(expected);
  });

  it('is undetermined on its own', async () => {
    expect(await outcome(LIMIT, `${LOG}#3`, '--no-with-history')).toEqual(['refused 429', 'passed']);
  });

  it('shows the counters', async () => {
    const { output } = await runCaptured(['trace', LIMIT, '--endpoint', 'http-endpoint', '--request', `${LOG}#3`]);
    expect(output).toMatch(/counts 2 for 192\.0\.2\.1/);
  });
});
