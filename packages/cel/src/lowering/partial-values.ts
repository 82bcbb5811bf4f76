import type { Expr } from '../ast/ast.ts';
import type { Type } from '../types/type.ts';

/** Whether the value may hold something of the host's that no function has taken whole: calls give whole values. */
export function givesHostData(expr: Expr): boolean {
  switch (expr.kind) {
    case 'ident':
    case 'select':
    case 'comprehension':
      return true;
    case 'call':
      return PASSING.has(expr.function);
    case 'list':
      return expr.elements.some(givesHostData);
    case 'map':
      return expr.entries.some(({ value }) => givesHostData(value));
    case 'struct':
      return expr.fields.some(({ value }) => givesHostData(value));
    default:
      return false;
  }
}

const PASSING: ReadonlySet<string> = new Set(['_[_]', '_?_:_', '_?._', '_[?_]', 'cel.@block']);

/** Whether a value of the type may have unknown parts: the search for them is left out where it may not. */
export function mayBePartial(type: Type): boolean {
  switch (type.kind) {
    case 'dyn':
    case 'error':
    case 'param':
    case 'list':
    case 'map':
    case 'object':
      return true;
    case 'optional':
      return mayBePartial(type.value);
    default:
      return false;
  }
}
