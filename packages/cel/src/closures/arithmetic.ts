import { NonValue } from '../runtime/value.ts';
import type { Code, Outcome } from './code.ts';
import { type Operation, slowPath } from './implementation-call.ts';

/** The operands of a binary operator, compiled for one of its overloads, and what runs when the fast path does not fit. */
export interface Binary {
  readonly overloadId: string;
  readonly left: Code;
  readonly right: Code;
  readonly operation: Operation;
  readonly exprId: number;
}

/**
 * Code for arithmetic on numbers of known type, or undefined for other overloads. Integers stay JavaScript numbers while
 * they are safe; whatever is not goes to the implementation, which knows big integers and ranges.
 */
export function compileArithmetic(binary: Binary): Code | undefined {
  const make = ARITHMETIC.get(binary.overloadId);
  return make?.(binary.left, binary.right, slowPath(binary.operation, binary.exprId));
}

type Slow = (left: Outcome, right: Outcome) => Outcome;
type Make = (left: Code, right: Code, slow: Slow) => Code;

// `-0` is no int: where a product, quotient or remainder may be one, adding 0 makes it 0.

const addInt: Make = (left, right, slow) => (activation, locals) => {
  const l = left(activation, locals);
  const r = l instanceof NonValue ? l : right(activation, locals);
  if (typeof l === 'number' && typeof r === 'number') {
    const sum = l + r;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return slow(l, r);
};

const subtractInt: Make = (left, right, slow) => (activation, locals) => {
  const l = left(activation, locals);
  const r = l instanceof NonValue ? l : right(activation, locals);
  if (typeof l === 'number' && typeof r === 'number') {
    const difference = l - r;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return slow(l, r);
};

const subtractUint: Make = (left, right, slow) => (activation, locals) => {
  const l = left(activation, locals);
  const r = l instanceof NonValue ? l : right(activation, locals);
  return typeof l === 'number' && typeof r === 'number' && l >= r ? l - r : slow(l, r);
};

const multiplyInt: Make = (left, right, slow) => (activation, locals) => {
  const l = left(activation, locals);
  const r = l instanceof NonValue ? l : right(activation, locals);
  if (typeof l === 'number' && typeof r === 'number') {
    const product = l * r;
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return slow(l, r);
};

const divideInt: Make = (left, right, slow) => (activation, locals) => {
  const l = left(activation, locals);
  const r = l instanceof NonValue ? l : right(activation, locals);
  return typeof l === 'number' && typeof r === 'number' && r !== 0 ? (l - (l % r)) / r + 0 : slow(l, r);
};

const moduloInt: Make = (left, right, slow) => (activation, locals) => {
  const l = left(activation, locals);
  const r = l instanceof NonValue ? l : right(activation, locals);
  return typeof l === 'number' && typeof r === 'number' && r !== 0 ? (l % r) + 0 : slow(l, r);
};

function doubles(operate: (left: number, right: number) => number): Make {
  return (left, right, slow) => (activation, locals) => {
    const l = left(activation, locals);
    const r = l instanceof NonValue ? l : right(activation, locals);
    return typeof l === 'number' && typeof r === 'number' ? operate(l, r) : slow(l, r);
  };
}

const ARITHMETIC: ReadonlyMap<string, Make> = new Map(
  Object.entries({
    add_int64: addInt,
    add_uint64: addInt,
    add_double: doubles((l, r) => l + r),
    subtract_int64: subtractInt,
    subtract_uint64: subtractUint,
    subtract_double: doubles((l, r) => l - r),
    multiply_int64: multiplyInt,
    multiply_uint64: multiplyInt,
    multiply_double: doubles((l, r) => l * r),
    divide_int64: divideInt,
    divide_uint64: divideInt,
    divide_double: doubles((l, r) => l / r),
    modulo_int64: moduloInt,
    modulo_uint64: moduloInt,
  }),
);
