import { OPTIONALS_IMPLEMENTATIONS } from '../../runtime/implementations/optionals.ts';
import { OPTIONALS_MACROS } from '../../syntax/macros/optionals-macros.ts';
import { BOOL, DYN, INT, listOf, mapOf, optionalOf, paramType, STRING, typeOf } from '../../types/type.ts';
import { declare, member, overload, since } from '../declarations/declare.ts';
import type { Library } from '../declarations/library.ts';

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
