import { markdownCode, markdownTable, markdownText } from '@tollgate/diagnostics/reports';
import { exchangeText } from '@tollgate/solver';
import { changedAspects, type DiffReport, rulesText, verdictText } from './diff-report.ts';

/** Returns the report in Markdown for pull requests. */
export function markdownDiff(report: DiffReport): string {
  const { before, after, comparison } = report;
  const rows = comparison.differences.map(one => {
    const aspects = changedAspects(one);
    return [
      markdownCode(exchangeText(one.exchange)),
      cell(aspects.map(one => one.before)),
      cell(aspects.map(one => one.after)),
    ];
  });
  const open = comparison.open.map(one => [
    markdownText(one.reason),
    cell([rulesText(one.before)]),
    cell([rulesText(one.after)]),
  ]);
  const sections = [
    `### Tollgate: ${markdownCode(before)} → ${markdownCode(after)}`,
    verdictText(report),
    ...(rows.length === 0 ? [] : [markdownTable(['request', 'was', 'now'], rows)]),
    ...(open.length === 0 ? [] : [markdownTable(['open', 'was', 'now'], open)]),
  ];
  return `${sections.join('\n\n')}\n`;
}

/** Returns sentences as one table cell; what is in backticks becomes code. */
function cell(sentences: readonly string[]): string {
  const parts = sentences.join('; ').split('`');
  return parts.map((part, at) => (at % 2 === 0 ? markdownText(part) : markdownCode(part))).join('');
}
