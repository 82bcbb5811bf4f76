// Works on files in one thread, or distributes them over several.

import { SourceText } from '@tollgate/diagnostics';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Terminal } from './terminal.ts';
import type { Concurrency, FileResults, FileWork } from './thread-messages.ts';

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

/**
 * Works on files, on several threads if the option asks for them. Returns the results in the order of the files; what threads write appears
 * in that order, too. Without the option, nothing that runs threads is loaded.
 */
export async function inThreads<Input, Results extends FileResults>(
  work: FileWork<Input, Results>,
  terminal: Terminal,
): Promise<readonly Results[]> {
  const { concurrency = 'off' } = work.options;
  if (concurrency === 'off') return [await work.here()];
  const { FileThreads, threadsFor } = await import('./file-threads.ts');
  const threads = threadsFor(concurrency, work.inputs.length);
  return threads === 1 ? [await work.here()] : new FileThreads(work, terminal).run(threads);
}

/** Returns a source that threads have exchanged. */
export function revivedSource({ uri, text }: Pick<SourceText, 'uri' | 'text'>): SourceText {
  return new SourceText(uri, text);
}
