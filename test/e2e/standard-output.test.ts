import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { installedCommand } from '../support/installed-command.ts';

const COMMAND = await installedCommand();

/** The command, with its output piped through another one. */
function piped(args: string, command: string) {
  const line = `'${process.execPath}' '${COMMAND}' ${args} | ${command}; echo "\${PIPESTATUS[0]}"`;
  return spawnSync('bash', ['-c', line], { encoding: 'utf8' });
}

it('waits for a slow pipe', () => {
  const { stdout, stderr } = piped('explain --format json', '{ sleep 1; wc -c; }');
  const [bytes = '', code] = stdout.trim().split('\n');
  expect([Number(bytes) > 100_000, code, stderr]).toEqual([true, '0', '']);
});

it('ends silently when the reader closes the pipe, but not with exit code 0', () => {
  const { stdout, stderr } = piped('explain --format json', 'head -c 1');
  expect([stdout, stderr]).toEqual(['[3\n', '']);
});

it.runIf(existsSync('/dev/full')).each([
  [
    'explain type/mismatch > /dev/full',
    3,
    /^tollgate: cannot write to standard output: no space left on the device\n$/,
  ],
  ['explain type/mismatch 2> /dev/full', 0, /^$/],
  ['explain no/such-code 2> /dev/full', 2, /^$/],
  ['--help > /dev/full', 3, /^tollgate: cannot write to standard output: no space left on the device\n$/],
  [
    'check -f json=/dev/full examples/policies/bookshop.yaml',
    3,
    /^tollgate: cannot write `\/dev\/full`: no space left on the device\n$/,
  ],
])('reports a full device: %s', (args, code, message) => {
  const { status, stderr } = spawnSync('bash', ['-c', `'${process.execPath}' '${COMMAND}' ${args}`], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([code, expect.stringMatching(message)]);
});

const POLICY = 'examples/policies/bookshop.yaml';

it.each([
  `check -f json=README.md/x ${POLICY}`,
  `compile ${POLICY} --to module -o README.md/x`,
  `new test ${POLICY} -o README.md/x`,
  `snapshot ${POLICY} examples/traffic/access.log --update --file README.md/x`,
  'test examples/tests/bookshop.test.yaml --coverage-lcov README.md/x',
])('says why a file cannot be written: %s', args => {
  const { status, stderr } = spawnSync(process.execPath, [COMMAND, ...args.split(' ')], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([
    3,
    expect.stringMatching(
      /^tollgate: cannot write `[^`]*README\.md\/x`: a part of its path is a file, not a directory\n$/,
    ),
  ]);
});
