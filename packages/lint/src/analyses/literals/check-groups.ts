import type { LintContext } from '../../rule-api/lint-context.ts';
import type { Visitor } from '../../rule-api/visitor.ts';
import { type AddressGroup, groupsInAction, groupsInExpression } from './address-groups.ts';

/** Shows every group of address ranges, of conditions and of configurations. */
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
