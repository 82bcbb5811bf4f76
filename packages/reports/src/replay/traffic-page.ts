// What the pages of replays and impacts share: frame, figures, lists, and the style sheet.

import type { Interval, KeySummary, TrafficSummary } from '@tollgate/simulator';
import { formatBounds, formatCount, pluralize } from '../text/figures.ts';
import { type Html, html, htmlPage } from '../text/html.ts';
import { skippedText } from './outcome-text.ts';

/** A page about recorded traffic. */
interface TrafficPage {
  readonly title: string;
  /** The command that made it. */
  readonly about: string;
  /** What to say below the title, before the numbers of exchanges and files. */
  readonly facts: readonly string[];
  readonly navigation?: Html | undefined;
  readonly traffic: TrafficSummary;
  readonly body: Html;
}

/** Returns a self-contained page: title, what could not be read, the body, and what was read. */
export function trafficPage({ title, about, facts, navigation, traffic, body }: TrafficPage): string {
  const { exchanges, files } = traffic;
  const all = [...facts, pluralize(exchanges, 'exchange'), pluralize(files.length, 'file')];
  const main = html`<main><header><p class="eyebrow">Tollgate ${about}</p><h1>${title}</h1>
<p class="sub">${all.join(' · ')}</p>${navigation}</header>
${files.flatMap(({ failure }) => (failure ? html`<p class="warn">${failure.message}</p>` : []))}${body}${trafficTable(traffic)}
<footer>Made by Tollgate. What the recording does not hold is unknown, not empty: two numbers are bounds.</footer></main>`;
  return htmlPage({ title: `${title} – Tollgate ${about}`, style: PAGE_STYLE, body: main });
}

/** Renders a figure with its title and a note. */
export function tile(title: string, figure: string, note: string): Html {
  return html`<div class="tile"><dt>${title}</dt><dd>${figure}<small>${note}</small></dd></div>`;
}

/** A table of what was against what is. */
interface Matrix {
  readonly title: string;
  /** For screen readers. */
  readonly label: string;
  readonly corner: string;
  readonly heads: readonly string[];
  readonly rows: readonly Html[];
  /** What the colours of {@link matrixCell} mean. */
  readonly same: string;
  readonly other: string;
}

