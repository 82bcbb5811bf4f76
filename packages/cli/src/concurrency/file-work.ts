import type { Failure } from '../process/exit-code.ts';
import type { ConcurrencyOption } from './concurrency-option.ts';
import type { ThreadedCommand } from './messages.ts';

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
