import {
  ExternalError,
  isFailing,
  type Report,
  type Reporter,
  type ReportFormat,
  type ReportOptions,
  textReport,
} from '@tollgate/diagnostics';
import { EXIT, type ExitCode, exitOfFailures } from '../process/exit-code.ts';
import { printMessage, reportStyle, type Terminal } from '../process/terminal.ts';
import { VERSION } from '../process/version.ts';
import { appendToFile, replaceFile } from '../trust/replace-file.ts';
import type { OutputOptions } from './output-options.ts';
import type { ReportOutput } from './report-outputs.ts';

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
  const { CODE_PAGES } = await import('../codes/code-table.ts');
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
    const reason = cause instanceof Error ? cause.message : String(cause);
    return [new ExternalError('file/unwritable', `cannot write the job summary \`${file}\`: ${reason}`, { cause })];
  }
}
