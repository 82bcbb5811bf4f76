// The report of a trace as a page: expressions are drawn, and each part shows its value.

import { Unknown } from '@tollgate/cel';
import { ANSI, displayWidth, humanPosition } from '@tollgate/diagnostics';
import {
  type Decision,
  type EdgeTrace,
  type HeaderMap,
  type Known,
  loggedBy,
  type Note,
  type RouteVerdict,
  type RuleResult,
} from '@tollgate/simulator';
import { type Html, html, htmlPage } from '../text/html.ts';
import { drawExpression, MIN_ROOM } from './draw-expression.ts';
import {
  describeOutcome,
  formatNeeds,
  formatValueOrNothing,
  headerEntries,
  isPartial,
  knownText,
  nodeText,
  routeName,
  upstreamUrl,
  verdictText,
} from './message-lines.ts';
import type { SubExpression } from './sub-expression.ts';
import {
  actionResult,
  changesTraffic,
  endingText,
  exchangeTitle,
  isConnectionEndpoint,
  leftOut,
  noteText,
  STATUSES,
  titleOf,
} from './text-trace.ts';
import {
  type ActionView,
  type ExpressionView,
  type ModuleView,
  type RuleView,
  ruleTitle,
  type StateChange,
  type TraceReport,
  type TraceView,
} from './trace-view.ts';
import { valueText } from './value-text.ts';

/** Returns the report as a self-contained page without scripts. */
export function htmlTrace(report: TraceReport): string {
  const { view, routing, warnings } = report;
  const body = html`<header><p class="quiet">${report.file} · ${report.endpoint} · ${report.profile}</p><h1>${exchangeTitle(report.exchange)}</h1></header>
<main>
${warnings.diagnostics.map(({ severity, message }) => html`<p class="unknown">${severity}: ${codedText(message)}</p>`)}
${routing ? routingHtml(routing) : undefined}
${view ? viewHtml(view, report) : undefined}
</main>`;
  return htmlPage({ title: titleOf(report), style: TRACE_STYLE, body });
}

function viewHtml(view: TraceView, report: TraceReport): Html {
  const { rules, endpoint } = report;
  const modules = html`<h2>Modules</h2><ul>${view.modules.map(moduleHtml)}</ul>`;
  const contents = html`<nav aria-label="rules"><ol>${rules.map(contentHtml)}</ol></nav>`;
  const shown = html`<h2>Rules</h2>${rules.length > MIN_RULES_FOR_CONTENTS ? contents : undefined}
${rules.map(rule => ruleHtml(rule, report))}`;
  return html`${outcomeHtml(view)}
${view.modules.length > 0 ? modules : undefined}
${rules.length > 0 ? shown : undefined}
${leftOut(report).map(text => html`<p class="quiet">${text}</p>`)}
${isConnectionEndpoint(endpoint) ? undefined : messagesHtml(view)}`;
}

/** Minimum number of rules for a table of contents. */
const MIN_RULES_FOR_CONTENTS = 3;

function outcomeHtml({ decision: { outcomes, needs } }: TraceView): Html {
  const open =
    needs.length === 0 ? undefined : html`<br><span class="unknown">depends on ${codedText(formatNeeds(needs))}</span>`;
  return html`<p class="outcome${open ? ' open' : ''}">${codedText(outcomes.map(describeOutcome).join(', or '))}${open}</p>`;
}

function routingHtml({ request, verdicts, decision }: EdgeTrace): Html {
  const chosenRoute = decision.kind === 'routed' ? decision.route : undefined;
  const rows = verdicts.map(verdict => html`<li>${verdictHtml(verdict, verdict.route === chosenRoute)}</li>`);
  const end = {
    routed: undefined,
    unrouted: html`<p class="error">No route matches.</p>`,
    open: html`<p class="unknown">The route is unknown: needs ${'needs' in decision ? codedText(formatNeeds(decision.needs)) : undefined}</p>`,
  }[decision.kind];
  return html`<h2>Routes for <span class="mono">${knownText(request.host)} ${knownText(request.path)}</span></h2><ul>${rows}</ul>${end}`;
}

function verdictHtml(verdict: RouteVerdict, isTaken: boolean): Html {
  const name = html`<span class="mono">${routeName(verdict.route)}</span>`;
  if (isTaken) return html`<span class="true">✓ ${name}</span> matches`;
  return html`${name} <span class="quiet">${codedText(verdictText(verdict) ?? 'would match, but an earlier route does')}</span>`;
}

