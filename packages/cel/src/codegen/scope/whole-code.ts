import type { Expr } from '../../ast/ast.ts';
import { givesHostData, mayBePartial } from '../../lowering/partial-values.ts';
import type { Type } from '../../types/type.ts';
import { contextConstant, steppingCall } from './context-code.ts';
import { emit, type Fail, type Generation, staticType } from './generation.ts';
import { runtimeName } from './module-scope.ts';

/** Emits a node whose whole value is needed: a value with unknown parts is unknown. */
export function wholeValue(g: Generation, node: Expr, fail: Fail): string {
  const value = g.value(g, node, fail);
  if (!givesHostData(node) || !mayBePartial(staticType(g, node))) return value;
  const search = `${runtimeName(g.scope, 'nonValueIn')}(${contextConstant(g)},${value})`;
  const part = steppingCall(g, `typeof ${value}==="object"?${search}:undefined`);
  const located = `${runtimeName(g.scope, 'locate')}(${part},${node.id})`;
  emit(g, `if(${part}!==undefined){${fail(located)}}\n`);
  return value;
}

/** Like {@link wholeValue}, for an operand: parameter types that cannot contain unknown parts are not searched for them. */
export function wholeValueFor(g: Generation, param: Type, node: Expr, fail: Fail): string {
  return mayBePartial(param) ? wholeValue(g, node, fail) : g.value(g, node, fail);
}
