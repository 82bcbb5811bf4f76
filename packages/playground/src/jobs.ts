// What the page asks of the worker that runs policies, and what it gets.

import type { PlaygroundFile } from './permalink.ts';

/** A recording, which is read where it is. */
export interface Recording {
  readonly name: string;
  readonly content: Blob;
}

/** What every job is about. */
interface JobFiles {
  readonly files: readonly PlaygroundFile[];
  /** The profile where settings name none; empty if it is detected. */
  readonly profile: string;
  /** Width of the report in columns. */
  readonly width: number;
  /** As in RFC 3339: replaces the time of requests. */
  readonly now?: string | undefined;
  readonly seed?: number | undefined;
}

/** Runs a policy on requests, one after the other, with the state of rate limits. */
export interface TraceJob extends JobFiles {
  readonly kind: 'trace';
  readonly policy: string;
  /** Requests as curl commands, raw requests or URLs. */
  readonly requests: string;
}

/** Runs a policy on a recording. */
export interface ReplayJob extends JobFiles {
  readonly kind: 'replay';
  readonly policy: string;
  readonly recordings: readonly Recording[];
  /** Scheme and host of requests with a path only; empty if unknown. */
  readonly origin: string;
}

/** Compares two policies for all requests. */
export interface DiffJob extends JobFiles {
  readonly kind: 'diff';
  readonly before: string;
  readonly after: string;
}

/** Proves the invariants of all files. */
export interface ProveJob extends JobFiles {
  readonly kind: 'prove';
}

/** Runs all tests and shows what they reach. */
export interface TestJob extends JobFiles {
  readonly kind: 'test';
}

/** Writes a policy in another form. */
export interface CompileJob extends JobFiles {
  readonly kind: 'compile';
  readonly policy: string;
  readonly to: string;
}

/** Evaluates one expression on a request. */
export interface ExpressionJob extends JobFiles {
  readonly kind: 'expression';
  readonly expression: string;
  readonly phase: string;
  readonly requests: string;
}

/** Something to run. */
export type Job = TraceJob | ReplayJob | DiffJob | ProveJob | TestJob | CompileJob | ExpressionJob;

/** The result of a job. */
export interface JobResult {
  /** The report of the command, with the colours of a terminal. */
  readonly text: string;
  /** The same as a page, if there is one. */
  readonly html?: string;
  /** True if the report says that something is wrong: an error, a failed test, a refuted invariant. */
  readonly isBad: boolean;
}

/** What the worker says. */
export type JobMessage =
  | { readonly id: number; readonly progress: string }
  | { readonly id: number; readonly result: JobResult };
