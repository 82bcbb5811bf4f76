import type { CallExpr, Expr } from '../ast/ast.ts';
import { BOOL, DYN, INT, listOf, mapOf, optionalOf, paramType, STRING, typeOf } from '../ast/types.ts';
import * as optionals from '../runtime/collections.ts';
import { type Implementation, inContext, partial, total } from '../runtime/context.ts';
import { bound, type Macro, type MacroFactory, variableArgument } from '../syntax/macros.ts';
import { declare, type Library, member, overload, since } from './library.ts';

/** Implements the optionals library, by overload id. */
const OPTIONALS_IMPLEMENTATIONS: Readonly<Record<string, Implementation>> = {
  optional_of: total(optionals.optionalOf),
  optional_ofNonZeroValue: total(optionals.optionalOfNonZero),
  optional_none: total(optionals.noOptional),
  optional_hasValue: total(optionals.hasValue),
  optional_hasValue_value: inContext(optionals.hasEqualValue),
  optional_value: partial(optionals.valueInOptional),
  optional_or_optional: total(optionals.optionalOr),
  optional_orValue_value: total(optionals.optionalOrValue),
  optional_unwrap: partial(optionals.unwrapOptionals),
  optional_unwrapOpt: partial(optionals.unwrapOptionals),
  select_optional_field: partial(optionals.optionalAt),
  list_optindex_optional_int: partial(optionals.optionalAt),
  optional_list_optindex_optional_int: partial(optionals.optionalAt),
  map_optindex_optional_value: partial(optionals.optionalAt),
  optional_map_optindex_optional_value: partial(optionals.optionalAt),
  optional_list_index_int: partial(optionals.optionalAt),
  optional_map_index_value: partial(optionals.optionalAt),
};

/** `e.optMap(v, f)` and `e.optFlatMap(v, f)`. */
const OPTIONALS_MACROS: readonly Macro[] = [
  {
    name: 'optMap',
    member: true,
    argCount: 2,
    doc: 'Applies the expression to the value of the optional and wraps the result; empty if the optional is empty.',
    expand: (make, call) => mapped(make, call, result => make.call('optional.of', [result])),
  },
  {
    name: 'optFlatMap',
    member: true,
    argCount: 2,
    doc: 'Applies the expression, which returns an optional, to the value of the optional; empty if the optional is empty.',
    expand: (make, call) => mapped(make, call, result => result),
  },
];

function mapped(make: MacroFactory, call: CallExpr, wrap: (result: Expr) => Expr): Expr {
  const name = variableArgument(make, call, 0);
  if (typeof name !== 'string') return name;
  const target = call.target as Expr;
  const value = make.call('value', [], make.copy(target));
  const result = bound(make, name, value, call.args[1] as Expr);
  return make.call('_?_:_', [make.call('hasValue', [], target), wrap(result), make.call('optional.none', [])]);
}

const K = paramType('K');
const V = paramType('V');
const LIST = listOf(V);
const MAP = mapOf(K, V);
const OPTIONAL = optionalOf(V);
const OPTIONALS = listOf(OPTIONAL);

/** Values that may be missing: `a.?b`, `a[?b]`, `[?x]`, and functions on them. */
export const OPTIONALS_LIBRARY: Library = {
  name: 'optionals',
  functions: [
    declare(
      'optional.of',
      'Returns an optional that holds a value.',
      overload('optional_of', [V], OPTIONAL, ['optional.of(1).value()', '1']),
    ),
    declare(
      'optional.ofNonZeroValue',
      'Returns an optional that holds a value, or an empty one if the value is null, false, zero or empty.',
      overload('optional_ofNonZeroValue', [V], OPTIONAL, ["optional.ofNonZeroValue('') == optional.none()", 'true']),
    ),
    declare(
      'optional.none',
      'Returns an empty optional.',
      overload('optional_none', [], OPTIONAL, ['optional.none().hasValue()', 'false']),
    ),
    declare(
      'hasValue',
      'Returns true if the optional holds a value, or one that equals the given value.',
      member('optional_hasValue', [OPTIONAL], BOOL, ['optional.of(null).hasValue()', 'true']),
      since(3, member('optional_hasValue_value', [OPTIONAL, V], BOOL, ['optional.none().hasValue(1)', 'false'])),
    ),
    declare(
      'value',
      'Returns the value of the optional. An empty optional is an error.',
      member('optional_value', [OPTIONAL], V, ["{'a': 1}.?a.value()", '1']),
    ),
    declare(
      'or',
      'Returns the optional if it holds a value, otherwise the other one, which is evaluated only then.',
      member('optional_or_optional', [OPTIONAL, OPTIONAL], OPTIONAL, ['{}.?a.or(optional.of(2)).value()', '2']),
    ),
    declare(
      'orValue',
      'Returns the value of the optional, or the given one if it is empty, which is evaluated only then.',
      member('optional_orValue_value', [OPTIONAL, V], V, ["[?optional.none()][?0].orValue('none')", "'none'"]),
    ),
    declare(
      'optional.unwrap',
      'Returns the values of the optionals in a list, without empty ones.',
      overload('optional_unwrap', [OPTIONALS], LIST, ['optional.unwrap([optional.of(1), optional.none()])', '[1]']),
    ),
    declare(
      'unwrapOpt',
      'Returns the values of the optionals in the list, without empty ones.',
      member('optional_unwrapOpt', [OPTIONALS], LIST, ['[optional.of(1), optional.none()].unwrapOpt()', '[1]']),
    ),
    declare(
      'first',
      'Returns the first element of the list; empty if there is none.',
      member('list_first', [LIST], OPTIONAL, ['[1, 2, 3].first().value()', '1']),
    ),
    declare(
      'last',
      'Returns the last element of the list; empty if there is none.',
      member('list_last', [LIST], OPTIONAL, ['[].last().hasValue()', 'false']),
    ),
    declare(
      '_?._',
      'Returns a field of an object or of an optional object; empty if it is absent.',
      overload('select_optional_field', [DYN, STRING], OPTIONAL, ["{'a': 1}.?b.orValue(2)", '2']),
    ),
    declare(
      '_[?_]',
      'Returns an element of a list or map, or of an optional one; empty if it is absent.',
      overload('list_optindex_optional_int', [LIST, INT], OPTIONAL, ['[1][?3].hasValue()', 'false']),
      overload('optional_list_optindex_optional_int', [optionalOf(LIST), INT], OPTIONAL, [
        'optional.of([1])[?0].value()',
        '1',
      ]),
      overload('map_optindex_optional_value', [MAP, K], OPTIONAL, ["{'a': 1}[?'a'].value()", '1']),
      overload('optional_map_optindex_optional_value', [optionalOf(MAP), K], OPTIONAL, [
        "optional.of({'a': 1})[?'b'].hasValue()",
        'false',
      ]),
    ),
    declare(
      '_[_]',
      'Returns an element of an optional list or map; empty if the optional is empty or the element is absent.',
      overload('optional_list_index_int', [optionalOf(LIST), INT], OPTIONAL, ['optional.of([1])[0].value()', '1']),
      overload('optional_map_index_value', [optionalOf(MAP), K], OPTIONAL, ["optional.of({'a': 1})['a'].value()", '1']),
    ),
  ],
  macros: OPTIONALS_MACROS,
  constants: [{ name: 'optional_type', type: typeOf(optionalOf(DYN)) }],
  implementations: OPTIONALS_IMPLEMENTATIONS,
};
