import type { CallExpr, Expr } from '../../ast/ast.ts';
import type { Limits } from '../../limits.ts';
import { LimitExceeded, limitFinding } from '../lexing/reporter.ts';

/** Where copies get their ids and record their macro calls. */
export interface CopyContext {
  readonly macroCalls: Map<number, CallExpr>;
  newId(): number;
}

/**
 * Returns a copy of the tree with new ids.
 *
 * @throws LimitExceeded if the tree is too deep or becomes too large
 */
export function copyTree(expr: Expr, context: CopyContext, limits: Limits): Expr {
  return copy(expr, 1);

  function copy(from: Expr, depth: number): Expr {
    if (depth > limits.maxDepth * EXPANDED_DEPTH_FACTOR) {
      throw new LimitExceeded(limitFinding('maxDepth', limits, from.range));
    }
    const id = context.newId();
    const copied = copyParts(from, id, child => copy(child, depth + 1));
    const written = context.macroCalls.get(from.id);
    if (written !== undefined) {
      const call = copyParts(written, context.newId(), child => copy(child, depth + 1));
      context.macroCalls.set(id, call as CallExpr);
    }
    return copied;
  }

  function copyParts(from: Expr, id: number, of: (child: Expr) => Expr): Expr {
    switch (from.kind) {
      case 'literal':
      case 'ident':
      case 'error':
        return { ...from, id };
      case 'select':
        return { ...from, id, operand: of(from.operand) };
      case 'call':
        return { ...from, id, target: from.target && of(from.target), args: from.args.map(of) };
      case 'list':
        return { ...from, id, elements: from.elements.map(of) };
      case 'map': {
        const entries = from.entries.map(e => ({ ...e, id: context.newId(), key: of(e.key), value: of(e.value) }));
        return { ...from, id, entries };
      }
      case 'struct': {
        const fields = from.fields.map(field => ({ ...field, id: context.newId(), value: of(field.value) }));
        return { ...from, id, fields };
      }
      case 'comprehension':
        return {
          ...from,
          id,
          iterRange: of(from.iterRange),
          accuInit: of(from.accuInit),
          loopCondition: of(from.loopCondition),
          loopStep: of(from.loopStep),
          result: of(from.result),
        };
    }
  }
}

/** The number of levels that an expansion may add per level of source. */
const EXPANDED_DEPTH_FACTOR = 8;
