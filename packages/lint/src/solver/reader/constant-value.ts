import { CelDouble, CelUint, compileClosures, type Expr, type NonValue, type Value } from '@tollgate/cel';
import { childrenOf, mapChildren, parseCidr, typeDynamically } from '@tollgate/cel/tooling';
import { operandsOf, overloadOf, type ReaderContext, resolved } from './reader-context.ts';

/** A constant that values are compared with. */
export type Constant =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly number: number | bigint; readonly isDouble: boolean };

/** Returns the value of a constant expression; undefined if it is not constant or has another type. */
export function constantOf(reader: ReaderContext, expr: Expr): Constant | undefined {
  const own = resolved(reader, expr);
  if (own.kind === 'call') {
    return isConstant(reader, own) ? asConstant(constantValue(reader, own)) : undefined;
  }
  if (own.kind !== 'literal') return undefined;
  const { type, value } = own.literal;
  if (type === 'double') return { kind: 'number', number: value, isDouble: true };
  return asConstant(value as Value);
}

function asConstant(value: Value | NonValue): Constant | undefined {
  if (typeof value === 'string') return { kind: 'text', text: value };
  if (value instanceof CelDouble) return { kind: 'number', number: value.value, isDouble: true };
  if (value instanceof CelUint) return { kind: 'number', number: value.value, isDouble: false };
  if (typeof value === 'bigint') return { kind: 'number', number: value, isDouble: false };
  if (typeof value !== 'number') return undefined;
  return { kind: 'number', number: value, isDouble: !Number.isInteger(value) };
}

/** Returns true if an expression reads no input and is not volatile. */
export function isConstant(reader: ReaderContext, expr: Expr): boolean {
  const own = resolved(reader, expr);
  const reference = reader.typed.references[own.id];
  if (reference?.kind === 'variable') return false;
  if (own.kind !== 'call') return own.kind !== 'error' && childrenOf(own).every(child => isConstant(reader, child));
  if (reference?.kind !== 'function' || reference.overloads.some(({ id }) => reader.facts.isVolatile(id))) return false;
  return operandsOf(reader, own).every(operand => isConstant(reader, operand));
}

/** Evaluates an expression that reads no input. */
export function constantValue(reader: ReaderContext, expr: Expr): Value | NonValue {
  const known = knownValue(reader, expr);
  if (known !== undefined) return known;
  let nextId = 1;
  // The expression of a local name may be copied to several places, and ids must be unique.
  const copy = (node: Expr): Expr => ({ ...mapChildren(resolved(reader, node), copy), id: nextId++ });
  const root = copy(expr);
  const { environment } = reader;
  const typed = typeDynamically({ source: '', root, nextId, macroCalls: new Map() }, environment);
  return compileClosures(typed, environment).evaluate({});
}

/** Every test of an address contains this call, and compiling it costs as much as the rest of the test. */
function knownValue(reader: ReaderContext, expr: Expr): boolean | undefined {
  const own = resolved(reader, expr);
  if (own.kind !== 'call' || overloadOf(reader, own) !== 'is_cidr') return undefined;
  const [text] = own.args.map(arg => resolved(reader, arg));
  if (text?.kind !== 'literal' || text.literal.type !== 'string') return undefined;
  return parseCidr(text.literal.value) !== undefined;
}
