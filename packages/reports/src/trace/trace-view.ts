// What a policy did to one exchange: the model that all formats print.

import type { Phase } from '@tollgate/catalog';
import { type NonValue, Unknown, type Value } from '@tollgate/cel';
import type { Range, Report, SourceText } from '@tollgate/diagnostics';
import type { MappedText } from '@tollgate/policy';
import {
  type ActionTrace,
  type Decision,
  type EdgeTrace,
  type HeaderMap,
  headerValues,
  type NamedValues,
  type RuleResult,
  type TrafficState,
} from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import type { SubExpression } from './sub-expression.ts';

/** The data of a report on one exchange. */
export interface TraceReport {
  /** Name of the policy or edge as given by the user. */
  readonly file: string;
  readonly profile: string;
  readonly endpoint: string;
  readonly exchange: Exchange;
  /** The file that contains the rules. */
  readonly source: SourceText;
  /** Returns the range in it of a range in the policy's own document. */
  readonly inFile: (range: Range) => Range;
  /** Findings in the policies. */
  readonly warnings: Report;
  /** Undefined without an edge. */
  readonly routing: EdgeTrace | undefined;
  /** Undefined if no route matches, or the matching one is unknown. */
  readonly view: TraceView | undefined;
  /** The rules of the view to show. */
  readonly rules: readonly RuleView[];
}

/** What a policy did to an exchange, in the form that all reports render. */
export interface TraceView {
  readonly decision: Decision;
  readonly rules: readonly RuleView[];
  /** The modules of the route, if any. */
  readonly modules: readonly ModuleView[];
}

/** What one rule did, and why. */
export interface RuleView {
  readonly phase: Phase;
  /** One-based, within the phase. */
  readonly number: number;
  readonly name: string | undefined;
  readonly range: Range;
  readonly result: RuleResult;
  /** A sentence without its subject: `because …`, `needs …`. Undefined if there is nothing to explain. */
  readonly reason: string | undefined;
  readonly expressions: readonly ExpressionView[];
  readonly actions: readonly ActionView[];
}

/** An expression with the values of its subexpressions. */
export interface ExpressionView {
  readonly source: string;
  /** The document that contains it at `offset`; undefined for an expression that an action evaluates implicitly. */
  readonly text: MappedText | undefined;
  readonly offset: number;
  readonly root: SubExpression;
}

/** What one action did. */
export interface ActionView {
  readonly type: string;
  readonly range: Range;
  /** Undefined if it did not run. */
  readonly trace: ActionTrace | undefined;
  readonly changes: readonly Change[];
  /** The expressions in its configuration in document order, then those that it evaluates implicitly. */
  readonly filled: readonly ExpressionView[];
}

/** What one module of a route did. */
export interface ModuleView {
  readonly name: string;
  readonly result: RuleResult;
  readonly changes: readonly Change[];
}

/** A change by an action. */
export interface Change {
  /** The changed value as expressions name it, or in words: `request.url`, `response.headers["Server"]`, `vars.tier`. */
  readonly what: string;
  /** Undefined if it is added. */
  readonly before: Value | NonValue | undefined;
  /** Undefined if it is removed. */
  readonly after: Value | NonValue | undefined;
}

/** Returns the differences between two states of the traffic. */
export function changesBetween(before: TrafficState, after: TrafficState): readonly Change[] {
  if (before === after) return [];
  const [request, response] = [after.request, after.response];
  const isDiscarded = response.status instanceof Unknown && !(before.response.status instanceof Unknown);
  const changes: readonly Change[] = [
    { what: 'request.url', before: before.request.url, after: request.url },
    ...headerChanges('request.headers', before.request.headers, request.headers),
    { what: 'response.status', before: before.response.status, after: response.status },
    // The response to a changed request is unknown as a whole, which takes one entry.
    ...(isDiscarded ? [] : headerChanges('response.headers', before.response.headers, response.headers)),
    { what: 'response.body', before: before.response.body, after: response.body },
    ...namedChanges('vars', before.vars, after.vars),
    ...namedChanges('', before.results, after.results),
  ];
  return changes.filter(change => !isEqual(change.before, change.after));
}

function headerChanges(what: string, before: HeaderMap, after: HeaderMap): readonly Change[] {
  if (before === after) return [];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.map(name => ({
    what: `${what}[${JSON.stringify(name)}]`,
    before: headerValues(before, name) as Value | NonValue | undefined,
    after: headerValues(after, name) as Value | NonValue | undefined,
  }));
}

function namedChanges(prefix: string, before: NamedValues, after: NamedValues): readonly Change[] {
  if (before === after) return [];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.map(name => ({
    what: prefix === '' ? name : `${prefix}.${name}`,
    before: before[name],
    after: after[name],
  }));
}

/** Two unknown values are equal, whatever the reasons. */
function isEqual(a: unknown, b: unknown): boolean {
  if (a instanceof Unknown || b instanceof Unknown) return a instanceof Unknown && b instanceof Unknown;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isEqual(item, b[index]));
  return Object.is(a, b);
}
