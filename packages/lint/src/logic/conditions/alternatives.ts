import type { CallExpr, Expr } from '@tollgate/cel';
import type { Condition } from '../../solver/formula/condition.ts';
import type { AnalyzedExpression } from './analyzed-expression.ts';
import { chainAt } from './chain.ts';

/** An alternative of a condition: an operand of `||`, or an element of an `in` list. */
export interface Alternative {
  readonly node: Expr;
  readonly condition: Condition;
}

/** Returns the alternatives of a condition and of each operand of its `&&`, without nested ones. */
export function alternativesIn(known: AnalyzedExpression): readonly (readonly Alternative[])[] {
  const { root } = known.typed.ast;
  const chain = chainAt(known, root);
  const parts = chain?.operator === '_&&_' ? chain.operands.map(one => one.node) : [root];
  return parts.flatMap(node => {
    const found = alternativesAt(known, node);
    return found.length > 1 ? [found] : [];
  });
}

function alternativesAt(known: AnalyzedExpression, node: Expr): readonly Alternative[] {
  const chain = chainAt(known, node);
  if (chain !== undefined) return chain.operator === '_||_' ? chain.operands.flatMap(one => split(known, one)) : [];
  return node.kind === 'call' && node.function === '@in' ? elementsOf(known, node) : [];
}

/** A list inside of `||` has alternatives of its own. */
function split(known: AnalyzedExpression, alternative: Alternative): readonly Alternative[] {
  const { node } = alternative;
  const elements = node.kind === 'call' && node.function === '@in' ? elementsOf(known, node) : [];
  return elements.length > 1 ? elements : [alternative];
}

function elementsOf({ typed, of }: AnalyzedExpression, call: CallExpr): readonly Alternative[] {
  const [element, list] = call.args;
  if (list?.kind !== 'list' || list.elements.length > MAX_ELEMENTS) return [];
  return list.elements.map(item => ({
    node: item,
    condition: of.read(typed, { ...call, function: '_==_', args: [element!, item] }),
  }));
}

/** Elements of longer lists are not examined. */
const MAX_ELEMENTS = 64;
