import { PLAIN, printable, type ReportOptions } from '@tollgate/diagnostics';
import type { PolicySummary } from '@tollgate/simulator';
import { pluralize } from '../../text/format-count.ts';
import { type Layout, proseWidth } from '../../text/layout.ts';
import { wrapText } from '../../text/wrap-text.ts';
import { ENGINE_PRODUCTS } from '../options/engine-options.ts';
import { formatRoute, type ReplayPart, type ReplayResult, scopeNotes, shownName } from '../result/replay-result.ts';
import { ERRORS, NEEDS, occurrenceSection } from './occurrence-section.ts';
import { outcomeSection } from './outcome-section.ts';
import { ruleSection } from './rule-section.ts';
import { timeSection } from './time-section.ts';
import { outcomeKeysSection, topSection } from './top-section.ts';
import { trafficSection, unroutedSections } from './traffic-section.ts';

/** Renders the report for the terminal. */
export function replayReport(answer: ReplayResult, { paint = PLAIN, width }: ReportOptions = {}): string {
  const layout: Layout = { paint, width };
  const { traffic, parts, unrouted } = answer;
  const sections = [
    [
      layout.paint('strong', titleOf(answer)),
      ...scopeNotes(answer).map(note => `  ${layout.paint('warning', note)}`),
    ].join('\n'),
    trafficSection(traffic, layout),
    ...parts.flatMap(part => partSections(part, layout)),
    ...(unrouted ? unroutedSections(unrouted, layout) : []),
    hintOf(parts, layout),
  ];
  return `${sections.filter(section => section !== '').join('\n\n')}\n`;
}

/** Returns the title: `p.yaml (https-route) on 12 exchanges, replayed by DuckDB`. */
function titleOf(answer: ReplayResult): string {
  const { endpoint = 'edge', traffic, engine } = answer;
  const by = engine === undefined || engine.name === 'js' ? '' : `, replayed by ${ENGINE_PRODUCTS[engine.name]}`;
  return `${printable(shownName(answer))} (${endpoint}) on ${pluralize(traffic.exchanges, 'exchange')}${by}`;
}

/** Renders what a policy did, under the name of its route, if any. */
function partSections(part: ReplayPart, layout: Layout): readonly string[] {
  const { route, exchanges, summary } = part;
  const title = route && `route ${printable(formatRoute(route))} on ${pluralize(exchanges, 'exchange')}`;
  const sections = [
    summary.rules.length === 0 ? '' : ruleSection(summary.rules, layout),
    outcomeSection(part, layout),
    timeSection(part, layout),
    outcomeKeysSection(part, layout),
    topSection(part, layout),
    occurrenceSection(NEEDS, summary.rules, layout),
    occurrenceSection(ERRORS, summary.rules, layout),
    lateText(summary, layout),
  ];
  if (title === undefined) return sections;
  return [layout.paint('strong', title), ...(exchanges === 0 ? [] : sections)];
}

/** Limits may be wrong if the time is not that of the traffic. */
function lateText({ late = 0 }: PolicySummary, layout: Layout): string {
  if (late === 0) return '';
  const text = `${pluralize(late, 'exchange')} arrived out of order; limits use the time of the exchange before it`;
  return wrapText(text, proseWidth(layout) - 2)
    .map(line => `  ${layout.paint('warning', line)}`)
    .join('\n');
}

/** Matches the names of inputs in every profile. */
const DERIVED_FROM_ORIGIN: ReadonlySet<string> = new Set(['req.URL', 'req.Host', 'req.url', 'req.host']);

/** Returns what the user can add to determine more. */
function hintOf(parts: readonly ReplayPart[], layout: Layout): string {
  const needs = parts.flatMap(({ summary: { undetermined, rules } }) => [
    ...undetermined.needs,
    ...rules.flatMap(rule => rule.needs),
  ]);
  if (!needs.some(({ text }) => DERIVED_FROM_ORIGIN.has(text))) return '';
  const text =
    'some requests were recorded with a path only; pass `--origin https://example.com` to set their scheme and host';
  const [first, ...rest] = wrapText(text, proseWidth(layout) - 8);
  return [`  ${layout.paint('hint', 'help')}: ${first}`, ...rest.map(line => `        ${line}`)].join('\n');
}
