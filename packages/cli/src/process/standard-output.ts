// Standard output and standard error of a process.

import { once } from 'node:events';
import { fstatSync, statSync, writeSync } from 'node:fs';
import { writeProblem } from '@tollgate/diagnostics';
import type { Terminal } from './terminal.ts';

type StandardOutput = Required<Pick<Terminal, 'write' | 'isInteractive' | 'columns' | 'drained'>>;

/** Thrown when standard output cannot be written. The code is `EPIPE` if the reader has closed it, as in `tollgate check . | head`. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
  readonly code: string;

  constructor(cause: unknown) {
    super(`cannot write to standard output: ${writeProblem(cause)}`, { cause });
    this.code = codeOf(cause);
  }
}

/**
 * Returns the standard output of a process. Files, pipes and devices are written to directly, because loading streams takes longer than
 * most commands run. Throws an {@link OutputError} if a write fails, or passes it to `fail` if that is known only later.
 */
export function standardOutput(process: NodeJS.Process, fail: (error: OutputError) => void): StandardOutput {
  if (process.platform !== 'win32' && isDirect(process, STDOUT)) {
    return { write: text => writeAll(STDOUT, text), ...NOT_INTERACTIVE };
  }
  const { stdout } = process;
  stdout.on('error', error => fail(new OutputError(error)));
  const isInteractive = stdout.isTTY === true;
  return {
    write: text => void stdout.write(text),
    isInteractive,
    columns: isInteractive ? stdout.columns : undefined,
    drained: () => (stdout.writableNeedDrain ? drained(stdout) : undefined),
  };
}

const NOT_INTERACTIVE = { isInteractive: false, columns: undefined, drained: () => undefined } as const;

/** Returns a function that writes to the standard error of a process. Failed writes are ignored. */
export function standardError(process: NodeJS.Process): (text: string) => void {
  if (process.platform === 'win32' || !isDirect(process, STDERR)) {
    process.stderr.on('error', () => undefined);
    return text => void process.stderr.write(text);
  }
  return text => {
    try {
      writeAll(STDERR, text);
    } catch (error) {
      if (!(error instanceof OutputError)) throw error;
    }
  };
}

/** Returns the width of the terminal that shows standard error; undefined if it is not a terminal. */
export function errorColumns(process: NodeJS.Process): number | undefined {
  const isTerminal = !isDirect(process, STDERR) && process.stderr.isTTY === true;
  return isTerminal ? process.stderr.columns : undefined;
}

const STDOUT = 1;
const STDERR = 2;

async function drained(stream: NodeJS.WriteStream): Promise<void> {
  await once(stream, 'drain');
}

/** Returns true unless the descriptor is a terminal. Only a stream can tell terminals from other devices, and takes longer to load. */
function isDirect(process: NodeJS.Process, fd: typeof STDOUT | typeof STDERR): boolean {
  try {
    if (!fstatSync(fd).isCharacterDevice()) return true;
    return isNothing(fd) || (fd === STDOUT ? process.stdout : process.stderr).isTTY !== true;
  } catch {
    return false;
  }
}

/** Returns true for `/dev/null`. */
function isNothing(fd: number): boolean {
  return fstatSync(fd).rdev === statSync('/dev/null', { throwIfNoEntry: false })?.rdev;
}

/** Writes the whole string, in as many writes as it takes. Throws an {@link OutputError}. */
export function writeAll(fd: number, text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      // The pipe is full and does not block.
      if (codeOf(error) !== 'EAGAIN') throw new OutputError(error);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
    }
  }
}

const WAIT_MS = 2;

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
