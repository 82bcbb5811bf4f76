import { compileClosures, type Expr } from '@tollgate/cel';
import { childrenOf, mapChildren, typeDynamically } from '@tollgate/cel/tooling';
import { bindingOf, isVolatile, operandsOf, type Reader, resolved } from '../inputs/reader-context.ts';
import { ALWAYS_FAILS, ALWAYS_FALSE, ALWAYS_TRUE, type Condition } from '../logic/condition.ts';

/** Returns true if an expression reads no input and is not volatile. */
export function isConstant(reader: Reader, expr: Expr): boolean {
  const own = resolved(reader, expr);
  const reference = reader.typed.references[own.id];
  if (reference?.kind === 'variable' || own.kind === 'error') return false;
  if (own.kind !== 'call') {
    return bindingOf(reader, own) === undefined && childrenOf(own).every(child => isConstant(reader, child));
  }
  if (reference?.kind !== 'function' || isVolatile(reader, own)) return false;
  return operandsOf(reader, own).every(operand => isConstant(reader, operand));
}

/** Evaluates a condition that reads no input. */
export function constantCondition(reader: Reader, expr: Expr): Condition {
  const value = constantValue(reader, expr);
  if (typeof value !== 'boolean') return ALWAYS_FAILS;
  return value ? ALWAYS_TRUE : ALWAYS_FALSE;
}

/** Returns the value of an expression that reads no input; an error if it fails. */
export function constantValue(reader: Reader, expr: Expr): unknown {
  let nextId = 1;
  // The expression of a local name may be copied to several places, and ids must be unique.
  const copy = (node: Expr): Expr => ({ ...mapChildren(resolved(reader, node), copy), id: nextId++ });
  const root = copy(expr);
  const { environment } = reader;
  const typed = typeDynamically({ source: '', root, nextId, macroCalls: new Map() }, environment);
  return compileClosures(typed, environment).evaluate({});
}
