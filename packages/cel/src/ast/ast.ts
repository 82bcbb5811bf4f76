// The trees of expressions, plain and typed, the declarations that they refer to, and walks over them.

import type { Range } from '@tollgate/diagnostics';
import type { Type } from './types.ts';

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

/** Returns a copy of the node with each child replaced; the node itself if no child changes. */
export function mapChildren(expr: Expr, change: (child: Expr) => Expr): Expr {
  switch (expr.kind) {
    case 'select': {
      const operand = change(expr.operand);
      return operand === expr.operand ? expr : { ...expr, operand };
    }
    case 'call': {
      const target = expr.target && change(expr.target);
      const args = mapAll(expr.args, change);
      return target === expr.target && args === expr.args ? expr : { ...expr, target, args };
    }
    case 'list': {
      const elements = mapAll(expr.elements, change);
      return elements === expr.elements ? expr : { ...expr, elements };
    }
    case 'map': {
      const entries = mapAll(expr.entries, entry => {
        const key = change(entry.key);
        const value = change(entry.value);
        return key === entry.key && value === entry.value ? entry : { ...entry, key, value };
      });
      return entries === expr.entries ? expr : { ...expr, entries };
    }
    case 'struct': {
      const fields = mapAll(expr.fields, field => {
        const value = change(field.value);
        return value === field.value ? field : { ...field, value };
      });
      return fields === expr.fields ? expr : { ...expr, fields };
    }
    case 'comprehension':
      return mapComprehension(expr, change);
    default:
      return expr;
  }
}

const PARTS = ['iterRange', 'accuInit', 'loopCondition', 'loopStep', 'result'] as const;

function mapComprehension(expr: Extract<Expr, { kind: 'comprehension' }>, change: (child: Expr) => Expr): Expr {
  const iterRange = change(expr.iterRange);
  const accuInit = change(expr.accuInit);
  const loopCondition = change(expr.loopCondition);
  const loopStep = change(expr.loopStep);
  const result = change(expr.result);
  const changed = { ...expr, iterRange, accuInit, loopCondition, loopStep, result };
  return PARTS.every(part => changed[part] === expr[part]) ? expr : changed;
}

function mapAll<T>(items: readonly T[], change: (item: T) => T): readonly T[] {
  let changed: T[] | undefined;
  for (const [at, item] of items.entries()) {
    const own = change(item);
    if (own !== item) changed ??= [...items];
    if (changed !== undefined) changed[at] = own;
  }
  return changed ?? items;
}

/** Returns the direct children, in source order where they have one. */
export function childrenOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'select':
      return [expr.operand];
    case 'call':
      return expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    case 'list':
      return expr.elements;
    case 'map':
      return expr.entries.flatMap(({ key, value }) => [key, value]);
    case 'struct':
      return expr.fields.map(({ value }) => value);
    case 'comprehension':
      return PARTS.map(part => expr[part]);
    default:
      return [];
  }
}

/** Identifies a name that a comprehension declares. */
export function localKey(scope: number, name: string): string {
  return `${scope}:${name}`;
}

/** Returns true for what `cel.bind` expands to: a loop over an empty list, which only gives a value a name. */
export function isBinding({ iterRange }: ComprehensionExpr): boolean {
  return iterRange.kind === 'list' && iterRange.elements.length === 0;
}

/** Returns the value of a string literal; undefined for any other expression. */
export function literalString(expr: Expr | undefined): string | undefined {
  return expr?.kind === 'literal' && expr.literal.type === 'string' ? expr.literal.value : undefined;
}

/** Returns true if the tree has more than `limit` levels, without descending further. */
export function isDeeperThan(expr: Expr, limit: number): boolean {
  if (limit === 0) return true;
  switch (expr.kind) {
    case 'literal':
    case 'ident':
    case 'error':
      return false;
    case 'select':
      return isDeeperThan(expr.operand, limit - 1);
    case 'call':
      return (
        (expr.target !== undefined && isDeeperThan(expr.target, limit - 1)) ||
        expr.args.some(arg => isDeeperThan(arg, limit - 1))
      );
    case 'list':
      return expr.elements.some(element => isDeeperThan(element, limit - 1));
    case 'map':
      return expr.entries.some(entry => isDeeperThan(entry.key, limit - 1) || isDeeperThan(entry.value, limit - 1));
    case 'struct':
      return expr.fields.some(field => isDeeperThan(field.value, limit - 1));
    case 'comprehension':
      // Only what the user wrote counts, not the levels that a macro adds.
      return isDeeperThan(expr.iterRange, limit - 1) || partsAreDeeper(expr, limit);
  }
}

function partsAreDeeper(expr: Extract<Expr, { kind: 'comprehension' }>, limit: number): boolean {
  const { accuInit, loopCondition, loopStep, result } = expr;
  return [accuInit, loopCondition, loopStep, result].some(part => isDeeperThan(part, limit - 1));
}
