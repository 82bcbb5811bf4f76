import type { Range } from '@tollgate/diagnostics';

/** An int or uint in canonical form: a number when it is a safe integer, a bigint otherwise. */
export type Integer = number | bigint;

/** The value of a literal as written. */
export type Literal =
  | { readonly type: 'null'; readonly value: null }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'int'; readonly value: Integer }
  | { readonly type: 'uint'; readonly value: Integer }
  | { readonly type: 'double'; readonly value: number }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'bytes'; readonly value: Uint8Array };

interface Node {
  /** Positive and unique within one tree. Ids are assigned in the order of construction, so side tables are arrays indexed by them. */
  readonly id: number;
  /** The source range of the node. A node that a macro creates has the range of the part of the macro call that it comes from. */
  readonly range: Range;
}

export interface LiteralExpr extends Node {
  readonly kind: 'literal';
  readonly literal: Literal;
}

/** A name. It keeps a leading dot (`.a`), which requests resolution at the root instead of the container. */
export interface IdentExpr extends Node {
  readonly kind: 'ident';
  readonly name: string;
}

/** `operand.field`, or `has(operand.field)` when `testOnly`. */
export interface SelectExpr extends Node {
  readonly kind: 'select';
  readonly operand: Expr;
  readonly field: string;
  readonly fieldRange: Range;
  readonly testOnly: boolean;
}

/**
 * A call, or an operator under its name in the specification: `_+_`, `_[_]`, `!_`, `-_`, `_?_:_`, `@in`, `_&&_`,
 * `_?._` and `_[?_]` for optional selection and indexing.
 */
export interface CallExpr extends Node {
  readonly kind: 'call';
  readonly function: string;
  /** The range of the function's name or of the operator. */
  readonly functionRange: Range;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}

export interface ListExpr extends Node {
  readonly kind: 'list';
  readonly elements: readonly Expr[];
  /** Indices in `elements` of elements written as `?e`. */
  readonly optionalIndices: readonly number[];
}

export interface MapEntry extends Node {
  readonly key: Expr;
  readonly value: Expr;
  readonly optional: boolean;
}

export interface MapExpr extends Node {
  readonly kind: 'map';
  readonly entries: readonly MapEntry[];
}

export interface FieldInit extends Node {
  readonly field: string;
  readonly value: Expr;
  readonly optional: boolean;
}

/** `Name{field: value}`. */
export interface StructExpr extends Node {
  readonly kind: 'struct';
  readonly typeName: string;
  readonly fields: readonly FieldInit[];
}

/**
 * The fold that macros expand to: `accuVar` starts as `accuInit`; for each element of `iterRange`, while `loopCondition`
 * holds, it becomes `loopStep`; then `result` is the value. With `iterVar2` the first variable is the index or key and the
 * second the element or value.
 */
export interface ComprehensionExpr extends Node {
  readonly kind: 'comprehension';
  readonly iterVar: string;
  readonly iterVar2: string | undefined;
  readonly iterRange: Expr;
  readonly accuVar: string;
  readonly accuInit: Expr;
  readonly loopCondition: Expr;
  readonly loopStep: Expr;
  readonly result: Expr;
}

/** A part of the source that could not be parsed; a diagnostic says why. */
interface ErrorExpr extends Node {
  readonly kind: 'error';
}

/** A node of the abstract syntax tree: plain data. Results of analyses are in side tables keyed by `id`. */
export type Expr =
  | LiteralExpr
  | IdentExpr
  | SelectExpr
  | CallExpr
  | ListExpr
  | MapExpr
  | StructExpr
  | ComprehensionExpr
  | ErrorExpr;

/** The tree of one expression. */
export interface Ast {
  readonly source: string;
  readonly root: Expr;
  /** Greater than all ids in the tree. */
  readonly nextId: number;
  /**
   * The original macro calls, by the id of the node they were expanded to. In them, arguments that are macro calls themselves appear
   * expanded (look up their ids), and the iteration variable appears as an identifier.
   */
  readonly macroCalls: ReadonlyMap<number, CallExpr>;
}
