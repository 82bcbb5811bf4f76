import type { CallExpr, Expr, FunctionDecl, Overload } from '../ast/ast.ts';
import { BOOL, DOUBLE, DYN, INT, listOf, type Type, UINT } from '../ast/types.ts';
import { type Implementation, partial, total } from '../runtime/context.ts';
import * as bits from '../runtime/math.ts';
import * as extremes from '../runtime/math.ts';
import * as rounding from '../runtime/math.ts';
import { isInNamespace, type Macro, type MacroFactory } from '../syntax/macros.ts';
import { identity } from '../values/value.ts';
import { declare, type Example, type Library, overload } from './library.ts';

/** Implements the math library, by overload id. */
const MATH_IMPLEMENTATIONS: Readonly<Record<string, Implementation>> = {
  math_ceil_double: total(rounding.ceiling),
  math_floor_double: total(rounding.floor),
  math_round_double: total(rounding.round),
  math_trunc_double: total(rounding.truncate),
  math_abs_int: partial(rounding.absoluteInt),
  math_abs_uint: total(identity),
  math_abs_double: total(rounding.absoluteDouble),
  math_sign_int: total(rounding.signOfInteger),
  math_sign_uint: total(rounding.signOfInteger),
  math_sign_double: total(rounding.signOfDouble),
  math_sqrt_int: total(rounding.squareRoot),
  math_sqrt_uint: total(rounding.squareRoot),
  math_sqrt_double: total(rounding.squareRoot),
  math_isInf_double: total(rounding.isInfinite),
  math_isNaN_double: total(rounding.isNotANumber),
  math_isFinite_double: total(rounding.isFiniteNumber),
  math_bitAnd_int_int: total(bits.bitAnd),
  math_bitAnd_uint_uint: total(bits.bitAnd),
  math_bitOr_int_int: total(bits.bitOr),
  math_bitOr_uint_uint: total(bits.bitOr),
  math_bitXor_int_int: total(bits.bitXor),
  math_bitXor_uint_uint: total(bits.bitXor),
  math_bitNot_int_int: total(bits.bitNotInt),
  math_bitNot_uint_uint: total(bits.bitNotUint),
  math_bitShiftLeft_int_int: partial(bits.shiftLeftInt),
  math_bitShiftLeft_uint_int: partial(bits.shiftLeftUint),
  math_bitShiftRight_int_int: partial(bits.shiftRightInt),
  math_bitShiftRight_uint_int: partial(bits.shiftRightUint),
  'math_@min_int': total(identity),
  'math_@min_uint': total(identity),
  'math_@min_double': total(identity),
  'math_@min_int_int': total(extremes.least),
  'math_@min_uint_uint': total(extremes.least),
  'math_@min_double_double': partial(extremes.leastDouble),
  'math_@min_int_uint': total(extremes.leastIntUint),
  'math_@min_int_double': partial(extremes.leastIntDouble),
  'math_@min_uint_int': total(extremes.leastUintInt),
  'math_@min_uint_double': partial(extremes.leastUintDouble),
  'math_@min_double_int': partial(extremes.leastDoubleInt),
  'math_@min_double_uint': partial(extremes.leastDoubleUint),
  'math_@min_list_int': { ...partial(extremes.leastOfInts), mixed: extremes.leastOfNumbers },
  'math_@min_list_uint': partial(extremes.leastOfUints),
  'math_@min_list_double': partial(extremes.leastOfDoubles),
  'math_@max_int': total(identity),
  'math_@max_uint': total(identity),
  'math_@max_double': total(identity),
  'math_@max_int_int': total(extremes.greatest),
  'math_@max_uint_uint': total(extremes.greatest),
  'math_@max_double_double': partial(extremes.greatestDouble),
  'math_@max_int_uint': total(extremes.greatestIntUint),
  'math_@max_int_double': partial(extremes.greatestIntDouble),
  'math_@max_uint_int': total(extremes.greatestUintInt),
  'math_@max_uint_double': partial(extremes.greatestUintDouble),
  'math_@max_double_int': partial(extremes.greatestDoubleInt),
  'math_@max_double_uint': partial(extremes.greatestDoubleUint),
  'math_@max_list_int': { ...partial(extremes.greatestOfInts), mixed: extremes.greatestOfNumbers },
  'math_@max_list_uint': partial(extremes.greatestOfUints),
  'math_@max_list_double': partial(extremes.greatestOfDoubles),
};

