import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { runCaptured } from '../run-captured.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-doctor-'));
  vi.spyOn(process, 'cwd').mockReturnValue(directory);
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(directory, { recursive: true });
});

const write = (name: string, text: string) => writeFileSync(join(directory, name), text);

async function doctor(env: Readonly<Record<string, string>> = {}) {
  const { code, output } = await runCaptured(['doctor', '--format', 'json'], { env: { HOME: directory, ...env } });
  const report: {
    readonly problems: number;
    readonly sections: readonly {
      readonly name: string;
      readonly facts: readonly Readonly<Record<string, string>>[];
    }[];
  } = JSON.parse(output);
  const facts = (name: string) => report.sections.find(one => one.name === name)!.facts;
  return { code, problems: report.problems, facts, output };
}

it('shows each setting and where it comes from', async () => {
  write(
    'tollgate.yaml',
    '# x\nprofile: modern\nlint:\n  extends: [security]\noverrides: [{files: [a], endpoint: tcp-endpoint}]\n',
  );
  const { code, facts, output } = await doctor({ TOLLGATE_API_KEY: 'hunter2', NO_COLOR: '1' });
  expect(code).toBe(0);
  expect(facts('Settings')).toEqual([
    { name: 'tollgate.yaml', value: join(directory, 'tollgate.yaml') },
    { name: 'profile', value: 'modern', from: 'tollgate.yaml:2' },
    { name: 'endpoint', value: 'the first of the profile', from: 'default' },
    { name: 'openTypes', value: 'open', from: 'default' },
    { name: 'lint', value: 'extends', from: 'tollgate.yaml:3' },
    { name: 'overrides', value: '1 entry', from: 'tollgate.yaml:5' },
    { name: 'NO_COLOR', value: '1', from: 'environment' },
    { name: 'TOLLGATE_API_KEY', value: 'set', from: 'environment' },
  ]);
  expect(output).not.toContain('hunter2');
});

it('reports modules that may not run, and runs none', async () => {
  write('tollgate.yaml', 'env: [evil.ts]\nlint: {load: [./rule.ts]}\n');
  write('evil.ts', 'globalThis.ran = true; export default {};\n');
  write('rule.ts', 'globalThis.ran = true;\n');
  const { code, problems, facts } = await doctor();
  expect([code, problems, 'ran' in globalThis]).toEqual([1, 2, false]);
  const [list, ...modules] = facts('Trust');
  expect(list).toMatchObject({ name: 'trusted directories', value: '0' });
  expect(modules.map(({ value }) => value)).toEqual(
    ['evil.ts', 'rule.ts'].map(name => `${join(directory, name)} may not run`),
  );
  expect((await doctor({ TOLLGATE_TRUST: '1' })).problems).toBe(0);
});

it('reports settings that are wrong', async () => {
  write('tollgate.yaml', 'profil: modern\n');
  const { code, facts } = await doctor();
  expect([code, facts('Settings')[0]?.problem]).toEqual([1, expect.stringContaining('unknown')]);
});

it('shows versions, caches and optional parts', async () => {
  mkdirSync(join(directory, '.cache/tollgate/code'), { recursive: true });
  write('.cache/tollgate/code/x', 'x'.repeat(1500));
  write('.tollgate-cache.json', '{}');
  const { facts } = await doctor();
  const names = facts('Versions').map(({ name }) => name);
  expect(names).toEqual(['tollgate', 'Node', 'platform', 'git', 'edge-v2', 'edge-v2-snake', 'modern']);
  expect(facts('Caches').map(({ name }) => name)).toContain('compiled code');
  expect(facts('Optional parts').map(({ name }) => name)).toEqual(['@duckdb/node-api', 'pg']);
  const { output } = await runCaptured(['doctor'], { env: { HOME: directory } });
  expect(output).toMatch(/^Versions\n {2}tollgate {7}0\.1\.0 {2}\(.*\)\n/);
  expect(output).toMatch(/\n\nno problems\n$/);
});
