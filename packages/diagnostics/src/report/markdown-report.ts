import { printable } from '../code-frame.ts';
import type { Severity } from '../diagnostic.ts';
import {
  countByCode,
  helpUrl,
  locationOf,
  type Report,
  type ReportOptions,
  shownPath,
  sortDiagnostics,
  sourcesByUri,
  summaryLine,
} from './report.ts';

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

/** Returns a Markdown table; the cells are Markdown themselves. */
export function markdownTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [head, head.map(() => '---'), ...rows].map(line).join('\n');
}

/** Escapes text for Markdown: characters with a meaning in Markdown or HTML become numeric references. */
export function markdownText(text: string): string {
  return printable(text).replace(/[\\`*_{}[\]<>()#+!|&~@:$-]/g, character => `&#${character.charCodeAt(0)};`);
}

/** Returns code as an HTML element, because code spans in tables cannot contain both backticks and bars. */
export function markdownCode(text: string): string {
  return text === '' ? '' : `<code>${markdownText(text)}</code>`;
}
