import { EvaluationError, type NonValue, toHost, Unknown, type Value } from '@tollgate/cel';
import { wholeOf } from '@tollgate/cel/tooling';
import { jsonDiagnostics, jsonText, type Range } from '@tollgate/diagnostics';
import { documentRange } from '@tollgate/policy';
import { type Decision, type EdgeTrace, type HeaderMap, type Known, loggedBy, type Note } from '@tollgate/simulator';
import type { Change } from '../view/changes.ts';
import { verdictText } from '../view/route-lines.ts';
import type { SubExpression } from '../view/sub-expression.ts';
import type { TraceReport } from '../view/trace-report.ts';
import type { ActionView, ExpressionView, ModuleView, RuleView } from '../view/trace-view.ts';
import { valueText } from '../view/value-text.ts';
import { exchangeRecord } from './exchange-record.ts';

/** Returns the report as JSON. `TRACE_MEMBERS` describes each member; members are added, never changed. */
export function jsonTrace(report: TraceReport): string {
  const { file, profile, endpoint, exchange, warnings, routing, view } = report;
  const document = {
    version: 1,
    ...{ file, profile, endpoint },
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
      ...{ id: verdict.route.id, match: verdict.route.match, matchType: verdict.route.matchType },
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
    ...{ phase, number, name, status: result.status, reason },
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

function jsonChange({ what, before, after }: Change): object {
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
    ...{ range: part.range, anchor: part.anchor },
    ...(inDocument && { document: jsonRange(inDocument, file) }),
    ...{ operation: part.operation, type: part.type, count: part.count },
    results: part.results.map(jsonResult),
    parts: part.children.map(child => jsonPart(child, within, file)),
  };
}

function jsonDecision(decision: Decision): object {
  const { outcomes, needs, response, upstream } = decision;
  const { isAsked, request } = upstream;
  return {
    ...{ outcomes, needs },
    client: response
      ? { status: known(response.status), headers: headers(response.headers), body: known(response.body) }
      : null,
    upstream: {
      isAsked: isAsked ?? null,
      ...{ method: known(request.method), url: known(request.url), headers: headers(request.headers) },
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