function moduleHtml({ name, result, changes }: ModuleView): Html {
  const acts = 'actions' in result ? result.actions : [];
  const endings = acts.flatMap(({ ending, needs }) =>
    ending
      ? [
          html`<p>${needs.length > 0 ? 'may end' : 'ends'} the evaluation: ${codedText(describeOutcome(ending.outcome))}</p>`,
        ]
      : [],
  );
  const needs =
    result.status === 'undetermined' ? html`<p>needs ${codedText(formatNeeds(result.needs))}</p>` : undefined;
  const ran = result.status === 'matched' ? html`<span class="matched">ran</span>` : statusHtml(result);
  return html`<li><span class="name">${name}</span> ${ran}${needs}${changesHtml(changes)}${endings}</li>`;
}

function statusHtml({ status }: RuleResult): Html {
  return html`<span class="${status}">${STATUSES[status][1]}</span>`;
}

/** Renders a link to a rule. */
function contentHtml(rule: RuleView): Html {
  return html`<li><a href="#${anchorOf(rule)}">${markOf(rule)}<span>${ruleTitle(rule)} <span class="name">${rule.name}</span></span></a></li>`;
}

function markOf({ result: { status } }: RuleView): Html {
  return html`<span class="mark ${status}" aria-hidden="true">${STATUSES[status][0]}</span>`;
}

function anchorOf({ phase, number }: RuleView): string {
  return `${phase}-${number}`;
}

function ruleHtml(rule: RuleView, { source, inFile }: TraceReport): Html {
  const { result, reason, expressions, actions } = rule;
  const { line } = humanPosition(source, inFile(rule.range).start);
  // The outcome already says what the rest would.
  const isOpen = ['matched', 'failed', 'undetermined'].includes(result.status);
  const acts = 'actions' in result ? actions.map(actionHtml) : undefined;
  const head = html`${markOf(rule)}${ruleTitle(rule)} <span class="name">${rule.name}</span> ${statusHtml(result)} <span class="quiet">line ${line}</span>`;
  return html`<details id="${anchorOf(rule)}"${isOpen ? OPEN : undefined}><summary>${head}${reason === undefined ? undefined : html`<p>${codedText(reason)}</p>`}</summary>
<div class="inside">${expressions.map(expressionHtml)}${acts}</div></details>`;
}

const OPEN = html` open`;

function messagesHtml({ decision }: TraceView): Html {
  const logged = loggedBy(decision).map(metadata => html`<p class="mono">${valueText(metadata)}</p>`);
  return html`<div class="sides"><section><h2>The client gets</h2>${clientHtml(decision)}</section>
<section><h2>The upstream gets</h2>${upstreamHtml(decision)}</section></div>
${logged.length > 0 ? html`<h2>Logged</h2><div class="message">${logged}</div>` : undefined}`;
}

/** Widths of drawings on wide and narrow screens, in columns. */
const WIDE = 110;
const NARROW = 36;
/** Maximum length of a value, in UTF-16 code units. */
const MAX_LENGTH = 1000;

/**
 * Renders an expression whose parts show their values on hover or focus, and a drawing of all values: below the source, or instead of it if
 * they have the same width.
 */
function expressionHtml({ root, source }: ExpressionView): Html {
  const [wide, narrow] = [WIDE, NARROW].map(width => drawExpression(root, source, { paint: ANSI, width }));
  const isOneRow = !/[\r\n]/.test(source.trimEnd()) && displayWidth(source) <= WIDE - MIN_ROOM;
  const shown = sourceHtml(source, root);
  const parts = html`<div class="source mono${isOneRow ? ' replaced' : ''}">${shown}</div>`;
  const first = isOneRow ? html`<span class="whole">${shown}</span>\n` : undefined;
  return html`${parts}
${drawn(isOneRow ? wide!.slice(1) : wide!, 'wide', first)}${drawn(narrow!, 'narrow')}`;
}

function drawn(lines: readonly string[], kind: string, first?: Html): Html {
  const rows = lines.map(line => html`${ansiHtml(line)}\n`);
  return html`<pre class="drawn ${kind}" tabindex="0" aria-label="values of the parts">${first}${rows}</pre>`;
}

/** Renders the source lines; the source around the root is included. */
function sourceHtml(source: string, root: SubExpression): Html {
  const { start, end } = root.range;
  return html`${lines(source.slice(0, start))}${partHtml(root, source)}${lines(source.slice(end).trimEnd())}`;
}

function partHtml(part: SubExpression, source: string): Html {
  const { range, children, count, isConstant } = part;
  const inner: Html[] = [];
  let at = range.start;
  for (const child of children) {
    if (child.range.start < at || child.range.end > range.end) continue;
    inner.push(lines(source.slice(at, child.range.start)), partHtml(child, source));
    at = child.range.end;
  }
  inner.push(lines(source.slice(at, range.end)));
  if (isConstant) return html`${inner}`;
  const { text } = count === 0 ? { text: 'not evaluated' } : nodeText(part, MAX_LENGTH);
  return html`<span class="part ${kindOf(part)}" tabindex="0">${inner}<span class="value" role="note"><b>${oneLine(part.text)}</b>
${text}${part.type === undefined ? '' : html` <span class="quiet">${part.type}</span>`}</span></span>`;
}

