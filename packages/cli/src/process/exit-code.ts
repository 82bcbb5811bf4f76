// How a command ends: exit codes, usage errors, defects and interruptions.

import type { ExternalError, InternalError } from '@tollgate/diagnostics';

/** The exit codes of all commands. */
export const EXIT = {
  clean: 0,
  /** Findings at or above the failing severity. */
  findings: 1,
  /** Invalid command line. */
  usage: 2,
  /** I/O error: a file, the network or a database failed. */
  external: 3,
  /** Internal error: a bug in Tollgate. */
  internal: 70,
  /** Stopped by Ctrl-C after a partial report: 128 and the number of SIGINT, as in shells. */
  interrupted: 130,
} as const;

/** One of the values of {@link EXIT}. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A failure that did not stop the run. */
export type Failure = ExternalError | InternalError;

/**
 * Returns the exit code of a run with failures. An argument that matches no file is a usage error. Records that `--strict` rejects and
 * traffic without exchanges count as findings.
 */
export function exitOfFailures(failures: readonly Failure[]): ExitCode {
  if (failures.some(({ name }) => name === 'InternalError')) return EXIT.internal;
  if (failures.length > 0 && failures.every(({ code }) => FINDINGS.has(code))) return EXIT.findings;
  return failures.every(failure => failure.code.startsWith('usage/')) ? EXIT.usage : EXIT.external;
}

const FINDINGS: ReadonlySet<string> = new Set(['traffic/unreadable-record', 'traffic/nothing-read']);

/** Thrown for a command line that the option parser accepts but that makes no sense. Ends the command with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Returns the message for an internal error. */
export function defectMessage(error: unknown): string {
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `tollgate: internal error; please report it\n${details}\n`;
}

/** Runs work that Ctrl-C stops; a second Ctrl-C ends the process at once. */
export async function stoppable<T>(work: (stop: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    controller.abort();
  };
  process.on('SIGINT', stop);
  try {
    return await work(controller.signal);
  } finally {
    process.off('SIGINT', stop);
  }
}
