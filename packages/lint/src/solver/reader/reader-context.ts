import type { Environment, Expr, Type, TypedAst } from '@tollgate/cel';
import { inputPathOf, type PathOptions, type Selection } from '@tollgate/cel/tooling';
import type { Condition } from '../formula/condition.ts';
import type { Vocabulary } from '../values/vocabulary.ts';

/** What the catalog says about names. */
export interface NameMetadata {
  /** Returns true if reading the path (`req.Method`) never fails. */
  readonly isAlwaysPresent: (path: string) => boolean;
  /** Returns true if two calls of the overload may have different results. */
  readonly isVolatile: (overloadId: string) => boolean;
}

/** The context of an expression that is being read. */
export interface ReaderContext {
  readonly typed: TypedAst;
  /** True once calls are replaced by function bodies. */
  readonly isInlined: boolean;
  readonly environment: Environment;
  readonly facts: NameMetadata;
  readonly vocabulary: Vocabulary;
  /** Expressions that local names stand for, by scope and name. */
  readonly bindings: Map<string, Expr>;
  /** How often enclosing loops repeat it; once when absent. */
  readonly repeats?: number;
  /** Conditions of the operands by operator id. Absent inside of loops, where they differ with each iteration. */
  readonly operands?: Map<number, readonly Condition[]>;
}

/** Follows local names to the expression that they stand for. */
export function resolved(reader: ReaderContext, expr: Expr): Expr {
  let current = expr;
  while (current.kind === 'ident') {
    const bound = boundTo(reader, current);
    if (bound === undefined) return current;
    current = bound;
  }
  return current;
}

/** Returns the expression that a local name stands for; undefined for others. */
export function boundTo({ typed, bindings }: ReaderContext, expr: Expr): Expr | undefined {
  const reference = typed.references[expr.id];
  return reference?.kind === 'local' ? bindings.get(bindingKey(reference.scope, reference.name)) : undefined;
}

export function bindingKey(scope: number, name: string): string {
  return `${scope}:${name}`;
}

export function typeOfExpr({ typed }: ReaderContext, expr: Expr): Type['kind'] {
  return typed.types[expr.id]?.kind ?? 'dyn';
}

/** Returns the id of the overload of a call; undefined if there are several. */
export function overloadOf({ typed }: ReaderContext, expr: Expr): string | undefined {
  const reference = typed.references[expr.id];
  return reference?.kind === 'function' && reference.overloads.length === 1 ? reference.overloads[0]!.id : undefined;
}

/** Returns the operands of a call, starting with the target unless it is a namespace. */
export function operandsOf(reader: ReaderContext, call: Extract<Expr, { kind: 'call' }>): readonly Expr[] {
  const { target, args } = call;
  return target === undefined || reader.typed.types[target.id] === undefined ? args : [target, ...args];
}

/** Returns the path of an input as the catalog writes it: `req.Method`. Local names are resolved. */
export function pathOf(reader: ReaderContext, expr: Expr): string | undefined {
  const resolve = reader.bindings.size === 0 ? undefined : (name: Expr) => boundTo(reader, name);
  return inputPathOf(reader.typed, expr, resolve ? { isField: isFieldOutsideMaps, resolve } : FIELDS);
}

/** Reads fields of anything but maps as parts of a path. */
export const FIELDS: PathOptions = { isField: isFieldOutsideMaps };

function isFieldOutsideMaps({ testOnly, operand }: Selection, { types }: TypedAst): boolean {
  return !testOnly && types[operand.id]?.kind !== 'map';
}

/** Returns the names, keys and indices that lead to a value of an input; undefined for computed values. */
export function stepsTo(reader: ReaderContext, expr: Expr): readonly (string | number)[] | undefined {
  const path = pathOf(reader, expr);
  if (path !== undefined) return path.split('.');
  const own = resolved(reader, expr);
  if (own.kind === 'select' && !own.testOnly) {
    const steps = stepsTo(reader, own.operand);
    return steps && [...steps, own.field];
  }
  if (own.kind !== 'call' || own.function !== '_[_]') return undefined;
  const steps = stepsTo(reader, own.args[0]!);
  const index = resolved(reader, own.args[1]!);
  if (steps === undefined || index.kind !== 'literal') return undefined;
  const { value } = index.literal;
  return typeof value === 'string' || typeof value === 'number' ? [...steps, value] : undefined;
}
