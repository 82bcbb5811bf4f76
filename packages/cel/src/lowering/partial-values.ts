import type { Expr } from '../ast/ast.ts';
import type { Type } from '../types/type.ts';

/** Returns true if the value may contain host data that no function has read completely; results of calls are whole. */
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

/** Returns true if a value of the type may have unknown parts and must be searched for them. */
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
    case 'wrapper':
      return mayBePartial(type.of);
    default:
      return false;
  }
}
