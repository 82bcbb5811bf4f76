import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runCaptured } from '../run-captured.ts';

// The policies that `tollgate init` writes reach all their goals, and their tests notice nearly all mutants.

const project = mkdtempSync(join(tmpdir(), 'tollgate-init-'));
afterAll(() => rmSync(project, { recursive: true }));

async function test(...args: readonly string[]) {
  const { code, output } = await runCaptured(['test', ...args]);
  return { code, out: output };
}

it('writes all tests that the policies of `tollgate init` lack, and nothing more the second time', async () => {
  const names = ['api', 'rate-limit', 'block', 'canary', 'webhook', 'tcp', 'maintenance', 'redirect'];
  mkdirSync(join(project, '.git'), { recursive: true });
  const at = process.cwd();
  process.chdir(project);
  try {
    const created = await runCaptured(['init', ...names.flatMap(name => ['--template', name])]);
    expect(created).toMatchObject({ code: 0 });
    await test('--write-missing', '.');
    const { code, out } = await test('--write-missing', '--fail-under', '100', '.');
    expect([code, out.slice(out.lastIndexOf('\n', out.length - 2) + 1)]).toEqual([0, 'no test is missing\n']);
    const mutated = JSON.parse((await test('--mutate', '-f', 'json', '.')).out) as {
      readonly mutants: readonly { readonly policy: string; readonly score: number }[];
    };
    const low = mutated.mutants.filter(({ score }) => score < 95).map(({ policy, score }) => [policy, score]);
    expect(low).toEqual([
      ['policies/canary.yaml', 92],
      ['policies/rate-limit.yaml', 93],
      ['policies/redirect.yaml', 87],
    ]);
  } finally {
    process.chdir(at);
  }
});
