// Options for the report of an impact, and its limits.

import type { AllowedCount } from '@tollgate/reports';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { environmentOption } from '../input/input-options.ts';
import { addFormatOptions } from '../output/output-options.ts';

/** The report formats of an impact, with their descriptions. */
export const IMPACT_FORMATS = {
  text: 'for people, on a terminal',
  json: 'all figures in one document',
  markdown: 'for pull requests and wikis',
  html: 'self-contained page',
} as const;

/** One of {@link IMPACT_FORMATS}. */
export type ImpactFormat = keyof typeof IMPACT_FORMATS;

/** Adds the options for the report of an impact and its limits. */
export function addImpactOptions(command: Command): Command {
  return addFormatOptions(command, { placeholder: 'report', formats: IMPACT_FORMATS })
    .addOption(
      new Option('--top <number>', 'number of clients, paths and countries to list per change')
        .argParser(parseTop)
        .default(5),
    )
    .addOption(
      new Option(
        '--max-newly-denied <limit>',
        'fail if more exchanges are newly denied: a number, or a share such as `0.01%`',
      ).argParser(parseAllowed),
    )
    .addOption(
      new Option(
        '--never-touch <expression>',
        'fail if the decision changes on an exchange for which this CEL expression holds; repeatable',
      ).argParser((expression, before: readonly string[] = []) => [...before, expression]),
    )
    .addOption(
      new Option(
        '--into <table>',
        'with `--table`, write the rows that change, or may change, to this table, with both decisions; it must not exist',
      ).argParser(parseTable),
    )
    .option('--append', 'with `--into`, add the rows to a table that exists')
    .addOption(new Option('--state <file>').hideHelp())
    .addOption(environmentOption())
    .option('--no-progress', 'hide the progress of long runs');
}

const MAX_LISTED = 100;

function parseTop(text: string): number {
  const number = Number(text);
  if (/^\d{1,3}$/.test(text) && number <= MAX_LISTED) return number;
  throw new InvalidArgumentError(`expected a whole number from 0 to ${MAX_LISTED}.`);
}

/** Words and quoted names, with dots in between. */
const TABLE_NAME = /^(?:[\p{L}_][\p{L}\p{N}_$]*|"[^"]+"|`[^`]+`)(?:\.(?:[\p{L}_][\p{L}\p{N}_$]*|"[^"]+"|`[^`]+`))*$/u;

function parseTable(text: string): string {
  if (TABLE_NAME.test(text)) return text;
  throw new InvalidArgumentError('expected the name of a table, such as `changes` or `logs.changes`.');
}

/** Parses a limit: `12`, or `0.01%`. */
function parseAllowed(text: string): AllowedCount {
  const isShare = text.endsWith('%');
  const number = Number(isShare ? text.slice(0, -1) : text);
  const isValid = /^\d+(?:\.\d+)?%?$/.test(text) && (isShare ? number <= 100 : Number.isSafeInteger(number));
  if (!isValid) throw new InvalidArgumentError('expected a number of exchanges, or a share such as `0.01%`.');
  return isShare ? { text, percent: number } : { text, count: number };
}
