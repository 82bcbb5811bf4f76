import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCaptured } from '../run-captured.ts';

const OLD =
  'inbound: # all\n- actions: [{type: deny, config: {status_code: 403}}]\n  expressions: [req.Method == "A"]\n';
const NEW = OLD.replace('inbound', 'on_http_request').replace('req.Method', 'req.method');
const UNFINISHED = 'inbound: [{actions: [{type: remove-headers, config: {headers: [user-agent]}}]}]\n';
let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-migrate-'));
});

afterAll(() => rmSync(directory, { recursive: true }));

async function run(args: readonly string[], input = ''): Promise<{ code: number; out: string; err: string }> {
  const { code, output: out, errors: err } = await runCaptured(['migrate', ...args], { input });
  return { code, out, err };
}

function write(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

describe('tollgate migrate', () => {
  it('prints only the new policy if nothing is lost', async () => {
    expect(await run(['-'], OLD)).toEqual({ code: 0, out: NEW, err: '' });
  });

  it('names the profile of the policy', async () => {
    const snake = OLD.replace('req.Method', 'req.method');
    expect(await run(['-'], snake)).toEqual({ code: 0, out: NEW, err: '' });
    expect(await run(['--from', 'edge-v2', '-'], snake)).toMatchObject({ code: 1, out: '' });
  });

  it('writes the file in place, with its permissions', async () => {
    const path = write('a.yaml', OLD);
    chmodSync(path, 0o640);
    expect(await run(['--write', path])).toEqual({ code: 0, out: 'no problems in 1 file\n', err: '' });
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual([NEW, 0o640]);
    expect(readdirSync(directory)).toEqual(['a.yaml']);
  });

  it('prints what a person must finish only if asked to, and does not write it', async () => {
    const path = write('b.yaml', UNFINISHED);
    expect(await run([path])).toMatchObject({ code: 1, out: '' });
    expect((await run([path])).err).toContain('`--partial` prints it for you to complete\n');
    const printed = await run(['--partial', path]);
    expect([printed.code, printed.out]).toEqual([1, UNFINISHED.replace('inbound', 'on_http_request')]);
    expect(printed.err).toContain(
      'error[migrate/no-counterpart]: `remove-headers` can no longer change `User-Agent`\n',
    );
    expect((await run(['--write', path])).code).toBe(1);
    expect(readFileSync(path, 'utf8')).toBe(UNFINISHED);
  });

  it('reports the errors of a policy', async () => {
    const { code, out, err } = await run(['-'], 'inbund: []');
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('error[policy/unknown-key]');
  });

  it('migrates the named part of the file, and leaves the rest unchanged', async () => {
    const around = (policy: string) => `kind:  X\nspec:\n    policy: ${policy}\n`;
    const path = write('c.yaml', around('{inbound: [{actions: [{type: log}]}]}'));
    const migrated = around('{on_http_request: [{actions: [{type: log}]}]}');
    expect(await run([`${path}#/spec/policy`])).toEqual({ code: 0, out: migrated, err: '' });
    expect(await run(['--at', '/spec/policy', '--write', path])).toMatchObject({ code: 0 });
    expect(readFileSync(path, 'utf8')).toBe(migrated);
  });

  it('uses the extensions of the catalog', async () => {
    const env = write('env.yaml', 'variables: [{path: req.tenant, type: string}]\n');
    const policy = 'inbound:\n- expressions: [req.tenant == req.method]\n  actions: [{type: log}]\n';
    expect(await run(['--env', env, '--from', 'edge-v2-snake', '-'], policy)).toEqual({
      code: 0,
      out: policy.replace('inbound', 'on_http_request'),
      err: '',
    });
  });

  it('reports a file that it cannot read', async () => {
    expect(await run([join(directory, 'none.yaml')])).toMatchObject({ code: 3, out: '' });
  });
});
