// Whether a rule or a test refuses traffic or lets it pass.

import { endsUnlessItFails, mayRefuse, terminationOf } from '@tollgate/catalog';
import type { Action, Expression, Policy, Rule } from '@tollgate/policy';
import { headerOf, headersOf, isAnswer, isRefusal, statusOf } from '../readers/actions.ts';
import type { ProfileRoles } from '../readers/profile-roles.ts';
import { type ValueTest, valueTestsIn } from '../readers/value-tests.ts';
import type { LintedFile } from '../rule-api/lint-context.ts';
import type { LintedExpression } from '../rule-api/linted-expression.ts';

/** Returns true if the action may refuse traffic by a check of its own: a signature, a password, an address. Limits do not count. */
export function isCheck(action: Action): boolean {
  return mayRefuse(action) && !isLimit(action);
}

/** Returns true if the refusal depends on the amount of traffic: a rate limit or a circuit breaker. */
export function isLimit({ fact }: Action): boolean {
  return fact?.config.some(({ role, name }) => role === 'bucket-key' || name === 'error_threshold') ?? false;
}

/** Returns true if the action forwards the traffic, so that nothing after it runs unless it fails. */
function isHandOver(action: Action): boolean {
  if (endsUnlessItFails(action)) return true;
  return terminationOf(action) === 'always' && !isRefusal(action) && !isAnswer(action);
}

/** Returns true if the rule refuses what it matches, or checks it. */
export function keepsOut({ actions }: Pick<Rule, 'actions'>): boolean {
  return actions.some(action => isRefusal(action) || isCheck(action));
}

/** What a test does to the traffic for which it holds. */
type Access = 'refuses' | 'spares';

/**
 * Returns true if the rule refuses or checks what it matches and leaves the rest to go on: a request that the condition misses reaches the
 * same upstream. A rule that also forwards is a route, and what it misses goes elsewhere.
 */
export function guards(rule: Pick<Rule, 'actions'>): boolean {
  return keepsOut(rule) && !rule.actions.some(action => !isRefusal(action) && isHandOver(action));
}

/** Returns true if the rule answers with 404, as for what scanners look for: there is nothing behind the path to be reached in another way. */
export function hides({ actions }: Pick<Rule, 'actions'>): boolean {
  return actions.some(action => isRefusal(action) && statusOf(action) === 404);
}

/**
 * Returns what a test of a condition does to the traffic for which it holds; undefined if neither. A rule that forwards traffic spares it
 * if the last rule of the phase refuses the rest.
 */
export function accessOf(
  { rule, policy }: Pick<LintedExpression, 'rule' | 'policy'>,
  { kind, isNegated }: Pick<ValueTest, 'kind' | 'isNegated'>,
): Access | undefined {
  const holds = (kind === '!=') === isNegated;
  if (keepsOut(rule)) return holds ? 'refuses' : 'spares';
  const last = policy.rules[rule.phase].at(-1);
  const isRest = last !== undefined && last.expressions.length === 0 && last.actions.some(isRefusal);
  if (!isRest || !rule.actions.some(isHandOver)) return undefined;
  return holds ? 'spares' : 'refuses';
}

/** Returns the tests of inputs in all conditions of a rule. Not cached. */
export function conditionTests(rule: Rule, roles: ProfileRoles): readonly ValueTest[] {
  return rule.expressions.flatMap(({ typed }) => (typed ? valueTestsIn(typed, roles) : []));
}

/** Returns true if the rule decides what happens to the traffic, instead of only logging or adding to it. */
export function decides({ actions }: Rule): boolean {
  return actions.some(action => action.fact !== undefined && terminationOf(action) !== 'never');
}

/** Returns true if one of the actions sets the header; `name` is lower case. */
export function setsHeader(actions: readonly Action[], name: string): boolean {
  return actions.some(action => headerOf(headersOf(action), name) !== undefined);
}

/** An expression that reads the result of an action. */
interface ResultRead {
  /** True for conditions of rules that decide what happens to the traffic. */
  readonly decides: boolean;
  /** The action whose configuration reads it; undefined for conditions. */
  readonly action: Action | undefined;
  readonly typed: NonNullable<Expression['typed']>;
}

/** Returns the expressions of a policy that read a result of actions of a type, such as `actions.ngrok.oauth.identity.email`. */
export function resultReads(policy: Policy, type: string, { profile, roles }: LintedFile): readonly ResultRead[] {
  const paths = [...roles.variables.values()].flatMap(({ path, setBy }) => (setBy === type ? [path] : []));
  const root = paths[0]?.split('.').slice(0, 3).join('.');
  if (root === undefined) return [];
  const reads = (source: string) => source.includes(root);
  return profile.phases
    .flatMap(phase => policy.rules[phase])
    .flatMap(rule => [
      ...rule.expressions.flatMap(({ typed, source }) =>
        typed && reads(source) ? [{ decides: decides(rule), action: undefined, typed }] : [],
      ),
      ...rule.actions.flatMap(action =>
        action.expressions.flatMap(({ typed, source }) =>
          typed && reads(source) ? [{ decides: false, action, typed }] : [],
        ),
      ),
    ]);
}
