import type { Expr } from './ast.ts';

/** Returns a copy of the node with each child replaced; the node itself if no child changes. */
export function mapChildren(expr: Expr, change: (child: Expr) => Expr): Expr {
  switch (expr.kind) {
    case 'select': {
      const operand = change(expr.operand);
      return operand === expr.operand ? expr : { ...expr, operand };
    }
    case 'call': {
      const target = expr.target && change(expr.target);
      const args = mapAll(expr.args, change);
      return target === expr.target && args === expr.args ? expr : { ...expr, target, args };
    }
    case 'list': {
      const elements = mapAll(expr.elements, change);
      return elements === expr.elements ? expr : { ...expr, elements };
    }
    case 'map': {
      const entries = mapAll(expr.entries, entry => {
        const key = change(entry.key);
        const value = change(entry.value);
        return key === entry.key && value === entry.value ? entry : { ...entry, key, value };
      });
      return entries === expr.entries ? expr : { ...expr, entries };
    }
    case 'struct': {
      const fields = mapAll(expr.fields, field => {
        const value = change(field.value);
        return value === field.value ? field : { ...field, value };
      });
      return fields === expr.fields ? expr : { ...expr, fields };
    }
    case 'comprehension':
      return mapComprehension(expr, change);
    default:
      return expr;
  }
}

const PARTS = ['iterRange', 'accuInit', 'loopCondition', 'loopStep', 'result'] as const;

function mapComprehension(expr: Extract<Expr, { kind: 'comprehension' }>, change: (child: Expr) => Expr): Expr {
  const iterRange = change(expr.iterRange);
  const accuInit = change(expr.accuInit);
  const loopCondition = change(expr.loopCondition);
  const loopStep = change(expr.loopStep);
  const result = change(expr.result);
  const changed = { ...expr, iterRange, accuInit, loopCondition, loopStep, result };
  return PARTS.every(part => changed[part] === expr[part]) ? expr : changed;
}

function mapAll<T>(items: readonly T[], change: (item: T) => T): readonly T[] {
  let changed: T[] | undefined;
  for (const [at, item] of items.entries()) {
    const own = change(item);
    if (own !== item) changed ??= [...items];
    if (changed !== undefined) changed[at] = own;
  }
  return changed ?? items;
}

/** Returns the direct children, in source order where they have one. */
export function childrenOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'select':
      return [expr.operand];
    case 'call':
      return expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    case 'list':
      return expr.elements;
    case 'map':
      return expr.entries.flatMap(({ key, value }) => [key, value]);
    case 'struct':
      return expr.fields.map(({ value }) => value);
    case 'comprehension':
      return PARTS.map(part => expr[part]);
    default:
      return [];
  }
}
