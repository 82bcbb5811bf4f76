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

/** A report for people: each diagnostic with its code frame, in the order of the sources and their text, then a summary line. */
export function textReport(report: Report, paint: Paint = PLAIN): string {
  const blocks = sortDiagnostics(report).map(diagnostic => diagnosticText(diagnostic, report.sources, paint));
  return `${[...blocks, paint('strong', summaryLine(report))].join('\n\n')}\n`;
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

function diagnosticText(diagnostic: Diagnostic, sources: readonly SourceText[], paint: Paint): string {
  const { severity, code, message } = diagnostic;
  const lines = [`${paint(severity, `${severity}[${code}]`)}${paint('strong', `: ${printable(message)}`)}`];
  const source = sources.find(candidate => candidate.uri === diagnostic.uri);
  lines.push(source ? codeFrame(source, diagnostic.range, { paint, style: severity }) : ` --> ${diagnostic.uri}`);
  for (const place of diagnostic.related ?? []) lines.push(relatedText(place, sources, paint));
  for (const fix of diagnostic.fixes ?? []) lines.push(`${paint('hint', 'help')}: ${printable(fix.title)}`);
  return lines.join('\n');
}

function relatedText(place: RelatedPlace, sources: readonly SourceText[], paint: Paint): string {
  const title = `${paint('info', 'note')}: ${printable(place.message)}`;
  const source = sources.find(candidate => candidate.uri === place.uri);
  return source ? `${title}\n${codeFrame(source, place.range, { paint, style: 'info' })}` : title;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
