import { type Command, InvalidArgumentError, Option } from 'commander';

/** The options of {@link addThreadOptions}, as given. */
export interface ThreadOptions {
  /** Chosen from the size of the traffic by default. */
  readonly threads?: number;
}

/** Adds `--threads`. */
export function addThreadOptions(command: Command): Command {
  return command.addOption(
    new Option('--threads <number>', 'number of threads; by default one per processor for large recordings').argParser(
      parseThreads,
    ),
  );
}

const MAX_THREADS = 64;

function parseThreads(text: string): number {
  const number = Number(text);
  if (/^\d{1,2}$/.test(text) && number >= 1 && number <= MAX_THREADS) return number;
  throw new InvalidArgumentError(`expected an integer from 1 to ${MAX_THREADS}.`);
}
