// Coverage and mutants as pages: the source of each policy, coloured by what its tests reach; its score, the mutants that survive with a test to\ncopy, and the rest on demand.

import type { Range } from '@tollgate/diagnostics';
import { testText } from '@tollgate/policy';
import { GOAL_GROUPS } from '@tollgate/simulator';
import { type Html, html, htmlPage } from '../text/html.ts';
import {
  type CoveredGoal,
  countGoals,
  isBelow,
  missingText,
  type PolicyCoverage,
  percentOf,
} from './coverage-result.ts';
import {
  countMutants,
  isBelowScore,
  mutationText,
  type PolicyMutants,
  type ReportedMutant,
  scoreOf,
} from './mutation-result.ts';

/** Returns coverage as a self-contained page. */
export function htmlCoverage(policies: readonly PolicyCoverage[]): string {
  const body = html`<main><h1>Test coverage</h1>${policies.map(coverageSection)}
<p class="legend"><span class="all">reached</span> <span class="some">in part</span> <span class="none">not reached</span> <span class="never">impossible</span></p></main>`;
  return htmlPage({ title: 'Test coverage', style: COVERAGE_STYLE, body });
}

function coverageSection(policy: PolicyCoverage): Html {
  const { name, goals, isDisabled, threshold } = policy;
  const counts = countGoals(goals);
  const tiles = GOAL_GROUPS.map(group => {
    const { reached, possible } = counts[group];
    return html`<div class="${reached === possible ? 'full' : 'part'}"><dt>${group}</dt><dd>${reached}/${possible}</dd></div>`;
  });
  const isLow = threshold === undefined ? counts.all.reached < counts.all.possible : isBelow(policy);
  const wanted = threshold === undefined ? undefined : html` <small>${threshold} % wanted</small>`;
  return html`<section><h2>${name}</h2><dl><div class="${isLow ? 'part' : 'full'}"><dt>all</dt><dd>${percentOf(counts.all)} %${wanted}</dd></div>${tiles}</dl>
${isDisabled ? html`<p class="note">The policy is disabled; this is its coverage as if it were enabled.</p>` : undefined}
<pre>${sourceLines(policy)}</pre>${missingList(policy)}</section>`;
}

/** What a part of the source shows: all of its goals are reached, some, none, or none can be. */
type Colour = 'all' | 'some' | 'none' | 'never';

interface Marked {
  readonly range: Range;
  readonly colour: Colour;
  readonly goals: readonly CoveredGoal[];
}

function sourceLines(policy: PolicyCoverage): readonly Html[] {
  const { source } = policy;
  const marks = marksIn(policy);
  const first = Math.max(0, source.positionAt(Math.min(...marks.map(({ range }) => range.start))).line - 2);
  const last = Math.max(
    ...policy.rules.map(({ range }) => source.positionAt(range.start).line),
    ...marks.map(({ range }) => source.positionAt(range.end).line),
  );
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const line = source.lineRange(first + index);
    return html`<span class="line"><i>${first + index + 1}</i>${coloured(policy, line, marks)}</span>`;
  });
}

/** Outer marks are cut where inner ones begin: a name, an atom and an action do not overlap, an expression contains its atoms. */
function coloured({ source }: PolicyCoverage, line: Range, marks: readonly Marked[]): readonly Html[] {
  const own = marks.filter(({ range }) => range.start < line.end && range.end > line.start);
  const cuts = new Set([line.start, line.end]);
  for (const { range } of own) {
    cuts.add(Math.max(line.start, range.start));
    cuts.add(Math.min(line.end, range.end));
  }
  const places = [...cuts].toSorted((a, b) => a - b);
  return places.slice(1).map((end, index) => {
    const start = places[index]!;
    const text = source.text.slice(start, end);
    const covering = own.filter(({ range }) => range.start <= start && range.end >= end);
    const inner = covering.toSorted((a, b) => a.range.end - a.range.start - (b.range.end - b.range.start))[0];
    if (inner === undefined || text.trim() === '') return html`${text}`;
    return html`<span class="${inner.colour}" title="${inner.goals.map(goalText).join('\n')}">${text}</span>`;
  });
}

function marksIn({ goals }: PolicyCoverage): readonly Marked[] {
  const places = Map.groupBy(
    goals.filter(({ range, group, rule }) => range.end > range.start && (group !== 'endings' || rule !== undefined)),
    ({ range }) => `${range.start} ${range.end}`,
  );
  return [...places.values()].map(same => {
    const possible = same.filter(({ state }) => state !== 'impossible');
    const reached = possible.filter(({ state }) => state === 'reached');
    const colour =
      possible.length === 0
        ? 'never'
        : reached.length === 0
          ? 'none'
          : reached.length === possible.length
            ? 'all'
            : 'some';
    return { range: same[0]!.range, colour, goals: same };
  });
}

