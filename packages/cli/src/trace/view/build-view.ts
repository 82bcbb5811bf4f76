import type { Profile } from '@tollgate/catalog';
import type { Action, EmbeddedExpression, Expression, Policy, Rule } from '@tollgate/policy';
import type { ActionTrace, DecisionTrace, FilledExpression, TracedExpression } from '@tollgate/simulator';
import { changesBetween } from './changes.ts';
import { ruleReason } from './rule-reason.ts';
import { type SubExpression, shiftedBy, subExpressions } from './sub-expression.ts';
import type { ActionView, ExpressionView, RuleView, TraceView } from './trace-view.ts';

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
    filled: [...action.expressions.flatMap(expression => filledView(expression, remaining)), ...ownViews(remaining)],
  };
}

/** An action evaluates an expression for each address of a long list. */
const MAX_IMPLICIT = 10;

function ownViews(remaining: readonly FilledExpression[]): readonly ExpressionView[] {
  return remaining.slice(0, MAX_IMPLICIT).map(found => ({
    ...{ source: found.source, text: undefined, offset: 0 },
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