/** `math.greatest(…)` and `math.least(…)` with any number of arguments, or with one list. */
const MATH_MACROS: readonly Macro[] = [
  extremum('greatest', 'math.@max', 'Returns the greatest of the numbers.'),
  extremum('least', 'math.@min', 'Returns the least of the numbers.'),
];

function extremum(name: string, functionName: string, doc: string): Macro {
  const expand = (make: MacroFactory, call: CallExpr): Expr | undefined => {
    if (!isInNamespace(call, 'math')) return undefined;
    const { args } = call;
    if (args.length === 0) return misuse(make, `expected at least one argument of \`math.${name}\``, call);
    const [only] = args as [Expr];
    if (args.length === 1) {
      if (isList(only) || mayBeNumber(only)) return make.call(functionName, args);
      return misuse(make, `expected a number or a non-empty list of numbers as argument of \`math.${name}\``, only);
    }
    const wrong = args.find(arg => !mayBeNumber(arg));
    if (wrong !== undefined) return misuse(make, `expected numbers as arguments of \`math.${name}\``, wrong);
    return make.call(functionName, args.length === 2 ? args : [make.list(args)]);
  };
  return { name, member: true, argCount: undefined, doc, expand };
}

function misuse(make: MacroFactory, message: string, at: CallExpr | Expr): Expr {
  return make.error('syntax/invalid-macro-argument', message, at.range);
}

function isList(expr: Expr): boolean {
  return expr.kind === 'list' && expr.elements.length > 0 && expr.elements.every(mayBeNumber);
}

/** Rejects only what cannot be a number syntactically; the checker does the rest. */
function mayBeNumber(expr: Expr): boolean {
  switch (expr.kind) {
    case 'literal':
      return expr.literal.type === 'int' || expr.literal.type === 'uint' || expr.literal.type === 'double';
    case 'list':
    case 'map':
    case 'struct':
      return false;
    default:
      return true;
  }
}

const NUMERIC = [
  ['int', INT],
  ['uint', UINT],
  ['double', DOUBLE],
] as const;

/** Numeric functions under `math.`: least and greatest, rounding, signs, bits. */
export const MATH_LIBRARY: Library = {
  name: 'math',
  functions: [
    declare(
      'math.@min',
      'Returns the least of some numbers; `math.least` expands to it.',
      ...extremeOverloads('min', 'least'),
    ),
    declare(
      'math.@max',
      'Returns the greatest of some numbers; `math.greatest` expands to it.',
      ...extremeOverloads('max', 'greatest'),
    ),
    roundingFunction('ceil', 'Rounds up to an integer.', '2.0', '-1.0'),
    roundingFunction('floor', 'Rounds down to an integer.', '1.0', '-2.0'),
    roundingFunction('round', 'Rounds to the nearest integer, and halves away from zero.', '2.0', '-2.0'),
    roundingFunction('trunc', 'Truncates the number to an integer.', '1.0', '-1.0'),
    declare(
      'math.abs',
      'Returns the absolute value. That of the least int is out of range, which is an error.',
      overload('math_abs_int', [INT], INT, ['math.abs(-1)', '1']),
      overload('math_abs_uint', [UINT], UINT, ['math.abs(1u)', '1u']),
      overload('math_abs_double', [DOUBLE], DOUBLE, ['math.abs(-1.5)', '1.5']),
    ),
    declare(
      'math.sign',
      '-1, 0 or 1 in the type of the number, as it is below, at or above zero.',
      overload('math_sign_int', [INT], INT, ['math.sign(-42)', '-1']),
      overload('math_sign_uint', [UINT], UINT, ['math.sign(42u)', '1u']),
      overload('math_sign_double', [DOUBLE], DOUBLE, ['math.sign(-0.3)', '-1.0']),
    ),
    declare(
      'math.sqrt',
      'Returns the square root; NaN for negative numbers.',
      overload('math_sqrt_int', [INT], DOUBLE, ['math.sqrt(81)', '9.0']),
      overload('math_sqrt_uint', [UINT], DOUBLE, ['math.sqrt(4u)', '2.0']),
      overload('math_sqrt_double', [DOUBLE], DOUBLE, ['math.sqrt(2.25)', '1.5']),
    ),
    classification('isInf', 'Returns true if the number is infinite.', ['math.isInf(1.0 / 0.0)', 'true']),
    classification('isNaN', 'Returns true if the number is NaN.', ['math.isNaN(0.0 / 0.0)', 'true']),
    classification('isFinite', 'Returns true if the number is neither infinite nor NaN.', [
      'math.isFinite(1.2)',
      'true',
    ]),
    bitwise('bitAnd', 'Returns the bitwise AND.', '1', '2u'),
    bitwise('bitOr', 'Returns the bitwise OR.', '7', '3u'),
    bitwise('bitXor', 'Returns the bitwise XOR.', '6', '1u'),
    declare(
      'math.bitNot',
      'Returns the bitwise complement of the 64 bits.',
      overload('math_bitNot_int_int', [INT], INT, ['math.bitNot(1)', '-2']),
      overload('math_bitNot_uint_uint', [UINT], UINT, ['math.bitNot(0u)', '18446744073709551615u']),
    ),
    shift('bitShiftLeft', 'Shifts the 64 bits left by a number of places, which must not be negative.', '-4', '4u'),
    shift(
      'bitShiftRight',
      'Shifts the 64 bits right by a number of places, which must not be negative, and fills with zeros.',
      '4611686018427387903',
      '0u',
    ),
  ],
  macros: MATH_MACROS,
  constants: [],
  implementations: MATH_IMPLEMENTATIONS,
};

