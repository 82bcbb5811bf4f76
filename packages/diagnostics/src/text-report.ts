import { codeFrame } from './code-frame.ts';
import { type Paint, PLAIN } from './colour.ts';
import type { Diagnostic, RelatedPlace, Severity } from './diagnostic.ts';
import { printable } from './display-cells.ts';
import type { SourceText } from './source-text.ts';

/** What was looked at and what was found there. */
export interface Report {
  /** In the order in which they were looked at. */
  readonly sources: readonly SourceText[];
  readonly diagnostics: readonly Diagnostic[];
}

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info', 'hint'];

/** How a report looks. */
export interface TextReportOptions {
  readonly paint?: Paint;
  /** Columns of the widest line of a code frame; 100 when absent. */
  readonly width?: number | undefined;
}

/** A report for people: each diagnostic with its code frame, in the order of the sources and their text, then a summary line. */
export function textReport(report: Report, options: TextReportOptions = {}): string {
  const { paint = PLAIN, width } = options;
  const look = { paint, width };
  const blocks = sortDiagnostics(report).map(diagnostic => diagnosticText(diagnostic, report.sources, look));
  return `${[...blocks, paint('strong', summaryLine(report))].join('\n\n')}\n`;
}

interface Look {
  readonly paint: Paint;
  readonly width: number | undefined;
}

/** Sorted by source, then place, then severity and code: the same findings give the same report. */
export function sortDiagnostics(report: Report): readonly Diagnostic[] {
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

/** `2 errors, 1 warning in 3 files`, or `no problems in 3 files`. */
export function summaryLine(report: Report): string {
  const counts = SEVERITIES.flatMap(severity => {
    const count = report.diagnostics.filter(diagnostic => diagnostic.severity === severity).length;
    return count > 0 ? [severity === 'info' ? `${count} info` : plural(count, severity)] : [];
  });
  return `${counts.length > 0 ? counts.join(', ') : 'no problems'} in ${plural(report.sources.length, 'file')}`;
}

function diagnosticText(diagnostic: Diagnostic, sources: readonly SourceText[], look: Look): string {
  const { paint } = look;
  const { severity, code, message } = diagnostic;
  const lines = [`${paint(severity, `${severity}[${code}]`)}${paint('strong', `: ${printable(message)}`)}`];
  const source = sources.find(candidate => candidate.uri === diagnostic.uri);
  lines.push(source ? codeFrame(source, diagnostic.range, { ...look, style: severity }) : ` --> ${diagnostic.uri}`);
  for (const place of diagnostic.related ?? []) lines.push(relatedText(place, sources, look));
  for (const fix of diagnostic.fixes ?? []) lines.push(`${paint('hint', 'help')}: ${printable(fix.title)}`);
  return lines.join('\n');
}

function relatedText(place: RelatedPlace, sources: readonly SourceText[], look: Look): string {
  const title = `${look.paint('info', 'note')}: ${printable(place.message)}`;
  const source = sources.find(candidate => candidate.uri === place.uri);
  return source ? `${title}\n${codeFrame(source, place.range, { ...look, style: 'info' })}` : title;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
