// How many threads process files, and what they work on.

import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Failure } from './exit-code.ts';
import type { ThreadedCommand } from './thread-messages.ts';

/** A number of threads, or how to choose it. */
export type Concurrency = number | 'auto' | 'off';

/** The option of {@link addConcurrencyOption}, as given; `off` by default. */
export interface ConcurrencyOption {
  readonly concurrency?: Concurrency;
}

/** Adds `--concurrency`. */
export function addConcurrencyOption(command: Command): Command {
  const text =
    'number of threads for many files; `auto` chooses from the number of files and processors (default: `off`)';
  return command.addOption(new Option('--concurrency <number>', text).argParser(parseConcurrency));
}

const MAX_THREADS = 64;

function parseConcurrency(text: string): Concurrency {
  if (text === 'auto' || text === 'off') return text;
  const number = Number(text);
  if (/^\d{1,2}$/.test(text) && number >= 1 && number <= MAX_THREADS) return number;
  throw new InvalidArgumentError(`expected \`auto\`, \`off\` or an integer from 1 to ${MAX_THREADS}.`);
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
