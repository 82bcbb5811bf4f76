import type { PolicySummary, RuleBreakdown, RuleSummary } from '@tollgate/simulator';
import { formatLocation } from '@tollgate/traffic';
import { formatBounds, formatCount, formatPercentage, pluralize } from '../../text/format-count.ts';
import { type Html, html } from '../../text/html.ts';
import { DIMENSIONS, ruleLabel } from '../result/replay-result.ts';
import { type Timeline, timelineOf } from '../result/timeline.ts';
import { keyList } from './key-list.ts';

/** Maximum number of rules to show; more make browsers slow. */
const MAX_RULES = 500;
const MAX_COLUMNS = 60;

/** Renders each rule: a bar of how often it matched, its matches over time, and its most frequent matches. */
export function ruleList({ rules, breakdown }: PolicySummary, exchanges: number): Html | undefined {
  if (rules.length === 0) return undefined;
  const timeline = breakdown && timelineOf(breakdown.time, MAX_COLUMNS);
  const shown = rules
    .slice(0, MAX_RULES)
    .map((rule, index) => ruleEntry(rule, { exchanges, timeline, breakdown: breakdown?.rules[index] }));
  const hiddenCount = rules.length - shown.length;
  return html`<section><h3>Matches by rule</h3>${shown}
${hiddenCount > 0 ? html`<p class="note">… and ${pluralize(hiddenCount, 'more rule')}; see the table</p>` : undefined}${ruleTable(rules)}</section>`;
}

interface RuleContext {
  readonly exchanges: number;
  readonly timeline: Timeline | undefined;
  readonly breakdown: RuleBreakdown | undefined;
}

function ruleEntry(rule: RuleSummary, { exchanges, timeline, breakdown }: RuleContext): Html {
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
  return html`<div class="rule"><p class="name"><span class="label">${ruleLabel(rule)}</span>${rule.name}</p>
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
