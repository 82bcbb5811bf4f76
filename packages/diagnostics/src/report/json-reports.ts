// Reports for other programs, in JSON and JSON lines: our own, those of reviewdog, and the code quality report of GitLab.

import { jsonText } from '../code-frame.ts';
import type { Diagnostic, Fix, Position, Range, Severity } from '../diagnostic.ts';
import type { SourceText } from '../source-text.ts';
import { fingerprints } from './fingerprints.ts';
import {
  countByCode,
  countBySeverity,
  helpUrl,
  locationOf,
  type Report,
  type ReportOptions,
  shownPath,
  sortDiagnostics,
  sourcesByUri,
} from './report.ts';

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

const RDJSON_SEVERITY: Readonly<Record<Severity, string>> = {
  error: 'ERROR',
  warning: 'WARNING',
  info: 'INFO',
  hint: 'INFO',
};
const SOURCE = { name: 'tollgate' };

/** Returns a report in the reviewdog diagnostic format, one JSON document. Columns count UTF-8 bytes. */
export function rdjsonReport(report: Report, options: ReportOptions = {}): string {
  return `${jsonText({ source: SOURCE, diagnostics: rdDiagnostics(report, options) }, 2)}\n`;
}

/** Returns the same as JSON lines, one per diagnostic. */
export function rdjsonlReport(report: Report, options: ReportOptions = {}): string {
  return rdDiagnostics(report, options)
    .map(diagnostic => `${jsonText({ ...diagnostic, source: SOURCE })}\n`)
    .join('');
}

function rdDiagnostics(report: Report, { directory, docsUrl }: ReportOptions): readonly object[] {
  const sources = sourcesByUri(report);
  const location = (uri: string, range: Range) => ({
    path: shownPath(uri, directory),
    range: rdRange(sources.get(uri), range),
  });
  return sortDiagnostics(report).map(diagnostic => {
    const { message, uri, range, severity, code, related = [] } = diagnostic;
    const url = helpUrl(code, docsUrl);
    return {
      message,
      location: location(uri, range),
      severity: RDJSON_SEVERITY[severity],
      code: { value: code, ...(url !== undefined && { url }) },
      suggestions: suggestionsOf(diagnostic, sources.get(uri)),
      // Older versions of reviewdog reject a report with this field.
      ...(related.length > 0 && {
        related_locations: related.map(place => ({
          message: place.message,
          location: location(place.uri, place.range),
        })),
      }),
    };
  });
}

function rdRange(source: SourceText | undefined, range: Range): object {
  const { line, column, endLine, endColumn } = locationOf(source, range, 'byte');
  return { start: { line, column }, end: { line: endLine, column: endColumn } };
}

function suggestionsOf({ fixes = [] }: Diagnostic, source: SourceText | undefined): readonly object[] {
  if (!source) return [];
  return fixes
    .filter(({ edits }) => edits.length > 0)
    .map(fix => {
      const { range, text } = singleEdit(fix, source.text);
      return { range: rdRange(source, range), text };
    });
}

/** A suggestion is one replacement, so several edits become one, with the text between them. */
function singleEdit({ edits }: Fix, text: string): { readonly range: Range; readonly text: string } {
  const sorted = edits.toSorted((a, b) => a.range.start - b.range.start);
  const start = sorted[0]!.range.start;
  let end = start;
  let replaced = '';
  for (const { range, newText } of sorted) {
    replaced += text.slice(end, range.start) + newText;
    end = Math.max(end, range.end);
  }
  return { range: { start, end }, text: replaced };
}

const GITLAB_SEVERITY: Readonly<Record<Severity, string>> = {
  error: 'major',
  warning: 'minor',
  info: 'info',
  hint: 'info',
};

/** Returns a GitLab code quality report, a job artifact that merge requests show. */
export function gitlabReport(report: Report, { directory }: ReportOptions = {}): string {
  const sources = sourcesByUri(report);
  const diagnostics = sortDiagnostics(report);
  const path = (uri: string) => shownPath(uri, directory);
  const marks = fingerprints(diagnostics, sources);
  const issues = diagnostics.map(({ code, message, severity, uri, range }, index) => {
    const { line, endLine } = locationOf(sources.get(uri), range, 'code-point');
    return {
      description: message,
      check_name: code,
      fingerprint: marks[index],
      severity: GITLAB_SEVERITY[severity],
      location: { path: path(uri), lines: { begin: line, end: endLine } },
    };
  });
  return `${jsonText(issues, 2)}\n`;
}
