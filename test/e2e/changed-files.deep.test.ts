import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCaptured } from '@tollgate/cli';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-changed-'));
  vi.spyOn(process, 'cwd').mockReturnValue(directory);
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(directory, { recursive: true });
});

const at = (name: string) => join(directory, name);
const BAD = 'on_http_request: [{name: a, actions: [{type: dney}]}]\n';
const TEST = (policy: string) =>
  `policy: ${policy}\ntests:\n  - { name: a, request: { url: / }, expect: { outcome: denied } }\n`;

function write(...names: readonly string[]): void {
  for (const name of names) writeFileSync(at(name), BAD);
}

function git(...args: readonly string[]): void {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'init.defaultBranch=main'];
  execFileSync('git', [...identity, ...args], { cwd: directory, stdio: 'ignore' });
}

function commit(): void {
  git('add', '-A');
  git('commit', '--no-verify', '-m', 'x');
}

/** The files with errors. */
async function checked(...args: readonly string[]): Promise<string> {
  const { code, output, errors } = await runCaptured([args[0]!, '-f', 'compact', ...args.slice(1), directory]);
  if (code > 1) return errors.replaceAll(`${directory}/`, '').trim();
  const found = [...output.replaceAll(`${directory}/`, '').matchAll(/^(.+?):\d+:\d+: error/gm)];
  return [...new Set(found.map(([, name]) => name))].join(' ');
}

it('selects what changed since a commit, is staged, or is unknown to Git', async () => {
  git('init');
  write('a.yaml', 'b.yaml', 'c.yaml', 'd.yaml');
  commit();
  git('checkout', '-b', 'topic');
  write('e.yaml', 'é f.yaml');
  commit();
  // Different times, same content.
  utimesSync(at('a.yaml'), 1, 1);
  writeFileSync(at('b.yaml'), `# changed\n${BAD}`);
  writeFileSync(at('c.yaml'), `# staged\n${BAD}`);
  git('add', 'c.yaml');
  write('new.yaml', 'ignored.yaml');
  writeFileSync(at('.gitignore'), 'ignored.yaml\n');
  expect(await checked('check', '--changed')).toBe('b.yaml c.yaml new.yaml');
  expect(await checked('lint', '--changed=main')).toBe('b.yaml c.yaml e.yaml new.yaml é f.yaml');
  expect(await checked('check', '--staged')).toBe('c.yaml');
  expect(await checked('check', '--changed=HEAD', '--staged')).toContain('cannot be used with option');
  renameSync(at('d.yaml'), at('moved.yaml'));
  expect(await checked('check', '--changed')).toBe('b.yaml c.yaml moved.yaml new.yaml');
});

it('counts from the last commit that both branches share', async () => {
  git('init');
  write('a.yaml', 'b.yaml');
  commit();
  git('checkout', '-b', 'topic');
  writeFileSync(at('a.yaml'), `# topic\n${BAD}`);
  commit();
  git('checkout', 'main');
  writeFileSync(at('b.yaml'), `# main\n${BAD}`);
  commit();
  git('checkout', 'topic');
  expect(await checked('check', '--changed=main')).toBe('a.yaml');
});

it('works before the first commit, and explains what Git cannot do', async () => {
  expect(await checked('check', '--changed')).toMatch(/^tollgate: `git rev-parse` failed: not a git repository/);
  git('init');
  write('a.yaml', 'b.yaml');
  git('add', 'a.yaml');
  expect(await checked('check', '--changed')).toBe('a.yaml b.yaml');
  expect(await checked('check', '--staged')).toBe('a.yaml');
  for (const revision of ['nope', '--output=x', 'a.yaml'])
    expect(await checked('check', `--changed=${revision}`)).toBe(
      `tollgate: \`${revision}\` is not a commit of this repository; fetch it first, or name another`,
    );
});

