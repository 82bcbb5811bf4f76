import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCaptured } from '@tollgate/cli';
import { describe, expect, it } from 'vitest';

const FIXTURES = 'test/golden/diff';
const isUpdating = process.env.UPDATE_GOLDENS === '1';

const OLD = join(FIXTURES, 'old.yaml');
const NEW = join(FIXTURES, 'new.yaml');

/** Arguments of `tollgate diff`, by what they show. */
const CASES: Readonly<Record<string, readonly string[]>> = {
  different: [OLD, NEW],
  'for-a-pull-request': ['--format', 'markdown', OLD, NEW],
  'for-programs': ['--format', 'json', OLD, NEW],
  same: [OLD, join(FIXTURES, 'rewritten.yaml')],
  open: [OLD, join(FIXTURES, 'open.yaml')],
};

/** Of two profiles, which are detected. */
const ACROSS: Readonly<Record<string, readonly string[]>> = {
  'migrated-and-changed': [OLD, join(FIXTURES, 'modern.yaml')],
  migrated: [OLD, join(FIXTURES, 'migrated.yaml')],
};

/** Returns the golden file, after writing what was found to it if goldens are updated. */
function goldenOf(name: string, found: string): string {
  const golden = join(FIXTURES, `${name}.txt`);
  if (isUpdating) writeFileSync(golden, found);
  return readFileSync(golden, 'utf8');
}

describe('tollgate diff', () => {
  it.each(Object.entries(CASES))('prints the golden file: %s', async (name, args) => {
    const { output, errors, code } = await runCaptured(['diff', '--profile', 'edge-v2', ...args]);
    const found = `${output}${errors}exit code ${code}\n`;
    expect(found).toBe(goldenOf(name, found));
  });

  it('compares with the same file at a revision', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'tollgate-diff-'));
    const file = join(directory, 'policy.yaml');
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], { cwd: directory });
    copyFileSync(OLD, file);
    git('init', '--quiet');
    git('add', 'policy.yaml');
    git('commit', '--quiet', '--message', 'old');
    copyFileSync(NEW, file);
    const [found, expected] = await Promise.all(
      [
        ['git:HEAD', file],
        [OLD, NEW],
      ].map(args => runCaptured(['diff', '--profile', 'edge-v2', ...args])),
    );
    rmSync(directory, { recursive: true });
    const sections = ({ output }: { readonly output: string }) => output.split('\n').slice(1);
    expect([found!.code, sections(found!)]).toEqual([1, sections(expected!)]);
  });

  it.each(Object.entries(ACROSS))('prints the golden file: %s', async (name, args) => {
    const { output, errors, code } = await runCaptured(['diff', ...args]);
    const found = `${output}${errors}exit code ${code}\n`;
    expect(found).toBe(goldenOf(name, found));
  });

  it('refuses policies of two profiles that it cannot relate', async () => {
    const { errors, code } = await runCaptured(['diff', OLD, join(FIXTURES, 'snake.yaml')]);
    expect({ errors, code }).toEqual({
      errors:
        'tollgate: the policies are not of the same kind: found `edge-v2` for `https-route` and `edge-v2-snake` for `https-route`; ' +
        'choose one with `--profile` and `--endpoint`\n',
      code: 2,
    });
  });

  it('reports a policy with errors instead of comparing it', async () => {
    const { output, code } = await runCaptured(['diff', '--profile', 'edge-v2', OLD, join(FIXTURES, 'modern.yaml')]);
    expect(code).toBe(1);
    expect(output).toContain('on_http_request');
    expect(output).not.toContain('difference');
  });

  it('reads at most one policy from standard input', async () => {
    expect(await runCaptured(['diff', '-', '-'])).toMatchObject({ code: 2 });
  });
});
