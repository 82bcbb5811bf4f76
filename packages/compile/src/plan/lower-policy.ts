import { type Phase, type Profile, phasesAt, terminationOf } from '@tollgate/catalog';
import type { Expr, TypedAst } from '@tollgate/cel';
import { childrenOf, inlineBodies } from '@tollgate/cel/tooling';
import type { Range } from '@tollgate/diagnostics';
import type { Action, PhaseEnvironments, Policy, Rule } from '@tollgate/policy';
import { createSimulation, type Outcome } from '@tollgate/simulator';
import { type Exchange, NO_HEADER_KNOWN, TLS_UNKNOWN } from '@tollgate/traffic';
import { type Condition, type Input, type Unsupported, UnsupportedError } from './condition.ts';
import { redirectsWhen, refusesWhen } from './ends-when.ts';
import { inputsOf } from './inputs.ts';
import { lowerCondition } from './lower-condition.ts';
import { readAfter } from './read-after.ts';

/** A policy as a list of conditions; the first one that holds decides. */
export interface PolicyPlan {
  readonly rules: readonly PlannedRule[];
  /** In the order in which they are first read. */
  readonly inputs: readonly Input[];
  /** The form of the names in maps of headers. */
  readonly headerNames: Profile['headerNames'];
}

/** A rule that ends the evaluation if its condition holds. */
export interface PlannedRule {
  readonly rule: Rule;
  /** The action that ends it. */
  readonly action: Action;
  /** Phase and one-based number: `inbound 2`. */
  readonly label: string;
  /** One for each expression of the rule; all must hold. */
  readonly conditions: readonly Condition[];
  /** When the action ends the evaluation, if not always. */
  readonly when: Condition | undefined;
  readonly outcome: Outcome;
}

/** A plan, or the first construct that has no exact equivalent, with its place. */
export type PlanResult = { readonly plan: PolicyPlan } | { readonly unsupported: UnsupportedConstruct };

/** A construct that is not supported. */
export interface UnsupportedConstruct {
  readonly construct: string;
  /** The rule that contains it. */
  readonly rule: Rule;
  /** In the source of this expression; in the document if it is undefined. */
  readonly expression: Rule['expressions'][number] | undefined;
  readonly range: UnsupportedError['unsupported']['range'];
  /** What to do about it, as an imperative. */
  readonly remedy?: string | undefined;
}

/** The context that a policy was analysed with. */
export interface PlanContext {
  readonly profile: Profile;
  readonly environments: PhaseEnvironments;
}

/** Lowers a policy without errors. */
export function planPolicy(policy: Policy, context: PlanContext): PlanResult {
  const rules: PlannedRule[] = [];
  const changes: Action[] = [];
  if (policy.enabled)
    for (const rule of phasesAt(context.profile, policy.endpoint).flatMap(phase => policy.rules[phase])) {
      const lowered = lowerRule(rule, { ...context, policy, changes: [...changes] });
      if ('construct' in lowered) return { unsupported: lowered };
      rules.push(...lowered);
      if (!RESPONSE_PHASES.has(rule.phase)) changes.push(...rule.actions.filter(neverEnds));
    }
  const { headerNames, variables } = context.profile;
  const roles = new Map(variables.map(({ path, role }) => [path, role]));
  const inputs = inputsOf(rules.map(endingCondition)).map(input => ({ ...input, role: roles.get(input.path) }));
  return { plan: { rules, inputs, headerNames } };
}

/** Returns when a rule ends the evaluation. Its action does not run after an evaluation error in the conditions. */
export function endingCondition({ conditions, when }: PlannedRule): Condition {
  const all: Condition = { kind: 'and', parts: conditions };
  return when === undefined ? all : { kind: 'and', parts: [{ kind: 'holds', part: all }, when] };
}

interface RuleContext extends PlanContext {
  readonly policy: Policy;
  /** What has run before. */
  readonly changes: readonly Action[];
}

