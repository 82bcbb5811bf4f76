import { type Phase, type Profile, phasesAt } from '@tollgate/catalog';
import type { Expr, TypedAst } from '@tollgate/cel';
import { childrenOf, inlineBodies } from '@tollgate/cel/tooling';
import type { Range } from '@tollgate/diagnostics';
import type { Action, PhaseEnvironments, Policy, Rule } from '@tollgate/policy';
import { createSimulation, type Outcome } from '@tollgate/simulator';
import { type Exchange, NO_HEADER_KNOWN, TLS_UNKNOWN } from '@tollgate/traffic';
import { type Condition, type Input, type Unsupported, UnsupportedError } from './condition.ts';
import { inputsOf } from './inputs.ts';
import { lowerCondition } from './lower-condition.ts';

/** A policy as a list of conditions, of which the first that holds decides. */
export interface PolicyPlan {
  readonly rules: readonly PlannedRule[];
  /** In the order in which they are first read. */
  readonly inputs: readonly Input[];
}

/** A rule that ends the evaluation if its condition holds. */
export interface PlannedRule {
  readonly rule: Rule;
  /** Phase and one-based number: `inbound 2`. */
  readonly label: string;
  /** One for each expression of the rule; all must hold. */
  readonly conditions: readonly Condition[];
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
  if (policy.enabled) {
    const all = phasesAt(context.profile, policy.endpoint).flatMap(phase => policy.rules[phase]);
    let change: Action | undefined;
    for (const rule of all) {
      const lowered = lowerRule(rule, policy, context);
      if (lowered !== undefined) {
        if ('construct' in lowered) return { unsupported: lowered };
        const unsupported = change && readAfter(change, lowered);
        if (unsupported) return { unsupported };
        rules.push(lowered);
      }
      change ??= RESPONSE_PHASES.has(rule.phase) ? undefined : rule.actions.find(changesHeaders);
    }
  }
  return { plan: { rules, inputs: inputsOf(rules.flatMap(({ conditions }) => conditions)) } };
}

/** Undefined for a rule that changes nothing that outcomes depend on. */
function lowerRule(rule: Rule, policy: Policy, context: PlanContext): PlannedRule | UnsupportedConstruct | undefined {
  const refuse = (action: Action) => ({
    construct: `action \`${action.type.value}\``,
    ...{ rule, expression: undefined, range: action.type.range },
  });
  if (context.profile.switches.evaluationError === 'fail-request')
    return { construct: 'failing requests on errors', rule, expression: undefined, range: rule.range };
  const isResponse = RESPONSE_PHASES.has(rule.phase);
  const relevant = rule.actions.filter(
    action => !(HARMLESS.has(action.type.value) || changesHeaders(action) || (isResponse && compresses(action))),
  );
  const [first] = relevant;
  if (first === undefined) return undefined;
  if (isResponse || !ENDING.has(first.type.value)) return refuse(first);
  // What is known of an answer is what the simulator makes of it.
  const { outcomes, rules } = createSimulation(only(rule, policy), context).decide(ANY);
  const [outcome] = outcomes;
  if (outcomes.length !== 1 || outcome!.kind === 'passed' || rules.some(({ status }) => status === 'undetermined'))
    return refuse(first);
  const parts: Condition[] = [];
  for (const expression of rule.expressions) {
    const environment = context.environments[rule.phase];
    try {
      parts.push(lowerCondition(inlineBodies(expression.typed!, environment), environment));
    } catch (error) {
      if (!(error instanceof UnsupportedError)) throw error;
      return unsupportedIn(rule, expression, error.unsupported);
    }
  }
  return { rule, label: `${rule.phase} ${rule.index + 1}`, conditions: parts, outcome: outcome! };
}

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

/** Actions that change neither an outcome nor anything that conditions read. */
const HARMLESS: ReadonlySet<string> = new Set(['log']);

/** Whether an action only changes headers, and always to the same. */
function changesHeaders({ type, expressions }: Action): boolean {
  return (type.value === 'add-headers' || type.value === 'remove-headers') && expressions.length === 0;
}

function compresses({ type }: Action): boolean {
  return type.value === 'compress-response';
}

/** Inputs that no header of a request contributes to. */
const WITHOUT_HEADERS = /^(?:conn[.]|req[.](?:Method|method|Path|url[.]path|Protocol|version|ClientTLS[.]))/;

/** Returns the first expression that reads what an earlier action may have changed. */
function readAfter(change: Action, { rule, conditions }: PlannedRule): UnsupportedConstruct | undefined {
  for (const [at, condition] of conditions.entries()) {
    const input = inputsOf([condition]).find(({ path }) => !WITHOUT_HEADERS.test(path));
    if (input === undefined) continue;
    const expression = rule.expressions[at]!;
    const construct = `\`${input.path}\` after \`${change.type.value}\``;
    return { construct, range: expression.typed!.ast.root.range, rule, expression };
  }
  return undefined;
}

/** Actions that always end the evaluation, with an outcome that depends on nothing else. */
const ENDING: ReadonlySet<string> = new Set(['deny', 'custom-response', 'close-connection']);

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
