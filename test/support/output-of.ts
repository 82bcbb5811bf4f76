import type { ChildProcess } from 'node:child_process';

/** Returns a function that waits until something is in what a process has written since the last call, and returns all of that. */
export function outputOf(child: ChildProcess): (wanted: string) => Promise<string> {
  let text = '';
  let wake = () => {};
  const add = (chunk: Buffer) => {
    text += chunk.toString();
    wake();
  };
  child.stdout!.on('data', add);
  child.stderr!.on('data', add);
  return async wanted => {
    while (!text.includes(wanted)) {
      await new Promise<void>(resolve => {
        wake = resolve;
      });
    }
    const seen = text;
    text = '';
    return seen;
  };
}
