import type { CallExpr, ListExpr } from '../../ast/ast.ts';
import { DYN, listOf } from '../../types/type.ts';
import { type CheckContext, declareLocal } from '../context/check-context.ts';

/** Returns the list of a `cel.block`, whose elements the other argument refers to as `@index0`, `@index1`, … */
export function slotsOf(call: CallExpr): ListExpr | undefined {
  const [slots] = call.args;
  return call.function === 'cel.@block' && slots?.kind === 'list' ? slots : undefined;
}

/** Declares the slots; each element sees those before it. The caller restores the previous scope. */
export function inferSlots(c: CheckContext, slots: ListExpr, owner: number): void {
  for (const [i, element] of slots.elements.entries()) declareLocal(c, `@index${i}`, c.infer(c, element), owner);
  c.types[slots.id] = listOf(DYN);
}
