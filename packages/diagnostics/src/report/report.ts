import type { CodeDescription } from '../code-description.ts';
import type { Diagnostic, Severity } from '../diagnostic.ts';
import type { ExternalError } from '../external-error.ts';
import type { InternalError } from '../internal-error.ts';
import type { Range } from '../range.ts';
import type { SourceText } from '../source-text.ts';

/** A finding that does not count, and why. */
export interface SuppressedDiagnostic {
  readonly diagnostic: Diagnostic;
  /** By a comment in the policy, or by a baseline or the configuration. */
  readonly by: 'comment' | 'baseline' | 'configuration';
  readonly reason?: string;
}

/** Something that was tried, and held or not. */
export interface ReportedCase {
  readonly uri: string;
  readonly name: string;
  readonly range: Range;
  readonly status: 'passed' | 'failed' | 'skipped';
  /** Why it was skipped. */
  readonly reason?: string;
  /** Why it failed: those of the report that belong to it. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What was looked at and what was found there. */
export interface Report {
  /** In the order in which they were looked at. */
  readonly sources: readonly SourceText[];
  readonly diagnostics: readonly Diagnostic[];
  readonly suppressed?: readonly SuppressedDiagnostic[];
  /** What was tried, for formats that list what held too. */
  readonly cases?: readonly ReportedCase[];
  /** What could not be looked at or written. */
  readonly failures?: readonly (ExternalError | InternalError)[];
  /** What the codes mean; those that nothing was found for may be among them. */
  readonly rules?: readonly CodeDescription[];
  /** The least severity that makes the command fail; `error` when absent. */
  readonly failOn?: Severity;
}

/** How bad a diagnostic may be, worst first. */
export const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info', 'hint'];

/** Whether a diagnostic makes the command fail. */
export function isFailing({ severity }: Diagnostic, { failOn = 'error' }: Pick<Report, 'failOn'>): boolean {
  return SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(failOn);
}

/** The diagnostics of the report, sorted by source, then place, then severity and code: the same findings give the same report. */
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

/** The sources by their names. */
export function sourcesByUri({ sources }: Pick<Report, 'sources'>): ReadonlyMap<string, SourceText> {
  return new Map(sources.map(source => [source.uri, source]));
}

/** How many diagnostics there are of each severity. */
export function countBySeverity(diagnostics: readonly Diagnostic[]): Readonly<Record<Severity, number>> {
  const counts = { error: 0, warning: 0, info: 0, hint: 0 };
  for (const { severity } of diagnostics) counts[severity] += 1;
  return counts;
}

/** `2 errors, 1 warning in 3 files`, or `no problems in 3 files`. */
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
