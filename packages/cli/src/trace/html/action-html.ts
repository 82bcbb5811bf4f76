import type { Note } from '@tollgate/simulator';
import { type Html, html } from '../../text/html.ts';
import { changesTraffic, endingText, noteText } from '../text/action-lines.ts';
import type { Change } from '../view/changes.ts';
import { formatValueOrNothing } from '../view/message-lines.ts';
import type { ActionView } from '../view/trace-view.ts';
import { codedText } from './coded-text.ts';
import { expressionHtml } from './expression-html.ts';

/** Renders what an action did. */
export function actionHtml(action: ActionView): Html {
  const { type, trace, changes, filled } = action;
  if (trace === undefined) {
    return html`<div class="action skipped"><span class="name">→ ${type}</span> not run: evaluation had already ended</div>`;
  }
  const ending = endingText(trace);
  return html`<div class="action"><p><span class="name">→ ${type}</span>${DOUBTFUL_RESULTS[trace.result]}</p>
${filled.map(expressionHtml)}${trace.notes.map(noteHtml)}${changesHtml(changes)}
${ending === undefined ? undefined : html`<p class="${trace.result === 'fired' ? 'name' : 'unknown'}">${codedText(ending)}</p>`}</div>`;
}

const DOUBTFUL_RESULTS = {
  fired: undefined,
  'may-have-fired': html` <span class="unknown">perhaps</span>`,
  idle: html` <span class="quiet">nothing to do</span>`,
} as const;

/** Renders the changes to the traffic. */
export function changesHtml(changes: readonly Change[]): Html | undefined {
  const shown = changes.filter(changesTraffic);
  if (shown.length === 0) return undefined;
  const rows = shown.map(
    ({ what, before, after }) => html`<dt class="mono">${what}</dt>
<dd class="mono"><span class="${before === undefined ? 'quiet' : 'before'}">${formatValueOrNothing(before)}</span> → ${formatValueOrNothing(after)}</dd>`,
  );
  return html`<dl>${rows}</dl>`;
}

function noteHtml(note: Note): Html {
  const [kind, text] = noteText(note);
  return html`<p>${kind === '' ? undefined : html`<span class="name">${kind}</span> `}<span class="${note.kind === 'failed' ? 'error' : ''}">${text}</span></p>`;
}
