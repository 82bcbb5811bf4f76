import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runCaptured } from '@tollgate/cli';
import { SourceText } from '@tollgate/diagnostics';
import { readProject } from '@tollgate/policy';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const FIXTURES = 'test/golden/prove';
const POLICY = readFileSync(join(FIXTURES, 'policy.yaml'), 'utf8');
const isUpdating = process.env.UPDATE_GOLDENS === '1';

/** Arguments of `tollgate prove`, by what they show. */
const CASES: Readonly<Record<string, readonly string[]>> = {
  proved: ['examples/invariants/protect-admin.invariants.yaml'],
  refuted: [join(FIXTURES, 'refuted.invariants.yaml')],
  'refuted-for-programs': ['--format', 'json', join(FIXTURES, 'refuted.invariants.yaml')],
  unknown: [join(FIXTURES, 'unknown.invariants.yaml')],
  wrong: [join(FIXTURES, 'wrong.invariants.yaml')],
  mistyped: [join(FIXTURES, 'mistyped.invariants.yaml')],
  'refuted-on-an-edge': ['--edge', 'examples/edges/bookshop.json', 'examples/invariants/bookshop.invariants.yaml'],
  'on-an-edge-for-programs': ['--format', 'json', '--edge', 'examples/edges/bookshop.json'],
  'edge-that-is-no-edge': ['--edge', join(FIXTURES, 'policy.yaml'), join(FIXTURES, 'refuted.invariants.yaml')],
  'edge-that-is-missing': ['--edge', 'nowhere.json', join(FIXTURES, 'refuted.invariants.yaml')],
  'edge-and-fail-open': ['--edge', 'examples/edges/bookshop.json', '--fail-open'],
  'unknown-on-an-edge': ['--edge', join(FIXTURES, 'edge.json')],
  'fail-open': ['--fail-open', join(FIXTURES, 'fail-open.yaml')],
};

