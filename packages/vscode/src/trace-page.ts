import { type Content, commandLink, element, fragment, type Html, heading, ruleTitle, type Subject } from './page.ts';

interface Range {
  readonly from: { readonly line: number; readonly character: number };
}

/** A subexpression with its values. */
export interface TracedPart {
  readonly text: string;
  readonly document?: Range;
  readonly operation: string;
  readonly count: number;
  readonly results: readonly {
    readonly text?: string;
    readonly error?: { readonly message: string };
    readonly needs?: readonly string[];
  }[];
  readonly parts: readonly TracedPart[];
}

/** An expression of a rule. */
interface TracedExpression extends TracedPart {
  readonly source: string;
}

/** An action of a rule. */
interface TracedAction {
  readonly type: string;
  readonly result: 'fired' | 'may-have-fired' | 'idle' | 'not-run';
  readonly changes?: readonly {
    readonly what: string;
    readonly before: { readonly text?: string } | null;
    readonly after: { readonly text?: string } | null;
  }[];
  readonly ending?: Outcome;
}

/** A rule and why it did or did not match. */
interface TracedRule {
  readonly phase: string;
  readonly number: number;
  readonly name?: string;
  readonly status: 'matched' | 'not-matched' | 'failed' | 'undetermined' | 'not-reached';
  readonly reason?: string;
  readonly error?: { readonly message: string };
  readonly range: Range;
  readonly expressions: readonly TracedExpression[];
  readonly actions: readonly TracedAction[];
}

/** What `tollgate trace --format json` prints, as far as it is shown. */
export interface TraceReport {
  readonly exchange: { readonly method?: string; readonly url?: string; readonly target?: string };
  readonly rules: readonly TracedRule[];
  readonly outcomes: readonly Outcome[];
  readonly needs: readonly string[];
  readonly client: {
    readonly status?: unknown;
    readonly headers?: Readonly<Record<string, unknown>>;
    readonly body?: unknown;
  } | null;
  readonly upstream?: {
    readonly isAsked: boolean | null;
    readonly method?: unknown;
    readonly url?: unknown;
    readonly headers?: Readonly<Record<string, unknown>>;
  };
}

/** How evaluation ends, in the reports of the command. */
export interface Outcome {
  readonly kind: string;
  readonly status?: number;
  readonly action?: string;
}

/** Returns an outcome for people: `denied with 403 by deny`. */
export function outcomeText({ kind, status, action }: Outcome): string {
  const code = status === undefined ? '' : ` with ${status}`;
  return `${kind.replaceAll('-', ' ')}${code}${action === undefined ? '' : ` by ${action}`}`;
}

/** Returns the page for a trace: each rule with the values of its subexpressions, and what client and upstream receive. */
export function tracePage(report: TraceReport, subject: Subject): Html {
  const { exchange, rules, outcomes, needs } = report;
  const request = `${exchange.method ?? 'GET'} ${exchange.url ?? exchange.target ?? ''}`;
  return fragment(
    heading('Trace', subject, ' · ', element('code', {}, request)),
    element('p', { class: 'outcome' }, 'Outcome: ', outcomes.map(outcomeText).join(' or ')),
    needs.length > 0 && needs ? needsList('It depends on what the request does not say:', needs) : undefined,
    rules.map(rule => ruleSection(rule, subject.file)),
    receivers(report),
  );
}

const STATUS: Readonly<Record<TracedRule['status'], readonly [mark: string, text: string]>> = {
  matched: ['✓', 'matched'],
  'not-matched': ['✗', 'not matched'],
  failed: ['!', 'failed'],
  undetermined: ['?', 'undetermined'],
  'not-reached': ['·', 'not reached'],
};

