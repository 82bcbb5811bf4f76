import { resolve } from 'node:path';
import { nearest } from '@tollgate/cel';
import { REPORT_FORMATS, type ReportFormat } from '@tollgate/diagnostics';
import { UsageError } from '../usage-error.ts';
import type { OutputOptions } from './output-options.ts';

/** A format, and where its report goes. */
export interface ReportOutput {
  readonly format: ReportFormat;
  /** Undefined for the standard output. */
  readonly file: string | undefined;
}

/** What `--format` and `--output` ask for. Throws a {@link UsageError} where that cannot be. */
export function reportOutputs({
  format = [],
  output,
}: Pick<OutputOptions, 'format' | 'output'>): readonly ReportOutput[] {
  const named = (format.length > 0 ? format : ['text']).map(parseOutput);
  const unnamed = named.filter(({ file }) => file === undefined);
  if (unnamed.length > 1) {
    const formats = unnamed.map(one => `\`${one.format}\``).join(' and ');
    throw new UsageError(
      `${formats} cannot both go to the same place; name a file: \`--format ${unnamed[1]!.format}=FILE\``,
    );
  }
  if (output !== undefined && unnamed.length === 0)
    throw new UsageError(`\`--output ${output}\` has nothing to take: every \`--format\` names a file of its own`);
  const outputs = named.map(one => ({ ...one, file: one.file ?? output }));
  refuseSameFile(outputs);
  return outputs;
}

function parseOutput(text: string): ReportOutput {
  const at = text.indexOf('=');
  const name = at < 0 ? text : text.slice(0, at);
  const file = at < 0 ? undefined : text.slice(at + 1);
  if (!isFormat(name)) throw new UsageError(unknownFormat(name));
  if (file === '') throw new UsageError(`\`--format ${text}\` expects a file behind the \`=\``);
  return { format: name, file };
}

function isFormat(name: string): name is ReportFormat {
  return Object.hasOwn(REPORT_FORMATS, name);
}

function unknownFormat(name: string): string {
  const names = Object.keys(REPORT_FORMATS);
  const meant = nearest(name, names);
  const expected = `expected one of ${names.map(one => `\`${one}\``).join(', ')}, found \`${name}\``;
  return `\`--format\`: ${expected}${meant === undefined ? '' : `; did you mean \`${meant}\`?`}`;
}

function refuseSameFile(outputs: readonly ReportOutput[]): void {
  const seen = new Set<string>();
  for (const { file } of outputs) {
    if (file === undefined) continue;
    const path = resolve(file);
    if (seen.has(path)) throw new UsageError(`two reports cannot go to the same file \`${file}\``);
    seen.add(path);
  }
}
