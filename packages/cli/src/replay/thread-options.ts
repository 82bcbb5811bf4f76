import { type Command, InvalidArgumentError, Option } from 'commander';

/** The options of {@link addThreadOptions}, as given. */
export interface ThreadOptions {
  /** Chosen by the size of the traffic when absent. */
  readonly threads?: number;
}

/** Adds to a command the option that says how many threads it may take. */
export function addThreadOptions(command: Command): Command {
  return command.addOption(
    new Option(
      '--threads <number>',
      'threads to replay on; by default one for each processor where there is much traffic, and one otherwise',
    ).argParser(parseThreads),
  );
}

const MOST_THREADS = 64;

function parseThreads(text: string): number {
  const number = Number(text);
  if (/^\d{1,2}$/.test(text) && number >= 1 && number <= MOST_THREADS) return number;
  throw new InvalidArgumentError(`expected a whole number from 1 to ${MOST_THREADS}.`);
}
