import { type Content, element, fragment, type Html } from './html.ts';
import { type Outcome, outcomeText } from './outcome-text.ts';
import { heading, ruleLink, ruleTitle, type Subject } from './page.ts';

interface DecidingRule {
  readonly phase: string;
  readonly number: number;
  readonly name?: string;
}

interface Decided {
  readonly outcomes: readonly Outcome[];
  readonly needs: readonly string[];
  readonly rules: readonly DecidingRule[];
}

/** What `tollgate diff --format json` prints, as far as it is shown. */
export interface DiffReport {
  readonly verdict: 'equal' | 'different' | 'unknown' | string;
  readonly isComplete: boolean;
  readonly differences: readonly {
    readonly exchange: Readonly<Record<string, unknown>>;
    readonly changes: readonly string[];
    readonly before: Decided;
    readonly after: Decided;
  }[];
  readonly open: readonly { readonly reason: string }[];
}

/** Returns the page for a comparison with the committed policy: a request for each combination of rules that decides differently. */
export function impactPage({ differences, open, isComplete }: DiffReport, subject: Subject, revision: string): Html {
  return fragment(
    heading(`Impact against ${revision}`, subject),
    element('p', { class: 'outcome' }, verdictText(differences.length, open.length, isComplete)),
    differences.map(({ exchange, before, after }) =>
      element(
        'section',
        { class: 'difference' },
        element('h2', {}, requestLine(exchange)),
        element('dl', {}, decidedPair('was', before, subject), decidedPair('now', after, subject)),
      ),
    ),
    open.length > 0
      ? element(
          'section',
          {},
          element('h2', {}, 'Not decided'),
          element(
            'ul',
            {},
            open.map(({ reason }) => element('li', {}, reason)),
          ),
        )
      : undefined,
  );
}

function verdictText(differences: number, open: number, isComplete: boolean): string {
  if (differences === 0 && open === 0 && isComplete)
    return 'Both policies decide every well-formed request alike (proved).';
  const found = differences === 0 ? 'No difference found' : `${differences} difference${differences === 1 ? '' : 's'}`;
  return `${found}${isComplete && open === 0 ? '.' : '; there may be more.'}`;
}

function requestLine({ method, url, target, client_ip: client }: Readonly<Record<string, unknown>>): Content {
  const from = typeof client === 'string' ? ` from ${client}` : '';
  return [element('code', {}, `${method ?? 'GET'} ${url ?? target ?? ''}`), from];
}

function decidedPair(when: string, { outcomes, needs, rules }: Decided, subject: Subject): Html {
  const by = rules.map((rule, i) => {
    const title = ruleTitle(rule);
    // Only rules of the current policy can be opened in the editor.
    return [i > 0 ? ', ' : '', when === 'now' ? ruleLink(subject, rule.phase, rule.number, title) : title];
  });
  return fragment(
    element('dt', {}, when),
    element(
      'dd',
      {},
      outcomes.map(outcomeText).join(' or '),
      by.length > 0 ? [' (', by, ')'] : undefined,
      needs.length > 0 ? ` needs ${needs.join(', ')}` : undefined,
    ),
  );
}
