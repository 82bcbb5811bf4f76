// Writes a report in all requested formats, and decides the exit code.

import { resolve } from 'node:path';
import { nearest } from '@tollgate/cel/tooling';
import {
  type Diagnostic,
  ExternalError,
  isFailing,
  REPORT_FORMATS,
  type Report,
  type Reporter,
  type ReportFormat,
  type ReportOptions,
  textReport,
  writeProblem,
} from '@tollgate/diagnostics';
import { EXIT, type ExitCode, exitOfFailures, UsageError } from '../process/exit-code.ts';
import { printMessage, reportStyle, type Terminal } from '../process/terminal.ts';
import { VERSION } from '../process/version.ts';
import { appendToFile, replaceFile } from '../trust/replace-file.ts';
import type { Formats, OutputOptions } from './output-options.ts';

/** The destinations and style of a report. */
interface Delivery {
  readonly outputs: readonly ReportOutput[];
  readonly options: OutputOptions;
  readonly terminal: Terminal;
  /** Reporters of the command that replace the general ones. */
  readonly reporters?: Partial<Record<ReportFormat, Reporter>>;
}

/** Writes the report in every requested format, prints the I/O errors, and returns the exit code. */
export async function deliverReport(report: Report, delivery: Delivery): Promise<ExitCode> {
  const { options, terminal } = delivery;
  const isFound = report.diagnostics.some(diagnostic => isFailing(diagnostic, report));
  const shown = await withRules(options.quiet ? onlyFailing(report) : report, delivery);
  const failures = [...(report.failures ?? [])];
  for (const output of delivery.outputs) failures.push(...(await write(shown, output, delivery)));
  if (delivery.outputs.some(({ format }) => format === 'github'))
    failures.push(...(await writeStepSummary(shown, delivery)));
  for (const failure of failures) printMessage(terminal, failure.message);
  if (failures.length > 0) return exitOfFailures(failures);
  return isFound ? EXIT.findings : EXIT.clean;
}

/** Adds the descriptions of all codes for SARIF, the only format with a table of them. Custom lint rules are already in the report. */
async function withRules(report: Report, { outputs }: Delivery): Promise<Report> {
  if (!outputs.some(({ format }) => format === 'sarif')) return report;
  const { CODE_PAGES } = await import('./code-table.ts');
  return { ...report, rules: [...CODE_PAGES, ...(report.rules ?? [])] };
}

function onlyFailing(report: Report): Report {
  const { suppressed: _, ...rest } = report;
  return { ...rest, diagnostics: report.diagnostics.filter(diagnostic => isFailing(diagnostic, report)) };
}

async function write(
  report: Report,
  { format, file }: ReportOutput,
  delivery: Delivery,
): Promise<readonly ExternalError[]> {
  const isForPeople = format === 'text' || format === 'compact';
  const custom = delivery.reporters?.[format];
  if (isForPeople && !custom && isEmpty(report, delivery.options)) return file === undefined ? [] : writeFile(file, '');
  const reporter = custom ?? (await reporterOf(format));
  const text = reporter(report, reportOptions(delivery, file));
  if (file !== undefined) return writeFile(file, text);
  delivery.terminal.write(text);
  return [];
}

/** Loads all reporters but the one for terminals on demand. */
async function reporterOf(format: ReportFormat): Promise<Reporter> {
  return format === 'text' ? textReport : (await import('@tollgate/diagnostics/reports')).REPORTERS[format];
}

/** Returns true if a report for people would be pointless: nothing was read, or nothing found with `--quiet`. */
function isEmpty({ sources, diagnostics }: Report, { quiet }: OutputOptions): boolean {
  return diagnostics.length === 0 && (quiet === true || sources.length === 0);
}

function reportOptions({ options, terminal }: Delivery, file: string | undefined): ReportOptions {
  const { statistics = false, docsUrl } = options;
  return {
    ...(file === undefined && reportStyle(terminal)),
    statistics,
    directory: process.cwd(),
    version: VERSION,
    ...(docsUrl !== undefined && { docsUrl }),
  };
}

async function writeFile(file: string, text: string): Promise<readonly ExternalError[]> {
  const failure = await replaceFile(file, text);
  return failure ? [failure] : [];
}

/** Appends to the file that GitHub Actions provides for job summaries. */
async function writeStepSummary(report: Report, delivery: Delivery): Promise<readonly ExternalError[]> {
  const file = delivery.terminal.env.GITHUB_STEP_SUMMARY;
  if (file === undefined || file === '') return [];
  try {
    const reporter = await reporterOf('markdown');
    appendToFile(file, `${reporter(report, reportOptions(delivery, file))}\n`, { by: 'user' });
    return [];
  } catch (cause) {
    const reason = writeProblem(cause);
    return [new ExternalError('file/unwritable', `cannot write the job summary \`${file}\`: ${reason}`, { cause })];
  }
}

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

/**
 * Returns the findings of all files without repetitions: errors in the YAML around several policies are found with each of them, and one note
 * about a detected profile is enough for a run.
 */
export function distinctFindings(found: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Set<string>();
  return found.filter(({ uri, code, range, message }) => {
    const key = code === 'profile/detected' ? code : `${uri} ${code} ${range.start} ${range.end} ${message}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