/** The int overloads come first: among candidates that differ only in the element type of a list, the first one runs. */
function extremeOverloads(name: 'min' | 'max', macro: string): readonly Overload[] {
  const prefix = `math_@${name}`;
  const of = (id: string, params: readonly Type[], result: Type, ...examples: readonly Example[]): Overload =>
    overload(`${prefix}_${id}`, params, result, ...examples);
  const least = name === 'min';
  return [
    ...NUMERIC.map(([id, type]) => of(id, [type], type)),
    of('int_int', [INT, INT], INT, [`math.${macro}(1, -2)`, least ? '-2' : '1']),
    of('uint_uint', [UINT, UINT], UINT, [`math.${macro}(1u, 2u)`, least ? '1u' : '2u']),
    of('double_double', [DOUBLE, DOUBLE], DOUBLE, [`math.${macro}(0.5, 1.5)`, least ? '0.5' : '1.5']),
    ...NUMERIC.flatMap(([first, firstType]) =>
      NUMERIC.filter(([second]) => second !== first).map(([second, secondType]) =>
        of(`${first}_${second}`, [firstType, secondType], DYN),
      ),
    ),
    of('list_int', [listOf(INT)], INT, [`math.${macro}([3, 1, 2])`, least ? '1' : '3']),
    of('list_uint', [listOf(UINT)], UINT),
    of('list_double', [listOf(DOUBLE)], DOUBLE),
  ];
}

function roundingFunction(name: string, doc: string, up: string, down: string): FunctionDecl {
  const examples: readonly Example[] = [
    [`math.${name}(1.5)`, up],
    [`math.${name}(-1.5)`, down],
  ];
  return declare(`math.${name}`, doc, overload(`math_${name}_double`, [DOUBLE], DOUBLE, ...examples));
}

function classification(name: string, doc: string, example: Example): FunctionDecl {
  return declare(`math.${name}`, doc, overload(`math_${name}_double`, [DOUBLE], BOOL, example));
}

function bitwise(name: string, doc: string, ints: string, uints: string): FunctionDecl {
  return declare(
    `math.${name}`,
    doc,
    overload(`math_${name}_int_int`, [INT, INT], INT, [`math.${name}(3, 5)`, ints]),
    overload(`math_${name}_uint_uint`, [UINT, UINT], UINT, [`math.${name}(3u, 2u)`, uints]),
  );
}

function shift(name: string, doc: string, ints: string, uints: string): FunctionDecl {
  return declare(
    `math.${name}`,
    doc,
    overload(`math_${name}_int_int`, [INT, INT], INT, [`math.${name}(-1, 2)`, ints]),
    overload(`math_${name}_uint_int`, [UINT, INT], UINT, [`math.${name}(1u, 2)`, uints]),
  );
}