describe('tollgate prove', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(FIXTURES, 'tmp-'));
  });
  afterEach(() => {
    vi.restoreAllMocks();
    rmSync(directory, { recursive: true });
  });

  it.each(Object.entries(CASES))('prints the golden file: %s', async (name, args) => {
    const { output, errors, code } = await runCaptured(['prove', ...args]);
    const golden = join(FIXTURES, `${name}.txt`);
    const found = `${output}${errors}exit code ${code}\n`;
    if (isUpdating || !existsSync(golden)) {
      if (!isUpdating) throw new Error(`${golden} is missing; UPDATE_GOLDENS=1 makes it`);
      writeFileSync(golden, found);
    }
    expect(found).toBe(readFileSync(golden, 'utf8'));
  });

  it('proves invariants of the project about the files that they name', async () => {
    const place = resolve(directory);
    vi.spyOn(process, 'cwd').mockReturnValue(place);
    const invariant = '{ name: a, files: [p.yaml], never: "decision.outcome == \'closed\'" }';
    writeFileSync(join(place, 'tollgate.yaml'), `invariants: [${invariant}]`);
    for (const name of ['p.yaml', 'q.yaml']) writeFileSync(join(place, name), POLICY);
    const named = await runCaptured(['prove', join(place, 'p.yaml')]);
    expect([named.code, named.output]).toEqual([0, expect.stringContaining('1 invariant: 1 proved')]);
    expect((await runCaptured(['prove', place])).output).toContain('1 invariant: 1 proved');
    expect((await runCaptured(['prove', join(place, 'q.yaml')])).errors).toMatch(/^tollgate: no invariants for /);
    writeFileSync(join(place, 'tollgate.yaml'), 'invariants: [{ name: a, files: [p.yaml] }]');
    expect((await runCaptured(['prove', place])).output).toContain(
      'error[prove/invalid]: an invariant without a claim',
    );
  });

  it('proves invariants next to a policy', async () => {
    const policy = join(directory, 'p.yaml');
    writeFileSync(policy, readFileSync(join(FIXTURES, 'policy.yaml')));
    expect((await runCaptured(['prove', policy])).errors).toMatch(/^tollgate: no invariants for /);
    const invariants = '\n  - { name: a, never: "decision.outcome == \'closed\'" }\n';
    writeFileSync(join(directory, 'p.invariants.yaml'), `policy: p.yaml\ninvariants:${invariants}`);
    expect((await runCaptured(['prove', policy])).output).toContain('1 invariant: 1 proved');
    expect((await runCaptured(['prove', directory])).output).toContain('1 invariant: 1 proved');
  });

  it('writes refuting requests as policy tests, which fail until the policy is fixed', async () => {
    const file = join(directory, 'refuted.test.yaml');
    const args = ['prove', '--write-test', file, join(FIXTURES, 'refuted.invariants.yaml')];
    expect((await runCaptured(args)).code).toBe(1);
    expect(readFileSync(file, 'utf8')).toContain('policy: "../policy.yaml"');
    const before = await runCaptured(['test', file]);
    expect([before.code, before.output]).toEqual([1, expect.stringMatching(/\n3 tests: 3 failed\n$/)]);
    const fixed = readFileSync(join(FIXTURES, 'policy.yaml'), 'utf8')
      .replace('req.Headers[', "!hasReqHeader('X-Client') || req.Headers[")
      .replace('/admin/', '/admin');
    writeFileSync(join(directory, 'policy.yaml'), fixed);
    writeFileSync(file, readFileSync(file, 'utf8').replace('../policy.yaml', 'policy.yaml'));
    const after = await runCaptured(['test', file]);
    expect([after.code, after.output]).toEqual([0, expect.stringMatching(/\n3 tests: 3 passed\n$/)]);
  });

  it('writes a file of tests for each route that refutes an invariant', async () => {
    const file = join(directory, 'refuted.test.yaml');
    await runCaptured(['prove', '--write-test', file, ...CASES['refuted-on-an-edge']!]);
    const second = join(directory, 'refuted-2.test.yaml');
    expect(readFileSync(file, 'utf8')).toContain('bookshop.json#/routes/2/policy');
    expect(readFileSync(second, 'utf8')).toContain('bookshop.json#/routes/0/policy');
    const { code, output } = await runCaptured(['test', file, second]);
    expect([code, output]).toEqual([1, expect.stringMatching(/\n5 tests: 5 failed\n$/)]);
  });

  it('says for which invariants it writes no test', async () => {
    const [file, invariants] = ['robots.test.yaml', 'robots.invariants.yaml'].map(name => join(directory, name));
    const never = "req.Path == '/robots.txt' && decision.reachesUpstream";
    writeFileSync(invariants!, `policy: x\ninvariants:\n  - name: no robots\n    never: "${never}"\n`);
    const args = ['prove', '--write-test', file!, '--edge', 'examples/edges/bookshop.json', invariants!];
    const { code, errors } = await runCaptured(args);
    expect([code, errors, existsSync(file!)]).toEqual([
      ...[1, 'tollgate: no test was written for `no robots`: the route of the request has no policy\n', false],
    ]);
  });

  it('takes the settings that the guide shows', () => {
    const guide = readFileSync('docs/guide/proofs.md', 'utf8');
    const [settings = ''] = [...guide.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text]) => text);
    expect(readProject(new SourceText('tollgate.yaml', settings)).diagnostics).toEqual([]);
    expect(settings).toContain('invariants:');
  });

  it('does not replace a file with tests', async () => {
    const file = join(directory, 'mine.test.yaml');
    writeFileSync(file, 'mine');
    const args = ['prove', '--write-test', file, join(FIXTURES, 'refuted.invariants.yaml')];
    const { code, errors } = await runCaptured(args);
    expect([code, errors]).toEqual([
      2,
      `tollgate: \`${file}\` already exists; choose another file for \`--write-test\`\n`,
    ]);
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });
});
