// The report of a replay as a page.

import type { Outcome, PolicySummary, RuleBreakdown, RuleSummary, StatusChange } from '@tollgate/simulator';
import { formatLocation } from '@tollgate/traffic';
import { formatBounds, formatCount, formatDuration, formatPercentage, formatTime, pluralize } from '../text/figures.ts';
import { type Html, html } from '../text/html.ts';
import { completeHeadersText, formatNeeds, formatOutcome, isSameOutcome, rewrittenText } from './outcome-text.ts';
import {
  DIMENSIONS,
  formatRoute,
  type ReplayPart,
  type ReplayResult,
  ruleLabel,
  scopeNotes,
  shownName,
  type Timeline,
  timelineOf,
} from './replay-result.ts';
import { keyList, matrixCell, matrixSection, tile, trafficPage } from './traffic-page.ts';

/** Returns the report as a self-contained page with plots. */
export function htmlReplay(answer: ReplayResult): string {
  const { kind, profile, endpoint, traffic, parts, unrouted } = answer;
  const name = shownName(answer);
  const sections = kind === 'edge' ? parts.map(routeSection) : parts.map(partSections);
  const body = html`${scopeNotes(answer).map(note => html`<p class="warn">${note}</p>`)}${unrouted && unroutedText(unrouted)}${tiles(answer)}${sections}`;
  return trafficPage({
    title: name,
    about: 'replay',
    facts: [profile, ...(endpoint === undefined ? [] : [endpoint])],
    navigation: kind === 'edge' ? navigation(parts) : undefined,
    traffic,
    body,
  });
}

function unroutedText({ unrouted, open }: NonNullable<ReplayResult['unrouted']>): readonly (Html | undefined)[] {
  return [
    unrouted > 0 ? html`<p class="warn">no route matches ${pluralize(unrouted, 'exchange')}</p>` : undefined,
    open.exchanges > 0
      ? html`<p class="warn">route unknown for ${pluralize(open.exchanges, 'exchange')}: needs ${formatNeeds(open.needs)}</p>`
      : undefined,
  ];
}

/** Renders the most important figures. */
function tiles({ traffic, parts }: ReplayResult): Html {
  const all = parts.flatMap(({ summary }) => summary.outcomes);
  const passing = all.filter(({ outcome }) => outcome.kind === 'passed' || outcome.kind === 'forwarded');
  const others = all.filter(one => !passing.includes(one));
  const open = parts.reduce((sum, { summary }) => sum + summary.undetermined.exchanges, 0);
  const skipped = traffic.skipped.reduce((sum, { count }) => sum + count, 0);
  const bounds = (list: typeof all) => {
    const least = list.reduce((sum, { count }) => sum + count.least, 0);
    // An exchange with several possible outcomes counts once.
    return {
      least,
      most: Math.min(
        list.reduce((sum, { count }) => sum + count.most, 0),
        least + open,
      ),
    };
  };
  const share = (list: typeof all) =>
    traffic.exchanges === 0 ? '' : formatPercentage(bounds(list), traffic.exchanges);
  return html`<dl class="tiles">${tile('exchanges', formatCount(traffic.exchanges), skipped > 0 ? `${pluralize(skipped, 'record')} skipped` : '')}
${rulesTile(parts)}
${tile('pass', formatBounds(bounds(passing)), share(passing))}${tile('do not pass', formatBounds(bounds(others)), share(others))}
${tile('undetermined', formatCount(open), open > 0 ? 'the recording lacks a needed field' : 'nothing is missing')}</dl>`;
}

