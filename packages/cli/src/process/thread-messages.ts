// What works on files, and what threads that do are told and answer.

import { ExternalError, InternalError } from '@tollgate/diagnostics';
import { type Failure, UsageError } from './exit-code.ts';
import type { Terminal } from './terminal.ts';

/** A command whose files can be distributed over threads. */
type ThreadedCommand = 'check' | 'fmt' | 'lint' | 'test';

/** A number of threads, or how to choose it. */
export type Concurrency = number | 'auto' | 'off';

/** The option of {@link addConcurrencyOption}, as given; `off` by default. */
export interface ConcurrencyOption {
  readonly concurrency?: Concurrency;
}

/** The results for some files, which consist of plain data, sources and failures. */
export interface FileResults {
  readonly failures: readonly Failure[];
}

/** The files of a command, and how it works on them. */
export interface FileWork<Input, Results extends FileResults> {
  readonly command: ThreadedCommand;
  readonly options: ConcurrencyOption;
  readonly inputs: readonly Input[];
  /** Works on all files in this thread. */
  readonly here: () => Promise<Results>;
  /** Restores what threads cannot exchange, apart from the failures. */
  readonly revive: (results: Results) => Results;
}

/** The data that a thread starts with. */
export interface FileThreadSetup extends Pick<Terminal, 'env' | 'isInteractive' | 'columns'> {
  readonly command: ThreadedCommand;
  readonly options: unknown;
}

/** A request to work on some files. */
export interface FilesRequest {
  readonly index: number;
  readonly inputs: readonly unknown[];
}

/** What a thread has written to one of the standard streams. */
export interface WrittenText {
  readonly isError: boolean;
  readonly text: string;
}

/** A message from a thread. */
export type FileThreadMessage =
  | {
      readonly kind: 'done';
      readonly index: number;
      /** Number of files. */
      readonly count: number;
      readonly result: unknown;
      readonly written: readonly WrittenText[];
    }
  /** An error that affects all files. */
  | { readonly kind: 'failed'; readonly failure: PortableFailure };

/** A {@link Failure} in a form that threads can exchange: they would lose its class and code. */
export interface PortableFailure {
  readonly name: string;
  readonly code: string;
  readonly message: string;
}

/** Returns a failure in a form that threads can exchange. */
export function portableFailure({ name, code, message }: Failure): PortableFailure {
  return { name, code, message };
}

/** Returns the failure that a thread has sent. */
export function receivedFailure({ name, code, message }: PortableFailure): Failure {
  return name === 'InternalError' ? new InternalError(message) : new ExternalError(code, message);
}

/** Returns the error that ends a command, in a portable form; undefined if the error is a bug. */
export function portableError(error: unknown): PortableFailure | undefined {
  if (error instanceof UsageError) return { name: error.name, code: '', message: error.message };
  return error instanceof ExternalError ? portableFailure(error) : undefined;
}

/** Returns the error that has ended a thread. */
export function receivedError(failure: PortableFailure): Error {
  return failure.name === 'UsageError' ? new UsageError(failure.message) : receivedFailure(failure);
}
