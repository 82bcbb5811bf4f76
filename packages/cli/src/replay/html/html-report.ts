import { formatBounds, formatCount, formatPercentage, pluralize } from '../../text/format-count.ts';
import { type Html, html, htmlPage } from '../../text/html.ts';
import { formatNeeds } from '../result/outcome-text.ts';
import { formatRoute, type ReplayPart, type ReplayResult, scopeNotes, shownName } from '../result/replay-result.ts';
import { outcomeKeys } from './outcome-keys.ts';
import { outcomePlot } from './outcome-plot.ts';
import { PAGE_STYLE } from './page-style.ts';
import { ruleList } from './rule-list.ts';
import { statusMatrix } from './status-matrix.ts';
import { timePlot } from './time-plot.ts';
import { trafficTable } from './traffic-table.ts';

/** Returns the report as a self-contained page with plots. */
export function htmlReport(answer: ReplayResult): string {
  const { kind, profile, endpoint, traffic, parts, unrouted } = answer;
  const name = shownName(answer);
  const facts = [profile, endpoint, pluralize(traffic.exchanges, 'exchange'), pluralize(traffic.files.length, 'file')];
  const sections = kind === 'edge' ? parts.map(routeSection) : parts.map(partSections);
  const body = html`<main><header><p class="eyebrow">Tollgate replay</p><h1>${name}</h1>
<p class="sub">${facts.filter(fact => fact !== undefined).join(' · ')}</p>${kind === 'edge' ? navigation(parts) : undefined}</header>
${failures(answer)}${scopeNotes(answer).map(note => html`<p class="warn">${note}</p>`)}${unrouted && unroutedText(unrouted)}${tiles(answer)}${sections}${trafficTable(traffic)}
<footer>Made by Tollgate. What the recording does not hold is unknown, not empty: two numbers are bounds.</footer></main>`;
  return htmlPage({ title: `${name} – Tollgate replay`, style: PAGE_STYLE, body });
}

function failures({ traffic }: ReplayResult): readonly Html[] {
  return traffic.files.flatMap(({ failure }) => (failure ? html`<p class="warn">${failure.message}</p>` : []));
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

function tile(title: string, figure: string, note: string): Html {
  return html`<div class="tile"><dt>${title}</dt><dd>${figure}<small>${note}</small></dd></div>`;
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
