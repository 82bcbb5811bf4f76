import type { Terminal } from '../process/terminal.ts';

/** A command whose files can be distributed over threads. */
export type ThreadedCommand = 'check' | 'fmt' | 'lint' | 'test';

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
