import type { FunctionDecl, Overload } from '../../ast/declaration.ts';
import { MATH_IMPLEMENTATIONS } from '../../runtime/implementations/math.ts';
import { MATH_MACROS } from '../../syntax/macros/math-macros.ts';
import { BOOL, DOUBLE, DYN, INT, listOf, type Type, UINT } from '../../types/type.ts';
import { declare, type Example, overload } from '../declarations/declare.ts';
import type { Library } from '../declarations/library.ts';

const NUMERIC = [
  ['int', INT],
  ['uint', UINT],
  ['double', DOUBLE],
] as const;

/** Numeric functions under `math.`: least and greatest, rounding, signs, bits. */
export const MATH_LIBRARY: Library = {
  name: 'math',
  functions: [
    declare('math.@min', 'Returns the least of some numbers; `math.least` expands to it.', ...extremes('min', 'least')),
    declare(
      'math.@max',
      'Returns the greatest of some numbers; `math.greatest` expands to it.',
      ...extremes('max', 'greatest'),
    ),
    rounding('ceil', 'Rounds up to an integer.', '2.0', '-1.0'),
    rounding('floor', 'Rounds down to an integer.', '1.0', '-2.0'),
    rounding('round', 'Rounds to the nearest integer, and halves away from zero.', '2.0', '-2.0'),
    rounding('trunc', 'Truncates the number to an integer.', '1.0', '-1.0'),
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
function extremes(name: 'min' | 'max', macro: string): readonly Overload[] {
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

function rounding(name: string, doc: string, up: string, down: string): FunctionDecl {
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
