import { NonValue } from '../../values/value.ts';
import type { Code, Compiler, Outcome } from '../code/code.ts';
import type { Binary } from './arithmetic.ts';
import { slowPath } from './implementation-call.ts';

type Order = 'less' | 'less_equals' | 'greater' | 'greater_equals';

const NUMERIC = /^(less|less_equals|greater|greater_equals)_(?:int64|uint64|double)(?:_(?:int64|uint64|double))?$/;

const FLIPPED: Readonly<Record<Order, Order>> = {
  less: 'greater',
  less_equals: 'greater_equals',
  greater: 'less',
  greater_equals: 'less_equals',
};

/**
 * Compiles a comparison of numbers of known types; undefined for other overloads. A constant number is a safe integer or a double; larger
 * integers are compared with doubles as doubles.
 */
export function compileComparison(binary: Binary, compiler: Compiler): Code | undefined {
  const order = NUMERIC.exec(binary.overloadId)?.[1] as Order | undefined;
  if (order === undefined) return undefined;
  const right = compiler.constantOf(binary.right);
  if (typeof right === 'number') return WITH_CONSTANT[order](binary.left, right);
  const left = compiler.constantOf(binary.left);
  if (typeof left === 'number') return WITH_CONSTANT[FLIPPED[order]](binary.right, left);
  return WITH_CODE[order](binary.left, binary.right, slowPath(binary.operation, binary.exprId));
}

const WITH_CONSTANT: Readonly<Record<Order, (code: Code, limit: number) => Code>> = {
  less: (code, limit) => (activation, locals) => {
    const outcome = code(activation, locals);
    if (typeof outcome === 'number') return outcome < limit;
    return typeof outcome === 'bigint' ? Number(outcome) < limit : outcome;
  },
  less_equals: (code, limit) => (activation, locals) => {
    const outcome = code(activation, locals);
    if (typeof outcome === 'number') return outcome <= limit;
    return typeof outcome === 'bigint' ? Number(outcome) <= limit : outcome;
  },
  greater: (code, limit) => (activation, locals) => {
    const outcome = code(activation, locals);
    if (typeof outcome === 'number') return outcome > limit;
    return typeof outcome === 'bigint' ? Number(outcome) > limit : outcome;
  },
  greater_equals: (code, limit) => (activation, locals) => {
    const outcome = code(activation, locals);
    if (typeof outcome === 'number') return outcome >= limit;
    return typeof outcome === 'bigint' ? Number(outcome) >= limit : outcome;
  },
};

type Slow = (left: Outcome, right: Outcome) => Outcome;

const WITH_CODE: Readonly<Record<Order, (left: Code, right: Code, slow: Slow) => Code>> = {
  less: (left, right, slow) => (activation, locals) => {
    const l = left(activation, locals);
    const r = l instanceof NonValue ? l : right(activation, locals);
    return typeof l === 'number' && typeof r === 'number' ? l < r : slow(l, r);
  },
  less_equals: (left, right, slow) => (activation, locals) => {
    const l = left(activation, locals);
    const r = l instanceof NonValue ? l : right(activation, locals);
    return typeof l === 'number' && typeof r === 'number' ? l <= r : slow(l, r);
  },
  greater: (left, right, slow) => (activation, locals) => {
    const l = left(activation, locals);
    const r = l instanceof NonValue ? l : right(activation, locals);
    return typeof l === 'number' && typeof r === 'number' ? l > r : slow(l, r);
  },
  greater_equals: (left, right, slow) => (activation, locals) => {
    const l = left(activation, locals);
    const r = l instanceof NonValue ? l : right(activation, locals);
    return typeof l === 'number' && typeof r === 'number' ? l >= r : slow(l, r);
  },
};
