import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from '../architecture/source-file.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-rule-'));
});

afterEach(() => rmSync(directory, { recursive: true }));

/** Runs the command in an empty folder without installed packages. */
function tollgate(...args: readonly string[]) {
  const command = join(ROOT, 'packages/cli/bin/tollgate.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
    cwd: directory,
    encoding: 'utf8',
    env: { ...process.env, HOME: directory, XDG_CONFIG_HOME: undefined, NODE_TEST_CONTEXT: undefined },
  });
  return { status, out: stdout, err: stderr };
}

describe('tollgate new rule', () => {
  it('creates a lint rule that is loaded and whose tests pass, in a folder without packages', () => {
    const { status, out } = tollgate('new', 'rule', 'team/no-log');
    expect([status, out.split('\n').slice(0, 3)]).toEqual([
      0,
      ['lint-rules/no-log.mts', 'lint-rules/no-log.test.mts', 'tollgate.yaml'],
    ]);
    expect(tollgate('trust').status).toBe(0);
    const tests = tollgate('test-rules', 'lint-rules');
    expect([tests.status, tests.out]).toEqual([0, expect.stringMatching(/pass 4\n.*fail 0\n/s)]);
    writeFileSync(join(directory, 'a.yaml'), 'inbound: [{name: a, actions: [{type: log}]}]');
    const lint = tollgate('lint', '-f', 'compact', '--rule', 'logic/*=off', 'a.yaml');
    expect(lint.out).toContain(
      'a.yaml:1:38: warning: this rule only logs; add an action that decides, or remove the rule [team/no-log]',
    );
  });

  it('fails if a test fails', () => {
    tollgate('new', 'rule', 'team/no-log');
    const file = join(directory, 'lint-rules/no-log.mts');
    writeFileSync(file, readFileSync(file, 'utf8').replace("!== 'log'", "!== 'deny'"));
    const { status, out } = tollgate('--trust', 'test-rules', 'lint-rules');
    expect([status, out]).toEqual([1, expect.stringMatching(/team\/no-log fires at the marks of its bad example/)]);
  });

  it('does not overwrite files, and says what to add', () => {
    writeFileSync(join(directory, 'tollgate.yaml'), 'profile: modern\n');
    expect(tollgate('new', 'rule', 'team/a', '--directory', 'rules').out).toContain(
      'add `./rules/a.mts` to `lint.load` in tollgate.yaml\n',
    );
    expect(tollgate('new', 'rule', 'team/a', '--directory', 'rules')).toMatchObject({
      status: 3,
      err: 'tollgate: `rules/a.mts` already exists\n',
    });
    expect(readdirSync(join(directory, 'rules'))).toEqual(['a.mts', 'a.test.mts']);
  });

  it.each(['no-log', 'Team/No-Log', 'team/'])('rejects the id %s', id => {
    const { status, err } = tollgate('new', 'rule', id);
    expect([status, err]).toEqual([
      2,
      expect.stringContaining(`expected an id such as \`team/no-log\`, found \`${id}\``),
    ]);
  });
});