/** Renders a table of what was against what is, with its legend. */
export function matrixSection({ title, label, corner, heads, rows, same, other }: Matrix): Html {
  return html`<section><h3>${title}</h3>
<div class="scroll matrix" tabindex="0" role="region" aria-label="${label}"><table><thead><tr><th scope="col">${corner}</th>${heads.map(head => html`<th scope="col" class="n">${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>
<p class="note"><span class="swatch passed"></span>${same} <span class="swatch refused" style="margin-left:12px"></span>${other}</p></section>`;
}

/** Renders a count in a colour whose strength is logarithmic, so that rare ones are visible; `highest` is the highest count in the table. */
export function matrixCell(count: Interval, isSame: boolean, highest: number): Html {
  if (count.most === 0) return html`<td class="none">·</td>`;
  const strength = Math.round(14 + (56 * Math.log(1 + count.most)) / Math.log(1 + highest));
  return html`<td class="${isSame ? 'same' : 'other'}" style="--s:${strength}%">${formatBounds(count)}</td>`;
}

/** Renders the most frequent keys of a dimension; nothing if there are none. */
export function keyList(dimension: string, { top, distinct, unknown }: KeySummary): Html | undefined {
  if (top.length === 0) return undefined;
  const items = top.map(({ text, count }) => html`<li><code>${text}</code><span>${formatBounds(count)}</span></li>`);
  const rest = [
    ...(distinct === undefined ? ['too many to count all'] : []),
    ...(distinct !== undefined && distinct > top.length ? [`${formatCount(distinct)} in total`] : []),
    ...(unknown > 0 ? [`${formatCount(unknown)} unknown`] : []),
  ];
  const note = rest.length === 0 ? undefined : html`<li><small>${rest.join('; ')}</small></li>`;
  return html`<div><h4>${dimension}</h4><ol>${items}${note}</ol></div>`;
}

/** Maximum number of files to list. */
const MAX_FILES = 200;

/** Renders what was read. */
function trafficTable({ files, skipped }: TrafficSummary): Html {
  const rows = files.slice(0, MAX_FILES).map(({ file, exchanges, skipped: left, failure }) => {
    const note = failure ? html` <small>read only in part</small>` : undefined;
    return html`<tr><th scope="row"><code>${file}</code>${note}</th><td class="n">${formatCount(exchanges)}</td><td class="n">${formatCount(left)}</td></tr>`;
  });
  const more = files.length - MAX_FILES;
  const notes = skipped.map(one => html`<p class="note">${skippedText(one)}</p>`);
  return html`<section><h3>Recorded traffic</h3><div class="scroll"><table><thead><tr><th scope="col">file</th><th scope="col" class="n">exchanges</th><th scope="col" class="n">skipped</th></tr></thead><tbody>${rows}</tbody></table></div>
${more > 0 ? html`<p class="note">… and ${pluralize(more, 'more file')}</p>` : undefined}${notes}</section>`;
}

/** The style sheet: one column on phones, light or dark as the reader prefers, and no frames on paper. */
const PAGE_STYLE = `
:root {
  --bg: #f6f7fa; --card: #fff; --text: #1a2233; --soft: #5a6377; --line: #e2e6ee; --track: #eceff5; --accent: #3d5fd9;
  --passed: #2f9b6c; --forwarded: #1889a0; --replaced: #5a79e8; --answered: #3f6ad8; --redirected: #8a5ccf;
  --denied: #d34a5f; --refused: #d97a26; --closed: #8a6a4d; --failed: #b0308c; --undetermined: #97a0b3;
}
@media (prefers-color-scheme: dark) {
  :root {
    --bg: #11141b; --card: #191e28; --text: #e6e9f0; --soft: #9aa4b8; --line: #2a3140; --track: #242b38; --accent: #7f9cff;
    --passed: #43b583; --forwarded: #35a9c0; --replaced: #8299f2; --answered: #6c8ff0; --redirected: #a982e8;
    --denied: #ee6a7d; --refused: #ec9548; --closed: #b28d6c; --failed: #d55fb2; --undetermined: #7d879b;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--bg); color: var(--text); line-height: 1.5;
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif;
  font-variant-numeric: tabular-nums;
}
main { max-width: 1120px; margin: 0 auto; padding: clamp(16px, 3vw, 36px) clamp(12px, 3vw, 32px) 64px; }
header { margin-bottom: 20px; }
.eyebrow { margin: 0; color: var(--accent); font-size: .75rem; font-weight: 700; letter-spacing: .09em; text-transform: uppercase; }
h1 { margin: 2px 0 4px; font-size: clamp(1.35rem, 4.5vw, 2rem); line-height: 1.2; overflow-wrap: anywhere; }
h2 { margin: 40px 0 12px; font-size: 1.25rem; overflow-wrap: anywhere; }
h2 small { font-size: .9rem; font-weight: 400; }
h3 { margin: 0 0 12px; font-size: 1rem; }
.sub, .note { margin: 0; color: var(--soft); overflow-wrap: anywhere; }
.note { margin-top: 10px; font-size: .875rem; }
.warn { border-left: 4px solid var(--refused); padding: 8px 14px; background: var(--card); border-radius: 6px; overflow-wrap: anywhere; }
nav { display: flex; flex-wrap: wrap; gap: 8px; margin: 12px 0 0; padding: 0; }
nav a { padding: 3px 12px; border: 1px solid var(--line); border-radius: 99px; background: var(--card); color: var(--text); text-decoration: none; overflow-wrap: anywhere; }
a:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
section { margin: 0 0 16px; padding: clamp(14px, 2.4vw, 24px); border: 1px solid var(--line); border-radius: 14px; background: var(--card); }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(136px, 1fr)); gap: 12px; margin: 0 0 16px; }
.tile { padding: 14px 16px; border: 1px solid var(--line); border-radius: 14px; background: var(--card); }
.tile dt { color: var(--soft); font-size: .8rem; }
.tile dd { margin: 2px 0 0; font-size: 1.35rem; font-weight: 650; line-height: 1.25; }
.tile dd small { display: block; color: var(--soft); font-size: .8rem; font-weight: 400; }
.stack { display: flex; height: 30px; margin-bottom: 14px; overflow: hidden; border-radius: 8px; background: var(--track); }
.stack i { min-width: 2px; }
.plot { display: block; width: 100%; height: 190px; border-bottom: 1px solid var(--line); }
.plot-frame { position: relative; }
.plot-frame .most { position: absolute; top: 0; right: 0; padding: 0 6px; color: var(--soft); background: var(--card); font-size: .78rem; border-radius: 4px; }
.axis { display: flex; justify-content: space-between; gap: 12px; margin: 6px 0 0; color: var(--soft); font-size: .78rem; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 12px 0 0; padding: 0; list-style: none; font-size: .875rem; }
.swatch { display: inline-block; width: 11px; height: 11px; margin-right: 7px; border-radius: 3px; background: var(--c, var(--b)); vertical-align: -1px; }
rect, .stack i { fill: var(--c, var(--b)); background: var(--c, var(--b)); }
.passed { --b: var(--passed); } .forwarded { --b: var(--forwarded); } .replaced { --b: var(--replaced); }
.answered { --b: var(--answered); } .redirected { --b: var(--redirected); } .denied { --b: var(--denied); }
.refused { --b: var(--refused); } .closed { --b: var(--closed); } .failed { --b: var(--failed); }
.undetermined { --b: var(--undetermined); }
.shade-1 { --c: color-mix(in oklab, var(--b), var(--text) 26%); } .shade-2 { --c: color-mix(in oklab, var(--b), var(--card) 38%); }
.shade-3 { --c: color-mix(in oklab, var(--b), var(--text) 48%); }
rect.stripes { fill: url(#stripes); } rect.stripe { fill: var(--card); }
/* Outcomes of one kind are told apart without colour as well. */
i.shade-1, i.shade-3, .swatch.shade-1, .swatch.shade-3 { background-image: repeating-linear-gradient(var(--card) 0 1px, transparent 1px 4px); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { padding: 6px 10px; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { color: var(--soft); font-size: .8rem; font-weight: 600; white-space: nowrap; }
tbody th { color: var(--text); font-size: inherit; font-weight: 500; white-space: normal; }
td.n, th.n { text-align: right; white-space: nowrap; }
tr:last-child > * { border-bottom: 0; }
code { font: .86em/1.45 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
details { margin-top: 12px; }
summary { color: var(--accent); font-size: .875rem; cursor: pointer; }
details[open] > summary { margin-bottom: 8px; }
.rule { display: grid; grid-template-columns: minmax(0, 1fr) 190px; gap: 4px 24px; padding: 14px 0; border-top: 1px solid var(--line); }
.rule:first-of-type { padding-top: 0; border-top: 0; }
.list { display: flex; flex-direction: column; }
.rules:has(.sort-matches:checked) .rule { order: var(--rank); }
.rules:has(.show-matched:checked) .rule:not(.is-matched), .rules:has(.show-may-match:checked) .rule:not(.is-may-match),
.rules:has(.show-never:checked) .rule:not(.is-never), .rules:has(.show-with-errors:checked) .rule:not(.is-with-errors) { display: none; }
.controls { display: flex; flex-wrap: wrap; gap: 8px 28px; margin-bottom: 14px; font-size: .875rem; }
.controls fieldset { display: flex; flex-wrap: wrap; gap: 2px 14px; margin: 0; padding: 0; border: 0; }
.controls legend { float: left; margin-right: 12px; padding: 0; color: var(--soft); }
.controls label { display: inline-flex; align-items: center; gap: 5px; cursor: pointer; }
.controls input { margin: 0; accent-color: var(--accent); }
.never { margin: 0 0 14px; } .never ul { columns: 260px auto; margin: 0; padding: 0; list-style: none; font-size: .875rem; }
.never .label { margin-right: 8px; color: var(--soft); }
.affected h4 { margin: 16px 0 6px; font-size: .875rem; } .affected h4:first-of-type { margin-top: 0; }
.rule p { margin: 0; }
.rule .name { font-weight: 600; overflow-wrap: anywhere; }
.rule .label { margin-right: 8px; color: var(--soft); font-size: .8rem; font-weight: 500; white-space: nowrap; }
.rule .hits { font-size: .9rem; text-align: right; }
.rule .hits small { color: var(--soft); }
.rule .bar { display: flex; height: 10px; align-self: center; overflow: hidden; border-radius: 5px; background: var(--track); }
.rule .bar i { min-width: 2px; background: var(--b); }
.rule .matched { --b: var(--accent); }
.spark { display: block; width: 100%; height: 26px; color: var(--accent); }
.spark path { fill: currentColor; }
.rule .actions { color: var(--soft); font-size: .875rem; }
.rule details { grid-column: 1 / -1; margin-top: 2px; }
.keys { display: grid; grid-template-columns: repeat(auto-fit, minmax(210px, 1fr)); gap: 12px 28px; }
.keys h4 { margin: 0; color: var(--soft); font-size: .8rem; font-weight: 600; }
.keys ol { margin: 0; padding: 0; list-style: none; }
.keys li { display: flex; align-items: baseline; justify-content: space-between; gap: 12px; padding: 2px 0; font-size: .875rem; }
.matrix td { min-width: 40px; padding: 7px 5px; border: 2px solid var(--card); border-radius: 6px; text-align: center; white-space: nowrap; }
.matrix th.n { text-align: center; white-space: normal; padding: 6px 4px; } .matrix tbody th { position: sticky; left: 0; background: var(--card); white-space: nowrap; }
.matrix table { width: auto; } .matrix tr > * { border-bottom: 2px solid var(--card); }
.matrix .same { background: color-mix(in oklab, var(--passed) var(--s), var(--card)); }
.matrix .other { background: color-mix(in oklab, var(--refused) var(--s), var(--card)); }
.matrix .none { color: var(--line); }
footer { color: var(--soft); font-size: .8rem; }
@media (max-width: 620px) {
  .rule { grid-template-columns: minmax(0, 1fr); }
  .rule .hits { text-align: left; } .rule .spark { height: 22px; }
  .plot { height: 150px; }
  th, td { padding: 5px 6px; }
  .wide-only { display: none; }
}
@media print { body { background: #fff; } section, .tile { break-inside: avoid; } }
`;