function goalText(goal: CoveredGoal): string {
  if (goal.state === 'reached') return `${GOAL_LABELS[goal.kind]} in ${testsText(goal)}`;
  return goal.state === 'impossible'
    ? `${GOAL_LABELS[goal.kind]}: impossible, ${goal.reason ?? 'as is proved'}`
    : missingText(goal);
}

const GOAL_LABELS: Readonly<Record<CoveredGoal['kind'], string>> = {
  matches: 'matches',
  'does-not-match': 'does not match',
  fails: 'fails',
  'decides-true': 'true decides',
  'decides-false': 'false decides',
  runs: 'does something',
  ends: 'ends the policy',
  'lets-pass': 'lets traffic pass',
  fills: 'has a value',
  'fill-fails': 'fails',
  ending: 'is how the policy ends',
};

/** More names would hide what matters. */
const MAX_NAMES = 5;

function testsText({ tests }: CoveredGoal): string {
  const more = tests.length > MAX_NAMES ? ` and ${tests.length - MAX_NAMES} more` : '';
  return `${tests
    .slice(0, MAX_NAMES)
    .map(name => `“${name}”`)
    .join(', ')}${more}`;
}

function missingList({ goals, rules, source }: PolicyCoverage): Html {
  const line = (goal: CoveredGoal) => {
    const at = source.positionAt(goal.range.start).line + 1;
    const text = source.text.slice(goal.range.start, goal.range.end);
    const where = goal.rule === undefined ? undefined : html`${rules[goal.rule]!.label}, line ${at}: `;
    return html`<li>${where}${text === '' ? undefined : html`<code>${text}</code> `}${goalText(goal)}</li>`;
  };
  const lists = (['open', 'impossible', 'reached'] as const).map(state => {
    const own = goals.filter(goal => goal.state === state);
    const title = { open: 'not reached', impossible: 'impossible', reached: 'reached' }[state];
    return own.length === 0
      ? undefined
      : html`<details><summary>${own.length} ${title}</summary><ul>${own.map(line)}</ul></details>`;
  });
  return html`${lists}`;
}

const COVERAGE_STYLE = `
:root{--fg:#1c2024;--bg:#fff;--line:#d9dde2;--all:#cdeccf;--some:#fbe7a1;--none:#f9c9c4;--note:#5b6470}
@media(prefers-color-scheme:dark){:root{--fg:#e6e8ea;--bg:#15181c;--line:#343a41;--all:#1d4a27;--some:#5a4a10;--none:#652621;--note:#9aa4af}}
*{box-sizing:border-box}
body{margin:0;color:var(--fg);background:var(--bg);font:16px/1.5 system-ui,sans-serif}
main{max-width:70rem;margin:0 auto;padding:1rem}
h1{font-size:1.5rem}h2{font-size:1.1rem;overflow-wrap:anywhere}
dl{display:flex;flex-wrap:wrap;gap:.5rem;margin:0 0 1rem}
dl div{border:1px solid var(--line);border-left-width:.4rem;padding:.25rem .75rem;border-radius:.25rem}
dl .full{border-left-color:#3a9d4a}dl .part{border-left-color:#d1872c}
dt{font-size:.8rem;color:var(--note)}dd{margin:0;font-weight:600;font-variant-numeric:tabular-nums}
pre{border:1px solid var(--line);border-radius:.25rem;padding:.5rem 0;overflow-x:auto;font:14px/1.6 ui-monospace,monospace}
.line{display:block;padding-right:1rem}
.line i{display:inline-block;width:3.5rem;padding-right:1rem;text-align:right;font-style:normal;color:var(--note);user-select:none}
.all{background:var(--all)}.some{background:var(--some)}
.none{background:var(--none);text-decoration:underline wavy 1px}
.never{background:repeating-linear-gradient(135deg,transparent 0 4px,var(--line) 4px 6px)}
.legend span{padding:.1rem .5rem;border-radius:.25rem}
details{margin:.25rem 0}summary{cursor:pointer}
li{overflow-wrap:anywhere}code{font:14px ui-monospace,monospace}
.note{color:var(--note)}
`;

// Mutants as a page: for each policy its score, the mutants that survive with a test to copy, and the rest on demand.

/** Returns mutants as a self-contained page. */
export function htmlMutants(policies: readonly PolicyMutants[]): string {
  const body = html`<main><h1>Mutants</h1><p class="note">Copies of each policy with one small mistake. A test that fails with a mutant kills it; no test would notice the mistake of one that survives.</p>${policies.map(mutantsSection)}</main>`;
  return htmlPage({ title: 'Mutants', style: MUTANTS_STYLE, body });
}

function mutantsSection(policy: PolicyMutants): Html {
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

const MUTANTS_STYLE = `
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
