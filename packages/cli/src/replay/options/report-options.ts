import { type Command, InvalidArgumentError, Option } from 'commander';
import { addFormatOptions } from '../../output/output-options.ts';
import { REPLAY_FORMATS } from './replay-formats.ts';

/** The options of {@link addReportOptions}, as given. */
export interface ReportArguments {
  /** `FORMAT` or `FORMAT=FILE`. */
  readonly format?: readonly string[];
  readonly output?: string;
  /** How many clients, paths and countries to list for each rule. */
  readonly top: number;
  readonly progress: boolean;
  readonly quiet?: true;
  /** Succeed even if the traffic contains no exchange. */
  readonly allowEmpty?: boolean;
}

/** Adds the options for the report of a replay. */
export function addReportOptions(command: Command): Command {
  return addFormatOptions(command, { placeholder: 'report', formats: REPLAY_FORMATS })
    .addOption(
      new Option('--top <number>', 'number of clients, paths and countries to list per rule')
        .argParser(parseTop)
        .default(3),
    )
    .option('--no-progress', 'hide the progress of long replays')
    .option('-q, --quiet', 'hide the progress, and the summary if no rule matched');
}

const MAX_LISTED = 100;

function parseTop(text: string): number {
  const number = Number(text);
  if (/^\d{1,3}$/.test(text) && number <= MAX_LISTED) return number;
  throw new InvalidArgumentError(`expected a whole number from 0 to ${MAX_LISTED}.`);
}
