import type { Type } from '../types/type.ts';

/** A name that expressions may read, and its type. The name may be qualified: `conn`, `google.protobuf.x`. */
export interface VariableDecl {
  readonly name: string;
  readonly type: Type;
  readonly doc?: string;
}

/** One signature of a function. */
export interface Overload {
  /** Stable and unique in the environment: implementations are found by it. */
  readonly id: string;
  /** Called as `target.f(...)`; the target's type is then the first of `params`. */
  readonly member: boolean;
  readonly params: readonly Type[];
  readonly result: Type;
  /** The version of its library that brought it, as the reference implementation counts them; 0 when absent. */
  readonly since?: number;
  /**
   * CEL source of the function's body over `paramNames` and the environment's variables. The call is replaced by it before
   * compiling, so that what it reads, its errors and its unknowns are those of the text it stands for.
   */
  readonly body?: { readonly paramNames: readonly string[]; readonly source: string };
  /** Expressions with the value that they have, as CEL source of both; run as tests. */
  readonly examples?: readonly { readonly expression: string; readonly value: string }[];
}

/** A function, or an operator, with all its signatures. */
export interface FunctionDecl {
  /** As in {@link CallExpr.function}: operators under their specification name, qualified functions with dots (`math.least`). */
  readonly name: string;
  readonly doc: string;
  readonly overloads: readonly Overload[];
}

/** A type with fields that `object` types refer to by name. Values are plain host objects, read in place. */
export interface ObjectDecl {
  readonly name: string;
  readonly fields: ReadonlyMap<string, FieldDecl>;
  /**
   * Makes the type dual: where a value of it is not selected from, its text is meant, which stands in it under this key. The
   * key should be one that expressions cannot write, such as `@text`.
   */
  readonly asText?: string;
}

/** A field of an object type. */
export interface FieldDecl {
  readonly type: Type;
  /** The field may be missing from a value; selecting it then is an evaluation error, and `has()` tells. */
  readonly mayBeAbsent?: boolean;
  readonly doc?: string;
}
