// The report of a trace as JSON, and the documentation of its members.

import { EvaluationError, type NonValue, toHost, Unknown, type Value } from '@tollgate/cel';
import { wholeOf } from '@tollgate/cel/tooling';
import { jsonDiagnostics, jsonText, type Range } from '@tollgate/diagnostics';
import { documentRange } from '@tollgate/policy';
import { type Decision, type EdgeTrace, type HeaderMap, type Known, loggedBy, type Note } from '@tollgate/simulator';
import { exchangeRecord } from '@tollgate/traffic';
import type { JsonMember } from '../text/json.ts';
import { verdictText } from './message-lines.ts';
import type { SubExpression } from './sub-expression.ts';
import type { ActionView, ExpressionView, ModuleView, RuleView, StateChange, TraceReport } from './trace-view.ts';
import { valueText } from './value-text.ts';

/** Returns the report as JSON. `TRACE_MEMBERS` describes each member; members are added, never changed. */
export function jsonTrace(report: TraceReport): string {
  const { file, profile, endpoint, exchange, warnings, routing, view } = report;
  const document = {
    version: 1,
    file,
    profile,
    endpoint,
    diagnostics: jsonDiagnostics(warnings),
    place: exchange.place,
    exchange: exchangeRecord(exchange),
    ...(routing && { routing: jsonRouting(routing) }),
    ...(view && {
      modules: view.modules.map(jsonModule),
      rules: report.rules.map(rule => jsonRule(rule, report)),
      ...jsonDecision(view.decision),
    }),
  };
  return `${jsonText(document, 2)}\n`;
}

function jsonRouting({ request, verdicts, decision }: EdgeTrace): object {
  const chosenRoute = decision.kind === 'routed' ? decision.route : undefined;
  return {
    host: known(request.host),
    path: known(request.path),
    kind: decision.kind,
    ...('needs' in decision && { needs: decision.needs }),
    routes: verdicts.map(verdict => ({
      id: verdict.route.id,
      match: verdict.route.match,
      matchType: verdict.route.matchType,
      isTaken: verdict.route === chosenRoute,
      reason: verdictText(verdict),
    })),
  };
}

function jsonModule({ name, result, changes }: ModuleView): object {
  const { status } = result;
  return {
    name,
    status,
    ...('needs' in result && { needs: result.needs }),
    changes: changes.map(jsonChange),
    ...('actions' in result && { endings: result.actions.flatMap(({ ending }) => (ending ? [ending.outcome] : [])) }),
  };
}

/** Where the rules are. */
type PolicyFile = Pick<TraceReport, 'source' | 'inFile'>;

function jsonRule(rule: RuleView, file: PolicyFile): object {
  const { phase, number, name, result, reason, range } = rule;
  return {
    phase,
    number,
    name,
    status: result.status,
    reason,
    ...('needs' in result && { needs: result.needs }),
    ...('error' in result && { error: errorOf(result.error) }),
    range: jsonRange(range, file),
    expressions: rule.expressions.map(expression => jsonExpression(expression, file)),
    actions: rule.actions.map(action => jsonAction(action, file)),
  };
}

function jsonAction({ type, range, trace, changes, filled }: ActionView, file: PolicyFile): object {
  return {
    type,
    range: jsonRange(range, file),
    result: trace?.result ?? 'not-run',
    expressions: filled.map(expression => jsonExpression(expression, file)),
    changes: changes.map(jsonChange),
    notes: (trace?.notes ?? []).map(jsonNote),
    ...(trace?.ending && { ending: { ...trace.ending.outcome, needs: trace.needs } }),
  };
}

function jsonChange({ what, before, after }: StateChange): object {
  return {
    what,
    before: before === undefined ? null : jsonResult(before),
    after: after === undefined ? null : jsonResult(after),
  };
}

function jsonNote(note: Note): object {
  if (note.kind === 'logged') return { kind: note.kind, metadata: plain(note.metadata) };
  return note.kind === 'failed' ? { kind: note.kind, error: errorOf(note.error) } : note;
}

function jsonExpression(expression: ExpressionView, file: PolicyFile): object {
  return { source: expression.source, ...jsonPart(expression.root, expression, file) };
}

function jsonPart(part: SubExpression, { text, offset }: ExpressionView, file: PolicyFile): object {
  const within = { text, offset } as ExpressionView;
  const { start, end } = part.range;
  const inDocument = text && documentRange(text, { start: start + offset, end: end + offset });
  return {
    text: part.text,
    range: part.range,
    anchor: part.anchor,
    ...(inDocument && { document: jsonRange(inDocument, file) }),
    operation: part.operation,
    type: part.type,
    count: part.count,
    results: part.results.map(jsonResult),
    parts: part.children.map(child => jsonPart(child, within, file)),
  };
}

