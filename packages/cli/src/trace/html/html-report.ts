import { humanPosition } from '@tollgate/diagnostics';
import { type EdgeTrace, loggedBy, type RouteVerdict, type RuleResult } from '@tollgate/simulator';
import { type Html, html, htmlPage } from '../../text/html.ts';
import { exchangeTitle, isConnectionEndpoint, leftOut, STATUSES, titleOf } from '../text/text-report.ts';
import { formatNeeds, formatOutcome, knownText } from '../view/message-lines.ts';
import { routeName, verdictText } from '../view/route-lines.ts';
import { ruleTitle } from '../view/rule-reason.ts';
import type { TraceReport } from '../view/trace-report.ts';
import type { ModuleView, RuleView, TraceView } from '../view/trace-view.ts';
import { valueText } from '../view/value-text.ts';
import { actionHtml, changesHtml } from './action-html.ts';
import { codedText } from './coded-text.ts';
import { expressionHtml } from './expression-html.ts';
import { clientHtml, upstreamHtml } from './message-html.ts';
import { PAGE_STYLE } from './page-style.ts';

/** Returns the report as a self-contained page without scripts. */
export function htmlTrace(report: TraceReport): string {
  const { view, routing, warnings } = report;
  const body = html`<header><p class="quiet">${report.file} · ${report.endpoint} · ${report.profile}</p><h1>${exchangeTitle(report.exchange)}</h1></header>
<main>
${warnings.diagnostics.map(({ severity, message }) => html`<p class="unknown">${severity}: ${codedText(message)}</p>`)}
${routing ? routingHtml(routing) : undefined}
${view ? viewHtml(view, report) : undefined}
</main>`;
  return htmlPage({ title: titleOf(report), style: PAGE_STYLE, body });
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
  return html`<p class="outcome${open ? ' open' : ''}">${codedText(outcomes.map(formatOutcome).join(', or '))}${open}</p>`;
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
          html`<p>${needs.length > 0 ? 'may end' : 'ends'} the evaluation: ${codedText(formatOutcome(ending.outcome))}</p>`,
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
