import { codeFrame } from '../../code-frame.ts';
import { type Paint, PLAIN } from '../../colour.ts';
import type { Diagnostic, RelatedLocation } from '../../diagnostic.ts';
import { printable } from '../../display-cells.ts';
import type { SourceText } from '../../source-text.ts';
import { type Report, sortDiagnostics, sourcesByUri, summaryLine } from '../model/report.ts';
import type { ReportOptions } from '../model/report-options.ts';
import { countByCode } from '../model/statistics.ts';

/** Returns a report for people: each diagnostic with a code frame, in document order, then a summary line. */
export function textReport(report: Report, options: ReportOptions = {}): string {
  const { paint = PLAIN, width, statistics = false } = options;
  const look = { paint, width };
  const sources = sourcesByUri(report);
  const blocks = sortDiagnostics(report).map(diagnostic => diagnosticText(diagnostic, sources, look));
  if (statistics && report.diagnostics.length > 0) blocks.push(statisticsText(report.diagnostics, paint));
  return `${[...blocks, paint('strong', summaryLine(report))].join('\n\n')}\n`;
}

/** Returns one line per code: `12 error name/undeclared-field  3 fixable, in 2 files`. */
export function statisticsText(diagnostics: readonly Diagnostic[], paint: Paint): string {
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
}

function diagnosticText(diagnostic: Diagnostic, sources: ReadonlyMap<string, SourceText>, look: Look): string {
  const { paint } = look;
  const { severity, code, message } = diagnostic;
  const lines = [`${paint(severity, `${severity}[${code}]`)}${paint('strong', `: ${printable(message)}`)}`];
  const source = sources.get(diagnostic.uri);
  lines.push(
    source ? codeFrame(source, diagnostic.range, { ...look, style: severity }) : ` --> ${printable(diagnostic.uri)}`,
  );
  for (const place of diagnostic.related ?? []) lines.push(relatedText(place, sources, look));
  for (const fix of diagnostic.fixes ?? []) lines.push(`${paint('hint', 'help')}: ${printable(fix.title)}`);
  return lines.join('\n');
}

function relatedText(place: RelatedLocation, sources: ReadonlyMap<string, SourceText>, look: Look): string {
  const title = `${look.paint('info', 'note')}: ${printable(place.message)}`;
  const source = sources.get(place.uri);
  return source ? `${title}\n${codeFrame(source, place.range, { ...look, style: 'info' })}` : title;
}