/** Renders how many rules matched, and the possible problems with the others. */
function rulesTile(parts: readonly ReplayPart[]): Html {
  const rules = parts.flatMap(({ summary }) => summary.rules);
  const matched = rules.filter(rule => rule.matched > 0);
  const open = rules.filter(rule => rule.matched === 0 && rule.undetermined > 0).length;
  const never = rules.length - matched.length - open;
  const failed = rules.filter(rule => rule.failed > 0).length;
  const notes = [
    ...(open > 0 ? [`${formatCount(open)} may match`] : []),
    ...(never > 0 ? [`${formatCount(never)} never ${never === 1 ? 'matches' : 'match'}`] : []),
    ...(failed > 0 ? [`${formatCount(failed)} with errors`] : []),
  ];
  const note = notes.length === 0 ? 'all of them' : notes.join(', ');
  return tile(
    'rules that match',
    `${formatCount(matched.length)} of ${formatCount(rules.length)}`,
    rules.length === 0 ? '' : note,
  );
}

function navigation(parts: readonly ReplayPart[]): Html {
  const links = parts.map(({ route }, index) => html`<a href="#route-${index + 1}">${route?.match}</a>`);
  return html`<nav aria-label="Routes">${links}</nav>`;
}

function routeSection(part: ReplayPart, index: number): readonly (Html | undefined)[] {
  const { route, exchanges } = part;
  const title = html`<h2 id="route-${index + 1}">${route && formatRoute(route)} <small class="sub">${pluralize(exchanges, 'exchange')}</small></h2>`;
  return exchanges === 0 ? [title] : [title, ...partSections(part, index)];
}

function partSections({ summary, exchanges }: ReplayPart, index: number): readonly (Html | undefined)[] {
  if (exchanges === 0) return [];
  const late =
    summary.late === undefined
      ? undefined
      : html`<p class="warn">${pluralize(summary.late, 'exchange')} arrived out of order; limits use the time of the exchange before it</p>`;
  return [
    late,
    outcomePlot(summary, exchanges),
    timePlot(summary),
    outcomeKeys(summary),
    ruleList(summary, { exchanges, id: `rules-${index}` }),
    summary.breakdown && statusMatrix(summary.breakdown.statuses),
  ];
}

/** Maximum number of rules to show; more make browsers slow. */
const MAX_RULES = 500;
const MAX_COLUMNS = 60;

/** The exchanges of a policy, and a prefix for ids in the page. */
interface RuleListContext {
  readonly exchanges: number;
  readonly id: string;
}

/** Renders each rule: a bar of how often it matched, its matches over time, and its most frequent matches. */
function ruleList({ rules, breakdown }: PolicySummary, { exchanges, id }: RuleListContext): Html | undefined {
  if (rules.length === 0) return undefined;
  const timeline = breakdown && timelineOf(breakdown.time, MAX_COLUMNS);
  const ranks = ranksOf(rules);
  const shown = rules
    .slice(0, MAX_RULES)
    .map((rule, index) =>
      ruleEntry(rule, { exchanges, timeline, breakdown: breakdown?.rules[index], rank: ranks[index]! }),
    );
  const hiddenCount = rules.length - shown.length;
  return html`<section class="rules"><h3>Matches by rule</h3>${controls(rules, id)}${neverList(rules, id)}<div class="list">${shown}</div>
${hiddenCount > 0 ? html`<p class="note">… and ${pluralize(hiddenCount, 'more rule')}; see the table</p>` : undefined}${ruleTable(rules)}</section>`;
}

/** Returns the position of each rule in the order of matches. */
function ranksOf(rules: readonly RuleSummary[]): readonly number[] {
  const order = rules.map((_, index) => index).sort((a, b) => rules[b]!.matched - rules[a]!.matched || a - b);
  const ranks: number[] = [];
  order.forEach((index, rank) => {
    ranks[index] = rank;
  });
  return ranks;
}

/** What rules can be filtered by. Each is the class of an entry, and has a rule in the style sheet. */
const FILTERS = [
  ['matched', 'matched', (rule: RuleSummary) => rule.matched > 0],
  ['may-match', 'may match', (rule: RuleSummary) => rule.matched === 0 && rule.undetermined > 0],
  ['never', 'never matched', (rule: RuleSummary) => rule.matched === 0 && rule.undetermined === 0],
  ['with-errors', 'with errors', (rule: RuleSummary) => rule.failed > 0],
] as const;

