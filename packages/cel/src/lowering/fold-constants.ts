// Evaluates calls of constants before an expression runs, and knows which values may be partial.

import {
  type CallExpr,
  type Expr,
  type Integer,
  type Literal,
  mapChildren,
  type Overload,
  type TypedAst,
} from '../ast/ast.ts';
import { DYN, type Type } from '../ast/types.ts';
import type { Environment } from '../checker/environment.ts';
import { createRunContext, type RunContext } from '../runtime/context.ts';
import { CidrRange, Duration, IpAddress, NonValue, Timestamp, type Value } from '../values/value.ts';

/** A typed tree with the values of folded calls. */
export interface FoldedAst extends TypedAst {
  /** The values of calls that need not run, by id, in the representation of their static types. */
  readonly constants: ReadonlyMap<number, Constant>;
}

/** A value that no literal can express. */
export type Constant = Timestamp | Duration | IpAddress | CidrRange;

/**
 * Evaluates calls of constants (`duration('1h')`, `cidr('10.0.0.0/8')`, `60 * 60`). Numbers, bools and short strings become literals in the
 * tree; other values are kept in a side table. A call that fails is left for the evaluation to report.
 *
 * Calls that create lists, maps or long strings are not folded: a few nested ones can create very large values from a short expression, and
 * compiling must not.
 */
export function foldConstants(typed: TypedAst, env: Environment): FoldedAst {
  const folding: FoldContext = { typed, env, constants: new Map(), context: undefined };
  const root = fold(folding, typed.ast.root);
  const ast = root === typed.ast.root ? typed.ast : { ...typed.ast, root };
  return { ...typed, ast, constants: folding.constants };
}

interface FoldContext {
  readonly typed: TypedAst;
  readonly env: Environment;
  readonly constants: Map<number, Constant>;
  context: RunContext | undefined;
}

function fold(folding: FoldContext, expr: Expr): Expr {
  if (expr.kind === 'literal' || expr.kind === 'ident') return expr;
  const inner = mapChildren(expr, child => fold(folding, child));
  if (inner.kind !== 'call') return inner;
  const overload = foldableOverload(folding, inner);
  const value = overload && run(folding, inner, overload);
  if (value === undefined) return inner;
  const literal = literalOf(value, overload!.result);
  if (literal !== undefined) return { kind: 'literal', id: inner.id, range: inner.range, literal };
  if (isConstant(value)) folding.constants.set(inner.id, value);
  return inner;
}

/** UTF-16 units. */
const MAX_FOLDED_LENGTH = 1000;

function isConstant(value: unknown): value is Constant {
  return (
    value instanceof Timestamp || value instanceof Duration || value instanceof IpAddress || value instanceof CidrRange
  );
}

/** Returns the only possible overload of a call if its result is worth folding and needs no conversion. */
function foldableOverload({ typed, env }: FoldContext, call: CallExpr): Overload | undefined {
  const reference = typed.references[call.id];
  if (reference?.kind !== 'function' || reference.overloads.length !== 1) return undefined;
  const overload = reference.overloads[0]!;
  // A user function may return a different result each time.
  if (env.implementations.has(overload.id)) return undefined;
  const { kind } = overload.result;
  return FOLDED_KINDS.has(kind) && (typed.types[call.id] ?? DYN).kind === kind ? overload : undefined;
}

const FOLDED_KINDS: ReadonlySet<Type['kind']> = new Set([
  'bool',
  'int',
  'uint',
  'double',
  'string',
  'timestamp',
  'duration',
  'opaque',
] as const);

/** Returns undefined if an operand is not constant or the call fails. */
function run(folding: FoldContext, call: CallExpr, overload: Overload): Value | undefined {
  const implementation = folding.env.libraryImplementations.get(overload.id);
  if (implementation === undefined) return undefined;
  const operands = overload.member && call.target !== undefined ? [call.target, ...call.args] : call.args;
  const values: Value[] = [];
  for (const [index, operand] of operands.entries()) {
    const value = constantOf(folding, operand, overload.params[index] ?? DYN);
    if (value === undefined) return undefined;
    values.push(value);
  }
  const implemented = implementation.call as (...args: unknown[]) => Value | NonValue;
  const result = implementation.needsContext ? implemented(contextOf(folding), ...values) : implemented(...values);
  return result instanceof NonValue ? undefined : result;
}

/** Returns the value of an operand that already has the representation of its parameter. */
function constantOf({ typed, constants }: FoldContext, operand: Expr, param: Type): Value | undefined {
  if ((typed.types[operand.id] ?? DYN).kind !== param.kind) return undefined;
  return operand.kind === 'literal' ? (operand.literal.value as Value) : constants.get(operand.id);
}

function contextOf(folding: FoldContext): RunContext {
  folding.context ??= createRunContext(folding.env.limits);
  folding.context.left = folding.env.limits.maxSteps;
  return folding.context;
}

function literalOf(value: Value, { kind }: Type): Literal | undefined {
  switch (kind) {
    case 'bool':
      return { type: kind, value: value as boolean };
    case 'int':
    case 'uint':
      return { type: kind, value: value as Integer };
    case 'double':
      return { type: kind, value: value as number };
    case 'string':
      return (value as string).length > MAX_FOLDED_LENGTH ? undefined : { type: kind, value: value as string };
    default:
      return undefined;
  }
}

/** Returns true if the value may contain host data that no function has read completely; results of calls are whole. */
export function givesHostData(expr: Expr): boolean {
  switch (expr.kind) {
    case 'ident':
    case 'select':
    case 'comprehension':
      return true;
    case 'call':
      return PASSING.has(expr.function);
    case 'list':
      return expr.elements.some(givesHostData);
    case 'map':
      return expr.entries.some(({ value }) => givesHostData(value));
    case 'struct':
      return expr.fields.some(({ value }) => givesHostData(value));
    default:
      return false;
  }
}

const PASSING: ReadonlySet<string> = new Set(['_[_]', '_?_:_', '_?._', '_[?_]', 'cel.@block']);

/** Returns true if a value of the type may have unknown parts and must be searched for them. */
export function mayBePartial(type: Type): boolean {
  switch (type.kind) {
    case 'dyn':
    case 'error':
    case 'param':
    case 'list':
    case 'map':
    case 'object':
      return true;
    case 'optional':
      return mayBePartial(type.value);
    case 'wrapper':
      return mayBePartial(type.of);
    default:
      return false;
  }
}
