import { resolve } from 'node:path';
import { nearest } from '@tollgate/cel/tooling';
import { REPORT_FORMATS, type ReportFormat } from '@tollgate/diagnostics';
import { UsageError } from '../process/usage-error.ts';
import type { Formats, OutputOptions } from './output-options.ts';

/** A report format and its destination. */
export interface ReportOutput<Format extends string = ReportFormat> {
  readonly format: Format;
  /** Undefined for standard output. */
  readonly file: string | undefined;
}

/** Parses `--format` and `--output` of a report on findings. Throws a {@link UsageError} if they conflict. */
export function reportOutputs(options: OutputNames): readonly ReportOutput[] {
  return outputsOf(options, REPORT_FORMATS);
}

type OutputNames = Pick<OutputOptions, 'format' | 'output'>;

/** As {@link reportOutputs}, for other formats, which include `text`. */
export function outputsOf<Format extends string>(
  { format = [], output }: OutputNames,
  formats: Formats<Format>,
): readonly ReportOutput<Format>[] {
  const named = (format.length > 0 ? format : ['text']).map(text => parseOutput(text, formats));
  const unnamed = named.filter(({ file }) => file === undefined);
  if (unnamed.length > 1) {
    const formats = unnamed.map(one => `\`${one.format}\``).join(' and ');
    throw new UsageError(
      `${formats} cannot both go to standard output; write one to a file: \`--format ${unnamed[1]!.format}=FILE\``,
    );
  }
  if (output !== undefined && unnamed.length === 0)
    throw new UsageError(`\`--output ${output}\` has no effect: every \`--format\` names a file`);
  const outputs = named.map(one => ({ ...one, file: one.file ?? output }));
  refuseSameFile(outputs);
  return outputs;
}

function parseOutput<Format extends string>(text: string, formats: Formats<Format>): ReportOutput<Format> {
  const at = text.indexOf('=');
  const name = at < 0 ? text : text.slice(0, at);
  const file = at < 0 ? undefined : text.slice(at + 1);
  if (!isFormat(name, formats)) throw new UsageError(unknownFormat(name, Object.keys(formats)));
  if (file === '') throw new UsageError(`\`--format ${text}\` expects a file name after \`=\``);
  return { format: name, file };
}

function isFormat<Format extends string>(name: string, formats: Formats<Format>): name is Format {
  return Object.hasOwn(formats, name);
}

function unknownFormat(name: string, names: readonly string[]): string {
  const closest = nearest(name, names);
  const expected = `expected one of ${names.map(name => `\`${name}\``).join(', ')}, found \`${name}\``;
  return `\`--format\`: ${expected}${closest === undefined ? '' : `; did you mean \`${closest}\`?`}`;
}

function refuseSameFile(outputs: readonly ReportOutput<string>[]): void {
  const seen = new Set<string>();
  for (const { file } of outputs) {
    if (file === undefined) continue;
    const path = resolve(file);
    if (seen.has(path)) throw new UsageError(`two reports cannot be written to the same file \`${file}\``);
    seen.add(path);
  }
}
