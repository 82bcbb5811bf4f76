import type { CodeDescription } from '../../code-description.ts';
import type { Diagnostic, Severity } from '../../diagnostic.ts';
import type { ExternalError } from '../../external-error.ts';
import type { InternalError } from '../../internal-error.ts';
import type { Range } from '../../range.ts';
import type { SourceText } from '../../source-text.ts';

/** A suppressed finding, and the reason. */
export interface SuppressedDiagnostic {
  readonly diagnostic: Diagnostic;
  /** What suppresses it. */
  readonly by: 'comment' | 'baseline' | 'configuration';
  readonly reason?: string;
}

/** The result of a policy test. */
export interface ReportedCase {
  readonly uri: string;
  readonly name: string;
  readonly range: Range;
  readonly status: 'passed' | 'failed' | 'skipped';
  /** Why it was skipped. */
  readonly reason?: string;
  /** The diagnostics of the report that belong to it. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The input of a reporter: files and diagnostics. */
export interface Report {
  /** In processing order. */
  readonly sources: readonly SourceText[];
  readonly diagnostics: readonly Diagnostic[];
  readonly suppressed?: readonly SuppressedDiagnostic[];
  /** Test results, for formats that also list passed cases. */
  readonly cases?: readonly ReportedCase[];
  /** Files that could not be read or written. */
  readonly failures?: readonly (ExternalError | InternalError)[];
  /** Descriptions of codes, possibly including some without findings. */
  readonly rules?: readonly CodeDescription[];
  /** The lowest severity that makes the command fail; `error` by default. */
  readonly failOn?: Severity;
}

/** All severities, most severe first. */
export const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info', 'hint'];

/** Returns true if a diagnostic makes the command fail. */
export function isFailing({ severity }: Diagnostic, { failOn = 'error' }: Pick<Report, 'failOn'>): boolean {
  return SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(failOn);
}

/** Returns the diagnostics sorted by file, range, severity and code, so that equal findings produce equal reports. */
export function sortDiagnostics(report: Pick<Report, 'sources' | 'diagnostics'>): readonly Diagnostic[] {
  const order = new Map(report.sources.map((source, index) => [source.uri, index]));
  const rank = (diagnostic: Diagnostic) => order.get(diagnostic.uri) ?? report.sources.length;
  return report.diagnostics.toSorted(
    (a, b) =>
      rank(a) - rank(b) ||
      a.range.start - b.range.start ||
      a.range.end - b.range.end ||
      SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
      (a.code < b.code ? -1 : a.code > b.code ? 1 : 0),
  );
}

/** Returns the sources by URI. */
export function sourcesByUri({ sources }: Pick<Report, 'sources'>): ReadonlyMap<string, SourceText> {
  return new Map(sources.map(source => [source.uri, source]));
}

/** Counts diagnostics by severity. */
export function countBySeverity(diagnostics: readonly Diagnostic[]): Readonly<Record<Severity, number>> {
  const counts = { error: 0, warning: 0, info: 0, hint: 0 };
  for (const { severity } of diagnostics) counts[severity] += 1;
  return counts;
}

/** Returns `2 errors, 1 warning in 3 files`, or `no problems in 3 files`. */
export function summaryLine(report: Report): string {
  const counts = countBySeverity(report.diagnostics);
  const found = SEVERITIES.filter(severity => counts[severity] > 0).map(severity =>
    severity === 'info' ? `${counts.info} info` : plural(counts[severity], severity),
  );
  const suppressed = report.suppressed?.length ?? 0;
  const kept = suppressed > 0 ? ` (${suppressed} suppressed)` : '';
  return `${found.length > 0 ? found.join(', ') : 'no problems'} in ${plural(report.sources.length, 'file')}${kept}`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