/** Sorting and filtering with radio buttons and the style sheet, because the page runs no scripts. */
function controls(rules: readonly RuleSummary[], id: string): Html | undefined {
  if (rules.length < MIN_CONTROLLED) return undefined;
  const radio = (group: string, [value, text]: readonly [string, string], isChecked: boolean) =>
    html`<label><input type="radio" name="${id}-${group}" class="${group}-${value}"${CHECKED[isChecked ? 1 : 0]!}>${text}</label>`;
  const shown = FILTERS.filter(([, , matches]) => rules.some(matches));
  const filters = shown.map(([value, text, matches]) =>
    radio('show', [value, `${text} (${formatCount(rules.filter(matches).length)})`], false),
  );
  return html`<div class="controls"><fieldset><legend>show</legend>${radio('show', ['all', `all (${formatCount(rules.length)})`], true)}${filters}</fieldset>
<fieldset><legend>sort by</legend>${radio('sort', ['order', 'order'], true)}${radio('sort', ['matches', 'matches'], false)}</fieldset></div>`;
}

const CHECKED: readonly Html[] = [{ html: '' }, { html: ' checked' }];

/** With fewer rules, all are seen at once. */
const MIN_CONTROLLED = 8;

/** Lists what certainly never matched. */
function neverList(rules: readonly RuleSummary[], id: string): Html | undefined {
  const never = rules.filter(rule => rule.matched === 0 && rule.undetermined === 0);
  if (never.length === 0) return undefined;
  const items = never
    .slice(0, MAX_RULES)
    .map(rule => html`<li><span class="label">${ruleLabel(rule)}</span>${rule.name}</li>`);
  return html`<details class="never" id="${id}-never"><summary>${pluralize(never.length, 'rule')} never matched</summary><ul>${items}</ul></details>`;
}

interface RuleContext {
  readonly exchanges: number;
  readonly timeline: Timeline | undefined;
  readonly breakdown: RuleBreakdown | undefined;
  /** Its position in the order of matches. */
  readonly rank: number;
}

function ruleEntry(rule: RuleSummary, { exchanges, timeline, breakdown, rank }: RuleContext): Html {
  const { matched, undetermined, failed } = rule;
  const parts = [
    ['matched', matched],
    ['undetermined', undetermined],
    ['failed', failed],
  ] as const;
  const segments = parts.map(([what, count]) =>
    count === 0
      ? undefined
      : html`<i class="${what}" style="flex:0 0 ${(100 * count) / exchanges}%" title="${what}: ${formatCount(count)}"></i>`,
  );
  const share = formatPercentage({ least: matched, most: matched + undetermined }, exchanges);
  const actions = rule.actions.map(({ type, fired }) => `${type} ${formatBounds(fired)}`).join(' · ');
  const classes = FILTERS.filter(([, , matches]) => matches(rule)).map(([name]) => `is-${name}`);
  return html`<div class="rule ${classes.join(' ')}" style="--rank:${rank}"><p class="name"><span class="label">${ruleLabel(rule)}</span>${rule.name}</p>
<p class="hits">${formatBounds({ least: matched, most: matched + undetermined })} <small>${share}</small></p>
<div class="bar" aria-hidden="true">${segments}</div>${spark(breakdown, timeline)}
<p class="actions">${actions}</p>${details(rule, breakdown)}</div>`;
}

/** Renders matches over time as one stepped path; the highest column gets the full height. */
function spark(breakdown: RuleBreakdown | undefined, timeline: Timeline | undefined): Html {
  const counts = breakdown && timeline ? timeline.spread(breakdown.matched) : [];
  const most = Math.max(0, ...counts);
  if (most === 0) return html`<span></span>`;
  const steps = counts.map((count, column) => `V${round(most - count)}H${column + 1}`).join('');
  const label = `matches over time, at most ${formatCount(most)} in a column`;
  return html`<svg class="spark" viewBox="0 0 ${counts.length} ${most}" preserveAspectRatio="none" role="img" aria-label="${label}"><path d="M0 ${most}${steps}V${most}Z"/></svg>`;
}

