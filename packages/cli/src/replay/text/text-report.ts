import { PLAIN, printable, type ReportOptions } from '@tollgate/diagnostics';
import type { PolicySummary } from '@tollgate/simulator';
import { pluralize } from '../../text/format-count.ts';
import { type Layout, proseWidth } from '../../text/layout.ts';
import { wrapText } from '../../text/wrap-text.ts';
import { ENGINE_PRODUCTS } from '../result/engines.ts';
import {
  formatRoute,
  isUndecided,
  PARTS_OF_URL,
  type ReplayPart,
  type ReplayResult,
  scopeNotes,
  shownName,
} from '../result/replay-result.ts';
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
  // Tables in which every figure is between nothing and everything say nothing.
  const shown = isUndecided(answer) ? undecidedSections : partSections;
  const sections = [
    [
      layout.paint('strong', titleOf(answer)),
      ...scopeNotes(answer).map(note => `  ${layout.paint('warning', note)}`),
    ].join('\n'),
    trafficSection(traffic, layout),
    ...parts.flatMap(part => shown(part, layout)),
    ...(unrouted ? unroutedSections(unrouted, layout) : []),
    hintOf(answer, layout),
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

function undecidedSections({ summary }: ReplayPart, layout: Layout): readonly string[] {
  return [occurrenceSection(NEEDS, summary.rules, layout)];
}

/** Limits may be wrong if the time is not that of the traffic. */
function lateText({ late = 0 }: PolicySummary, layout: Layout): string {
  if (late === 0) return '';
  const text = `${pluralize(late, 'exchange')} arrived out of order; limits use the time of the exchange before it`;
  return wrapText(text, proseWidth(layout) - 2)
    .map(line => `  ${layout.paint('warning', line)}`)
    .join('\n');
}

/** Returns what the user can add to determine more. */
function hintOf({ parts, origin }: ReplayResult, layout: Layout): string {
  const needs = parts.flatMap(({ summary: { undetermined, rules } }) => [
    ...undetermined.needs,
    ...rules.flatMap(rule => rule.needs),
  ]);
  const isUrl = origin === undefined && needs.some(({ text }) => PARTS_OF_URL.test(text));
  const signs = new Set(needs.flatMap(({ text }) => / recorded as (".*")$/.exec(text)?.[1] ?? []));
  return [
    ...(isUrl ? [URL_HINT] : []),
    ...[...signs].map(
      sign =>
        `${sign} may stand for a header that was not sent, or be its value; pass \`--absent ${shellWord(sign)}\` if no client sends that value`,
    ),
  ]
    .map(text => {
      const [first, ...rest] = wrapText(printable(text), proseWidth(layout) - 8);
      return [`  ${layout.paint('hint', 'help')}: ${first}`, ...rest.map(line => `        ${line}`)].join('\n');
    })
    .join('\n');
}

const URL_HINT =
  'the recording lacks the scheme or the host of some requests; log both (nginx: `$scheme` and `$http_host`), or assume them with `--origin https://example.com`';

/** Returns a JSON string as an argument for shells. */
function shellWord(json: string): string {
  return /^"[\w.-]+"$/.test(json) ? json.slice(1, -1) : `'${JSON.parse(json)}'`;
}
