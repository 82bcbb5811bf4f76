import type { Environment, Expr, Type, TypedAst } from '@tollgate/cel';
import type { PathOptions, Selection } from '@tollgate/cel/tooling';
import { inputPathOf } from '@tollgate/cel/tooling';
import type { Condition } from '../formula/condition.ts';
import type { Vocabulary } from '../values/vocabulary.ts';

/** What is known of the names that expressions use. */
export interface NameMetadata {
  /** Whether reader the path (`req.Method`) always gives a value. */
  readonly isAlwaysPresent: (path: string) => boolean;
  /** Whether calling the overload twice may give two results. */
  readonly isVolatile: (overloadId: string) => boolean;
}

/** An expression on its way to a condition. */
export interface ReaderContext {
  readonly typed: TypedAst;
  /** Calls of functions with bodies have been replaced by these. */
  readonly isInlined: boolean;
  readonly environment: Environment;
  readonly facts: NameMetadata;
  readonly vocabulary: Vocabulary;
  /** What local names stand for, by scope and name. */
  readonly bindings: Map<string, Expr>;
  /** How many times the loops around it read it; once when absent. */
  readonly repeats?: number;
  /** By the id of an operator, what its operands are. Absent inside of loops, where they are something else each time. */
  readonly operands?: Map<number, readonly Condition[]>;
}

/** The expression itself, or what the local name that it is stands for. */
export function resolved(reader: ReaderContext, expr: Expr): Expr {
  let current = expr;
  while (current.kind === 'ident') {
    const bound = boundTo(reader, current);
    if (bound === undefined) return current;
    current = bound;
  }
  return current;
}

/** What a local name stands for; undefined for all else. */
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

/** The one overload that a call means; undefined when there are several. */
export function overloadOf({ typed }: ReaderContext, expr: Expr): string | undefined {
  const reference = typed.references[expr.id];
  return reference?.kind === 'function' && reference.overloads.length === 1 ? reference.overloads[0]!.id : undefined;
}

/** What a call is applied to, the target first; without the target where that is only part of the name. */
export function operandsOf(reader: ReaderContext, call: Extract<Expr, { kind: 'call' }>): readonly Expr[] {
  const { target, args } = call;
  return target === undefined || reader.typed.types[target.id] === undefined ? args : [target, ...args];
}

/** The path of selections from a declared variable, as the catalog writes it: `req.Method`. */
export function pathOf(reader: ReaderContext, expr: Expr): string | undefined {
  const resolve = reader.bindings.size === 0 ? undefined : (name: Expr) => boundTo(reader, name);
  return inputPathOf(reader.typed, expr, resolve ? { isField: isFieldOutsideMaps, resolve } : FIELDS);
}

/** Reads fields of anything but maps as parts of a path. */
export const FIELDS: PathOptions = { isField: isFieldOutsideMaps };

function isFieldOutsideMaps({ testOnly, operand }: Selection, { types }: TypedAst): boolean {
  return !testOnly && types[operand.id]?.kind !== 'map';
}

/** The names, keys and positions that lead to a value of the inputs; undefined for what is calculated. */
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
