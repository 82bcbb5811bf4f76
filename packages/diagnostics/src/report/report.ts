import type { Paint } from '../code-frame.ts';
import type { CodeDescription, Diagnostic, Range, Severity } from '../diagnostic.ts';
import type { ExternalError, InternalError } from '../errors.ts';
import { utf8ToBytes } from '../portable.ts';
import type { SourceText } from '../source-text.ts';

/** The report formats, each with its purpose. */
export const REPORT_FORMATS = {
  text: 'for people, with source excerpts',
  compact: 'one line per finding',
  json: 'one document with all details',
  ndjson: 'JSON Lines',
  sarif: 'SARIF 2.1.0, for code scanning',
  github: 'GitHub Actions annotations, and a job summary',
  markdown: 'summary in Markdown',
  gitlab: 'GitLab code quality report',
  junit: 'JUnit XML',
  checkstyle: 'Checkstyle XML',
  rdjson: 'for reviewdog',
  rdjsonl: 'for reviewdog, as JSON Lines',
} as const;

/** One of {@link REPORT_FORMATS}. */
export type ReportFormat = keyof typeof REPORT_FORMATS;

/** Options of reporters. */
export interface ReportOptions {
  readonly paint?: Paint;
  /** Maximum width of a code frame in columns; 100 by default. */
  readonly width?: number | undefined;
  /** Adds counts by code, if the format supports them. */
  readonly statistics?: boolean;
  /** Absolute path of the working directory: paths below it are made relative to it. */
  readonly directory?: string;
  /** Version of Tollgate. */
  readonly version?: string;
  /** Base URL of the reference pages; without it, reports have no links. */
  readonly docsUrl?: string;
}

/** A suppressed finding, and the reason. */
export interface SuppressedDiagnostic {
  readonly diagnostic: Diagnostic;
  /** What suppresses it. */
  readonly by: 'comment' | 'baseline' | 'configuration';
  readonly reason?: string;
}

/** The result of a policy test. */
export interface ReportedCase {
  readonly uri: string;
  readonly name: string;
  readonly range: Range;
  readonly status: 'passed' | 'failed' | 'skipped';
  /** Why it was skipped. */
  readonly reason?: string;
  /** The diagnostics of the report that belong to it. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The input of a reporter: files and diagnostics. */
export interface Report {
  /** In processing order. */
  readonly sources: readonly SourceText[];
  readonly diagnostics: readonly Diagnostic[];
  readonly suppressed?: readonly SuppressedDiagnostic[];
  /** Test results, for formats that also list passed cases. */
  readonly cases?: readonly ReportedCase[];
  /** Files that could not be read or written. */
  readonly failures?: readonly (ExternalError | InternalError)[];
  /** Descriptions of codes, possibly including some without findings. */
  readonly rules?: readonly CodeDescription[];
  /** The lowest severity that makes the command fail; `error` by default. */
  readonly failOn?: Severity;
}

/** All severities, most severe first. */
export const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info', 'hint'];

/** Returns true if a diagnostic makes the command fail. */
export function isFailing({ severity }: Diagnostic, { failOn = 'error' }: Pick<Report, 'failOn'>): boolean {
  return SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(failOn);
}

/** Returns the diagnostics sorted by file, range, severity and code, so that equal findings produce equal reports. */
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

/** Returns the sources by URI. */
export function sourcesByUri({ sources }: Pick<Report, 'sources'>): ReadonlyMap<string, SourceText> {
  return new Map(sources.map(source => [source.uri, source]));
}

/** Counts diagnostics by severity. */
export function countBySeverity(diagnostics: readonly Diagnostic[]): Readonly<Record<Severity, number>> {
  const counts = { error: 0, warning: 0, info: 0, hint: 0 };
  for (const { severity } of diagnostics) counts[severity] += 1;
  return counts;
}

/** Returns `2 errors, 1 warning in 3 files`, or `no problems in 3 files`. */
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

/** Formats a report on findings, or another subject. Equal subjects produce equal output. */
export type Reporter<Subject = Report> = (subject: Subject, options?: ReportOptions) => string;

/** The number of findings of a code. */
export interface CodeCount {
  readonly code: string;
  /** The highest reported severity. */
  readonly severity: Severity;
  readonly count: number;
  /** Number of findings with a safe fix. */
  readonly fixable: number;
  readonly files: number;
}

/** Returns counts by code, most frequent first. */
export function countByCode(diagnostics: readonly Diagnostic[]): readonly CodeCount[] {
  const byCode = Map.groupBy(diagnostics, diagnostic => diagnostic.code);
  return [...byCode]
    .map(([code, found]) => ({
      code,
      severity: SEVERITIES.find(severity => found.some(one => one.severity === severity))!,
      count: found.length,
      fixable: found.filter(one => one.fixes?.some(fix => fix.applicability === 'safe')).length,
      files: new Set(found.map(one => one.uri)).size,
    }))
    .sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1));
}

/** Returns the URL of a code's reference page; undefined if the pages are not published. */
export function helpUrl(code: string, docsUrl: string | undefined): string | undefined {
  if (docsUrl === undefined) return undefined;
  const [area = '', name = ''] = code.split('/');
  return `${docsUrl.replace(/\/+$/, '')}/${area}.md#${area}${name}`;
}

/** One-based lines and columns of a range; the end is exclusive. */
export interface SourceLocation {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** Columns count UTF-16 code units, code points or bytes of UTF-8: formats differ. */
type ColumnUnit = 'utf-16' | 'code-point' | 'byte';

const SIZES: Readonly<Record<ColumnUnit, (text: string) => number>> = {
  'utf-16': text => text.length,
  'code-point': codePoints,
  byte: text => utf8ToBytes(text).length,
};

/** Returns the location of a range, one-based; without the source, the start of the file. */
export function locationOf(source: SourceText | undefined, range: Range, unit: ColumnUnit): SourceLocation {
  if (!source) return { line: 1, column: 1, endLine: 1, endColumn: 1 };
  const at = (offset: number) => {
    const { line, character } = source.positionAt(offset);
    const { start } = source.lineRange(line);
    return { line: line + 1, column: SIZES[unit](source.text.slice(start, start + character)) + 1 };
  };
  const start = at(range.start);
  const end = at(range.end);
  return { ...start, endLine: end.line, endColumn: end.column };
}

/** Counts without allocating: a whole minified document may be on one line. */
function codePoints(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; count += 1) at += text.codePointAt(at)! > 0xffff ? 2 : 1;
  return count;
}

/**
 * Returns a path for other programs: relative if it is below the working directory, without `./`, and with slashes on
 * Windows, which is recognized by a drive or share in the working directory.
 */
export function shownPath(uri: string, directory: string | undefined): string {
  const isWindows = directory !== undefined && /^(?:[a-z]:|\\\\)/i.test(directory);
  const slashed = (path: string) => (isWindows ? path.replaceAll('\\', '/') : path);
  const path = slashed(uri);
  const above = directory === undefined ? undefined : slashed(directory).replace(/\/*$/, '/');
  const inside = above !== undefined && path.startsWith(above) ? path.slice(above.length) : path;
  return inside.replace(/^(?:\.\/+)+(?=[^/])/, '');
}
