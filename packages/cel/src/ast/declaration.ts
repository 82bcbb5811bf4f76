import type { Type } from '../types/type.ts';

/** A variable that expressions may read, and its type. The name may be qualified: `conn`, `google.protobuf.x`. */
export interface VariableDecl {
  readonly name: string;
  readonly type: Type;
  readonly doc?: string;
}

/** One signature of a function. */
export interface Overload {
  /** Stable, and unique in the environment. Implementations are registered under it. */
  readonly id: string;
  /** True if called as `target.f(...)`; the target's type is then the first of `params`. */
  readonly member: boolean;
  readonly params: readonly Type[];
  readonly result: Type;
  /** The library version that introduced it, in the numbering of the reference implementation. Defaults to 0. */
  readonly since?: number;
  /**
   * CEL source of the function's body over `paramNames` and the environment's variables. Calls are replaced by the body before compiling,
   * so their reads, errors and unknowns are those of the body.
   */
  readonly body?: { readonly paramNames: readonly string[]; readonly source: string };
  /** Expressions with their values, both as CEL source; tests run them. */
  readonly examples?: readonly { readonly expression: string; readonly value: string }[];
}

/** A function, or an operator, with all its signatures. */
export interface FunctionDecl {
  /** As in {@link CallExpr.function}: operators under their names in the specification, qualified functions with dots (`math.least`). */
  readonly name: string;
  readonly doc: string;
  readonly overloads: readonly Overload[];
}

/** A type with fields that `object` types refer to by name. Values are plain host objects, read in place. */
export interface ObjectDecl {
  readonly name: string;
  readonly fields: ReadonlyMap<string, FieldDecl>;
  /**
   * Makes the type dual: unless a field is selected from it, a value of the type is read as the string under this key. Choose a key that
   * expressions cannot write, such as `@text`.
   */
  readonly stringKey?: string;
}

/** A field of an object type. */
export interface FieldDecl {
  readonly type: Type;
  /** The field may be missing from a value. Selecting it is then an evaluation error, and `has()` returns false. */
  readonly mayBeAbsent?: boolean;
  readonly doc?: string;
}
