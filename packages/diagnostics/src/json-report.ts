import type { Diagnostic, Severity } from './diagnostic.ts';
import type { Position, Range } from './range.ts';
import type { SourceText } from './source-text.ts';
import { type Report, sortDiagnostics } from './text-report.ts';

/** A stretch of text for other programs: UTF-16 offsets, and zero-based lines and UTF-16 columns. */
interface JsonRange extends Range {
  readonly from?: Position;
  readonly to?: Position;
}

/** A report for other programs: one JSON document with all that the diagnostics hold, and counts by severity. */
export function jsonReport(report: Report): string {
  const count = (severity: Severity) => report.diagnostics.filter(one => one.severity === severity).length;
  const document = {
    version: 1,
    files: report.sources.map(source => source.uri),
    counts: { error: count('error'), warning: count('warning'), info: count('info'), hint: count('hint') },
    diagnostics: jsonDiagnostics(report),
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/** The diagnostics as {@link jsonReport} has them, for documents that hold more. */
export function jsonDiagnostics(report: Report): readonly object[] {
  return sortDiagnostics(report).map(diagnostic => jsonDiagnostic(diagnostic, report.sources));
}

function jsonDiagnostic(diagnostic: Diagnostic, sources: readonly SourceText[]): object {
  const place = (uri: string, range: Range) => ({ uri, range: jsonRange(range, uri, sources) });
  const { related, fixes } = diagnostic;
  return {
    ...diagnostic,
    ...place(diagnostic.uri, diagnostic.range),
    ...(related && { related: related.map(one => ({ ...one, ...place(one.uri, one.range) })) }),
    ...(fixes && {
      fixes: fixes.map(fix => ({
        ...fix,
        edits: fix.edits.map(edit => ({ ...edit, range: jsonRange(edit.range, diagnostic.uri, sources) })),
      })),
    }),
  };
}

function jsonRange(range: Range, uri: string, sources: readonly SourceText[]): JsonRange {
  const source = sources.find(candidate => candidate.uri === uri);
  if (!source) return range;
  return { ...range, from: source.positionAt(range.start), to: source.positionAt(range.end) };
}
