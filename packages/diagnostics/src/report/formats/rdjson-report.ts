import type { Diagnostic, Fix, Severity } from '../../diagnostic.ts';
import { jsonText } from '../../display-cells.ts';
import type { Range } from '../../range.ts';
import type { SourceText } from '../../source-text.ts';
import { helpUrl } from '../encoding/help-url.ts';
import { type Report, sortDiagnostics, sourcesByUri } from '../model/report.ts';
import type { ReportOptions } from '../model/report-options.ts';
import { shownPath } from '../model/shown-path.ts';
import { locationOf } from '../model/source-location.ts';

const SEVERITY: Readonly<Record<Severity, string>> = { error: 'ERROR', warning: 'WARNING', info: 'INFO', hint: 'INFO' };
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
      severity: SEVERITY[severity],
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
