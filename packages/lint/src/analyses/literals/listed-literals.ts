import type { Expr } from '@tollgate/cel';
import type { Range } from '@tollgate/diagnostics';
import type { Policy } from '@tollgate/policy';
import { stringsIn } from '../../actions/action-parts.ts';
import { configNodeAt } from '../../actions/config-path.ts';
import { literalString, variablePath } from '../../expressions/variable-path.ts';
import { type LintedExpression, rangeInDocument } from '../../rule-api/linted-expression.ts';

/** A string in a list, with its range in the document. */
interface ListedLiteral {
  readonly text: string;
  readonly range: Range;
}

/**
 * Returns the strings that a loop variable stands for: `['a', 'b'].exists(v, …)`, or `vars.names.exists(v, …)` for a list that the policy
 * sets.
 */
export function listedLiterals(node: Expr, at: LintedExpression): readonly ListedLiteral[] {
  const reference = at.typed.references[node.id];
  const loop = reference?.kind === 'local' ? at.typed.ast.macroCalls.get(reference.scope) : undefined;
  const list = loop?.target;
  if (!list) return [];
  if (list.kind === 'list')
    return list.elements.flatMap(element => {
      const text = literalString(element);
      return text === undefined ? [] : [{ text, range: rangeInDocument(at, element.range) }];
    });
  const path = variablePath(at.typed, list);
  return path?.startsWith('vars.') ? listOfVariable(path.slice('vars.'.length), at.policy) : [];
}

/** Returns the strings of the lists that actions assign to a variable. */
function listOfVariable(name: string, { rules }: Policy): readonly ListedLiteral[] {
  const actions = Object.values(rules).flatMap(list => list.flatMap(rule => rule.actions));
  return actions.flatMap(action => {
    const vars = action.fact?.changes?.includes('vars') ? configNodeAt(action, 'vars') : undefined;
    const maps = vars?.kind === 'list' ? vars.items : [];
    return maps.flatMap(map => {
      const entry = map.kind === 'map' ? map.entries.find(one => one.key === name) : undefined;
      return stringsIn(entry?.value).map(({ value, place }) => ({ text: value, range: place }));
    });
  });
}
