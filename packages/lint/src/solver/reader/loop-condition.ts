import type { Expr } from '@tollgate/cel';
import { allOf, anyOf, type Condition, FALSE_ALWAYS, TRUE_ALWAYS } from '../formula/condition.ts';
import { bindingKey, type ReaderContext, resolved } from './reader-context.ts';

/** Loops over longer lists are opaque; for nested loops, the product counts. */
const MAX_ELEMENTS = 256;

type Loop = Extract<Expr, { kind: 'comprehension' }>;

/** Reads `exists` and `all` over a list literal as `||` and `&&` over its elements; undefined for other loops. */
export function loopCondition(
  reader: ReaderContext,
  loop: Loop,
  translate: (reader: ReaderContext, expr: Expr) => Condition,
): Condition | undefined {
  const list = resolved(reader, loop.iterRange);
  const quantifier = quantifierOf(loop);
  if (list.kind !== 'list' || quantifier === undefined || loop.iterVar2 !== undefined) return undefined;
  const { elements, optionalIndices } = list;
  const repeats = (reader.repeats ?? 1) * elements.length;
  if (repeats > MAX_ELEMENTS || optionalIndices.length > 0) return undefined;
  if (elements.length === 0) return quantifier.isAll ? TRUE_ALWAYS : FALSE_ALWAYS;
  // Other elements may fail when the list is built.
  if (!elements.every(isFixed)) return undefined;
  const { operands: _, ...outside } = reader;
  const inside = { ...outside, repeats };
  const key = bindingKey(loop.id, loop.iterVar);
  const condition = elements.map(element => {
    reader.bindings.set(key, element);
    return translate(inside, quantifier.predicate);
  });
  reader.bindings.delete(key);
  return quantifier.isAll ? allOf(condition) : anyOf(condition);
}

function isFixed(element: Expr): boolean {
  return element.kind === 'literal';
}

/** Returns the predicate of a loop that `all` or `exists` expands to. */
export function quantifierOf({ accuVar, accuInit, loopStep, result }: Loop) {
  if (accuInit.kind !== 'literal' || loopStep.kind !== 'call') return undefined;
  const [accumulated, predicate] = loopStep.args;
  if (accumulated?.kind !== 'ident' || accumulated.name !== accuVar || predicate === undefined) return undefined;
  if (result.kind !== 'ident' || result.name !== accuVar) return undefined;
  const start = accuInit.literal.value;
  if (loopStep.function === '_||_' && start === false) return { isAll: false, predicate };
  return loopStep.function === '_&&_' && start === true ? { isAll: true, predicate } : undefined;
}
