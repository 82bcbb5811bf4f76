import { type Paint, printable, type Style } from '@tollgate/diagnostics';
import type {
  EdgeReplaySummary,
  Occurrence,
  Outcome,
  PolicySummary,
  ReplaySummary,
  RouteSummary,
  RuleSummary,
  TrafficSummary,
} from '@tollgate/simulator';
import { formatPlace, type Place, SKIP_REASONS } from '@tollgate/traffic';
import { barText, countText, intervalText, plural, shareText } from './figures.ts';
import { ruleSection } from './rule-section.ts';
import { type Cell, tableText } from './table.ts';

/** Different needs and errors of one rule that are shown. */
const SHOWN = 5;

/** A report for people on what a policy does to recorded traffic. */
export function replayReport(title: string, summary: ReplaySummary, paint: Paint, width?: number): string {
  const sections = [
    paint('strong', title),
    trafficSection(summary, paint),
    ...policySections(summary, paint, width),
    hintOf([summary], paint),
  ];
  return joined(sections);
}

/** A report for people on what the routes of an edge do to recorded traffic. */
export function edgeReport(title: string, summary: EdgeReplaySummary, paint: Paint, width?: number): string {
  const routes = summary.routes.flatMap(route => [
    paint('strong', `route ${printable(routeText(route.route))} on ${plural(route.exchanges, 'exchange')}`),
    ...(route.exchanges === 0 ? [] : policySections(route, paint, width)),
  ]);
  const sections = [
    paint('strong', title),
    trafficSection(summary, paint),
    ...routes,
    ...unroutedSections(summary, paint),
    hintOf(summary.routes, paint),
  ];
  return joined(sections);
}

function joined(sections: readonly string[]): string {
  return `${sections.filter(section => section !== '').join('\n\n')}\n`;
}

function routeText({ match, matchType }: RouteSummary['route']): string {
  return `${match} (${matchType})`;
}

function unroutedSections({ unrouted, open }: EdgeReplaySummary, paint: Paint): readonly string[] {
  const sections: string[] = [];
  if (unrouted > 0) sections.push(`  ${paint('warning', `no route takes ${plural(unrouted, 'exchange')}`)}`);
  if (open.exchanges > 0) {
    const needs = needsText(open.needs);
    const text = `which route takes ${plural(open.exchanges, 'exchange')} is not known: needs ${needs}`;
    sections.push(`  ${paint('warning', text)}`);
  }
  return sections;
}

/** What a policy did: rules, outcomes, and what is open. */
function policySections(
  summary: PolicySummary & { readonly exchanges: number },
  paint: Paint,
  width?: number,
): readonly string[] {
  return [
    ...(summary.rules.length === 0 ? [] : [ruleSection(summary.rules, paint, width)]),
    outcomeSection(summary, paint),
    occurrenceSection(NEEDS, summary.rules, paint),
    occurrenceSection(ERRORS, summary.rules, paint),
    lateText(summary, paint),
  ];
}

/** Limits that counted at another time than that of the traffic may be wrong. */
function lateText({ late = 0 }: PolicySummary, paint: Paint): string {
  if (late === 0) return '';
  const text = `${plural(late, 'exchange')} came out of the order of time: limits counted as if at the time of the one before`;
  return `  ${paint('warning', text)}`;
}

function trafficSection(summary: TrafficSummary, paint: Paint): string {
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
  const failed = summary.files
    .filter(file => file.failure !== undefined)
    .map(({ file }) => `  ${paint('error', `not read to its end: ${printable(file)}`)}`);
  return [tableText(rows, ['left', 'right', 'right'], paint), ...skipped, ...failed].join('\n');
}

/** `a.log:3, :7, b.log:1`. */
function placesText(places: readonly Place[]): string {
  const texts = places.map((place, index) => {
    const text = formatPlace(place);
    return place.file === places[index - 1]?.file ? text.slice(place.file.length) : text;
  });
  return texts.join(', ');
}

function outcomeSection(
  { outcomes, exchanges, undetermined }: PolicySummary & { readonly exchanges: number },
  paint: Paint,
): string {
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
  const text = `undetermined for ${plural(undetermined.exchanges, 'exchange')}: needs ${needsText(undetermined.needs)}`;
  return `${table}\n  ${paint('warning', text)}`;
}

function needsText(all: readonly Occurrence[]): string {
  const needs = all.slice(0, SHOWN).map(need => `${printable(need.text)} (${countText(need.count)})`);
  return `${needs.join(', ')}${all.length > SHOWN ? ', …' : ''}`;
}

/** `denied with 403`. */
function outcomeText({ kind, status, action }: Outcome): string {
  const by = kind === 'refused' || kind === 'closed' ? ` by ${action}` : '';
  return `${kind}${by}${status === undefined ? '' : ` with ${status}`}`;
}

/** What was counted of the rules under one title, the most frequent of each rule first. */
interface OccurrenceSection {
  readonly title: string;
  readonly what: string;
  readonly style: Style;
  readonly of: (rule: RuleSummary) => readonly Occurrence[];
}

const NEEDS: OccurrenceSection = { title: 'undetermined', what: 'needs', style: 'warning', of: rule => rule.needs };
const ERRORS: OccurrenceSection = { title: 'failed', what: 'error', style: 'error', of: rule => rule.errors };

function occurrenceSection(
  { title, what, style, of }: OccurrenceSection,
  rules: readonly RuleSummary[],
  paint: Paint,
): string {
  const rows = rules.flatMap(rule =>
    of(rule)
      .slice(0, SHOWN)
      .map(({ text, count, example }): Cell[] => [
        { text: `${rule.phase} ${rule.index + 1}` },
        { text: countText(count) },
        { text: printable(text), style },
        { text: printable(formatPlace(example)), style: 'frame' },
      ]),
  );
  if (rows.length === 0) return '';
  return tableText([heading(title, 'exchanges', what, 'first'), ...rows], ['left', 'right', 'left', 'left'], paint);
}

/** Names of inputs in every dialect. */
const TOLD_BY_ORIGIN: ReadonlySet<string> = new Set(['req.URL', 'req.Host', 'req.url', 'req.host']);

/** What a user can add to know more. */
function hintOf(summaries: readonly PolicySummary[], paint: Paint): string {
  const needs = summaries.flatMap(({ undetermined, rules }) => [
    ...undetermined.needs,
    ...rules.flatMap(rule => rule.needs),
  ]);
  if (!needs.some(({ text }) => TOLD_BY_ORIGIN.has(text))) return '';
  return `  ${paint('hint', 'help')}: \`--origin https://example.com\` tells the scheme and host of requests of which only the path was recorded`;
}

function heading(...titles: readonly string[]): Cell[] {
  return titles.map(text => ({ text, style: 'strong' }));
}
