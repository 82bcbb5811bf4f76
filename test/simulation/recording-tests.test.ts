import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROFILES } from '@tollgate/catalog';
import { runCaptured } from '@tollgate/cli';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { runs } from '../support/runs.ts';
import { PLAIN_LINES } from './generated-lines.ts';
import { meaningfulPolicies } from './generated-rules.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-recording-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);

describe.each(PROFILES.map(profile => [profile.name, profile] as const))('recorded tests under %s', (name, profile) => {
  const endpoint = profile.endpoints[0]!;
  const options = ['--profile', name, '--endpoint', endpoint];

  it('pass, and a recording of the same traffic is the same', async () => {
    await fc.assert(
      fc.asyncProperty(meaningfulPolicies(profile, endpoint), PLAIN_LINES, async (policy, lines) => {
        writeFileSync(at('policy.json'), JSON.stringify(policy));
        writeFileSync(at('lines.jsonl'), lines);
        const record = (file: string) =>
          runCaptured(['record', ...options, '-o', at(file), at('policy.json'), at('lines.jsonl')]);
        const first = await record('first.test.yaml');
        if (first.code === 1) {
          expect(first.errors).toContain('no exchange can be stated as a test');
          return;
        }
        expect(first).toMatchObject({ code: 0, output: '' });
        await record('second.test.yaml');
        const text = readFileSync(at('first.test.yaml'), 'utf8');
        expect(readFileSync(at('second.test.yaml'), 'utf8')).toBe(text);
        const { code, output } = await runCaptured(['test', at('first.test.yaml')]);
        expect([code, output]).toEqual([0, expect.stringMatching(/(\d+) tests?: \1 passed\n$/)]);
      }),
      { numRuns: runs(2, 60) },
    );
  });

  it('has no difference to its own snapshot', async () => {
    await fc.assert(
      fc.asyncProperty(meaningfulPolicies(profile, endpoint), PLAIN_LINES, async (policy, lines) => {
        writeFileSync(at('policy.json'), JSON.stringify(policy));
        writeFileSync(at('lines.jsonl'), lines);
        const args = ['snapshot', ...options, at('policy.json'), at('lines.jsonl')];
        expect((await runCaptured([...args, '--update'])).code).toBe(0);
        expect((await runCaptured(args)).code).toBe(0);
      }),
      { numRuns: runs(1, 20) },
    );
  });
});

describe('tests of a recording that withholds headers', () => {
  const record = (headers: object) =>
    JSON.stringify({
      request: { remote_ip: '10.0.0.1', method: 'GET', host: 'e.co', uri: '/a', proto: 'HTTP/1.1', headers },
      status: 200,
      resp_headers: {},
    });
  const names = ['Cookie', 'Authorization', 'X-Sent', 'X-Other', 'Transfer-Encoding'];
  const forms = (name: string) => [
    `'${name}' in req.Headers`,
    `!('${name}' in req.Headers)`,
    `req.Headers['${name}'][0] == 'a'`,
    `!('${name}' in req.Headers) || req.Headers['${name}'][0] != 'a'`,
  ];

  it.each(names.flatMap(forms))('say of `%s` what the replay says', async condition => {
    writeFileSync(
      at('policy.json'),
      JSON.stringify({ inbound: [{ expressions: [condition], actions: [{ type: 'deny' }] }] }),
    );
    writeFileSync(at('caddy.log'), record({ Cookie: ['REDACTED'], Authorization: ['REDACTED'], 'X-Sent': ['a'] }));
    const replayed = await runCaptured(['replay', '--profile', 'edge-v2', at('policy.json'), at('caddy.log')]);
    const recorded = await runCaptured(['record', '--profile', 'edge-v2', at('policy.json'), at('caddy.log')]);
    const isOpen = /undetermined/.test(replayed.output);
    expect(recorded.code, recorded.output).toBe(isOpen ? 1 : 0);
    if (!isOpen)
      expect(recorded.output).toContain(/denied/.test(replayed.output) ? 'outcome: denied' : 'outcome: passed');
  });
});

it('has escapes for what would reorder or control a terminal', async () => {
  const hostile = 'a\u009b\u202eb\u2066\u200f';
  writeFileSync(
    at('policy.json'),
    JSON.stringify({ inbound: [{ expressions: ["req.Headers['X-A'][0] != 'b'"], actions: [{ type: 'deny' }] }] }),
  );
  const record = { method: 'GET', url: `https://e.co/${hostile}`, request_headers: { 'X-A': [hostile] } };
  writeFileSync(at('lines.jsonl'), `${JSON.stringify(record)}\n`);
  const args = ['record', '--profile', 'edge-v2', '--keep', 'x-a', at('policy.json'), at('lines.jsonl')];
  const { code, output } = await runCaptured(args);
  expect(code).toBe(0);
  expect(output).toContain('\\u202e');
  expect(output).not.toMatch(/[\u007f-\u009f\u200f\u2028-\u202e\u2066-\u206f]/);
});