function jsonDecision(decision: Decision): object {
  const { outcomes, needs, response, upstream } = decision;
  const { isAsked, request } = upstream;
  return {
    outcomes,
    needs,
    client: response
      ? { status: known(response.status), headers: headers(response.headers), body: known(response.body) }
      : null,
    upstream: {
      isAsked: isAsked ?? null,
      method: known(request.method),
      url: known(request.url),
      headers: headers(request.headers),
    },
    logged: loggedBy(decision).map(plain),
  };
}

/** Returns UTF-16 offsets, and zero-based lines and UTF-16 columns. */
function jsonRange(range: Range, { source, inFile }: PolicyFile): object {
  const { start, end } = inFile(range);
  return { start, end, from: source.positionAt(start), to: source.positionAt(end) };
}

function jsonResult(result: Value | NonValue): object {
  if (result instanceof EvaluationError) return { error: errorOf(result) };
  if (result instanceof Unknown) return { needs: result.attributes };
  return { value: plain(toHost(result as Value)), text: valueText(result) };
}

function errorOf({ code, message }: EvaluationError): object {
  return { code, message };
}

function known(value: Known<string | number>): unknown {
  return value instanceof Unknown ? { needs: value.attributes } : value;
}

function headers(map: HeaderMap): object {
  const entries = Object.entries(map).map(([name, values]) => {
    if (values === undefined) return [name, null] as const;
    return [name, values instanceof Unknown ? known(values) : values.map(known)] as const;
  });
  return Object.fromEntries(entries);
}

/** Returns a value as JSON: integers beyond 2^53 as strings, and maps by the string form of their keys. */
function plain(value: unknown): unknown {
  if (value instanceof EvaluationError) return { error: errorOf(value) };
  if (value instanceof Unknown) return { needs: value.attributes };
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (value === undefined) return null;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, member]) => [String(key), plain(member)]));
  if (isOpaque(value)) return valueText(value);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}

/** Bytes and values of other libraries have no JSON form, only a string. */
function isOpaque(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype !== Object.prototype && prototype !== null && wholeOf(value) === undefined;
}

