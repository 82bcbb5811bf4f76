import { PLAIN } from '../../colour.ts';
import { printable } from '../../display-cells.ts';
import { type Report, sortDiagnostics, sourcesByUri, summaryLine } from '../model/report.ts';
import type { ReportOptions } from '../model/report-options.ts';
import { shownPath } from '../model/shown-path.ts';
import { locationOf } from '../model/source-location.ts';
import { statisticsText } from './text-report.ts';

/** Returns one line per diagnostic in the format of compilers, which editors link to the source; then the summary line. */
export function compactReport(report: Report, options: ReportOptions = {}): string {
  const { paint = PLAIN, directory, statistics = false } = options;
  const sources = sourcesByUri(report);
  const lines = sortDiagnostics(report).map(({ uri, range, severity, message, code }) => {
    const { line, column } = locationOf(sources.get(uri), range, 'code-point');
    const place = `${printable(shownPath(uri, directory))}:${line}:${column}`;
    return `${place}: ${paint(severity, severity)}: ${printable(message)} ${paint('frame', `[${code}]`)}\n`;
  });
  const counts = statistics && lines.length > 0 ? `\n${statisticsText(report.diagnostics, paint)}\n\n` : '';
  return `${lines.join('')}${counts}${paint('strong', summaryLine(report))}\n`;
}
