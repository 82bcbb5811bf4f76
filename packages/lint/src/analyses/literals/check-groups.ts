import type { LintContext } from '../../rule-api/lint-context.ts';
import type { Visitor } from '../../rule-api/visitor.ts';
import { type AddressGroup, groupsInAction, groupsInExpression } from './address-groups.ts';

/** Returns a visitor for every group of address ranges in conditions and configurations. */
export function checkGroups(check: (group: AddressGroup, context: LintContext) => void): Visitor {
  return {
    expression: (at, context) => {
      for (const group of groupsInExpression(at)) check(group, context);
    },
    action: (action, _, context) => {
      for (const group of groupsInAction(action, context.file.source.text)) check(group, context);
    },
  };
}
