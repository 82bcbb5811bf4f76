import { appendFileSync } from 'node:fs';
import {
  ExternalError,
  isFailing,
  type Report,
  type ReportFormat,
  type ReportOptions,
  textReport,
} from '@tollgate/diagnostics';
import type { Reporter } from '@tollgate/diagnostics/reports';
import { EXIT, type ExitCode, exitOfFailures } from '../exit-code.ts';
import { reportLook, type Terminal, tell } from '../terminal.ts';
import { VERSION } from '../version.ts';
import type { OutputOptions } from './output-options.ts';
import { makeFolder, replaceFile } from './replace-file.ts';
import type { ReportOutput } from './report-outputs.ts';

/** Where a report goes, and how. */
export interface Delivery {
  readonly outputs: readonly ReportOutput[];
  readonly options: OutputOptions;
  readonly terminal: Terminal;
  /** Formats that the command writes in a way of its own. */
  readonly own?: Partial<Record<ReportFormat, Reporter>>;
}

/** Writes the report in every format asked for, tells what could not be read or written, and gives the exit code. */
export async function deliverReport(report: Report, delivery: Delivery): Promise<ExitCode> {
  const { options, terminal } = delivery;
  const isFound = report.diagnostics.some(diagnostic => isFailing(diagnostic, report));
  const shown = await withRules(options.quiet ? onlyFailing(report) : report, delivery);
  const failures = [...(report.failures ?? [])];
  for (const output of delivery.outputs) failures.push(...(await write(shown, output, delivery)));
  if (delivery.outputs.some(({ format }) => format === 'github'))
    failures.push(...(await writeStepSummary(shown, delivery)));
  for (const failure of failures) tell(terminal, failure.message);
  if (failures.length > 0) return exitOfFailures(failures);
  return isFound ? EXIT.findings : EXIT.clean;
}

/** Of the formats only SARIF has a table of what the codes mean. Lint rules of one's own are in the report. */
async function withRules(report: Report, { outputs }: Delivery): Promise<Report> {
  if (!outputs.some(({ format }) => format === 'sarif')) return report;
  const { CODE_PAGES } = await import('../explain/code-table.ts');
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
  const own = delivery.own?.[format];
  if (isForPeople && !own && isEmpty(report, delivery.options)) return file === undefined ? [] : writeFile(file, '');
  const reporter = own ?? (await reporterOf(format));
  const text = reporter(report, reportOptions(delivery, file));
  if (file !== undefined) return writeFile(file, text);
  delivery.terminal.write(text);
  return [];
}

/** What a terminal needs is there; the others are loaded when they are asked for. */
async function reporterOf(format: ReportFormat): Promise<Reporter> {
  return format === 'text' ? textReport : (await import('@tollgate/diagnostics/reports')).REPORTERS[format];
}

/** People need no summary of nothing, nor one when they asked for quiet. */
function isEmpty({ sources, diagnostics }: Report, { quiet }: OutputOptions): boolean {
  return diagnostics.length === 0 && (quiet === true || sources.length === 0);
}

function reportOptions({ options, terminal }: Delivery, file: string | undefined): ReportOptions {
  const { statistics = false, docsUrl } = options;
  return {
    ...(file === undefined && reportLook(terminal)),
    statistics,
    directory: process.cwd(),
    version: VERSION,
    ...(docsUrl !== undefined && { docsUrl }),
  };
}

async function writeFile(file: string, text: string): Promise<readonly ExternalError[]> {
  await makeFolder(file);
  const failure = await replaceFile(file, text);
  return failure ? [failure] : [];
}

/** GitHub names a file that steps add their summaries to. */
async function writeStepSummary(report: Report, delivery: Delivery): Promise<readonly ExternalError[]> {
  const file = delivery.terminal.env.GITHUB_STEP_SUMMARY;
  if (file === undefined || file === '') return [];
  try {
    const reporter = await reporterOf('markdown');
    appendFileSync(file, `${reporter(report, reportOptions(delivery, file))}\n`);
    return [];
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return [new ExternalError('file/unwritable', `cannot write the summary \`${file}\`: ${reason}`, { cause })];
  }
}
