import type { CallExpr, Expr } from '../../ast/ast.ts';
import type { Overload } from '../../ast/declaration.ts';
import { DYN } from '../../types/type.ts';
import { emit, type Fail, fresh, type Generation, staticType } from '../scope/generation.ts';
import { adapt } from '../scope/representation-code.ts';
import { functionName, leaveOnFailure } from './implementation-code.ts';

/** An operation on two numbers `a` and `b`, and the test that its result `r` is exact. */
interface Quick {
  readonly compute: (a: string, b: string) => string;
  readonly keep: (r: string, b: string) => string;
}

const safe = (r: string) => `Number.isSafeInteger(${r})`;

/** By overload id. A safe result is exact, because a rounded one is never safe. Adding 0 turns -0 into 0. */
const INTEGER_OPERATIONS: Readonly<Record<string, Quick>> = {
  add_int64: { compute: (a, b) => `${a}+${b}`, keep: safe },
  subtract_int64: { compute: (a, b) => `${a}-${b}`, keep: safe },
  multiply_int64: { compute: (a, b) => `${a}*${b}+0`, keep: safe },
  divide_int64: { compute: (a, b) => `(${a}-${a}%${b})/${b}+0`, keep: (_, b) => `${b}!==0` },
  modulo_int64: { compute: (a, b) => `${a}%${b}+0`, keep: (_, b) => `${b}!==0` },
  add_uint64: { compute: (a, b) => `${a}+${b}`, keep: safe },
  subtract_uint64: { compute: (a, b) => `${a}-${b}`, keep: r => `${r}>=0` },
  multiply_uint64: { compute: (a, b) => `${a}*${b}`, keep: safe },
};

const DOUBLE_OPERATIONS: Readonly<Record<string, string>> = {
  add_double: '+',
  subtract_double: '-',
  multiply_double: '*',
  divide_double: '/',
};

/** Emits arithmetic on statically typed numbers; undefined for other overloads. */
export function arithmeticValue(g: Generation, call: CallExpr, overload: Overload, fail: Fail): string | undefined {
  const operator = DOUBLE_OPERATIONS[overload.id];
  if (operator !== undefined) {
    const [a, b] = operandsCode(g, call, overload, fail);
    const name = fresh(g, 'v');
    emit(g, `const ${name}=${a}${operator}${b};\n`);
    return name;
  }
  const quick = INTEGER_OPERATIONS[overload.id];
  return quick === undefined ? undefined : integerValue(g, { call, overload, quick }, fail);
}

interface Operation {
  readonly call: CallExpr;
  readonly overload: Overload;
  readonly quick: Quick;
}

function integerValue(g: Generation, { call, overload, quick }: Operation, fail: Fail): string | undefined {
  const implementation = g.implementationOf(overload.id);
  if (implementation === undefined) return undefined;
  const [a, b] = operandsCode(g, call, overload, fail) as readonly [string, string];
  const name = fresh(g, 'v');
  // Mixed with bigints, JavaScript would throw.
  const numbers = [a, b].filter(js => !/^\(?-?\d+\)?$/.test(js)).map(js => `typeof ${js}!=="number"`);
  const refused = [...numbers, `!(${name}=${quick.compute(a, b)},${quick.keep(name, b)})`].join('||');
  emit(g, `let ${name};if(${refused}){${name}=${functionName(g, overload.id, implementation.call)}(${a},${b});`);
  leaveOnFailure(g, name, { type: overload.result, exprId: call.id }, fail);
  emit(g, '}\n');
  return name;
}

function operandsCode(g: Generation, call: CallExpr, overload: Overload, fail: Fail): readonly string[] {
  return call.args.map((node: Expr, index) => {
    const change = { from: staticType(g, node), to: overload.params[index] ?? DYN, exprId: call.id };
    return adapt(g, g.value(g, node, fail), change, fail);
  });
}
