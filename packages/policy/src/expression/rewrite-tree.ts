import type { Expr } from '@tollgate/cel';

/** The tree with some nodes replaced, children first. Depth is bounded by the parser. */
export function rewriteTree(expr: Expr, replace: (expr: Expr) => Expr): Expr {
  const of = (child: Expr) => rewriteTree(child, replace);
  return replace(rewriteChildren(expr, of));
}

function rewriteChildren(expr: Expr, of: (child: Expr) => Expr): Expr {
  switch (expr.kind) {
    case 'literal':
    case 'ident':
    case 'error':
      return expr;
    case 'select':
      return { ...expr, operand: of(expr.operand) };
    case 'call':
      return { ...expr, target: expr.target && of(expr.target), args: expr.args.map(of) };
    case 'list':
      return { ...expr, elements: expr.elements.map(of) };
    case 'map':
      return {
        ...expr,
        entries: expr.entries.map(entry => ({ ...entry, key: of(entry.key), value: of(entry.value) })),
      };
    case 'struct':
      return { ...expr, fields: expr.fields.map(field => ({ ...field, value: of(field.value) })) };
    case 'comprehension':
      return {
        ...expr,
        iterRange: of(expr.iterRange),
        accuInit: of(expr.accuInit),
        loopCondition: of(expr.loopCondition),
        loopStep: of(expr.loopStep),
        result: of(expr.result),
      };
  }
}
