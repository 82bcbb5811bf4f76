import { terminationOf } from '@tollgate/catalog';
import type { Action, Rule } from '@tollgate/policy';
import { headerOf, headersOf } from '../../actions/action-parts.ts';
import { type ValueTest, valueTestsIn } from '../../expressions/value-tests.ts';
import type { ProfileRoles } from '../../profile/profile-roles.ts';

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
