// Mutants as a page: for each policy its score, the mutants that survive with a test to copy, and the rest on demand.

import { testText } from '@tollgate/policy';
import { type Html, html, htmlPage } from '../text/html.ts';
import {
  countMutants,
  isBelowScore,
  mutationText,
  type PolicyMutants,
  type ReportedMutant,
  scoreOf,
} from './mutation-result.ts';

/** Returns mutants as a self-contained page. */
export function htmlMutants(policies: readonly PolicyMutants[]): string {
  const body = html`<main><h1>Mutants</h1><p class="note">Copies of each policy with one small mistake. A test that fails with a mutant kills it; no test would notice the mistake of one that survives.</p>${policies.map(policySection)}</main>`;
  return htmlPage({ title: 'Mutants', style: STYLE, body });
}

function policySection(policy: PolicyMutants): Html {
  if (policy.isDisabled)
    return html`<section><h2>${policy.name}</h2><p class="note">The policy is disabled, so that nothing it says matters.</p></section>`;
  const counts = countMutants(policy);
  const isLow = policy.threshold === undefined ? counts.survived > 0 : isBelowScore(policy);
  const wanted = policy.threshold === undefined ? undefined : html` <small>${policy.threshold} % wanted</small>`;
  const tiles = (['killed', 'survived', 'open', 'equivalent', 'unreached'] as const).map(
    state => html`<div class="${state}"><dt>${TITLES[state]}</dt><dd>${counts[state]}</dd></div>`,
  );
  const lists = (['survived', 'open', 'equivalent', 'unreached', 'killed'] as const).map(state => {
    const own = policy.mutants.filter(one => one.state === state);
    if (own.length === 0) return undefined;
    const items = own.map(one => item(one, policy));
    return state === 'survived'
      ? html`<ul class="open">${items}</ul>`
      : html`<details><summary>${own.length} ${TITLES[state]}</summary><ul>${items}</ul></details>`;
  });
  const cut = policy.cut === 0 ? undefined : html`<p class="note">${policy.cut} more were not run.</p>`;
  return html`<section><h2>${policy.name}</h2><dl><div class="${isLow ? 'survived' : 'killed'}"><dt>score</dt><dd>${scoreOf(policy)} %${wanted}</dd></div>${tiles}</dl>${lists}${cut}</section>`;
}

const TITLES: Readonly<Record<ReportedMutant['state'], string>> = {
  killed: 'killed',
  survived: 'survive',
  open: 'undecided',
  equivalent: 'equivalent',
  unreached: 'not reached',
};

function item(mutant: ReportedMutant, { source }: PolicyMutants): Html {
  const { rule, range, state, killer, test, request, reason, operator, original, mutated } = mutant;
  const line = source.positionAt(range.start).line + 1;
  const isWhole = operator === 'rule removed' || operator === 'rules swapped';
  const change = isWhole
    ? html`${mutationText(mutant)}`
    : html`<del>${original}</del>${mutated === '' ? undefined : html` <ins>${mutated}</ins>`}`;
  const why = {
    killed: html`killed by “${killer ?? ''}”`,
    survived: test === undefined ? html`told apart by ${request ?? ''}` : html`<pre>${linesOf(testText(test))}</pre>`,
    open: html`${reason ?? ''}`,
    equivalent: html`${reason ?? ''}`,
    unreached: html`no test reaches the rule`,
  }[state];
  return html`<li><p>${rule}, line ${line}: <small>${operator}</small></p><p><code>${change}</code></p>${why}</li>`;
}

/** The page shows control characters, so that lines are ended by its own. */
function linesOf(text: string): readonly Html[] {
  const lines = text.trimEnd().split('\n');
  return lines.map(line => html`${line}\n`);
}

const STYLE = `
:root{--fg:#1c2024;--bg:#fff;--line:#d9dde2;--del:#f9c9c4;--ins:#cdeccf;--note:#5b6470}
@media(prefers-color-scheme:dark){:root{--fg:#e6e8ea;--bg:#15181c;--line:#343a41;--del:#652621;--ins:#1d4a27;--note:#9aa4af}}
*{box-sizing:border-box}
body{margin:0;color:var(--fg);background:var(--bg);font:16px/1.5 system-ui,sans-serif}
main{max-width:70rem;margin:0 auto;padding:1rem}
h1{font-size:1.5rem}h2{font-size:1.1rem;overflow-wrap:anywhere}
dl{display:flex;flex-wrap:wrap;gap:.5rem;margin:0 0 1rem}
dl div{border:1px solid var(--line);border-left-width:.4rem;padding:.25rem .75rem;border-radius:.25rem}
.killed{border-left-color:#3a9d4a}.survived{border-left-color:#d1872c}
dt{font-size:.8rem;color:var(--note)}dd{margin:0;font-weight:600;font-variant-numeric:tabular-nums}
ul{list-style:none;padding:0}li{border-top:1px solid var(--line);padding:.5rem 0;overflow-wrap:anywhere}
li p{margin:0 0 .25rem}
pre{border:1px solid var(--line);border-radius:.25rem;padding:.5rem;overflow-x:auto;font:14px/1.5 ui-monospace,monospace;margin:.25rem 0}
code{font:14px ui-monospace,monospace;white-space:pre-wrap}
del{background:var(--del);text-decoration:line-through}ins{background:var(--ins);text-decoration:none}
details{margin:.25rem 0}summary{cursor:pointer}
.note,small{color:var(--note)}
`;
