import { type Command, InvalidArgumentError, Option } from 'commander';
import { addFormatOptions } from '../output/output-options.ts';
import { REPLAY_FORMATS } from './replay-formats.ts';

/** The options of {@link addReportOptions}, as given. */
export interface ReportArguments {
  /** `FORMAT` or `FORMAT=FILE`. */
  readonly format?: readonly string[];
  readonly output?: string;
  /** Clients, paths and countries that are listed for each rule. */
  readonly top: number;
  readonly progress: boolean;
  readonly quiet?: true;
  /** Traffic without an exchange is no failure. */
  readonly allowEmpty?: boolean;
}

/** Adds to a command the options that say how a replay is reported. */
export function addReportOptions(command: Command): Command {
  return addFormatOptions(command, { placeholder: 'report', formats: REPLAY_FORMATS })
    .addOption(
      new Option('--top <number>', 'clients, paths and countries to list for each rule; 0 for none')
        .argParser(parseTop)
        .default(3),
    )
    .option('--no-progress', 'show no progress on long inputs')
    .option('-q, --quiet', 'show no progress, nor the summary where nothing matched');
}

const MOST_LISTED = 100;

function parseTop(text: string): number {
  const number = Number(text);
  if (/^\d{1,3}$/.test(text) && number <= MOST_LISTED) return number;
  throw new InvalidArgumentError(`expected a whole number from 0 to ${MOST_LISTED}.`);
}
