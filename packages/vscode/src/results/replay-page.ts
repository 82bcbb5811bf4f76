import { bar, boundsText, counted, shown } from './figures.ts';
import { type Content, element, fragment, type Html } from './html.ts';
import { outcomeText } from './outcome-text.ts';
import { heading, ruleLink, ruleTitle, type Subject } from './page.ts';
import type { Bounds, ReplayedRule, ReplayReport } from './replay-report.ts';

/** The rule that a replay was started for. */
export interface RuleOfInterest {
  readonly phase: string;
  /** From 1. */
  readonly number: number;
}

/** Returns the page for a replay: how often each rule matches, and what happens to the traffic. */
export function replayPage(report: ReplayReport, subject: Subject, interest?: RuleOfInterest): Html {
  const { exchanges, files, rules, outcomes, undetermined } = report;
  return fragment(
    heading('Replay', subject, ' · ', counted(exchanges, 'exchange')),
    files.map(fileLine),
    element('h2', {}, 'Rules'),
    rules.map(rule => ruleSection(rule, { subject, exchanges, isOfInterest: isSame(rule, interest) })),
    element('h2', {}, 'Outcomes'),
    element(
      'table',
      {},
      outcomes.map(({ outcome, count }) => outcomeRow(outcomeText(outcome), count, exchanges)),
    ),
    undetermined.exchanges > 0
      ? element(
          'p',
          { class: 'needs' },
          `${counted(undetermined.exchanges, 'exchange')} undetermined, because the recording lacks `,
          listed(undetermined.needs),
          '.',
        )
      : undefined,
  );
}

function fileLine({ file, exchanges, skipped, failure }: ReplayReport['files'][number]): Html {
  const notes = [counted(exchanges, 'exchange'), ...(skipped > 0 ? [`${counted(skipped, 'record')} skipped`] : [])];
  const text = failure ? failure.message : notes.join(', ');
  return element('p', { class: failure ? 'failure' : 'file' }, element('code', {}, file), ' ', text);
}

interface RuleContext {
  readonly subject: Subject;
  readonly exchanges: number;
  readonly isOfInterest: boolean;
}

function ruleSection(rule: ReplayedRule, { subject, exchanges, isOfInterest }: RuleContext): Html {
  const { phase, index, name, matched, undetermined, notMatched, notReached, failed } = rule;
  const title = ruleTitle({ phase, number: index + 1, name });
  const rest = [
    [notMatched, 'not matched'],
    [notReached, 'not reached'],
    [failed, 'failed'],
    [undetermined, 'undetermined'],
  ] as const;
  return element(
    'section',
    { class: isOfInterest ? 'replayed interest' : 'replayed' },
    element(
      'p',
      { class: 'figure' },
      ruleLink(subject, phase, index + 1, title),
      element('span', { class: matched === 0 ? 'never' : 'matched' }, matchText(rule)),
    ),
    bar({ least: matched, most: matched + undetermined }, exchanges),
    element(
      'p',
      { class: 'reason' },
      rest.flatMap(([count, what]) => (count > 0 ? [`${shown(count)} ${what}`] : [])).join(' · '),
      rule.needs.length > 0 ? [' · needs ', listed(rule.needs)] : undefined,
      rule.errors.length > 0 ? [' · ', listed(rule.errors)] : undefined,
    ),
  );
}

function matchText({ matched, undetermined }: ReplayedRule): string {
  if (matched > 0) return `${shown(matched)} matched`;
  return undetermined > 0 ? 'no certain match' : 'no match';
}

function isSame({ phase, index }: ReplayedRule, interest: RuleOfInterest | undefined): boolean {
  return interest?.phase === phase && interest.number === index + 1;
}

function outcomeRow(text: string, count: Bounds, total: number): Html {
  const number = element('td', { class: 'number' }, boundsText(count));
  return element('tr', {}, element('td', {}, text), number, element('td', { class: 'share' }, bar(count, total)));
}

function listed(items: readonly { readonly text: string }[]): Content {
  return items.map(({ text }, i) => [i > 0 ? ', ' : '', element('code', {}, text)]);
}
