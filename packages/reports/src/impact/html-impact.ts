// The report of an impact as a page.

import type { Transition } from '@tollgate/simulator';
import { formatLocations, formatOutcome } from '../replay/outcome-text.ts';
import { unreadNotes } from '../replay/replay-result.ts';
import { keyList, matrixCell, matrixSection, tile, trafficPage } from '../replay/traffic-page.ts';
import { formatBounds, formatCount, pluralize } from '../text/figures.ts';
import { type Html, html } from '../text/html.ts';
import {
  changedText,
  exampleText,
  IMPACT_DIMENSIONS,
  type ImpactResult,
  outcomeMatrix,
  ruleChangeText,
  shareText,
  transitionFigures,
  transitionText,
} from './impact-result.ts';

/** Transitions whose details are shown. */
const MAX_SHOWN = 100;

/** Returns the report as a self-contained page. */
export function htmlImpact(result: ImpactResult): string {
  const { old, new: becomes, profile, endpoint, summary } = result;
  const { transitions } = summary;
  const hidden = transitions.length - MAX_SHOWN;
  const body = html`${unreadNotes(result.unread ?? []).map(note => html`<p class="warn">${note.trim()}</p>`)}${result.limits.map(limit => html`<p class="${limit.isExceeded ? 'warn' : 'note'}">${limit.isExceeded ? 'exceeded' : 'kept'}: <code>${limit.option}</code>, ${limit.message}</p>`)}
${tiles(result)}${matrix(result)}${transitions.slice(0, MAX_SHOWN).map(one => section(one, result))}
${hidden > 0 ? html`<p class="note">… and ${pluralize(hidden, 'more kind')} of changes</p>` : undefined}`;
  return trafficPage({
    title: `${old} → ${becomes}`,
    about: 'impact',
    facts: [profile, endpoint],
    traffic: summary,
    body,
  });
}

function tiles({ summary }: ImpactResult): Html {
  const { exchanges, changed, newlyDenied, touched } = summary;
  return html`<dl class="tiles">${tile('exchanges', formatCount(exchanges), changedText(summary))}
${tile('changed', formatBounds(changed), shareText(changed, exchanges))}
${tile('newly denied', formatBounds(newlyDenied), shareText(newlyDenied, exchanges))}
${touched && tile('protected and changed', formatBounds(touched.count), touched.first.length === 0 ? 'none' : formatLocations(touched.first))}</dl>`;
}

function matrix({ summary }: ImpactResult): Html {
  const { columns, rows } = outcomeMatrix(summary);
  const most = Math.max(1, ...rows.flatMap(({ counts }) => counts.map(one => one?.count.most ?? 0)));
  const lines = rows.map(({ was, counts }) => {
    const cells = counts.map(one => matrixCell(one?.count ?? { least: 0, most: 0 }, one?.isSame === true, most));
    return html`<tr><th scope="row">${formatOutcome(was)}</th>${cells}</tr>`;
  });
  return matrixSection({
    title: 'Was → becomes',
    label: 'Outcomes of the old policy against those of the new one',
    corner: 'was',
    heads: columns.map(formatOutcome),
    rows: lines,
    same: 'unchanged',
    other: 'changed',
  });
}

function section(transition: Transition, { rules }: ImpactResult): Html {
  const byRule = transition.rules.map(
    one => html`<li><span>${ruleChangeText(one, rules)}</span><span>${formatCount(one.count)}</span></li>`,
  );
  const lists = IMPACT_DIMENSIONS.map(name => keyList(name, transition.keys[name]));
  const first =
    transition.first.length === 0
      ? undefined
      : html`<p class="note">first <code>${formatLocations(transition.first)}</code></p>`;
  const examples = (transition.examples ?? []).map(example => html`<li><code>${exampleText(example)}</code></li>`);
  const shown = examples.length === 0 ? undefined : html`<p class="note">examples</p><ul>${examples}</ul>`;
  return html`<section><h3>${transitionText(transition)}</h3><p class="sub">${transitionFigures(transition)}</p>
<div class="keys">${byRule.length === 0 ? undefined : html`<div><h4>rules</h4><ol>${byRule}</ol></div>`}${lists}</div>${first}${shown}</section>`;
}