it('selects tests whose policy changed, formats only changed files, and selects all if the settings changed', async () => {
  git('init');
  for (const name of ['a', 'b']) {
    writeFileSync(at(`${name}.yaml`), 'on_http_request: [{name: a, actions: [{type: deny}]}]\n');
    writeFileSync(at(`${name}.test.yaml`), TEST(`${name}.yaml`));
  }
  writeFileSync(at('tollgate.yaml'), 'profile: modern\n');
  commit();
  writeFileSync(at('a.yaml'), 'on_http_request: [{name: a2, actions: [{type: deny}]}]\n');
  const tests = async () => (await runCaptured(['test', '--changed', directory])).output.match(/\w\.test\.yaml/g);
  expect(await tests()).toEqual(['a.test.yaml']);
  expect((await runCaptured(['fmt', '--check', '--changed', directory])).output).toContain('1 file to be formatted');
  writeFileSync(at('tollgate.yaml'), 'profile: modern\nopenTypes: closed\n');
  const all = await runCaptured(['fmt', '--check', '--changed', directory]);
  expect(all.errors).toBe(`tollgate: \`${at('tollgate.yaml')}\` has changed, so all files are selected\n`);
  expect(all.output).toContain('2 files to be formatted');
});

it.each([
  ['check', '--staged', 'none of the 2 files is staged'],
  ['lint', '--changed', 'none of the 2 files is changed'],
  ['fmt', '--changed=HEAD', 'the file is not changed since `HEAD`'],
  ['test', '--staged', 'no test file or tested policy is staged'],
])('says so if `%s %s` has nothing to do', async (command, option, reason) => {
  git('init');
  writeFileSync(at('a.yaml'), 'on_http_request: []\n');
  writeFileSync(at('a.test.yaml'), TEST('a.yaml'));
  commit();
  const errors = `tollgate: nothing to do: ${reason}\n`;
  expect(await runCaptured([command, option, directory])).toEqual({ code: 0, output: '', errors });
});

it('runs no program that the repository names', async () => {
  git('init');
  write('a.yaml', 'b.yaml');
  writeFileSync(at('.gitattributes'), '*.yaml filter=evil diff=evil\n');
  commit();
  const program = at('evil.sh');
  const trace = at('ran');
  writeFileSync(program, `#!/bin/sh\necho "$@" >> ${trace}\ncat\n`);
  chmodSync(program, 0o755);
  const hooks = at('hooks');
  mkdirSync(hooks);
  for (const hook of ['post-index-change', 'reference-transaction', 'fsmonitor-watchman', 'post-checkout'])
    writeFileSync(join(hooks, hook), `#!/bin/sh\necho ${hook} >> ${trace}\n`, { mode: 0o755 });
  for (const [name, value] of [
    ['core.fsmonitor', program],
    ['core.hooksPath', hooks],
    ['core.pager', program],
    ['core.sshCommand', program],
    ['diff.external', program],
    ['diff.evil.command', program],
    ['diff.evil.textconv', program],
    ['filter.evil.clean', program],
    ['filter.evil.process', program],
    ['filter.evil.required', 'true'],
    ['extensions.partialClone', 'origin'],
    ['remote.origin.url', `ext::${program}`],
    ['remote.origin.promisor', 'true'],
    ['protocol.ext.allow', 'always'],
    ['uploadpack.packObjectsHook', program],
    ['alias.diff-files', `!${program}`],
    ['gpg.program', program],
  ] as const)
    git('config', name, value);
  writeFileSync(at('b.yaml'), `# changed\n${BAD}`);
  utimesSync(at('a.yaml'), 1, 1);
  rmSync(trace, { force: true });
  expect(await checked('check', '--changed')).toBe('b.yaml');
  expect(await checked('check', '--staged')).toBe('');
  // This commit is missing, as in a partial clone.
  expect(await checked('check', `--changed=${'1'.repeat(40)}`)).toContain('is not a commit');
  expect(existsSync(trace)).toBe(false);
});
