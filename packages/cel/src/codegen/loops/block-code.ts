import type { CallExpr, Expr } from '../../ast/ast.ts';
import { type Fail, type Generation, staticType } from '../scope/generation.ts';
import { adapt } from '../scope/representation-code.ts';
import { bindName } from './comprehension-code.ts';

/** `cel.@block([…], e)`: the elements of the list are bound to `@index0`, `@index1`, … */
export function blockValue(g: Generation, call: CallExpr, fail: Fail): string | undefined {
  const [slots, result] = call.args as readonly [Expr, Expr];
  if (slots.kind !== 'list') return undefined;
  slots.elements.forEach((value, index) => {
    bindName(g, { scope: call.id, name: `@index${index}`, value });
  });
  const value = g.value(g, result, fail);
  return adapt(g, value, { from: staticType(g, result), to: staticType(g, call), exprId: call.id }, fail);
}
