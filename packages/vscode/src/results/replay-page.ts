import { element, fragment, type Html } from './html.ts';
import { outcomeText } from './outcome-text.ts';
import { commandLink, heading } from './page.ts';
import type { Bounds, ReplayedRule, ReplayReport } from './replay-report.ts';

/** The rule that a replay was started for. */
export interface RuleOfInterest {
  readonly phase: string;
  /** From 1. */
  readonly number: number;
}

/** Returns the page for a replay: how often each rule matches, and what happens to the traffic. */
export function replayPage(report: ReplayReport, file: string, interest?: RuleOfInterest): Html {
  const { exchanges, files, rules, outcomes, undetermined } = report;
  return fragment(
    heading('Replay', file, ' · ', counted(exchanges, 'exchange')),
    files.map(fileLine),
    element('h2', {}, 'Rules'),
    element(
      'table',
      { class: 'rules' },
      element(
        'tr',
        {},
        ['Rule', 'Matched', '', 'Not matched', 'Not reached', 'Failed', 'Undetermined'].map(columnHead),
      ),
      rules.map(rule => ruleRow(rule, { file, exchanges, isOfInterest: isSame(rule, interest) })),
    ),
    element('h2', {}, 'Outcomes'),
    element(
      'table',
      {},
      outcomes.map(({ outcome, count }) =>
        element('tr', {}, cell(outcomeText(outcome)), numberCell(boundsText(count)), barCell(count, exchanges)),
      ),
    ),
    undetermined.exchanges > 0
      ? element(
          'p',
          { class: 'needs' },
          `${counted(undetermined.exchanges, 'exchange')} undetermined, because the recording lacks `,
          undetermined.needs.map(({ text }, i) => [i > 0 ? ', ' : '', element('code', {}, text)]),
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

interface RowContext {
  readonly file: string;
  readonly exchanges: number;
  readonly isOfInterest: boolean;
}

function ruleRow(rule: ReplayedRule, { file, exchanges, isOfInterest }: RowContext): Html {
  const { phase, index, name, matched, notMatched, notReached, failed, undetermined, needs } = rule;
  const title = `${phase} ${index + 1}${name === undefined ? '' : ` · ${name}`}`;
  const reasons = [...rule.errors, ...needs].map(({ text }) => text).join('\n');
  return element(
    'tr',
    { class: isOfInterest ? 'interest' : undefined },
    element('td', {}, commandLink('tollgate.openRule', [file, phase, index + 1], title)),
    numberCell(shown(matched)),
    barCell({ least: matched, most: matched + undetermined }, exchanges),
    ...[notMatched, notReached, failed].map(one => numberCell(one === 0 ? '' : shown(one))),
    element('td', { class: 'number', title: reasons || undefined }, undetermined === 0 ? '' : shown(undetermined)),
  );
}

function isSame({ phase, index }: ReplayedRule, interest: RuleOfInterest | undefined): boolean {
  return interest?.phase === phase && interest.number === index + 1;
}

function columnHead(text: string): Html {
  return element('th', { scope: 'col', class: ['Rule', ''].includes(text) ? undefined : 'number' }, text);
}

function cell(text: string): Html {
  return element('td', {}, text);
}

function numberCell(text: string): Html {
  return element('td', { class: 'number' }, text);
}

/** Width of a bar, in units of its drawing. */
const FULL = 120;

/** Inline styles are forbidden, so bars are drawings. The lighter part is uncertain. */
function barCell({ least, most }: Bounds, total: number): Html {
  const width = (count: number) => (total === 0 ? 0 : Math.round((count / total) * FULL * 100) / 100);
  const bar = (kind: string, x: number, length: number) =>
    element('rect', { class: kind, x, y: 0, width: length, height: 8 });
  return element(
    'td',
    {},
    element(
      'svg',
      { width: FULL, height: 8, viewBox: `0 0 ${FULL} 8`, role: 'img', 'aria-label': `${least} of ${total}` },
      bar('rest', 0, FULL),
      bar('least', 0, width(least)),
      bar('most', width(least), width(most - least)),
    ),
  );
}

function boundsText({ least, most }: Bounds): string {
  return least === most ? shown(least) : `${shown(least)} – ${shown(most)}`;
}

function shown(count: number): string {
  return count.toLocaleString('en');
}

/** Returns a number with its noun. */
export function counted(count: number, noun: string): string {
  return `${shown(count)} ${noun}${count === 1 ? '' : 's'}`;
}