function round(height: number): number {
  return Math.round(height * 100) / 100;
}

function details(rule: RuleSummary, breakdown: RuleBreakdown | undefined): Html | undefined {
  const keys = breakdown?.keys;
  const lists = DIMENSIONS.flatMap(dimension => (keys ? (keyList(dimension, keys[dimension]) ?? []) : []));
  const occurrences = [
    ...rule.needs.slice(0, 5).map(need => ['needs', need] as const),
    ...rule.errors.slice(0, 5).map(error => ['failed with', error] as const),
  ];
  if (lists.length + occurrences.length === 0) return undefined;
  const details = occurrences.map(
    ([what, { text, count, example }]) =>
      html`<li><span>${what} <code>${text}</code>, first <code>${formatLocation(example)}</code></span><span>${formatCount(count)}</span></li>`,
  );
  const open = details.length === 0 ? undefined : html`<div><h4>undetermined or failed</h4><ol>${details}</ol></div>`;
  return html`<details><summary>Clients, paths and countries</summary><div class="keys">${lists}${open}</div></details>`;
}

function ruleTable(rules: readonly RuleSummary[]): Html {
  const rows = rules.map(rule => {
    const figures = [rule.matched, rule.notMatched, rule.notReached, rule.failed, rule.undetermined];
    const cells = figures.map(figure => html`<td class="n">${formatCount(figure)}</td>`);
    return html`<tr><th scope="row">${ruleLabel(rule)}</th><td>${rule.name}</td>${cells}</tr>`;
  });
  const heads = ['matched', 'not matched', 'not reached', 'failed', 'undetermined'];
  return html`<details><summary>All figures as a table</summary><div class="scroll" tabindex="0" role="region" aria-label="Figures of the rules"><table><thead><tr><th scope="col">rule</th><th scope="col">name</th>${heads.map(title => html`<th scope="col" class="n">${title}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div></details>`;
}

/** Renders recorded statuses against those that clients get; nothing if no status is known. */
function statusMatrix(statuses: readonly StatusChange[]): Html | undefined {
  const hasKnownStatus = statuses.some(({ recorded, after }) => recorded !== 'unknown' || typeof after === 'number');
  if (!hasKnownStatus) return undefined;
  const recorded = [...new Set(statuses.map(status => status.recorded))];
  const after = [...new Set(statuses.map(status => status.after))].sort((a, b) => rank(a) - rank(b));
  const most = Math.max(...statuses.map(({ count }) => count));
  const rows = recorded.map(from => {
    const cells = after.map(to =>
      statusCell(
        statuses.find(status => status.recorded === from && status.after === to),
        most,
      ),
    );
    return html`<tr><th scope="row">${from}</th>${cells}</tr>`;
  });
  const heads = after.map(to => String(to));
  return matrixSection({
    title: 'Recorded status → what the client gets',
    label: 'Recorded statuses compared with those that clients get',
    corner: 'recorded',
    heads,
    rows,
    same: 'as recorded',
    other: 'another',
  });
}

const WORDS: readonly StatusChange['after'][] = ['closed', 'undetermined', 'unknown'];

function rank(after: StatusChange['after']): number {
  return typeof after === 'number' ? after : 1000 + WORDS.indexOf(after);
}

function statusCell(change: StatusChange | undefined, most: number): Html {
  const { count, recorded, after } = change ?? { count: 0 };
  return matrixCell({ least: count, most: count }, recorded === after, most);
}

/** Renders the clients, paths and countries of each outcome other than passing; nothing if there are none. */
function outcomeKeys({ breakdown }: PolicySummary): Html | undefined {
  const blocks = (breakdown?.outcomes ?? []).flatMap(({ outcome, keys }) => {
    const lists = DIMENSIONS.flatMap(dimension => keyList(dimension, keys[dimension]) ?? []);
    return lists.length === 0 ? [] : html`<h4>${formatOutcome(outcome)}</h4><div class="keys">${lists}</div>`;
  });
  return blocks.length === 0 ? undefined : html`<section class="affected"><h3>Who is affected</h3>${blocks}</section>`;
}

// Plots of outcomes: one bar for all exchanges, and columns over time.

/** Renders the outcomes: one bar for all exchanges, and a table. */
function outcomePlot(summary: PolicySummary, exchanges: number): Html {
  const series = seriesOf(summary);
  const bar = series.map(
    ({ name, colour, count }) =>
      html`<i class="${colour}" style="flex:${count}" title="${name}: ${formatCount(count)}"></i>`,
  );
  const rows = summary.outcomes.map(({ outcome, count }) => {
    const name = formatOutcome(outcome);
    const colour = series.find(one => one.name === name)?.colour ?? 'undetermined';
    return html`<tr><th scope="row"><span class="swatch ${colour}"></span>${name}</th><td class="n">${formatBounds(count)}</td><td class="n">${formatPercentage(count, exchanges)}</td></tr>`;
  });
  const rewritten = rewrittenText(summary);
  const complete = completeHeadersText(summary);
  const { exchanges: open, needs } = summary.undetermined;
  return html`<section><h3>Outcomes</h3>
<div class="stack" aria-hidden="true">${bar}</div>
<div class="scroll"><table><thead><tr><th scope="col">outcome</th><th scope="col" class="n">exchanges</th><th scope="col" class="n">share</th></tr></thead><tbody>${rows}</tbody></table></div>
${rewritten && html`<p class="note">${rewritten}</p>`}${open > 0 ? html`<p class="note"><span class="swatch undetermined"></span>undetermined for ${pluralize(open, 'exchange')}: needs ${formatNeeds(needs)}${complete && `; ${complete}`}</p>` : undefined}
</section>`;
}

const MAX_PLOT_COLUMNS = 120;

/** Renders outcomes over time as columns, with their table; nothing if no two times are known. */
function timePlot(summary: PolicySummary): Html | undefined {
  const time = summary.breakdown?.time;
  const timeline = time && timelineOf(time, MAX_PLOT_COLUMNS);
  if (timeline === undefined) return undefined;
  const series = seriesOf(summary).flatMap((one): ColumnSeries[] =>
    one.overTime === undefined ? [] : [{ ...one, counts: timeline.spread(one.overTime) }],
  );
  const notes = [`each column is ${formatDuration(timeline.width)}, in UTC`];
  if (timeline.outside > 0) notes.push(`${pluralize(timeline.outside, 'exchange')} far from all others in time`);
  if (time!.untimed > 0) notes.push(`${pluralize(time!.untimed, 'exchange')} without a known time`);
  return html`<section><h3>Outcomes over time</h3>${columnPlot(series, timeline)}
<ul class="legend">${series.map(({ name, colour }) => html`<li><span class="swatch ${colour}"></span>${name}</li>`)}</ul>
<p class="note">${notes.join('; ')}</p>${countTable(series, timeline)}</section>`;
}

interface ColumnSeries extends Series {
  /** Counts by column. */
  readonly counts: readonly number[];
}

function columnPlot(series: readonly ColumnSeries[], timeline: Timeline): Html {
  const sums = Array.from({ length: timeline.columns }, (_, column) =>
    series.reduce((sum, { counts }) => sum + counts[column]!, 0),
  );
  const most = Math.max(1, ...sums);
  const columns = sums.map((sum, column) => {
    if (sum === 0) return undefined;
    let top = most;
    const parts = series.flatMap(({ counts, colour }) => {
      const count = counts[column]!;
      top -= count;
      return count === 0
        ? []
        : [colour, ...(STRIPED.test(colour) ? ['stripes'] : [])].map(
            name => html`<rect class="${name}" x="${column + 0.06}" y="${top}" width=".88" height="${count}"/>`,
          );
    });
    return html`<g><title>${columnText(series, timeline, column)}</title>${parts}</g>`;
  });
  const { start, width, columns: count } = timeline;
  const stripes = html`<defs><pattern id="stripes" width="1" height="${most / 40}" patternUnits="userSpaceOnUse"><rect class="stripe" width="1" height="${most / 160}"/></pattern></defs>`;
  const middle = html`<span class="wide-only">${formatTime(start + Math.floor(count / 2) * width, width)}</span>`;
  return html`<div class="plot-frame"><svg class="plot" viewBox="0 0 ${count} ${most}" preserveAspectRatio="none" role="img" aria-label="Columns of outcomes over time; the table below has the same figures.">${stripes}${columns}</svg><span class="most">at most ${formatCount(most)}</span></div>
<p class="axis"><span>${formatTime(start, width)}</span>${middle}<span>${formatTime(start + count * width, width)}</span></p>`;
}

/** Shades that are striped, as in the style sheet. */
const STRIPED = /shade-[13]/;

function columnText(series: readonly ColumnSeries[], { start, width }: Timeline, column: number): string {
  const cells = series.flatMap(({ name, counts }) =>
    counts[column] === 0 ? [] : `${name} ${formatCount(counts[column]!)}`,
  );
  return `${formatTime(start + column * width, width)}: ${cells.join(', ')}`;
}

/** Leaves out empty columns. */
function countTable(series: readonly ColumnSeries[], { start, width, columns }: Timeline): Html {
  const rows = Array.from({ length: columns }, (_, column) => {
    if (series.every(({ counts }) => counts[column] === 0)) return undefined;
    const cells = series.map(({ counts }) => html`<td class="n">${formatCount(counts[column]!)}</td>`);
    return html`<tr><th scope="row">${formatTime(start + column * width, width)}</th>${cells}</tr>`;
  });
  const heads = series.map(({ name }) => html`<th scope="col" class="n">${name}</th>`);
  return html`<details><summary>Show as table</summary><div class="scroll" tabindex="0" role="region" aria-label="Outcomes over time"><table><thead><tr><th scope="col">from</th>${heads}</tr></thead><tbody>${rows}</tbody></table></div></details>`;
}

/** An outcome in plots: how often it is certain, and its colour. */
interface Series {
  readonly name: string;
  /** Class names in the style sheet of the page. */
  readonly colour: string;
  readonly count: number;
  /** Counts by interval of the breakdown; undefined without a breakdown. */
  readonly overTime: readonly number[] | undefined;
}

/** Shades of one colour, for outcomes of one kind. */
const SHADES = 4;

/** Returns the outcomes of a policy, followed by the undetermined exchanges. Together they are all exchanges. */
function seriesOf({ outcomes, undetermined, breakdown }: PolicySummary): readonly Series[] {
  const seen = new Map<string, number>();
  const certain = outcomes.map(({ outcome, count }) => {
    const nth = seen.get(outcome.kind) ?? 0;
    if (count.least > 0) seen.set(outcome.kind, nth + 1);
    const counts = breakdown?.time.outcomes.find(one => isSameOutcome(one.outcome, outcome))?.counts;
    const overTime = counts ?? breakdown?.time.starts.map(() => 0);
    return { name: formatOutcome(outcome), colour: colourOf(outcome, nth), count: count.least, overTime };
  });
  const open = {
    name: 'undetermined',
    colour: 'undetermined',
    count: undetermined.exchanges,
    overTime: breakdown?.time.undetermined,
  };
  return [...certain, open].filter(({ count }) => count > 0);
}

function colourOf({ kind }: Outcome, nth: number): string {
  const shade = nth % SHADES;
  return shade === 0 ? kind : `${kind} shade-${shade}`;
}
