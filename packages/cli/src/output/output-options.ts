// Options that say in which formats, and where, to report.

import { REPORT_FORMATS } from '@tollgate/diagnostics';
import { type Command, Option } from 'commander';
import { repeatable } from '../input/input-options.ts';

/** The options of {@link addOutputOptions}, as given. */
export interface OutputOptions {
  /** `FORMAT` or `FORMAT=FILE`. */
  readonly format?: readonly string[];
  readonly output?: string;
  readonly statistics?: true;
  readonly quiet?: true;
  readonly docsUrl?: string;
}

/** Adds the options for the format and destination of a report. */
export function addOutputOptions(command: Command): Command {
  return addFormatOptions(command, { placeholder: 'format', formats: REPORT_FORMATS })
    .option('--statistics', 'append the number of findings by code')
    .option('-q, --quiet', 'report only findings that make the command fail')
    .addOption(
      new Option('--docs-url <url>', 'base URL of the published reference pages, for links').env('TOLLGATE_DOCS_URL'),
    );
}

/** Descriptions of formats, by name. */
export type Formats<Format extends string> = Readonly<Record<Format, string>>;

/** The formats in which a command can report. */
interface CommandFormats {
  /** Placeholder in the help; completion scripts use it to offer the formats. */
  readonly placeholder: string;
  readonly formats: Formats<string>;
}

/** Adds `--format` and `--output`, and a list of the formats to the help. */
export function addFormatOptions(command: Command, { placeholder, formats }: CommandFormats): Command {
  const width = Math.max(10, ...Object.keys(formats).map(({ length }) => length));
  const list = Object.entries(formats).map(([name, what]) => `  ${name.padEnd(width)}  ${what}`);
  return command
    .addOption(
      repeatable(
        new Option(
          `-f, --format <${placeholder}[=file]>`,
          'output format (default: text), optionally written to a file; repeatable',
        ),
      ),
    )
    .option('-o, --output <file>', 'write the format without a file name here instead of to standard output')
    .addHelpText('after', ({ command: shown }) => `\n${shown.createHelp().styleTitle('Formats:')}\n${list.join('\n')}`);
}
