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
  return addFormatOptions(command, { placeholder: 'format', formats: REPORT_FORMATS })
    .option('--statistics', 'count the findings by code')
    .option('-q, --quiet', 'leave out what does not make the command fail')
    .addOption(
      new Option('--docs-url <url>', 'where the reference pages are published, for links to them').env(
        'TOLLGATE_DOCS_URL',
      ),
    );
}

/** Formats by name, each with what it is for. */
export type Formats<Format extends string> = Readonly<Record<Format, string>>;

/** The formats of a command's report. */
export interface CommandFormats {
  /** How the help calls one; shells know by it which ones to offer. */
  readonly placeholder: string;
  readonly formats: Formats<string>;
}

/** Adds the options that say in which formats a command reports, and where these go; and what they are for, to its help. */
export function addFormatOptions(command: Command, { placeholder, formats }: CommandFormats): Command {
  const width = Math.max(10, ...Object.keys(formats).map(({ length }) => length));
  const list = Object.entries(formats).map(([name, what]) => `  ${name.padEnd(width)}  ${what}`);
  return command
    .addOption(
      new Option(
        `-f, --format <${placeholder}[=file]>`,
        'how to report, `text` by default; into a file, where one is named; may be given several times',
      ).argParser(collect),
    )
    .option('-o, --output <file>', 'where the format goes that names no file, instead of the standard output')
    .addHelpText('after', ({ command: shown }) => `\n${shown.createHelp().styleTitle('Formats:')}\n${list.join('\n')}`);
}

function collect(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), value];
}
