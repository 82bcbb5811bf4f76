import { terminationOf } from '@tollgate/catalog';
import type { Action, Rule } from '@tollgate/policy';
import { headerOf, headersOf } from '../../actions/action-parts.ts';
import { type ValueTest, valueTestsIn } from '../../expressions/value-tests.ts';
import type { ProfileRoles } from '../../profile/profile-roles.ts';

/** The tests of inputs in all conditions of a rule. Goes through them anew: for what is asked of few rules. */
export function conditionTests(rule: Rule, roles: ProfileRoles): readonly ValueTest[] {
  return rule.expressions.flatMap(({ typed }) => (typed ? valueTestsIn(typed, roles) : []));
}

/** Whether what happens to the traffic hangs on the rule, and not only what is noted or added. */
export function decides({ actions }: Rule): boolean {
  return actions.some(action => action.fact !== undefined && terminationOf(action) !== 'never');
}

/** Whether one of the actions sets the header, given in lower case. */
export function setsHeader(actions: readonly Action[], name: string): boolean {
  return actions.some(action => headerOf(headersOf(action), name) !== undefined);
}
