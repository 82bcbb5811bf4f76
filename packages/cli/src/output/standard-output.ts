import { once } from 'node:events';
import { fstatSync, type Stats, statSync, writeSync } from 'node:fs';
import type { Terminal } from '../terminal.ts';

type StandardOutput = Required<Pick<Terminal, 'write' | 'isInteractive' | 'columns' | 'drained'>>;

/**
 * The standard output of a process. Files and pipes are written to directly, for streams take longer to load than most commands run. `end` is
 * called when whoever reads along has stopped reading: `tollgate check . | head`.
 */
export function standardOutput(process: NodeJS.Process, end: () => never): StandardOutput {
  if (process.platform !== 'win32' && isPlain(STDOUT)) return { write: text => writeAll(STDOUT, text, end), ...NOBODY };
  const { stdout } = process;
  stdout.on('error', error => (isBroken(error) ? end() : fail(error)));
  const isInteractive = stdout.isTTY === true;
  return {
    write: text => void stdout.write(text),
    isInteractive,
    columns: isInteractive ? stdout.columns : undefined,
    drained: () => (stdout.writableNeedDrain ? drained(stdout) : undefined),
  };
}

const NOBODY = { isInteractive: false, columns: undefined, drained: () => undefined } as const;

/** How wide the terminal of the standard error is, where it is one. */
export function errorColumns(process: NodeJS.Process): number | undefined {
  const isTerminal = !isPlain(STDERR) && process.stderr.isTTY === true;
  return isTerminal ? process.stderr.columns : undefined;
}

const STDOUT = 1;
const STDERR = 2;

async function drained(stream: NodeJS.WriteStream): Promise<void> {
  await once(stream, 'drain');
}

function isPlain(fd: number): boolean {
  try {
    const found = fstatSync(fd);
    return found.isFile() || found.isFIFO() || found.isSocket() || isNothing(found);
  } catch {
    return false;
  }
}

/** What is written there is lost. */
function isNothing(found: Stats): boolean {
  return found.isCharacterDevice() && found.rdev === statSync('/dev/null', { throwIfNoEntry: false })?.rdev;
}

/** Writes all of a text, however little is taken at a time. */
export function writeAll(fd: number, text: string, end: () => never): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      if (isBroken(error)) end();
      // Whoever reads along is slow, and the pipe does not wait by itself.
      if (codeOf(error) !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
    }
  }
}

const WAIT_MS = 2;

function isBroken(error: unknown): boolean {
  return codeOf(error) === 'EPIPE';
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function fail(error: unknown): never {
  throw error;
}
