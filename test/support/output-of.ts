import type { ChildProcess } from 'node:child_process';

/** A wait that is over by then will not end: each step of a command takes seconds on a busy machine. In ms. */
const HUNG = 120_000;

/**
 * Returns a function that waits until something is in what a process has written since the last call, and returns all of that. Throws what was
 * written instead if the process ends without it, or hangs.
 */
export function outputOf(child: ChildProcess, hung = HUNG): (wanted: string) => Promise<string> {
  let text = '';
  let hasEnded = false;
  let wake = () => {};
  const add = (chunk: Buffer) => {
    text += chunk.toString();
    wake();
  };
  child.stdout!.on('data', add);
  child.stderr!.on('data', add);
  child.once('close', () => {
    hasEnded = true;
    wake();
  });
  return async wanted => {
    let isHung = false;
    const timer = setTimeout(() => {
      isHung = true;
      wake();
    }, hung);
    while (!text.includes(wanted) && !hasEnded && !isHung) {
      await new Promise<void>(resolve => {
        wake = resolve;
      });
    }
    clearTimeout(timer);
    const seen = text;
    text = '';
    if (seen.includes(wanted)) return seen;
    throw new Error(
      `${hasEnded ? 'the process ended' : `waited ${hung} ms`} without \`${wanted}\`; it wrote:\n${seen}`,
    );
  };
}
