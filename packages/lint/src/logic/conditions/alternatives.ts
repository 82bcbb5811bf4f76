import type { CallExpr, Expr } from '@tollgate/cel';
import type { Condition } from '../../solver/formula/condition.ts';
import type { AnalyzedExpression } from './analyzed-expression.ts';
import { chainAt } from './chain.ts';

/** An alternative of a condition: an operand of `||`, or an element of an `in` list. */
interface Alternative {
  readonly node: Expr;
  readonly condition: Condition;
}

/** Returns the alternatives of a condition and of each operand of its `&&`, without nested ones. */
export function alternativesIn(analyzed: AnalyzedExpression): readonly (readonly Alternative[])[] {
  const { root } = analyzed.typed.ast;
  const chain = chainAt(analyzed, root);
  const parts = chain?.operator === '_&&_' ? chain.operands.map(one => one.node) : [root];
  return parts.flatMap(node => {
    const found = alternativesAt(analyzed, node);
    return found.length > 1 ? [found] : [];
  });
}

function alternativesAt(analyzed: AnalyzedExpression, node: Expr): readonly Alternative[] {
  const chain = chainAt(analyzed, node);
  if (chain !== undefined) return chain.operator === '_||_' ? chain.operands.flatMap(one => split(analyzed, one)) : [];
  return node.kind === 'call' && node.function === '@in' ? elementsOf(analyzed, node) : [];
}

/** A list inside of `||` has alternatives of its own. */
function split(analyzed: AnalyzedExpression, alternative: Alternative): readonly Alternative[] {
  const { node } = alternative;
  const elements = node.kind === 'call' && node.function === '@in' ? elementsOf(analyzed, node) : [];
  return elements.length > 1 ? elements : [alternative];
}

function elementsOf({ typed, ruleLogic }: AnalyzedExpression, call: CallExpr): readonly Alternative[] {
  const [element, list] = call.args;
  if (list?.kind !== 'list' || list.elements.length > MAX_ELEMENTS) return [];
  return list.elements.map(item => ({
    node: item,
    condition: ruleLogic.read(typed, { ...call, function: '_==_', args: [element!, item] }),
  }));
}

/** Elements of longer lists are not examined. */
const MAX_ELEMENTS = 64;
