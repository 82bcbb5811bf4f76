import type { Sample } from '@tollgate/simulator';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseTime } from '../../traffic/simulation-options.ts';

/** The options of {@link addSelectionOptions}, as given. */
export interface SelectionOptions {
  /** An expression on exchanges and decisions. */
  readonly where?: string;
  readonly sample?: SampleSize;
  /** In ms since 1970-01-01T00:00:00Z. */
  readonly since?: number;
  readonly until?: number;
}

/** A sample before its seed is known. */
type SampleSize = Sample extends infer One ? (One extends Sample ? Omit<One, 'seed'> : never) : never;

/** Adds the options that select exchanges. */
export function addSelectionOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--where <expression>',
        'report only exchanges for which this CEL expression holds, such as `decision.outcome == "denied"`',
      ),
    )
    .addOption(
      new Option(
        '--sample <size>',
        'report only a sample: a number of exchanges, or a share such as `1%`; the same for the same `--seed`',
      ).argParser(parseSample),
    )
    .addOption(new Option('--since <time>', 'report only exchanges at or after this time').argParser(parseTime))
    .addOption(new Option('--until <time>', 'report only exchanges before this time').argParser(parseTime));
}

function parseSample(text: string): SampleSize {
  const isShare = text.endsWith('%');
  const number = Number(isShare ? text.slice(0, -1) : text);
  const isValid = /^\d+(?:\.\d+)?%?$/.test(text) && number > 0 && (isShare ? number <= 100 : number <= MAX_SAMPLE);
  if (!isValid || (!isShare && !Number.isInteger(number)))
    throw new InvalidArgumentError(`expected a number of exchanges up to ${MAX_SAMPLE}, or a share such as \`1%\`.`);
  return isShare ? { percent: number } : { count: number };
}

/** They are held in memory. */
const MAX_SAMPLE = 1_000_000;
