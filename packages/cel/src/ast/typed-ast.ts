import type { Type } from '../types/type.ts';
import type { Ast } from './ast.ts';
import type { Overload } from './declaration.ts';

/** What a name or a call refers to. */
export type Reference =
  | { readonly kind: 'variable'; readonly name: string; readonly type: Type }
  /** An iteration variable or one bound by a macro; `scope` is the id of the comprehension that binds it. */
  | { readonly kind: 'local'; readonly name: string; readonly scope: number }
  /** A type name used as a value: `int`, `net.IP`. */
  | { readonly kind: 'type'; readonly type: Type }
  /** The overloads that the argument types allow, at least one. If there are several, the values decide at run time. */
  | { readonly kind: 'function'; readonly name: string; readonly overloads: readonly Overload[] };

/** A checked tree. Side tables are indexed by node id. */
export interface TypedAst {
  readonly ast: Ast;
  readonly resultType: Type;
  readonly types: readonly (Type | undefined)[];
  /**
   * For identifiers, for calls, and for the outermost select of a qualified name (`a.b.c` declared as one variable); its operand then has
   * no reference.
   */
  readonly references: readonly (Reference | undefined)[];
}
