import type { Expr } from '../syntax/ast.ts';
import type { Type } from '../types/type.ts';
import { type Fail, fresh, type Generation, staticType } from './generation.ts';
import { runtimeName } from './module-scope.ts';

/** Emits a node whose value is needed whole: what has an unknown part is unknown then. */
export function wholeValue(g: Generation, node: Expr, fail: Fail): string {
  const value = g.value(g, node, fail);
  if (!givesHostData(node) || !mayBePartial(staticType(g, node))) return value;
  const part = fresh(g, 'v');
  const search = `${runtimeName(g.scope, 'nonValueIn')}(${value})`;
  const located = `${runtimeName(g.scope, 'locate')}(${part},${node.id})`;
  g.code += `const ${part}=typeof ${value}==="object"?${search}:undefined;if(${part}!==undefined){${fail(located)}}\n`;
  return value;
}

/** As {@link wholeValue}, for an operand: where no value with unknown parts is of the parameter's type, none is looked for. */
export function wholeValueFor(g: Generation, param: Type, node: Expr, fail: Fail): string {
  return mayBePartial(param) ? wholeValue(g, node, fail) : g.value(g, node, fail);
}

/** Whether the value may hold something of the host's that no function has taken whole: calls give whole values. */
function givesHostData(node: Expr): boolean {
  switch (node.kind) {
    case 'ident':
    case 'select':
    case 'comprehension':
      return true;
    case 'call':
      return PASSING.has(node.function);
    case 'list':
      return node.elements.some(givesHostData);
    case 'map':
      return node.entries.some(({ value }) => givesHostData(value));
    case 'struct':
      return node.fields.some(({ value }) => givesHostData(value));
    default:
      return false;
  }
}

const PASSING: ReadonlySet<string> = new Set(['_[_]', '_?_:_', '_?._', '_[?_]', 'cel.@block']);

function mayBePartial(type: Type): boolean {
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
