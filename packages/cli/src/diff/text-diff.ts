import { type Paint, printable, type ReportOptions } from '@tollgate/diagnostics';
import { exchangeText, type OpenComparison, type PolicyDifference } from '@tollgate/solver';
import { changedAspects, type DiffReport, rulesText, verdictText } from './diff-report.ts';

/** Returns the report for a terminal. */
export function textDiff(report: DiffReport, { paint = PLAIN }: ReportOptions = {}): string {
  const { before, after, comparison } = report;
  const head = `${paint('strong', printable(before))} → ${paint('strong', printable(after))}: ${verdictText(report)}`;
  const parts = [
    ...comparison.differences.map(one => differenceLines(one, paint)),
    ...comparison.open.map(one => openLines(one, paint)),
  ];
  return `${[[head], ...parts].map(lines => lines.join('\n')).join('\n\n')}\n`;
}

const PLAIN: Paint = (_, text) => text;

function differenceLines(difference: PolicyDifference, paint: Paint): readonly string[] {
  const aspects = changedAspects(difference).flatMap(({ before, after }) => [
    `  ${paint('error', 'was')}  ${printable(before)}`,
    `  ${paint('hint', 'now')}  ${printable(after)}`,
  ]);
  return [printable(exchangeText(difference.exchange)), ...aspects];
}

function openLines({ reason, before, after, exchange }: OpenComparison, paint: Paint): readonly string[] {
  return [
    `${paint('warning', 'open')}  ${printable(reason)}`,
    `  was  ${printable(rulesText(before))}`,
    `  now  ${printable(rulesText(after))}`,
    ...(exchange === undefined ? [] : [`  for  ${printable(exchangeText(exchange))}`]),
  ];
}
