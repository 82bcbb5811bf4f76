import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCaptured } from './run-captured.ts';

const CLEAN = 'inbound: []\n';
const BROKEN = 'inbund: []\n';
let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-'));
  for (const folder of ['deep/er', 'node_modules', '.hidden', 'empty'])
    mkdirSync(join(directory, folder), { recursive: true });
  const files = {
    'a.yaml': CLEAN,
    'b.json': '{}',
    'deep/er/c.yml': BROKEN,
    'notes.txt': 'x',
    'modern.txt': 'on_http_request: [{expressions: ["req.url.path == req.tenant"], actions: [{type: deny}]}]',
    'added.txt': 'variables: [{path: req.tenant, type: string}]',
    'added.ts': "export default { variables: [{ path: 'req.tenant', type: 'string' as string }] };",
    'wrong.txt': 'variables: [{pth: req.tenant}]',
    'throws.ts': "throw new Error('not today');",
    'wrong.ts': 'export default { variables: [1] };',
    'many.txt': 'kind: Service\n---\nspec: {policy: {inbund: []}}\n---\nspec: {policy: {inbound: []}}\n',
    '.hidden/d.yaml': BROKEN,
    'node_modules/e.yaml': BROKEN,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  writeFileSync(join(directory, 'latin.txt'), Buffer.from([0x61, 0xff]));
});

afterAll(() => rmSync(directory, { recursive: true }));

async function run(args: readonly string[], input = ''): Promise<{ code: number; out: string; err: string }> {
  const { code, output, errors } = await runCaptured(args, { input, env: { TOLLGATE_TRUST: '1' } });
  return { code, out: output.replaceAll(directory, '~'), err: errors.replaceAll(directory, '~') };
}

