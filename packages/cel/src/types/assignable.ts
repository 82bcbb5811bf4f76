import type { Type } from './type.ts';
import { assign, createBindings } from './unification.ts';

/**
 * Returns true if the checker accepts a value of type `source` where `target` is expected. dyn and unbound type parameters are compatible
 * with everything, and a wrapper with its scalar and null.
 */
export function isAssignable(target: Type, source: Type): boolean {
  return assign(createBindings(), source, target);
}
