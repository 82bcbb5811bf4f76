import type { Action, Expression, Policy } from '@tollgate/policy';
import type { LintedFile } from '../../rule-api/lint-context.ts';
import { decides } from './rule-conditions.ts';

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