describe('tollgate', () => {
  it.each([
    [['--help'], 0],
    [['--version'], 0],
    [['help', 'check'], 0],
    [['chek'], 2],
    [['check', '--endpoint', 'udp', 'x'], 2],
    [['check', '--format', 'xml', 'x'], 2],
    [['check', '--colour', 'x'], 2],
    [['migrate'], 2],
    [['check', '--profile', 'edge-v2', '--endpoint', 'tcp-endpoint', 'examples/policies/block-bots.yaml'], 2],
    [['fmt', '--profile', 'edge-v2', '--endpoint', 'tcp-endpoint', 'examples/policies/block-bots.yaml'], 2],
    [['migrate', '--from', 'modern', 'x'], 2],
  ])('exits with the code of %j: %i', async (args, code) => {
    expect((await run(args)).code).toBe(code);
  });

  it('prints the date of the catalog data of each profile with `--version --verbose`', async () => {
    const { out } = await run(['--version', '--verbose']);
    expect(out).toMatch(
      /^tollgate \d+\.\d+\.\d+\n {2}edge-v2 .*\n {2}edge-v2-snake .*\n {2}modern {9}catalog data of 2026-08-07\n$/,
    );
    expect((await run(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each([
    ['many.txt', [], []],
    ['many.txt#/spec/policy', [], ['policy/unknown-key']],
    ['many.txt#3/spec/policy', [], []],
    ['many.txt#/spec/polcy', [], ['policy/no-such-part']],
    ['many.txt#4', [], ['policy/no-such-document']],
    ['many.txt', ['--at', '3/spec/policy'], []],
    ['many.txt#2/spec/policy', ['--at', '/x'], ['policy/unknown-key']],
  ])('checks the named part of a file: %s %j', async (file, options, codes) => {
    const { out } = await run(['check', '--format', 'json', ...options, join(directory, file)]);
    expect(JSON.parse(out).diagnostics.map((diagnostic: { code: string }) => diagnostic.code)).toEqual(codes);
  });

  it('rejects an invalid path', async () => {
    expect(await run(['check', '--at', 'spec.policy', 'x'])).toEqual({
      code: 2,
      out: '',
      err: 'tollgate: option `--at <path>` argument `spec.policy` is invalid: expected a path such as `/spec/policy`, found `spec.policy`\nsee `tollgate check --help`\n',
    });
  });

  it('suggests the closest command', async () => {
    expect((await run(['chek'])).err).toContain('did you mean `check`?');
  });
});

describe('tollgate check', () => {
  it.each(['check', 'lint', 'test'])('checks no policy if an extension fails to load: %s', async command => {
    const { code, out, err } = await run([
      command,
      '--env',
      join(directory, 'throws.ts'),
      '--',
      join(directory, 'a.yaml'),
    ]);
    expect([code, out, err]).toEqual([3, '', 'tollgate: cannot load `~/throws.ts`: not today\n']);
  });

  it('finds the YAML and JSON files of a directory, at any depth, except hidden ones', async () => {
    const { code, out, err } = await run(['check', directory]);
    expect(code).toBe(1);
    expect(out).toContain(' --> ~/deep/er/c.yml:1:1\n');
    expect(out).toMatch(/\n1 error in 2 files\n$/);
    expect(err).toBe('');
  });

  it('expands patterns, and checks each file once', async () => {
    const { code, out } = await run(['check', `${directory}/*.{yaml,json}`, join(directory, 'a.yaml')]);
    expect([code, out]).toEqual([0, 'no problems in 1 file\n']);
  });

  it.each(['', '/*/*/*.yml'])('names files in a directory%s relative to the working directory', async pattern => {
    const { out } = await run(['check', relative(process.cwd(), directory) + pattern]);
    const file = join(relative(process.cwd(), directory), 'deep/er/c.yml');
    expect(out).toContain(` --> ${file.replaceAll(directory, '~')}:1:1\n`);
  });

  it('reads standard input', async () => {
    const { code, out } = await run(['check', '-'], BROKEN);
    expect(code).toBe(1);
    expect(out).toContain(' --> <stdin>:1:1\n');
  });

  it.each([
    ['missing.yaml', 'tollgate: cannot read `~/missing.yaml`: no such file\n'],
    ['*.toml', 'tollgate: no file matches `~/*.toml`\n'],
    ['empty', 'tollgate: no YAML, JSON, Terraform or Markdown file in `~/empty`\n'],
    ['latin.txt', 'tollgate: `~/latin.txt` is not valid UTF-8\n'],
  ])('reports that it cannot read %s, and checks the others', async (name, message) => {
    const { code, out, err } = await run(['check', join(directory, name), join(directory, 'a.yaml')]);
    expect([code, out, err]).toEqual([3, 'no problems in 1 file\n', message]);
  });

  it('reports as JSON, even if a file is missing', async () => {
    const { code, out } = await run(['check', '--format', 'json', join(directory, 'missing.yaml'), '-'], BROKEN);
    expect(code).toBe(3);
    expect(JSON.parse(out)).toMatchObject({ version: 1, files: ['<stdin>'], counts: { error: 1 } });
  });
});

describe('the profile and endpoint of policies', () => {
  it.each([
    [[], 1, ['name/undeclared-field']],
    [['--profile', 'modern'], 1, ['name/undeclared-field']],
    [['--profile', 'edge-v2'], 1, ['policy/unknown-key']],
    [['--endpoint', 'tcp-endpoint', '--profile', 'modern'], 1, ['endpoint/phase-unavailable']],
    [['--env', '~/added.txt'], 0, []],
    [['--env', '~/added.ts'], 0, []],
    [['--env', '~/wrong.txt'], 1, ['settings/invalid', 'settings/invalid', 'settings/invalid']],
  ])('are set by options, or detected from the policy: %j', async (options, code, codes) => {
    const given = options.map(option => option.replace('~', directory));
    const result = await run(['check', '--format', 'json', ...given, '--', join(directory, 'modern.txt')]);
    expect(JSON.parse(result.out).diagnostics.map((diagnostic: { code: string }) => diagnostic.code)).toEqual(codes);
    expect(result.code).toBe(code);
  });

  it.each([
    [
      ['--endpoint', 'tls-edge', '--profile', 'modern', '--env', '~/wrong.ts'],
      '`variables.0`: expected a map, found `1`',
      3,
    ],
    [['--endpoint', 'tcp-endpoint', '--profile', 'edge-v2'], 'has no endpoint `tcp-endpoint`', 2],
    [['--env', '~/none.ts'], 'cannot load', 3],
    [['--env', '~/none.txt'], 'no such file', 3],
  ])('are rejected if they are invalid: %j', async (options, message, exitCode) => {
    const given = options.map(option => option.replace('~', directory));
    const { code, err } = await run(['check', ...given, '--', join(directory, 'modern.txt')]);
    expect(err).toContain(message);
    expect(code).toBe(exitCode);
  });
});
