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