/** Every member of the JSON report of a trace; `parts[]` is recursive. Later versions add members; `version` changes when the meaning of one changes. */
export const TRACE_MEMBERS: readonly JsonMember[] = [
  { path: 'version', doc: 'Version of this format: 1.' },
  { path: 'file', doc: 'Policy or edge, as named on the command line.' },
  { path: 'profile', doc: 'Profile of the policy.' },
  { path: 'endpoint', doc: 'Endpoint kind of the policy.' },
  { path: 'diagnostics[]', doc: 'Warnings about the policy, as in `tollgate check --format json`.' },
  { path: 'place', doc: 'Location of the exchange: `file`, `number` and `unit`.' },
  {
    path: 'exchange',
    doc: 'The exchange as a JSON Lines record, which `--request` can read; unknown fields are absent.',
  },
  { path: 'routing', doc: 'With `--edge`: how the route was chosen.' },
  { path: 'routing.host', doc: 'Host used for routing: a value, or an object with `needs` if unknown.' },
  { path: 'routing.path', doc: 'Decoded path used for routing, in the same form.' },
  { path: 'routing.kind', doc: '`routed`, `unrouted`, or `open` if the route is unknown.' },
  { path: 'routing.needs[]', doc: 'Inputs that would decide the route, if `open`.' },
  {
    path: 'routing.routes[]',
    doc: 'All routes in matching order; the first that matches is chosen.',
  },
  { path: 'routing.routes[].id', doc: 'Id as returned by the API.' },
  { path: 'routing.routes[].match', doc: 'A path, a host, or a host followed by a path.' },
  { path: 'routing.routes[].matchType', doc: '`exact_path` or `path_prefix`.' },
  { path: 'routing.routes[].isTaken', doc: 'True for the chosen route.' },
  { path: 'routing.routes[].reason', doc: 'Why it does not match; absent if it does.' },
  { path: 'modules[]', doc: 'Modules of the route, in order.' },
  { path: 'modules[].name', doc: 'Name of the module.' },
  { path: 'modules[].status', doc: '`matched` if it ran, `undetermined`, or `not-reached`.' },
  { path: 'modules[].needs[]', doc: 'Inputs that would decide an undetermined module.' },
  { path: 'modules[].endings[]', doc: 'How it ended evaluation, or may have, as in `outcomes`.' },
  { path: 'rules[]', doc: 'Rules in policy order, filtered by `--rule` and `--only`.' },
  { path: 'rules[].phase', doc: 'Phase of the rule.' },
  { path: 'rules[].number', doc: 'One-based number in its phase.' },
  { path: 'rules[].name', doc: 'Name, if it has one.' },
  { path: 'rules[].status', doc: '`matched`, `not-matched`, `failed`, `undetermined` or `not-reached`.' },
  { path: 'rules[].reason', doc: 'Explanation for people; absent if there is nothing to explain.' },
  { path: 'rules[].needs[]', doc: 'Inputs that would decide whether it matched or was reached, if undetermined.' },
  { path: 'rules[].error', doc: 'Evaluation error: `code` and `message`.' },
  {
    path: 'rules[].range',
    doc: 'Range in the document: half-open UTF-16 offsets `start` and `end`, and zero-based positions `from` and `to`.',
  },
  { path: 'rules[].expressions[]', doc: 'Expressions of its condition: each a part, with its `source`.' },
  { path: 'rules[].expressions[].source', doc: 'Source, without the quotes of the document.' },
  { path: 'parts[]', doc: 'Subexpressions, in source order.' },
  { path: 'parts[].text', doc: 'Source of the subexpression.' },
  { path: 'parts[].range', doc: 'Range in the source of the expression.' },
  { path: 'parts[].anchor', doc: 'Range of its name or operator in that source.' },
  { path: 'parts[].document', doc: 'Range in the document; absent for implicit expressions of an action.' },
  {
    path: 'parts[].operation',
    doc: 'Operator as named in the CEL specification, function, macro, or kind of node.',
  },
  { path: 'parts[].type', doc: 'CEL type.' },
  {
    path: 'parts[].count',
    doc: 'Number of evaluations: 0 if short-circuited, several in a comprehension.',
  },
  {
    path: 'parts[].results[]',
    doc: 'Results of the first hundred evaluations, each with some of the following members.',
  },
  { path: 'parts[].results[].value', doc: 'Value, if JSON can represent it.' },
  { path: 'parts[].results[].text', doc: 'Value in CEL notation, truncated if long.' },
  { path: 'parts[].results[].error', doc: 'Evaluation error: `code` and `message`.' },
  { path: 'parts[].results[].needs[]', doc: 'Inputs that the unknown value depends on.' },
  { path: 'rules[].actions[]', doc: 'Actions, in order.' },
  { path: 'rules[].actions[].type', doc: 'Type, as named in the policy.' },
  { path: 'rules[].actions[].range', doc: 'Range in the document.' },
  {
    path: 'rules[].actions[].result',
    doc: '`fired`, `may-have-fired`, `idle` if it had no effect, or `not-run`.',
  },
  {
    path: 'rules[].actions[].expressions[]',
    doc: 'Expressions in its configuration, then its implicit ones, in the form of `rules[].expressions[]`.',
  },
  { path: 'rules[].actions[].expressions[].source', doc: 'Source of the expression.' },
  { path: 'changes[]', doc: 'Changes made by an action or module.' },
  {
    path: 'changes[].what',
    doc: '`request.url`, `response.headers["Server"]`, `vars.tier`, or a result of the action that expressions can read.',
  },
  { path: 'changes[].before', doc: 'Result before the change; null if absent.' },
  { path: 'changes[].after', doc: 'Result after the change; null if removed.' },
  {
    path: 'rules[].actions[].notes[]',
    doc: 'Notes, by `kind`: `logged` with `metadata`, `failed` with `error`, `opaque` with `reason`, `not-enforced`, `sent` with `url`, `counted` with `key`, `least` and `most`.',
  },
  {
    path: 'rules[].actions[].ending',
    doc: 'How it ended evaluation, as in `outcomes`; with `needs` if uncertain.',
  },
  { path: 'outcomes[]', doc: 'Possible outcomes: one, unless undetermined.' },
  { path: 'outcomes[].kind', doc: 'As in [policy tests](tests.md#outcomes).' },
  { path: 'outcomes[].status', doc: 'Status, if the edge answers.' },
  { path: 'outcomes[].action', doc: 'Action that caused it.' },
  { path: 'needs[]', doc: 'Inputs that would decide the outcome.' },
  { path: 'client', doc: 'Response that the client receives; null if none.' },
  { path: 'client.status', doc: 'A value, or an object with `needs` if unknown.' },
  { path: 'client.headers', doc: 'Lists of values by name; null if known to be absent.' },
  { path: 'client.body', doc: 'Body, if the edge answers.' },
  { path: 'upstream', doc: 'Request that the upstream receives.' },
  { path: 'upstream.isAsked', doc: 'True if the request is forwarded; null if unknown.' },
  { path: 'upstream.method', doc: 'A value, or an object with `needs` if unknown.' },
  { path: 'upstream.url', doc: 'URL, in the same form.' },
  { path: 'upstream.headers', doc: 'As in `client.headers`.' },
  { path: 'logged[]', doc: 'Metadata of log actions, in order.' },
];