function ruleSection(rule: TracedRule, file: string): Html {
  const { status, reason, expressions, actions, error, range } = rule;
  const [mark, text] = STATUS[status];
  const summary = element(
    'summary',
    {},
    element('span', { class: 'mark' }, mark),
    commandLink('tollgate.openLocation', [file, range.from.line, range.from.character], ruleTitle(rule)),
    element('span', { class: 'status' }, text),
  );
  const ran = actions.filter(({ result }) => result !== 'not-run');
  return element(
    'details',
    { class: `rule ${status}`, open: status !== 'not-reached' },
    summary,
    error && element('p', { class: 'reason' }, error.message),
    reason !== undefined && reason !== error?.message ? element('p', { class: 'reason' }, reason) : undefined,
    expressions.map(one => expressionTree(one, file)),
    ran.length > 0 ? element('ul', { class: 'actions' }, ran.map(actionItem)) : undefined,
  );
}

function expressionTree(expression: TracedExpression, file: string): Html {
  return element('ul', { class: 'tree' }, partItem({ ...expression, text: expression.source }, file));
}

function partItem(part: TracedPart, file: string): Content {
  const { text, document, parts } = part;
  if (isConstant(part)) return undefined;
  const at = document?.from;
  const source = element('code', {}, text);
  return element(
    'li',
    {},
    at ? commandLink('tollgate.openLocation', [file, at.line, at.character], source) : source,
    ' = ',
    partValue(part),
    parts.length > 0
      ? element(
          'ul',
          {},
          parts.map(one => partItem(one, file)),
        )
      : undefined,
  );
}

/** A literal, or a list of literals, says its value itself. */
function isConstant({ operation, parts }: TracedPart): boolean {
  return operation === 'literal' || (operation === 'list' && parts.every(isConstant));
}

function partValue({ results, count }: TracedPart): Html {
  const [first] = results;
  if (count === 0 || !first) return element('span', { class: 'skipped' }, 'not evaluated');
  const more = count > 1 ? ` (the first of ${count})` : '';
  if (first.error) return element('span', { class: 'error' }, first.error.message, more);
  if (first.needs) return element('span', { class: 'unknown' }, `unknown: needs ${first.needs.join(', ')}`, more);
  return fragment(element('code', { class: 'value' }, first.text ?? ''), more);
}

function actionItem({ type, result, changes, ending }: TracedAction): Html {
  return element(
    'li',
    {},
    element('code', {}, type),
    result === 'fired' ? '' : ` (${result.replaceAll('-', ' ')})`,
    ending ? `: ends evaluation, ${outcomeText(ending)}` : '',
    changes && changes.length > 0
      ? element(
          'ul',
          {},
          changes.map(({ what, before, after }) =>
            element('li', {}, element('code', {}, what), ': ', resultText(before), ' → ', resultText(after)),
          ),
        )
      : undefined,
  );
}

function resultText(result: { readonly text?: string } | null): Html {
  return result === null ? element('em', {}, 'absent') : element('code', {}, result.text ?? 'unknown');
}

function needsList(lead: string, needs: readonly string[]): Html {
  return element(
    'p',
    { class: 'needs' },
    `${lead} `,
    needs.map((one, i) => [i > 0 ? ', ' : '', element('code', {}, one)]),
  );
}

function receivers({ client, upstream }: TraceReport): Html {
  return fragment(
    element('h2', {}, 'The client receives'),
    client
      ? element(
          'dl',
          {},
          pair('status', knownText(client.status)),
          Object.entries(client.headers ?? {}).map(([name, values]) => pair(name, knownText(values))),
          client.body === undefined ? undefined : pair('body', knownText(client.body)),
        )
      : element('p', {}, 'nothing'),
    element('h2', {}, 'The upstream receives'),
    upstream?.isAsked === false
      ? element('p', {}, 'nothing: the request is not forwarded')
      : element(
          'dl',
          {},
          pair('request', `${knownText(upstream?.method)} ${knownText(upstream?.url)}`),
          Object.entries(upstream?.headers ?? {}).map(([name, values]) => pair(name, knownText(values))),
        ),
  );
}

function pair(name: string, value: string): Html {
  return fragment(element('dt', {}, name), element('dd', {}, value));
}

function knownText(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (Array.isArray(value)) return value.map(knownText).join(', ');
  if (typeof value !== 'object') return String(value);
  const { needs } = value as { readonly needs?: readonly string[] };
  return needs ? `unknown: needs ${needs.join(', ')}` : JSON.stringify(value);
}
