import type { Diagnostic } from '../../diagnostic.ts';
import { jsonText } from '../../display-cells.ts';
import type { Position, Range } from '../../range.ts';
import type { SourceText } from '../../source-text.ts';
import { countBySeverity, type Report, sortDiagnostics, sourcesByUri } from '../model/report.ts';
import type { ReportOptions } from '../model/report-options.ts';
import { shownPath } from '../model/shown-path.ts';
import { countByCode } from '../model/statistics.ts';

/** A range for other programs: UTF-16 offsets, and zero-based lines and UTF-16 columns. */
interface JsonRange extends Range {
  readonly from?: Position;
  readonly to?: Position;
}

/** Returns a report for other programs: one JSON document with all diagnostics and counts by severity. */
export function jsonReport(report: Report, options: ReportOptions = {}): string {
  return `${jsonText({ version: 1, ...jsonSummary(report, options), ...jsonFindings(report, options) }, 2)}\n`;
}

/** Returns the same as JSON lines: one per diagnostic, one per suppressed diagnostic, and a last one with the counts. */
export function ndjsonReport(report: Report, options: ReportOptions = {}): string {
  const { diagnostics, suppressed = [] } = jsonFindings(report, options);
  const lines = [
    ...diagnostics.map(diagnostic => ({ kind: 'diagnostic', ...diagnostic })),
    ...suppressed.map(one => ({ kind: 'suppressed', ...one })),
    { kind: 'summary', version: 1, ...jsonSummary(report, options) },
  ];
  return lines.map(line => `${jsonText(line)}\n`).join('');
}

/** Returns the diagnostics of {@link jsonReport}, to embed in other documents. */
export function jsonDiagnostics(report: Report, options: ReportOptions = {}): readonly object[] {
  return jsonFindings(report, options).diagnostics;
}

function jsonSummary(report: Report, { directory, statistics = false }: ReportOptions): object {
  const { sources, diagnostics, failures = [] } = report;
  return {
    files: sources.map(source => shownPath(source.uri, directory)),
    counts: countBySeverity(diagnostics),
    ...(statistics && { statistics: countByCode(diagnostics) }),
    ...(failures.length > 0 && { failures: failures.map(({ code, message }) => ({ code, message })) }),
  };
}

function jsonFindings(report: Report, { directory }: ReportOptions) {
  const context = { sources: sourcesByUri(report), directory };
  const { suppressed } = report;
  return {
    diagnostics: sortDiagnostics(report).map(diagnostic => jsonDiagnostic(diagnostic, context)),
    ...(suppressed && {
      suppressed: suppressed.map(one => ({ ...one, diagnostic: jsonDiagnostic(one.diagnostic, context) })),
    }),
  };
}

interface Context {
  readonly sources: ReadonlyMap<string, SourceText>;
  readonly directory: string | undefined;
}

function jsonDiagnostic(diagnostic: Diagnostic, { sources, directory }: Context): object {
  const place = (uri: string, range: Range) => ({
    uri: shownPath(uri, directory),
    range: jsonRange(range, sources.get(uri)),
  });
  const { related, fixes } = diagnostic;
  return {
    ...diagnostic,
    ...place(diagnostic.uri, diagnostic.range),
    ...(related && { related: related.map(one => ({ ...one, ...place(one.uri, one.range) })) }),
    ...(fixes && {
      fixes: fixes.map(fix => ({
        ...fix,
        edits: fix.edits.map(edit => ({ ...edit, range: jsonRange(edit.range, sources.get(diagnostic.uri)) })),
      })),
    }),
  };
}

function jsonRange(range: Range, source: SourceText | undefined): JsonRange {
  return source ? { ...range, from: source.positionAt(range.start), to: source.positionAt(range.end) } : range;
}
