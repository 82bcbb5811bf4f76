// What a policy did to one exchange: the model that all formats print, and what builds it of a trace and its policy.

import { mayRefuse, type Phase, type Profile } from '@tollgate/catalog';
import { EvaluationError, type NonValue, Unknown, type Value } from '@tollgate/cel';
import { printable, type Range, type Report, type SourceText } from '@tollgate/diagnostics';
import type { Action, EmbeddedExpression, Expression, MappedText, Policy, Rule } from '@tollgate/policy';
import {
  type ActionTrace,
  type Decision,
  type DecisionTrace,
  type EdgeTrace,
  type FilledExpression,
  type HeaderMap,
  headerValues,
  isUnclearInput,
  type NamedValues,
  type RuleResult,
  type TracedExpression,
  type TrafficState,
} from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import { formatNeeds, resultText } from './message-lines.ts';
import { type SubExpression, shiftedBy, subExpressions } from './sub-expression.ts';

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
  readonly changes: readonly StateChange[];
  /** Whether it refuses traffic or lets it pass. */
  readonly isCheck: boolean;
  /** The expressions in its configuration in document order, then those that it evaluates implicitly. */
  readonly filled: readonly ExpressionView[];
}

/** What one module of a route did. */
export interface ModuleView {
  readonly name: string;
  readonly result: RuleResult;
  readonly changes: readonly StateChange[];
}

/** A change by an action. */
export interface StateChange {
  /** The changed value as expressions name it, or in words: `request.url`, `response.headers["Server"]`, `vars.tier`. */
  readonly what: string;
  /** Undefined if it is added. */
  readonly before: Value | NonValue | undefined;
  /** Undefined if it is removed. */
  readonly after: Value | NonValue | undefined;
}

