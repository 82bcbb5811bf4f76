import type { Transition } from '@tollgate/simulator';
import { keyList, PAGE_STYLE, trafficTable } from '../replay/html-parts.ts';
import { formatLocations, formatOutcome } from '../replay/outcome-text.ts';
import { formatBounds, formatCount, pluralize } from '../text/figures.ts';
import { type Html, html, htmlPage } from '../text/html.ts';
import {
  changedText,
  IMPACT_DIMENSIONS,
  type ImpactResult,
  outcomeMatrix,
  ruleChangeText,
  shareText,
  transitionFigures,
  transitionText,
} from './impact-result.ts';

/** Transitions whose details are shown. */
const SHOWN = 100;

/** Returns the report as a self-contained page. */
export function htmlImpact(result: ImpactResult): string {
  const { old, new: becomes, profile, endpoint, summary } = result;
  const { files, transitions } = summary;
  const facts = [profile, endpoint, pluralize(summary.exchanges, 'exchange'), pluralize(files.length, 'file')];
  const hidden = transitions.length - SHOWN;
  const body = html`<main><header><p class="eyebrow">Tollgate impact</p><h1>${old} → ${becomes}</h1>
<p class="sub">${facts.join(' · ')}</p></header>
${files.flatMap(({ failure }) => (failure ? html`<p class="warn">${failure.message}</p>` : []))}
${result.limits.map(limit => html`<p class="${limit.isExceeded ? 'warn' : 'note'}">${limit.isExceeded ? 'exceeded' : 'kept'}: <code>${limit.option}</code>, ${limit.message}</p>`)}
${tiles(result)}${matrix(result)}${transitions.slice(0, SHOWN).map(one => section(one, result))}
${hidden > 0 ? html`<p class="note">… and ${pluralize(hidden, 'more kind')} of changes</p>` : undefined}${trafficTable(summary)}
<footer>Made by Tollgate. What the recording does not hold is unknown, not empty: two numbers are bounds.</footer></main>`;
  return htmlPage({ title: `${old} → ${becomes} – Tollgate impact`, style: PAGE_STYLE, body });
}

function tiles({ summary }: ImpactResult): Html {
  const { exchanges, changed, newlyDenied, touched } = summary;
  const tile = (title: string, figure: string, note: string) =>
    html`<div class="tile"><dt>${title}</dt><dd>${figure}<small>${note}</small></dd></div>`;
  return html`<dl class="tiles">${tile('exchanges', formatCount(exchanges), changedText(summary))}
${tile('changed', formatBounds(changed), shareText(changed, exchanges))}
${tile('newly denied', formatBounds(newlyDenied), shareText(newlyDenied, exchanges))}
${touched && tile('protected and changed', formatBounds(touched.count), touched.first.length === 0 ? 'none' : formatLocations(touched.first))}</dl>`;
}

function matrix({ summary }: ImpactResult): Html {
  const { columns, rows } = outcomeMatrix(summary);
  const most = Math.max(1, ...rows.flatMap(({ counts }) => counts.map(one => one?.count.most ?? 0)));
  const lines = rows.map(({ was, counts }) => {
    const cells = counts.map(one => {
      if (one === undefined || one.count.most === 0) return html`<td class="none">·</td>`;
      const strength = Math.round(14 + (56 * Math.log(1 + one.count.most)) / Math.log(1 + most));
      return html`<td class="${one.isSame ? 'same' : 'other'}" style="--s:${strength}%">${formatBounds(one.count)}</td>`;
    });
    return html`<tr><th scope="row">${formatOutcome(was)}</th>${cells}</tr>`;
  });
  const heads = columns.map(outcome => html`<th scope="col" class="n">${formatOutcome(outcome)}</th>`);
  return html`<section><h3>Was → becomes</h3>
<div class="scroll matrix" tabindex="0" role="region" aria-label="Outcomes of the old policy against those of the new one"><table><thead><tr><th scope="col">was</th>${heads}</tr></thead><tbody>${lines}</tbody></table></div>
<p class="note"><span class="swatch passed"></span>unchanged <span class="swatch refused" style="margin-left:12px"></span>changed</p></section>`;
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
  return html`<section><h3>${transitionText(transition)}</h3><p class="sub">${transitionFigures(transition)}</p>
<div class="keys">${byRule.length === 0 ? undefined : html`<div><h4>rules</h4><ol>${byRule}</ol></div>`}${lists}</div>${first}</section>`;
}