/** Returns a rule for each action that may end the evaluation. Others change nothing that an outcome depends on, except what is read later. */
function lowerRule(rule: Rule, context: RuleContext): readonly PlannedRule[] | UnsupportedConstruct {
  const { profile, environments, changes } = context;
  if (profile.switches.evaluationError === 'fail-request')
    return { construct: 'failing requests on errors', rule, expression: undefined, range: rule.range };
  const ending = rule.actions.filter(action => !neverEnds(action));
  const [first] = ending;
  if (first === undefined) return [];
  if (RESPONSE_PHASES.has(rule.phase)) return unsupportedAction(rule, first);
  const parts: Condition[] = [];
  for (const expression of rule.expressions) {
    const environment = environments[rule.phase];
    const lowered = lowerOrRefuse(() => lowerCondition(inlineBodies(expression.typed!, environment), environment));
    const refused = 'construct' in lowered ? lowered : readAfter(changes, lowered, expression.typed!.ast.root.range);
    if (refused) return unsupportedIn(rule, expression, refused);
    if (!('construct' in lowered)) parts.push(lowered);
  }
  const rules: PlannedRule[] = [];
  for (const action of ending) {
    const before = rule.actions.slice(0, rule.actions.indexOf(action)).filter(neverEnds);
    const ends = endingOf(action, rule, context);
    if (ends === undefined) return unsupportedAction(rule, action);
    if (ends.outcome === undefined) continue;
    const refused = ends.when && readAfter([...changes, ...before], ends.when, action.type.range);
    if (refused) return { ...refused, rule, expression: undefined };
    const label = `${rule.phase} ${rule.index + 1}`;
    rules.push({ rule, action, label, conditions: parts, when: ends.when, outcome: ends.outcome });
  }
  return rules;
}

function unsupportedAction(rule: Rule, { type }: Action): UnsupportedConstruct {
  return { construct: `action \`${type.value}\``, rule, expression: undefined, range: type.range };
}

function lowerOrRefuse(lower: () => Condition): Condition | Unsupported {
  try {
    return lower();
  } catch (error) {
    if (error instanceof UnsupportedError) return error.unsupported;
    throw error;
  }
}

interface ActionEnding {
  /** Undefined if the action never ends the evaluation. */
  readonly outcome: Outcome | undefined;
  /** Undefined if the action always ends it. */
  readonly when?: Condition;
}

/** Undefined if the outcome depends on something that a condition does not express. */
function endingOf(action: Action, rule: Rule, context: RuleContext): ActionEnding | undefined {
  const condition = ENDS_WHEN[action.type.value];
  if (condition === undefined && terminationOf(action) !== 'always') return undefined;
  // What is known of an answer is what the simulator makes of it.
  const alone = only({ ...rule, actions: [action] }, context.policy);
  const { outcomes, rules } = createSimulation(alone, context).decide(ANY);
  const outcome = outcomes.find(({ kind }) => kind !== 'passed');
  if (outcomes.length === 1 && !rules.some(({ status }) => status === 'undetermined')) return { outcome };
  const place = { endpoint: context.policy.endpoint, phase: rule.phase };
  const when = condition?.(action, { ...context, place, environment: context.environments[rule.phase] });
  return outcomes.length === 2 && outcome !== undefined && when !== undefined ? { outcome, when } : undefined;
}

const ENDS_WHEN: Readonly<Record<string, typeof redirectsWhen>> = {
  redirect: redirectsWhen,
  'restrict-ips': refusesWhen,
};

/** Returns an unsupported construct with its place. A function with a body is named as people call it. */
export function unsupportedIn(
  rule: Rule,
  expression: Rule['expressions'][number] | undefined,
  { construct, range, remedy }: Unsupported,
): UnsupportedConstruct {
  const named = expression && remedy === undefined ? functionAt(expression.typed!, range) : undefined;
  return { construct: named ?? construct, range, remedy, rule, expression };
}

/** Returns the function with a body that was called at a range, because its body is not what people wrote. */
function functionAt({ ast, references }: TypedAst, range: Range): string | undefined {
  const find = (expr: Expr): string | undefined => {
    const reference = references[expr.id];
    const isHere = expr.range.start === range.start && expr.range.end === range.end;
    if (isHere && reference?.kind === 'function' && reference.overloads.some(({ body }) => body))
      return `\`${reference.name}\``;
    return childrenOf(expr)
      .map(find)
      .find(one => one !== undefined);
  };
  return find(ast.root);
}

/** Whether the next action always runs, and it is known what this one changes. */
function neverEnds(action: Action): boolean {
  return terminationOf(action) === 'never' && action.fact?.changes !== undefined;
}

const RESPONSE_PHASES: ReadonlySet<Phase> = new Set([
  'outbound',
  'on_http_response',
  'on_event_stream_message',
] as const);

/** Returns the policy with this rule alone, which always matches. */
function only(rule: Rule, policy: Policy): Policy {
  return { ...policy, rules: { ...NO_RULES, [rule.phase]: [{ ...rule, expressions: [] }] } };
}

const NO_RULES: Policy['rules'] = {
  ...{ inbound: [], outbound: [], on_tcp_connect: [], on_http_request: [], on_http_response: [] },
  on_event_stream_message: [],
};

const ANY: Exchange = {
  ...{ place: { file: '', number: 1, unit: 'entry' }, time: undefined, clientIp: undefined, tls: TLS_UNKNOWN },
  ...{ method: undefined, target: undefined, url: undefined, protocol: undefined, requestHeaders: NO_HEADER_KNOWN },
  response: undefined,
};
