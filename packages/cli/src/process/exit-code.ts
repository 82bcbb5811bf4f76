import type { ExternalError, InternalError } from '@tollgate/diagnostics';

/** What the exit code of every command means. */
export const EXIT = {
  clean: 0,
  /** Findings at or above the failing severity. */
  findings: 1,
  /** The command line is wrong. */
  usage: 2,
  /** I/O error: a file, the network or a database failed. */
  external: 3,
  /** Internal error: a bug in Tollgate. */
  internal: 70,
} as const;

/** One of {@link EXIT}. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What failed in a run that went on. */
export type Failure = ExternalError | InternalError;

/** That of a run in which something failed. An argument that fits none of the files is a usage error; what `--strict` refuses is a finding, and so is traffic without an exchange. */
export function exitOfFailures(failures: readonly Failure[]): ExitCode {
  if (failures.some(({ name }) => name === 'InternalError')) return EXIT.internal;
  if (failures.length > 0 && failures.every(({ code }) => FINDINGS.has(code))) return EXIT.findings;
  return failures.every(failure => failure.code.startsWith('usage/')) ? EXIT.usage : EXIT.external;
}

const FINDINGS: ReadonlySet<string> = new Set(['traffic/unreadable-record', 'traffic/nothing-read']);
