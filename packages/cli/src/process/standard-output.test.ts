import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeAll } from './standard-output.ts';

it('writes all of a text into a file', () => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-output-'));
  try {
    const file = openSync(join(directory, 'a'), 'w');
    writeAll(file, 'ü'.repeat(500_000));
    writeAll(file, '');
    closeSync(file);
    expect(readFileSync(join(directory, 'a'), 'utf8')).toBe('ü'.repeat(500_000));
  } finally {
    rmSync(directory, { recursive: true });
  }
});

/** The command, with what it prints on its way through another one. */
function piped(args: string, command: string) {
  const line = `'${process.execPath}' packages/cli/bin/tollgate.js ${args} | ${command}; echo "\${PIPESTATUS[0]}"`;
  return spawnSync('bash', ['-c', line], { encoding: 'utf8' });
}

it('waits for a pipe that is slow', () => {
  const { stdout, stderr } = piped('explain --format json', '{ sleep 1; wc -c; }');
  const [bytes = '', code] = stdout.trim().split('\n');
  expect([Number(bytes) > 100_000, code, stderr]).toEqual([true, '0', '']);
});

it('ends without a word when nobody reads any more, and not as if all had been written', () => {
  const { stdout, stderr } = piped('explain --format json', 'head -c 1');
  expect([stdout, stderr]).toEqual(['[3\n', '']);
});

it.runIf(existsSync('/dev/full')).each([
  ['explain type/mismatch > /dev/full', 3, /^tollgate: cannot write to standard output: ENOSPC[^\n]*\n$/],
  ['explain type/mismatch 2> /dev/full', 0, /^$/],
  ['explain no/such-code 2> /dev/full', 2, /^$/],
  ['--help > /dev/full', 3, /^tollgate: cannot write to standard output: ENOSPC[^\n]*\n$/],
  [
    'check -f json=/dev/full examples/policies/bookshop.yaml',
    3,
    /^tollgate: cannot write `\/dev\/full`: ENOSPC[^\n]*\n$/,
  ],
])('says when a device is full: %s', (args, code, message) => {
  const { status, stderr } = spawnSync('bash', ['-c', `'${process.execPath}' packages/cli/bin/tollgate.js ${args}`], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([code, expect.stringMatching(message)]);
});