/** Returns the class for the colour of a value. */
function kindOf(part: SubExpression): string {
  if (part.count === 0) return 'skipped';
  const { style } = nodeText(part, 10);
  if (style === 'error') return 'error';
  if (style === 'warning') return 'unknown';
  if (part.results.length > 0 && part.results.every(result => result === false)) return 'false';
  return style === 'hint' ? 'true' : 'known';
}

/** Makes all control characters visible except line breaks. */
function lines(text: string): Html {
  const parts = text.split(/\r\n|\n|\r/);
  return html`${parts.map((line, index) =>
    index === 0
      ? html`${tabless(line)}`
      : html`
${tabless(line)}`,
  )}`;
}

function tabless(line: string): string {
  return line.replaceAll('\t', '    ');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

/** Renders what an action did. */
function actionHtml(action: ActionView): Html {
  const { type, trace, changes, filled } = action;
  if (trace === undefined) {
    return html`<div class="action skipped"><span class="name">→ ${type}</span> not run: evaluation had already ended</div>`;
  }
  const result = actionResult(action);
  const ending = endingText(trace);
  return html`<div class="action"><p><span class="name">→ ${type}</span>${result === undefined ? undefined : html` <span class="${trace.result === 'idle' ? 'quiet' : 'unknown'}">${result}</span>`}</p>
${filled.map(expressionHtml)}${trace.notes.map(noteHtml)}${changesHtml(changes)}
${ending === undefined ? undefined : html`<p class="${trace.result === 'fired' ? 'name' : 'unknown'}">${codedText(ending)}</p>`}</div>`;
}

/** Renders the changes to the traffic. */
function changesHtml(changes: readonly StateChange[]): Html | undefined {
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

/** Renders what the client receives. */
function clientHtml({ response, outcomes }: Decision): Html {
  if (response === undefined) {
    const isClosed = outcomes.every(({ kind }) => kind === 'closed');
    return html`<p>${isClosed ? 'No response: the connection is closed.' : 'No response.'}</p>`;
  }
  const { status, headers, body } = response;
  const text = body instanceof Unknown || body === '' ? undefined : bodyHtml(body);
  return html`<div class="message mono"><p>status ${knownHtml(status)}</p>${headersHtml(headers)}</div>${text}`;
}

const MAX_BODY_LENGTH = 4000;

function bodyHtml(body: string): Html {
  const text = body.length > MAX_BODY_LENGTH ? `${body.slice(0, MAX_BODY_LENGTH)}…` : body;
  const lines = text.split('\n').map(
    line => html`${line}
`,
  );
  return html`<pre class="drawn" tabindex="0" aria-label="body">${lines}</pre>`;
}

/** Renders what the upstream receives. */
function upstreamHtml({ upstream, needs }: Decision): Html {
  const { isAsked, request } = upstream;
  if (isAsked === false) return html`<p>Nothing: the request is not forwarded.</p>`;
  const open =
    isAsked === undefined
      ? html`<p class="unknown">If the request is forwarded, which needs ${codedText(formatNeeds(needs))}:</p>`
      : undefined;
  return html`${open}<div class="message mono"><p>${knownHtml(request.method)} ${knownHtml(upstreamUrl(request))}</p>
${headersHtml(request.headers)}</div>`;
}

function headersHtml(headers: HeaderMap): Html {
  const rows = headerEntries(headers).map(
    ([name, value]) => html`<p><span class="name">${name}</span>: ${knownHtml(value)}</p>`,
  );
  const rest = isPartial(headers) ? html`<p class="quiet">other headers are unknown</p>` : undefined;
  return html`${rows}${rest}`;
}

function knownHtml(value: Known<string | number>): Html {
  return value instanceof Unknown
    ? html`<span class="unknown">${codedText(knownText(value))}</span>`
    : html`${knownText(value)}`;
}

/** Classes of the page for our ANSI colour codes. */
const CLASSES: Readonly<Record<string, string>> = {
  '1;31': 'error',
  '1;33': 'unknown',
  '1;32': 'true',
  '1': 'name',
  '2': 'skipped',
  '34': 'quiet',
};

/** Renders a line with terminal colours. It contains no other escape characters, because drawings make them visible. */
function ansiHtml(line: string): Html {
  const pieces = line.split(/\u001b\[(\d[\d;]*)m/);
  let style = '0';
  const parts = pieces.map((piece, index): Html | string => {
    if (index % 2 === 1) {
      style = piece;
      return '';
    }
    const name = CLASSES[style];
    return name === undefined || piece === '' ? piece : html`<span class="${name}">${piece}</span>`;
  });
  return html`${parts}`;
}

/** Renders a sentence; strings in backticks become code. */
function codedText(text: string): Html {
  const pieces = text.split('`');
  // An unpaired backtick comes from user input.
  if (pieces.length % 2 === 0) return html`${text}`;
  return html`${pieces.map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : piece))}`;
}

/** The style sheet of a trace: for narrow and wide windows, light and dark. */
const TRACE_STYLE = `
:root {
  --ground: #fff; --card: #f6f8fa; --line: #d0d7de; --text: #1f2328; --quiet: #59636e;
  --good: #1a7f37; --bad: #b3261e; --open: #8a5a00; --link: #0758b8; --marked: #fff3bf;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0d1117; --card: #161b22; --line: #30363d; --text: #e6edf3; --quiet: #9198a1;
    --good: #57d364; --bad: #ff8a80; --open: #e3b341; --link: #79b8ff; --marked: #4b3b00;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem 1rem 6rem; max-width: 68rem; background: var(--ground); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.25rem; margin: 0 0 .25rem; }
h2 { font-size: 1.05rem; margin: 1.75rem 0 .5rem; }
code, pre, .mono { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: .875rem; }
p { margin: .25rem 0; }
a { color: var(--link); }
ol, ul { margin: .25rem 0; padding-left: 1.25rem; }
nav ol { list-style: none; padding: 0; margin: 0; }
nav a { display: flex; gap: .5rem; padding: .3rem .5rem; text-decoration: none; color: inherit; border-radius: .4rem; }
nav a:hover { background: var(--card); }
.quiet, .not-reached, .skipped { color: var(--quiet); }
.matched, .true { color: var(--good); }
.failed, .error { color: var(--bad); }
.undetermined, .unknown { color: var(--open); }
.mark { display: inline-block; width: 1.2rem; text-align: center; flex: none; font-weight: 700; }
.name { font-weight: 600; }
.outcome { font-weight: 600; padding: .6rem .8rem; border: 1px solid var(--line); border-left: .3rem solid var(--good);
  border-radius: .4rem; background: var(--card); margin: .75rem 0; }
.outcome.open { border-left-color: var(--open); }
details { border: 1px solid var(--line); border-radius: .5rem; margin: .5rem 0; }
summary { cursor: pointer; padding: .55rem .8rem; border-radius: .5rem; }
summary p { margin-left: 1.2rem; }
.inside { padding: 0 .8rem .8rem; }
.source, .drawn { background: var(--card); border-radius: .4rem; padding: .6rem .8rem; margin: .6rem 0 0; }
.source { white-space: pre-wrap; line-height: 1.9; }
.drawn .whole { line-height: 1.7; }
summary code, p code { background: var(--card); border-radius: .25rem; padding: 0 .2rem; }
.drawn { overflow-x: auto; line-height: 1.25; margin-top: .3rem; }
.drawn.wide { display: none; }
.part { border-bottom: 2px solid var(--line); padding-bottom: .1rem; }
.part.true { color: inherit; border-color: var(--good); }
.part.false { border-color: var(--quiet); }
.part.error { color: inherit; border-color: var(--bad); }
.part.unknown { color: inherit; border-color: var(--open); }
.part.skipped { border-bottom-style: dotted; }
.part > .value { display: none; }
.part:hover:not(:has(.part:hover)), .part:focus { background: var(--marked); outline: none; border-radius: .2rem; }
.part:hover:not(:has(.part:hover)) > .value, .part:focus > .value { display: block; }
body:has(.part:hover) .part:focus:not(:hover) > .value { display: none; }
.value { position: fixed; z-index: 1; left: 0; right: 0; bottom: 0; padding: .7rem 1rem; background: var(--card); color: var(--text);
  border-top: 2px solid var(--line); white-space: pre-wrap; line-height: 1.4; max-height: 40vh; overflow: auto; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.action { margin: .7rem 0 0; padding-left: .8rem; border-left: 3px solid var(--line); }
dl { margin: .3rem 0; }
dt { font-weight: 600; }
dd { margin: 0 0 .35rem 1rem; }
.before { color: var(--quiet); text-decoration: line-through; text-decoration-color: var(--quiet); }
.message { background: var(--card); border-radius: .4rem; padding: .6rem .8rem; }
.message p { margin: 0; }
.sides { display: grid; gap: 0 1rem; }
.sides > * { min-width: 0; }
@media (min-width: 56rem) {
  .drawn.wide { display: block; }
  .drawn.narrow, .source.replaced { display: none; }
  .sides { grid-template-columns: 1fr 1fr; }
}
@media print { details > * { display: block; } .drawn.wide { display: block; } .drawn.narrow { display: none; } }
`;
