/** What the exit code of every command means. */
export const EXIT = {
  clean: 0,
  /** Findings at or above the failing severity. */
  findings: 1,
  /** The command line was wrong. */
  usage: 2,
  /** A file, a network, a database failed. */
  world: 3,
  /** A defect of Tollgate. */
  internal: 70,
} as const;

/** One of {@link EXIT}. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
