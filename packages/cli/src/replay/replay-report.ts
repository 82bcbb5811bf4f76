import { type Paint, printable } from '@tollgate/diagnostics';
import type { Occurrence, Outcome, ReplaySummary, RuleSummary } from '@tollgate/simulator';
import { formatPlace, type Place, SKIP_REASONS } from '@tollgate/traffic';
import { barText, countText, intervalText, plural, shareText } from './figures.ts';
import { ruleSection, ruleTitle } from './rule-section.ts';
import { type Cell, tableText } from './table.ts';

/** Different needs and errors of one rule that are shown. */
const SHOWN = 5;

/** A report for people on what a policy does to recorded traffic. */
export function replayReport(title: string, summary: ReplaySummary, paint: Paint): string {
  const sections = [
    paint('strong', title),
    trafficSection(summary, paint),
    ruleSection(summary.rules, paint),
    outcomeSection(summary, paint),
    occurrenceSection('undetermined', 'warning', needsOf(summary.rules), paint),
    occurrenceSection('failed', 'error', errorsOf(summary.rules), paint),
  ];
  return `${sections.filter(section => section !== '').join('\n\n')}\n`;
}

function trafficSection(summary: ReplaySummary, paint: Paint): string {
  const rows: Cell[][] = [heading('traffic', 'exchanges', 'skipped')];
  for (const file of summary.files) {
    const skipped: Cell = file.skipped === 0 ? { text: '·', style: 'frame' } : { text: countText(file.skipped) };
    rows.push([{ text: printable(file.file) }, { text: countText(file.exchanges) }, skipped]);
  }
  const skipped = summary.skipped.map(({ reason, count, first }) => {
    const places = printable(placesText(first.map(record => record.place)));
    const more = count > first.length ? ', …' : '';
    return `  ${paint('frame', `skipped ${countText(count)}: ${SKIP_REASONS[reason]} (${places}${more})`)}`;
  });
  return [tableText(rows, ['left', 'right', 'right'], paint), ...skipped].join('\n');
}

/** `a.log:3, :7, b.log:1`. */
function placesText(places: readonly Place[]): string {
  const texts = places.map((place, index) => {
    const text = formatPlace(place);
    return place.file === places[index - 1]?.file ? text.slice(place.file.length) : text;
  });
  return texts.join(', ');
}

function outcomeSection({ outcomes, exchanges, undetermined }: ReplaySummary, paint: Paint): string {
  if (outcomes.length === 0) return '';
  const rows: Cell[][] = [heading('outcome', 'exchanges')];
  for (const { outcome, count } of outcomes) {
    const bar: Cell = { text: barText(count, exchanges), style: outcome.kind === 'passed' ? 'hint' : 'warning' };
    rows.push([
      { text: outcomeText(outcome) },
      { text: intervalText(count) },
      { text: shareText(count, exchanges) },
      bar,
    ]);
  }
  const table = tableText(rows, ['left', 'right', 'right', 'left'], paint);
  if (undetermined.exchanges === 0) return table;
  const needs = undetermined.needs.slice(0, SHOWN).map(need => printable(need.text));
  const more = undetermined.needs.length > SHOWN ? ', …' : '';
  return `${table}\n  ${paint('warning', `undetermined for ${plural(undetermined.exchanges, 'exchange')}: needs ${needs.join(', ')}${more}`)}`;
}

/** `denied with 403`. */
function outcomeText({ kind, status, action }: Outcome): string {
  const by = kind === 'refused' || kind === 'closed' ? ` by ${action}` : '';
  return `${kind}${by}${status === undefined ? '' : ` with ${status}`}`;
}

interface RuleOccurrence {
  readonly rule: RuleSummary;
  readonly text: string;
  readonly occurrence: Occurrence;
}

function needsOf(rules: readonly RuleSummary[]): RuleOccurrence[] {
  return rules.flatMap(rule =>
    rule.needs.slice(0, SHOWN).map(occurrence => ({ rule, text: `needs ${occurrence.text}`, occurrence })),
  );
}

function errorsOf(rules: readonly RuleSummary[]): RuleOccurrence[] {
  return rules.flatMap(rule =>
    rule.errors.slice(0, SHOWN).map(occurrence => ({ rule, text: occurrence.text, occurrence })),
  );
}

function occurrenceSection(
  title: string,
  style: 'warning' | 'error',
  found: readonly RuleOccurrence[],
  paint: Paint,
): string {
  if (found.length === 0) return '';
  const rows = found.map(({ rule, text, occurrence }): Cell[] => [
    { text: `${rule.phase} ${ruleTitle(rule)}` },
    { text: printable(text), style },
    { text: countText(occurrence.count) },
    { text: `first ${printable(formatPlace(occurrence.example))}`, style: 'frame' },
  ]);
  return tableText([heading(title, '', 'exchanges'), ...rows], ['left', 'left', 'right', 'left'], paint);
}

function heading(...titles: readonly string[]): Cell[] {
  return titles.map(text => ({ text, style: 'strong' }));
}
