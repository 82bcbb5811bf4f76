import { NonValue } from '../../values/value.ts';
import type { Code, Compiler, Outcome } from '../code/code.ts';
import { type Operation, slowPath } from './implementation-call.ts';

/** The compiled operands of a binary operator with one overload, and the code for when the fast path does not apply. */
export interface Binary {
  readonly overloadId: string;
  readonly left: Code;
  readonly right: Code;
  readonly operation: Operation;
  readonly exprId: number;
}

/**
 * Compiles arithmetic on numbers of known types; undefined for other overloads. Integers stay JavaScript numbers while they are safe; the
 * implementation handles big integers and range errors.
 */
export function compileArithmetic(binary: Binary, compiler: Compiler): Code | undefined {
  const { left, right, overloadId } = binary;
  const slow = slowPath(binary.operation, binary.exprId);
  const constant = compiler.constantOf(right);
  const make = typeof constant === 'number' && constant !== 0 ? WITH_CONSTANT.get(overloadId) : undefined;
  if (make !== undefined) return make(left, constant as number, slow);
  return WITH_CODE.get(overloadId)?.(left, right, slow);
}

type Slow = (left: Outcome, right: Outcome) => Outcome;

// There is no int `-0`: where a product, quotient or remainder may be one, adding 0 makes it 0. Results that fit in 32 bits are tested
// first, because V8 keeps them unboxed.

type WithCode = (left: Code, right: Code, slow: Slow) => Code;

const addInt: WithCode = (left, right, slow) => (activation, locals) => {
  const l = left(activation, locals);
  const r = l instanceof NonValue ? l : right(activation, locals);
  if (typeof l === 'number' && typeof r === 'number') {
    const sum = l + r;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return slow(l, r);
};

const subtractInt: WithCode = (left, right, slow) => (activation, locals) => {
  const l = left(activation, locals);
  const r = l instanceof NonValue ? l : right(activation, locals);
  if (typeof l === 'number' && typeof r === 'number') {
    const difference = l - r;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return slow(l, r);
};

const subtractUint: WithCode = (left, right, slow) => (activation, locals) => {
  const l = left(activation, locals);
  const r = l instanceof NonValue ? l : right(activation, locals);
  return typeof l === 'number' && typeof r === 'number' && l >= r ? l - r : slow(l, r);
};

const multiplyInt: WithCode = (left, right, slow) => (activation, locals) => {
  const l = left(activation, locals);
  const r = l instanceof NonValue ? l : right(activation, locals);
  if (typeof l === 'number' && typeof r === 'number') {
    const product = l * r;
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return slow(l, r);
};

const divideInt: WithCode = (left, right, slow) => (activation, locals) => {
  const l = left(activation, locals);
  const r = l instanceof NonValue ? l : right(activation, locals);
  return typeof l === 'number' && typeof r === 'number' && r !== 0 ? (l - (l % r)) / r + 0 : slow(l, r);
};

const moduloInt: WithCode = (left, right, slow) => (activation, locals) => {
  const l = left(activation, locals);
  const r = l instanceof NonValue ? l : right(activation, locals);
  return typeof l === 'number' && typeof r === 'number' && r !== 0 ? (l % r) + 0 : slow(l, r);
};

function doubles(operate: (left: number, right: number) => number): WithCode {
  return (left, right, slow) => (activation, locals) => {
    const l = left(activation, locals);
    const r = l instanceof NonValue ? l : right(activation, locals);
    return typeof l === 'number' && typeof r === 'number' ? operate(l, r) : slow(l, r);
  };
}

const WITH_CODE: ReadonlyMap<string, WithCode> = new Map([
  ['add_int64', addInt],
  ['add_uint64', addInt],
  ['add_double', doubles((l, r) => l + r)],
  ['subtract_int64', subtractInt],
  ['subtract_uint64', subtractUint],
  ['subtract_double', doubles((l, r) => l - r)],
  ['multiply_int64', multiplyInt],
  ['multiply_uint64', multiplyInt],
  ['multiply_double', doubles((l, r) => l * r)],
  ['divide_int64', divideInt],
  ['divide_uint64', divideInt],
  ['divide_double', doubles((l, r) => l / r)],
  ['modulo_int64', moduloInt],
  ['modulo_uint64', moduloInt],
]);

/** The right operand is a nonzero number. */
type WithConstant = (left: Code, right: number, slow: Slow) => Code;

const addConstant: WithConstant = (left, right, slow) => (activation, locals) => {
  const l = left(activation, locals);
  if (typeof l === 'number') {
    const sum = l + right;
    if ((sum | 0) === sum || Number.isSafeInteger(sum)) return sum;
  }
  return slow(l, right);
};

const multiplyByConstant: WithConstant = (left, right, slow) => (activation, locals) => {
  const l = left(activation, locals);
  if (typeof l === 'number') {
    const product = l * right;
    const small = product | 0;
    if (small === product) return small;
    if (Number.isSafeInteger(product)) return product;
  }
  return slow(l, right);
};

const divideByConstant: WithConstant = (left, right, slow) => (activation, locals) => {
  const l = left(activation, locals);
  return typeof l === 'number' ? (l - (l % right)) / right + 0 : slow(l, right);
};

const moduloConstant: WithConstant = (left, right, slow) => (activation, locals) => {
  const l = left(activation, locals);
  return typeof l === 'number' ? (l % right) + 0 : slow(l, right);
};

const WITH_CONSTANT: ReadonlyMap<string, WithConstant> = new Map([
  ['add_int64', addConstant],
  ['add_uint64', addConstant],
  ['multiply_int64', multiplyByConstant],
  ['multiply_uint64', multiplyByConstant],
  ['divide_int64', divideByConstant],
  ['divide_uint64', divideByConstant],
  ['modulo_int64', moduloConstant],
  ['modulo_uint64', moduloConstant],
]);
