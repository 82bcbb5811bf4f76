import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeAll } from './standard-output.ts';

it('writes all of a text into a file', () => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-output-'));
  try {
    const file = openSync(join(directory, 'a'), 'w');
    writeAll(file, 'ü'.repeat(500_000), never);
    writeAll(file, '', never);
    closeSync(file);
    expect(readFileSync(join(directory, 'a'), 'utf8')).toBe('ü'.repeat(500_000));
  } finally {
    rmSync(directory, { recursive: true });
  }
});

function never(): never {
  throw new Error('nobody stopped reading');
}

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

it('ends without a word when nobody reads any more', () => {
  const { stdout, stderr } = piped('explain --format json', 'head -c 1');
  expect([stdout, stderr]).toEqual(['[0\n', '']);
});
