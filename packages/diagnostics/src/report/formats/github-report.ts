import type { Diagnostic, Severity } from '../../diagnostic.ts';
import { printable } from '../../display-cells.ts';
import { type Report, SEVERITIES, sortDiagnostics, sourcesByUri } from '../model/report.ts';
import type { ReportOptions } from '../model/report-options.ts';
import { shownPath } from '../model/shown-path.ts';
import { locationOf, type SourceLocation } from '../model/source-location.ts';

const COMMANDS: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  info: 'notice',
  hint: 'notice',
};

/** GitHub shows no more annotations per step. */
const MAX_ANNOTATIONS = 10;

/**
 * Returns GitHub Actions workflow commands, each of which becomes an annotation of the change: the most severe first, as many as GitHub shows.
 * The number of all others is a line of the log.
 */
export function githubReport(report: Report, { directory }: ReportOptions = {}): string {
  const sources = sourcesByUri(report);
  const bySeverity = sortDiagnostics(report).toSorted((a, b) => rank(a.severity) - rank(b.severity));
  const lines = bySeverity.map(diagnostic => {
    const place = locationOf(sources.get(diagnostic.uri), diagnostic.range, 'code-point');
    return annotation(diagnostic, shownPath(diagnostic.uri, directory), place);
  });
  const failures = (report.failures ?? []).map(
    ({ code, message }) => `::error title=${escapeProperty(code)}::${escapeData(printable(message))}`,
  );
  const all = [...failures, ...lines];
  const rest = all.length - MAX_ANNOTATIONS;
  const note = rest > 0 ? [`${rest} more ${rest === 1 ? 'finding is' : 'findings are'} not annotated`] : [];
  return [...all.slice(0, MAX_ANNOTATIONS), ...note].map(line => `${line}\n`).join('');
}

function rank(severity: Severity): number {
  return SEVERITIES.indexOf(severity);
}

function annotation({ severity, code, message, fixes }: Diagnostic, file: string, place: SourceLocation): string {
  const { line, column, endLine, endColumn } = place;
  // GitHub accepts columns only for ranges on one line.
  const columns: [string, number][] = [
    ['col', column],
    ['endColumn', endColumn],
  ];
  const properties: [string, string | number][] = [
    ['file', printable(file)],
    ['line', line],
    ['endLine', endLine],
    ...(line === endLine ? columns : []),
    ['title', code],
  ];
  const help = (fixes ?? []).map(({ title }) => `\nhelp: ${printable(title)}`).join('');
  const written = properties.map(([name, value]) => `${name}=${escapeProperty(String(value))}`).join(',');
  return `::${COMMANDS[severity]} ${written}::${escapeData(printable(message) + help)}`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
