import { REPORT_FORMATS } from '@tollgate/diagnostics';
import { type Command, Option } from 'commander';

/** The options of {@link addOutputOptions}, as given. */
export interface OutputOptions {
  /** `FORMAT` or `FORMAT=FILE`. */
  readonly format?: readonly string[];
  readonly output?: string;
  readonly statistics?: true;
  readonly quiet?: true;
  readonly docsUrl?: string;
}

/** Adds to a command the options that say how and where it reports. */
export function addOutputOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '-f, --format <format[=file]>',
        'how to report, `text` by default; into a file, where one is named; may be given several times',
      ).argParser(collect),
    )
    .option('-o, --output <file>', 'where the format goes that names no file, instead of the standard output')
    .option('--statistics', 'count the findings by code')
    .option('-q, --quiet', 'leave out what does not make the command fail')
    .addOption(
      new Option('--docs-url <url>', 'where the reference pages are published, for links to them').env(
        'TOLLGATE_DOCS_URL',
      ),
    )
    .addHelpText('after', ({ command: shown }) => `\n${shown.createHelp().styleTitle('Formats:')}\n${FORMATS}`);
}

const FORMATS = Object.entries(REPORT_FORMATS)
  .map(([name, what]) => `  ${name.padEnd(10)}  ${what}`)
  .join('\n');

function collect(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), value];
}
