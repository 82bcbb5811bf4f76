import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCaptured } from '@tollgate/cli';
import { UPSTREAMS } from '@tollgate/solver';
import { describe, expect, it } from 'vitest';

const FIXTURES = 'test/golden/bypass';
const POLICY = join(FIXTURES, 'policy.yaml');
const isUpdating = process.env.UPDATE_GOLDENS === '1';
const NAMES = UPSTREAMS.map(({ name }) => name);

describe('tollgate bypass', () => {
  it.each([...NAMES, 'json'])('prints the golden file: %s', async name => {
    const options = name === 'json' ? ['--upstream', 'nginx', '--format', 'json'] : ['--upstream', name];
    const { output, errors, code } = await runCaptured(['bypass', '--profile', 'edge-v2', ...options, POLICY]);
    const golden = join(FIXTURES, `${name}.txt`);
    const found = `${output}${errors}exit code ${code}\n`;
    if (isUpdating || !existsSync(golden)) {
      if (!isUpdating) throw new Error(`${golden} is missing; UPDATE_GOLDENS=1 makes it`);
      writeFileSync(golden, found);
    }
    expect(found).toBe(readFileSync(golden, 'utf8'));
  });

  it('finds nothing where the policy reads requests as the upstream does', async () => {
    const directory = mkdtempSync(join(FIXTURES, 'tmp-'));
    try {
      const policy = join(directory, 'p.yaml');
      const condition = "req.Path.lowerAscii().matches('^/admin(/|$)')";
      writeFileSync(policy, `inbound: [{ expressions: ["${condition}"], actions: [{ type: deny }] }]`);
      const args = ['bypass', '--profile', 'edge-v2', '--upstream', 'express', policy];
      const { output, code } = await runCaptured(args);
      expect([code, output]).toEqual([0, expect.stringContaining('no request passes')]);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it('combines two techniques where neither suffices alone', async () => {
    const args = ['bypass', '--profile', 'edge-v2', '--upstream', 'iis', '--format', 'json', POLICY];
    const { bypasses }: { readonly bypasses: readonly { readonly techniques: readonly string[] }[] } = JSON.parse(
      (await runCaptured(args)).output,
    );
    const [alone, pairs] = [1, 2].map(count => bypasses.filter(({ techniques }) => techniques.length === count));
    expect(pairs?.map(({ techniques }) => techniques)).toEqual([['dot segments', 'backslash']]);
    expect(alone?.flatMap(({ techniques }) => techniques)).toEqual(['encoded characters', 'letter case']);
  });

  it.each([
    [['--upstream', 'apache'], 'unknown upstream `apache`; choose one of `nginx`, `express`, `go`, `tomcat`, `iis`'],
    [[], 'no upstream is named; choose one of'],
  ])('refuses %j', async (options, message) => {
    const { errors, code } = await runCaptured(['bypass', '--profile', 'edge-v2', ...options, POLICY]);
    expect([code, errors]).toEqual([2, expect.stringContaining(message)]);
  });

  it('refuses policies that see no requests', async () => {
    const args = ['bypass', '--upstream', 'go', '--endpoint', 'tcp-edge', 'examples/policies/tcp-edge/database.yaml'];
    const { errors, code } = await runCaptured(args);
    expect([code, errors]).toEqual([2, expect.stringContaining('policies for `tcp-edge` do not see requests')]);
  });
});

describe('the data about upstreams', () => {
  it('has a source for each fact', () => {
    for (const { path, headers, parameters, ignoresHostForm } of UPSTREAMS)
      for (const { source } of [path, headers, parameters, ignoresHostForm]) expect(source).toMatch(/^https:\/\//);
  });
});
