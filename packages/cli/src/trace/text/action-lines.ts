import { type Paint, printable } from '@tollgate/diagnostics';
import type { ActionTrace, Note } from '@tollgate/simulator';
import type { Change } from '../view/changes.ts';
import { formatNeeds, formatOutcome, formatValueOrNothing } from '../view/message-lines.ts';
import type { ActionView } from '../view/trace-view.ts';
import { valueText } from '../view/value-text.ts';
import { type Drawing, drawExpression } from './draw-expression.ts';

/** Renders what an action did. */
export function actionLines(action: ActionView, drawing: Drawing): readonly string[] {
  const { paint } = drawing;
  const { type, trace, changes, filled } = action;
  if (trace === undefined) return [`${paint('faint', `→ ${type}  not run: evaluation had already ended`)}`];
  const doubt = trace.result === 'may-have-fired' ? paint('warning', '  perhaps') : '';
  const idle =
    trace.result === 'idle' && !trace.notes.some(({ kind }) => kind === 'admission')
      ? paint('faint', '  nothing to do')
      : '';
  return [
    `${paint('strong', `→ ${type}`)}${doubt}${idle}`,
    ...filled.flatMap(({ root, source }) => indented(drawExpression(root, source, narrower(drawing)))),
    ...trace.notes.flatMap(note => indented([noteLine(note, paint)])),
    ...changes.filter(changesTraffic).flatMap(change => indented(changeLines(change, paint))),
    ...indented(endingLines(action, paint)),
  ];
}

const INDENT = '    ';

function indented(lines: readonly string[]): readonly string[] {
  return lines.map(line => (line === '' ? '' : INDENT + line));
}

function narrower({ paint, width }: Drawing): Drawing {
  return { paint, width: width - INDENT.length };
}

/** Returns false for the results of actions, which are shown where later expressions read them. */
export function changesTraffic({ what }: Change): boolean {
  return !what.startsWith('actions.');
}

/** Renders a change on one line if it fits, otherwise on three. */
export function changeLines({ what, before, after }: Change, paint: Paint): readonly string[] {
  const [from, to] = [formatValueOrNothing(before), formatValueOrNothing(after)];
  const name = paint('info', printable(what));
  const arrow = paint('frame', '→');
  if (what.length + from.length + to.length < ONE_LINE_LENGTH) return [`${name}  ${from} ${arrow} ${to}`];
  return [name, `    ${from}`, `  ${arrow} ${to}`];
}

const ONE_LINE_LENGTH = 70;

function noteLine(note: Note, paint: Paint): string {
  const [kind, text] = noteText(note);
  if (kind !== '') return `${paint('info', kind)} ${text}`;
  return paint(note.kind === 'failed' ? 'error' : 'warning', text);
}

/** Returns a verb and its object; the verb is empty if the text is a full sentence. */
export function noteText(note: Note): readonly [verb: string, text: string] {
  switch (note.kind) {
    case 'logged':
      return ['logs', printable(valueText(note.metadata))];
    case 'failed':
      return ['', `interpolation failed: ${printable(note.error.message)}`];
    case 'opaque':
      return ['', `unknown because ${note.reason}`];
    case 'admission':
      return [note.verdict === 'allow' ? 'allows' : 'denies', admissionText(note)];
    case 'invalid-token':
      return ['rejects', `the token: ${printable(note.reason)}`];
    case 'unsigned':
      return [
        'rejects',
        `an unsigned request without a ${note.headers.map(name => `\`${name}\``).join(' or ')} header`,
      ];
    case 'not-enforced':
      return ['', 'would reject the request, but is not enforcing'];
    case 'sent':
      return ['sends to', printable(note.url)];
    case 'counted':
      return ['counts', `${countOf(note)} for ${printable(note.key)}`];
  }
}

function admissionText({ range }: Extract<Note, { kind: 'admission' }>): string {
  return range === undefined
    ? 'the address, which is in no `allow` range'
    : `the address, which is in ${printable(range)}`;
}

function countOf({ least, most }: Extract<Note, { kind: 'counted' }>): string {
  return least === most ? String(least) : `${least} to ${most}`;
}

/** Returns how an action ended the evaluation, or may have; undefined if it did not. */
export function endingText({ ending, needs, result }: ActionTrace): string | undefined {
  if (ending === undefined) return undefined;
  const text = formatOutcome(ending.outcome);
  if (needs.length > 0) return `may end evaluation: ${text}; needs ${formatNeeds(needs)}`;
  return `${result === 'fired' ? 'ends' : 'would end'} evaluation: ${text}`;
}

function endingLines({ trace }: ActionView, paint: Paint): readonly string[] {
  const text = trace && endingText(trace);
  return text === undefined ? [] : [paint(trace?.result === 'fired' ? 'strong' : 'warning', text)];
}
