import type { FunctionDecl, Overload } from '../../ast/declaration.ts';
import type { Type } from '../../types/type.ts';

/** An expression and its value, both as CEL source. */
export type Example = readonly [expression: string, value: string];

/** Returns an overload called as `f(...)`, or of an operator. */
export function overload(id: string, params: readonly Type[], result: Type, ...examples: readonly Example[]): Overload {
  return { id, member: false, params, result, ...withExamples(examples) };
}

/** Returns an overload called as `target.f(...)`; the target's type is the first of `params`. */
export function member(id: string, params: readonly Type[], result: Type, ...examples: readonly Example[]): Overload {
  return { id, member: true, params, result, ...withExamples(examples) };
}

function withExamples(examples: readonly Example[]): Pick<Overload, 'examples'> {
  if (examples.length === 0) return {};
  return { examples: examples.map(([expression, value]) => ({ expression, value })) };
}

/** Returns an overload introduced in a later version of its library. */
export function since(version: number, added: Overload): Overload {
  return { ...added, since: version };
}

/** Returns a function declaration. */
export function declare(name: string, doc: string, ...overloads: readonly Overload[]): FunctionDecl {
  return { name, doc, overloads };
}
