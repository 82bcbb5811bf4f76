import type { Severity } from '../../diagnostic.ts';
import { helpUrl } from '../encoding/help-url.ts';
import { markdownCode, markdownTable, markdownText } from '../encoding/markdown.ts';
import { type Report, sortDiagnostics, sourcesByUri, summaryLine } from '../model/report.ts';
import type { ReportOptions } from '../model/report-options.ts';
import { shownPath } from '../model/shown-path.ts';
import { locationOf } from '../model/source-location.ts';
import { countByCode } from '../model/statistics.ts';

const MARKS: Readonly<Record<Severity, string>> = { error: '❌', warning: '⚠️', info: 'ℹ️', hint: '💡' };
/** Maximum number of findings and codes: GitHub limits the summary of a step to a megabyte. */
const MAX_LISTED = 200;
const MAX_MESSAGE_LENGTH = 300;

/** Returns a Markdown summary, such as GitHub shows for a step: counts by code, and findings with locations. */
export function markdownReport(report: Report, options: ReportOptions = {}): string {
  const { failures = [] } = report;
  const sections = [
    `### Tollgate: ${summaryLine(report)}`,
    ...failures.map(({ message }) => `${MARKS.error} ${markdownText(message)}`),
    ...(report.diagnostics.length > 0 ? [countTable(report, options), findingTable(report, options)] : []),
  ];
  return `${sections.join('\n\n')}\n`;
}

function countTable({ diagnostics }: Report, { docsUrl }: ReportOptions): string {
  const rows = countByCode(diagnostics).map(({ code, severity, count, files, fixable }) => {
    const url = helpUrl(code, docsUrl);
    const name = url === undefined ? markdownCode(code) : `[${markdownCode(code)}](${url})`;
    return [`${MARKS[severity]} ${severity}`, name, count, files, fixable];
  });
  return table(['', 'code', 'findings', 'files', 'fixable'], rows);
}

function findingTable(report: Report, { directory }: ReportOptions): string {
  const sources = sourcesByUri(report);
  const rows = sortDiagnostics(report).map(({ severity, uri, range, message, code }) => {
    const { line, column } = locationOf(sources.get(uri), range, 'code-point');
    return [
      MARKS[severity],
      markdownCode(`${shownPath(uri, directory)}:${line}:${column}`),
      messageCell(message),
      markdownCode(code),
    ];
  });
  return table(['', 'place', 'finding', 'code'], rows);
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const left = rows.length - MAX_LISTED;
  const shown = markdownTable(head, rows.slice(0, MAX_LISTED));
  return left > 0 ? `${shown}\n\n… and ${left} more` : shown;
}

/** User text in backticks becomes code, the rest is escaped. */
function messageCell(message: string): string {
  const text =
    message.length > MAX_MESSAGE_LENGTH ? `${message.slice(0, MAX_MESSAGE_LENGTH).toWellFormed()}…` : message;
  const parts = text.split('`');
  const isPaired = parts.length % 2 === 1;
  return isPaired
    ? parts.map((part, index) => (index % 2 === 1 ? markdownCode(part) : markdownText(part))).join('')
    : markdownText(text);
}
