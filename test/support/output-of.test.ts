import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { outputOf } from './output-of.ts';

const run = (program: string) => spawn(process.execPath, ['-e', program]);

it('returns what a process has written since the last call', async () => {
  const child = run(`console.log('one'); process.stdin.once('data', () => console.error('two'))`);
  const sees = outputOf(child);
  expect(await sees('one')).toBe('one\n');
  child.stdin.end('go on');
  expect(await sees('two')).toBe('two\n');
});

it('says what a process wrote that ended without the expected output', async () => {
  const sees = outputOf(run(`console.log('one'); console.error('no such file')`));
  await expect(sees('two')).rejects.toThrow(
    /^the process ended without `two`; it wrote:\n(?:one\nno such file|no such file\none)\n$/,
  );
  await expect(sees('three')).rejects.toThrow('the process ended without `three`; it wrote:\n');
});

it('gives up on a process that hangs', async () => {
  const child = run(`console.log('one'); process.stdin.resume()`);
  const sees = outputOf(child, 1);
  await expect(sees('two')).rejects.toThrow(/^waited 1 ms without `two`; it wrote:\n/);
  child.kill();
  await once(child, 'close');
});
