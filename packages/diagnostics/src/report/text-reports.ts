import { codeFrame, type Paint, printable, WITHOUT_COLORS } from '../code-frame.ts';
import type { Diagnostic, Range, RelatedLocation, Severity } from '../diagnostic.ts';
import type { SourceText } from '../source-text.ts';
import {
  countByCode,
  locationOf,
  type Report,
  type ReportOptions,
  SEVERITIES,
  type SourceLocation,
  shownPath,
  sortDiagnostics,
  sourcesByUri,
  summaryLine,
} from './report.ts';

/** Returns a report for people: each diagnostic with a code frame, in document order, then a summary line. */
export function textReport(report: Report, options: ReportOptions = {}): string {
  const { paint = WITHOUT_COLORS, width, directory, statistics = false } = options;
  const look = { paint, width, directory };
  const sources = sourcesByUri(report);
  const blocks = sortDiagnostics(report).map(diagnostic => diagnosticText(diagnostic, sources, look));
  if (statistics && report.diagnostics.length > 0) blocks.push(statisticsText(report.diagnostics, paint));
  return `${[...blocks, paint('strong', summaryLine(report))].join('\n\n')}\n`;
}

/** Returns one line per code: `12 error name/undeclared-field  3 fixable, in 2 files`. */
function statisticsText(diagnostics: readonly Diagnostic[], paint: Paint): string {
  const counts = countByCode(diagnostics);
  const digits = Math.max(...counts.map(({ count }) => String(count).length));
  const longest = Math.max(...counts.map(({ code }) => code.length));
  return counts
    .map(({ code, severity, count, fixable, files }) => {
      const where = `in ${files} ${files === 1 ? 'file' : 'files'}${fixable > 0 ? `, ${fixable} fixable` : ''}`;
      return `${String(count).padStart(digits)} ${paint(severity, severity.padEnd(7))} ${code.padEnd(longest)}  ${where}`;
    })
    .join('\n');
}

interface Look {
  readonly paint: Paint;
  readonly width: number | undefined;
  readonly directory: string | undefined;
}

/** Paths of files that were found, not named, are absolute. Those that were named stay as they were written. */
function pathIn(uri: string, { directory }: Look): string {
  return directory !== undefined && uri.startsWith(directory) ? shownPath(uri, directory) : uri;
}

function frameOf(source: SourceText, range: Range, look: Look, style: Severity): string {
  return codeFrame(source, range, { ...look, style, name: pathIn(source.uri, look) });
}

function diagnosticText(diagnostic: Diagnostic, sources: ReadonlyMap<string, SourceText>, look: Look): string {
  const { paint } = look;
  const { severity, code, message } = diagnostic;
  const lines = [`${paint(severity, `${severity}[${code}]`)}${paint('strong', `: ${printable(message)}`)}`];
  const source = sources.get(diagnostic.uri);
  lines.push(
    source ? frameOf(source, diagnostic.range, look, severity) : ` --> ${printable(pathIn(diagnostic.uri, look))}`,
  );
  for (const place of diagnostic.related ?? []) lines.push(relatedText(place, sources, look));
  for (const fix of diagnostic.fixes ?? []) lines.push(`${paint('hint', 'help')}: ${printable(fix.title)}`);
  return lines.join('\n');
}

function relatedText(place: RelatedLocation, sources: ReadonlyMap<string, SourceText>, look: Look): string {
  const title = `${look.paint('info', 'note')}: ${printable(place.message)}`;
  const source = sources.get(place.uri);
  return source ? `${title}\n${frameOf(source, place.range, look, 'info')}` : title;
}

/** Returns one line per diagnostic in the format of compilers, which editors link to the source; then the summary line. */
export function compactReport(report: Report, options: ReportOptions = {}): string {
  const { paint = WITHOUT_COLORS, directory, statistics = false } = options;
  const sources = sourcesByUri(report);
  const lines = sortDiagnostics(report).map(({ uri, range, severity, message, code }) => {
    const { line, column } = locationOf(sources.get(uri), range, 'code-point');
    const place = `${printable(shownPath(uri, directory))}:${line}:${column}`;
    return `${place}: ${paint(severity, severity)}: ${printable(message)} ${paint('frame', `[${code}]`)}\n`;
  });
  const counts = statistics && lines.length > 0 ? `\n${statisticsText(report.diagnostics, paint)}\n\n` : '';
  return `${lines.join('')}${counts}${paint('strong', summaryLine(report))}\n`;
}

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
