import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { installedCommand } from '../support/installed-command.ts';
import { outputOf } from '../support/output-of.ts';

const COMMAND = await installedCommand();

const POLICY = (status: number) => `inbound:
  - expressions: ["req.Path == '/a'"]
    actions: [{ type: deny, config: { status_code: ${status} } }]
`;
const TESTS = (policy: string, rest = '') => `policy: ../${policy}
extends: shared.yaml
tests:
  - { name: ${policy} denies, use: [a], expect: { status: 403 } }
${rest}`;

it('runs the tests again that a change of a policy, a test, a fixture or the settings concerns', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-watch-'));
  const write = (name: string, content: string) => writeFileSync(join(directory, name), content);
  mkdirSync(join(directory, 'tests'));
  mkdirSync(join(directory, '.git'));
  for (const name of ['one', 'two']) write(`${name}.yaml`, POLICY(403));
  write('tests/shared.yaml', 'requests: { a: { url: /a } }\n');
  for (const name of ['one', 'two']) write(`tests/${name}.test.yaml`, TESTS(`${name}.yaml`));
  const child = spawn(process.execPath, [COMMAND, 'test', '--watch', 'tests'], { cwd: directory });
  const ended = new Promise<number | null>(resolve => child.on('exit', resolve));
  const sees = outputOf(child);
  try {
    await sees('2 tests: 2 passed');
    write('one.yaml', POLICY(404));
    const failed = await sees('1 test: 1 failed');
    expect(failed).toContain('one.yaml changed\n');
    expect(failed).not.toContain('two.yaml denies');
    write('tests/shared.yaml', 'requests: { a: { url: /b } }\n');
    await sees('2 tests: 2 failed');
    write('tests/shared.yaml', 'requests: { a: { url: /a } }\n');
    write('one.yaml', POLICY(403));
    await sees('2 tests: 2 passed');
    // As many editors save: another file takes its place, again and again.
    for (const [status, result] of [
      [404, '1 failed'],
      [403, '1 passed'],
      [404, '1 failed'],
      [403, '1 passed'],
    ] as const) {
      write('one.yaml~', POLICY(status));
      renameSync(join(directory, 'one.yaml~'), join(directory, 'one.yaml'));
      await sees(`1 test: ${result}`);
    }
    // As an editor does: the file is empty for a while.
    truncateSync(join(directory, 'tests/two.test.yaml'));
    write('tests/two.test.yaml', TESTS('two.yaml', '  - { name: also, use: [a], expect: { outcome: denied } }\n'));
    await sees('✓ also');
    // What is wrong for a while stops nothing.
    rmSync(join(directory, 'tests/two.test.yaml'));
    await sees('1 test: 1 passed');
    write('tollgate.yaml', 'unknown: 1\n');
    await sees('unknown');
    write('tollgate.yaml', '');
    await sees('1 test: 1 passed');
  } finally {
    child.kill('SIGINT');
  }
  expect(await ended).toBe(0);
  rmSync(directory, { recursive: true });
});
