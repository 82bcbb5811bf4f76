import {
  CelDouble,
  CelUint,
  childrenOf,
  compileClosures,
  type Expr,
  mapChildren,
  type NonValue,
  parseCidr,
  typeDynamically,
  type Value,
} from '@tollgate/cel';
import { operandsOf, overloadOf, type Reading, resolved } from './reader-context.ts';

/** A constant that values are compared with. */
export type Constant =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly number: number | bigint; readonly isDouble: boolean };

/** The constant that an operand is, or that its calculation gives; undefined when it is none, or one of another type. */
export function constantOf(reading: Reading, expr: Expr): Constant | undefined {
  const own = resolved(reading, expr);
  if (own.kind === 'call') {
    return isConstant(reading, own) ? asConstant(constantValue(reading, own)) : undefined;
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

/** Whether an expression reads no input, and gives the same each time. */
export function isConstant(reading: Reading, expr: Expr): boolean {
  const own = resolved(reading, expr);
  const reference = reading.typed.references[own.id];
  if (reference?.kind === 'variable') return false;
  if (own.kind !== 'call') return own.kind !== 'error' && childrenOf(own).every(child => isConstant(reading, child));
  if (reference?.kind !== 'function' || reference.overloads.some(({ id }) => reading.facts.isVolatile(id)))
    return false;
  return operandsOf(reading, own).every(operand => isConstant(reading, operand));
}

/** What an expression that reads no input gives. */
export function constantValue(reading: Reading, expr: Expr): Value | NonValue {
  const known = knownValue(reading, expr);
  if (known !== undefined) return known;
  let nextId = 1;
  // What a local name stands for may come to stand in several places, and ids are unique in a tree.
  const copy = (node: Expr): Expr => ({ ...mapChildren(resolved(reading, node), copy), id: nextId++ });
  const root = copy(expr);
  const { environment } = reading;
  const typed = typeDynamically({ source: '', root, nextId, macroCalls: new Map() }, environment);
  return compileClosures(typed, environment).evaluate({});
}

/** Stands in every test of an address. To compile it takes as long as all else that is done for the test. */
function knownValue(reading: Reading, expr: Expr): boolean | undefined {
  const own = resolved(reading, expr);
  if (own.kind !== 'call' || overloadOf(reading, own) !== 'is_cidr') return undefined;
  const [text] = own.args.map(arg => resolved(reading, arg));
  if (text?.kind !== 'literal' || text.literal.type !== 'string') return undefined;
  return parseCidr(text.literal.value) !== undefined;
}
