import { bar, boundsText, counted, shown } from './figures.ts';
import { type Content, element, fragment, type Html } from './html.ts';
import { type Outcome, outcomeText } from './outcome-text.ts';
import { heading, type Subject } from './page.ts';
import type { Bounds } from './replay-report.ts';

/** How many of the most frequent clients and paths are shown. */
const MOST_LISTED = 3;

interface Frequent {
  readonly top: readonly { readonly text: string; readonly count: Bounds }[];
}

interface Transition {
  readonly was: Outcome;
  readonly becomes: Outcome;
  /** What differs if the outcome stays the same, such as `request-headers`. */
  readonly parts?: readonly string[];
  readonly count: Bounds;
  readonly rules: readonly { readonly was: string | null; readonly becomes: string | null; readonly count: number }[];
  readonly keys: Readonly<Partial<Record<'clients' | 'paths' | 'prefixes' | 'countries', Frequent>>>;
}

/** What `tollgate impact --format json` prints, as far as it is shown. */
export interface TrafficImpactReport {
  readonly exchanges: number;
  readonly changed: Bounds;
  readonly transitions: readonly Transition[];
}

/** Returns the page for a comparison with the committed policy on recorded traffic: what becomes of the exchanges that change. */
export function trafficImpactPage(report: TrafficImpactReport, subject: Subject, revision: string): Html {
  const { exchanges, changed, transitions } = report;
  return fragment(
    heading(`Impact against ${revision}`, subject, ' · ', counted(exchanges, 'exchange')),
    element('p', { class: 'outcome' }, verdictText(changed, exchanges)),
    transitions.map(one => transitionSection(one, exchanges)),
  );
}

function verdictText(changed: Bounds, exchanges: number): string {
  const noun = exchanges === 1 ? 'exchange' : 'exchanges';
  if (changed.most === 0) return `No change for ${counted(exchanges, 'exchange')}.`;
  return `${boundsText(changed)} of ${shown(exchanges)} ${noun} change.`;
}

function transitionSection({ was, becomes, parts = [], count, rules, keys }: Transition, exchanges: number): Html {
  const others = parts.length === 0 ? '' : `, other ${parts.join(', ').replaceAll('-', ' ')}`;
  return element(
    'section',
    { class: 'difference' },
    element('h2', {}, `${outcomeText(was)} → ${outcomeText(becomes)}${others}: ${boundsText(count)}`),
    bar(count, exchanges),
    element(
      'dl',
      {},
      row('rules', rules.slice(0, MOST_LISTED).map(ruleText)),
      row('clients', frequent(keys.clients)),
      row('paths', frequent(keys.paths)),
    ),
  );
}

function ruleText({ was, becomes, count }: Transition['rules'][number]): string {
  const [before, after] = [was ?? 'no rule', becomes ?? 'no rule'];
  return `${before === after ? before : `${before} → ${after}`} (${shown(count)})`;
}

function frequent(found: Frequent | undefined): readonly string[] {
  return (found?.top ?? []).slice(0, MOST_LISTED).map(({ text, count }) => `${text} (${boundsText(count)})`);
}

function row(title: string, items: readonly string[]): Content {
  return items.length === 0 ? undefined : [element('dt', {}, title), element('dd', {}, items.join(', '))];
}