/** Returns the differences between two states of the traffic. */
function changesBetween(before: TrafficState, after: TrafficState): readonly StateChange[] {
  if (before === after) return [];
  const [request, response] = [after.request, after.response];
  const isDiscarded = response.status instanceof Unknown && !(before.response.status instanceof Unknown);
  const changes: readonly StateChange[] = [
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

function headerChanges(what: string, before: HeaderMap, after: HeaderMap): readonly StateChange[] {
  if (before === after) return [];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.map(name => ({
    what: `${what}[${JSON.stringify(name)}]`,
    before: headerValues(before, name) as Value | NonValue | undefined,
    after: headerValues(after, name) as Value | NonValue | undefined,
  }));
}

function namedChanges(prefix: string, before: NamedValues, after: NamedValues): readonly StateChange[] {
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

// Combines a trace with its policy, and says why each rule has its result.

/** The trace and what it belongs to. */
interface Traced {
  /** Undefined for a route without a policy. */
  readonly policy: Policy | undefined;
  readonly profile: Profile;
  readonly trace: DecisionTrace;
  /** Names of the modules in `trace`. */
  readonly modules?: readonly string[];
}

/** Combines a trace with its policy. */
export function buildView({ policy, profile, trace, modules = [] }: Traced): TraceView {
  const rules = profile.phases.flatMap(phase => policy?.rules[phase] ?? []);
  const views: RuleView[] = [];
  for (const [index, rule] of rules.entries()) views.push(ruleView(rule, index, { trace, policy, before: views }));
  return {
    decision: trace,
    rules: views,
    modules: trace.modules.map((result, index) => ({
      name: modules[index]!,
      result,
      changes: 'after' in result ? changesBetween(result.before, result.after) : [],
    })),
  };
}

interface RuleContext {
  readonly trace: DecisionTrace;
  readonly policy: Policy | undefined;
  /** The rules before it. */
  readonly before: readonly RuleView[];
}

function ruleView(rule: Rule, index: number, { trace, policy, before }: RuleContext): RuleView {
  const result = trace.rules[index]!;
  const traced = trace.expressions[index]!;
  const expressions = rule.expressions.map((expression, at) => conditionView(expression, traced[at]));
  const ran = 'actions' in result ? result.actions : [];
  const filled = trace.filled[index] ?? [];
  const facts = { result, expressions, isEnabled: policy?.enabled !== false, before, phase: rule.phase };
  return {
    phase: rule.phase,
    number: rule.index + 1,
    name: rule.name?.value,
    range: rule.range,
    result,
    reason: ruleReason(facts),
    expressions,
    actions: rule.actions.map((action, at) => actionView(action, ran[at], filled[at] ?? [])),
  };
}

function conditionView({ source, text, typed }: Expression, traced: TracedExpression | undefined): ExpressionView {
  return { source, text, offset: 0, root: subExpressions(typed!, traced) };
}

function actionView(action: Action, trace: ActionTrace | undefined, filled: readonly FilledExpression[]): ActionView {
  const remaining = [...filled];
  return {
    type: action.type.value,
    range: action.range,
    trace,
    changes: trace ? changesBetween(trace.before, trace.after) : [],
    isCheck: mayRefuse(action),
    filled: [...action.expressions.flatMap(expression => filledView(expression, remaining)), ...ownViews(remaining)],
  };
}

/** An action evaluates an expression for each address of a long list. */
const MAX_IMPLICIT = 10;

function ownViews(remaining: readonly FilledExpression[]): readonly ExpressionView[] {
  return remaining.slice(0, MAX_IMPLICIT).map(found => ({
    source: found.source,
    text: undefined,
    offset: 0,
    root: writtenPart(subExpressions(found.typed, found), found),
  }));
}

/** Removes the implicit conversion to a string. */
function writtenPart(whole: SubExpression, { offset }: FilledExpression): SubExpression {
  return offset > 0 ? shiftedBy(whole.children[0]!, -offset) : whole;
}

/** Returns the evaluation of an expression. Repeated expressions are evaluated in document order. */
function filledView(expression: EmbeddedExpression, remaining: FilledExpression[]): readonly ExpressionView[] {
  const { source, text, offset, typed } = expression;
  if (typed === undefined) return [];
  const at = remaining.findIndex(one => one.source === source);
  const [found] = at < 0 ? [] : remaining.splice(at, 1);
  const whole = subExpressions(typed, found);
  const root = found ? writtenPart(whole, found) : whole;
  return [{ source, text, offset, root }];
}

/** The data that explains the result of a rule. */
interface ReasonInput {
  readonly result: RuleResult;
  readonly expressions: readonly ExpressionView[];
  readonly isEnabled: boolean;
  readonly phase: Phase;
  /** The rules before it. */
  readonly before: readonly RuleView[];
}

/** Returns why a rule has its result, as a sentence without a subject; undefined if there is nothing to explain. */
function ruleReason(input: ReasonInput): string | undefined {
  const { result, expressions } = input;
  if (result.status !== 'undetermined' && result.status !== 'not-reached') {
    const unclear = unclearIn(expressions);
    if (unclear.length > 0) return `whichever way the header was sent: ${formatNeeds(unclear)}`;
  }
  const roots = expressions.map(({ root }) => root);
  switch (result.status) {
    case 'matched':
      return expressions.length === 0 ? 'always, because it has no expressions' : undefined;
    case 'not-matched': {
      const root = roots.find(({ results }) => results.at(-1) === false);
      return root && `because ${whyFalse(root)}`;
    }
    case 'failed': {
      const root = roots.find(({ results }) => results.at(-1) instanceof EvaluationError);
      return root && `because ${whyFailed(root)}`;
    }
    case 'undetermined': {
      const isOpen = roots.some(({ results }) => results.at(-1) instanceof Unknown);
      const needs = formatNeeds(result.needs);
      return isOpen ? `needs ${needs}` : `would match if reached, which needs ${needs}`;
    }
    case 'not-reached':
      return notReached(input);
  }
}

/** Returns the headers with several possible meanings that leave expressions unknown, of a rule that is decided all the same. */
function unclearIn(expressions: ReasonInput['expressions']): readonly string[] {
  const results = expressions.map(({ root }) => root.results.at(-1));
  if (results.includes(false)) return [];
  const needs = results.flatMap(result => (result instanceof Unknown ? result.attributes.filter(isUnclearInput) : []));
  return [...new Set(needs)].sort();
}

function notReached({ isEnabled, before, phase }: ReasonInput): string {
  if (!isEnabled) return 'because the policy is disabled';
  const ending = before.findLast(({ result, actions }) =>
    result.status === 'failed' ? true : actions.some(({ trace }) => trace?.ending && trace.needs.length === 0),
  );
  if (phase === 'on_event_stream_message' && ending === undefined) return 'because the response is not an event stream';
  if (ending === undefined) return 'because a module of the route ended evaluation';
  const action = ending.actions.find(({ trace }) => trace?.ending);
  const by = action === undefined ? 'which failed' : `by \`${action.type}\``;
  const isOpen = ending.result.status === 'undetermined';
  return `because ${ruleTitle(ending)} ended evaluation, ${by}${isOpen ? ', unless an earlier rule did' : ''}`;
}

/** Returns the name of a rule in sentences: `inbound 2`. */
export function ruleTitle({ phase, number }: Pick<RuleView, 'phase' | 'number'>): string {
  return `${phase} ${number}`;
}

/** Maximum length of an expression or value within a sentence, in UTF-16 code units. */
const MAX_LENGTH = 60;
/** Maximum number of values to name per condition. */
const MAX_FACTS = 3;

/** Returns why a condition is false, completing "because …": the values that decided it. */
export function whyFalse(root: SubExpression): string {
  const facts = [...new Set(factsOf(root, false))];
  const more = facts.length - MAX_FACTS;
  const shown = facts.slice(0, MAX_FACTS).join(' and ');
  return more > 0 ? `${shown}, and ${more} more` : shown;
}

/** Returns why a condition failed, completing "because …". */
function whyFailed(root: SubExpression): string {
  const origin = originOf(root) ?? root;
  const error = origin.results.find(result => result instanceof EvaluationError);
  return `${quoted(origin)} failed: ${printable(error instanceof EvaluationError ? error.message : '')}`;
}

/** Returns the values that made a subexpression true or false. */
function factsOf(part: SubExpression, value: boolean): readonly string[] {
  const { operation, children } = part;
  const having = (wanted: boolean) => children.filter(({ results }) => results.at(-1) === wanted);
  switch (operation) {
    case '!_':
      return children.flatMap(child => factsOf(child, !value));
    case '_&&_':
    case '_||_': {
      // One false operand decides `&&`, one true operand `||`; otherwise all operands did.
      const deciding = having(value);
      const isEnough = value === (operation === '_||_');
      return (isEnough ? deciding.slice(0, 1) : deciding).flatMap(child => factsOf(child, value));
    }
    case '_?_:_': {
      const [condition, ...branches] = children;
      const branch = branches.find(({ count }) => count > 0);
      if (condition === undefined || branch === undefined) return [was(part)];
      return [...factsOf(condition, condition.results.at(-1) === true), ...factsOf(branch, value)];
    }
    default:
      return factsOfTest(part);
  }
}

/** Returns the inputs of a test and their values, or the test itself if those say too little or are too long. */
function factsOfTest(part: SubExpression): readonly string[] {
  const { operation, children, isLoop } = part;
  const parts = isLoop ? children.slice(0, 1) : children;
  const inputs = parts.filter(child => !child.isConstant && child.count === 1);
  const isPresence = operation === 'has' || (operation === '@in' && children[0]?.isConstant === true);
  const isLong = inputs.some(({ results }) => resultText(results[0]!, true, MAX_LENGTH).text.endsWith('…'));
  return inputs.length === 0 || isPresence || isLong ? [was(part)] : inputs.map(was);
}

function was(part: SubExpression): string {
  const result = part.results.at(-1);
  const text = result === undefined ? 'not evaluated' : resultText(result, false, MAX_LENGTH).text;
  return `${quoted(part)} was ${printable(text)}`;
}

/** Returns the source on one line, in backticks. */
function quoted({ text }: SubExpression): string {
  const line = printable(text.replace(/\s+/g, ' '));
  return `\`${line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH - 1)}…` : line}\``;
}

/** Returns the innermost subexpression that failed. */
function originOf(part: SubExpression): SubExpression | undefined {
  if (!part.results.some(result => result instanceof EvaluationError)) return undefined;
  for (const child of part.children) {
    const origin = originOf(child);
    if (origin) return origin;
  }
  return part;
}
