import type { Type } from './type.ts';
import { assign, createBindings } from './unification.ts';

/**
 * Whether a value of type `source` is accepted where `target` is expected, by the checker's rules: dyn goes with
 * everything, a wrapper with its scalar and null, an unbound type parameter with everything.
 */
export function isAssignable(target: Type, source: Type): boolean {
  return assign(createBindings(), source, target);
}
