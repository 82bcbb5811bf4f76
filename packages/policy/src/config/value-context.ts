import type { Reporter } from '../reporter.ts';

/** What is being checked, as messages name it, and where to report. */
export interface ValueContext {
  readonly what: string;
  readonly reporter: Reporter;
}
