import type { FunctionDecl } from '../../ast/declaration.ts';
import { LISTS_IMPLEMENTATIONS } from '../../runtime/implementations/lists.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  paramType,
  STRING,
  TIMESTAMP,
  type Type,
  UINT,
} from '../../types/type.ts';
import { declare, type Example, member, overload, since } from '../declarations/declare.ts';
import type { Library } from '../declarations/library.ts';
import { SORT_BY_MACRO } from './sort-by-macro.ts';

const T = paramType('T');
const LIST = listOf(T);

/** int comes first: among candidates that differ only in the element type of a list, the first one runs. */
const COMPARABLE: readonly (readonly [name: string, type: Type])[] = [
  ['int', INT],
  ['uint', UINT],
  ['double', DOUBLE],
  ['bool', BOOL],
  ['google.protobuf.Duration', DURATION],
  ['google.protobuf.Timestamp', TIMESTAMP],
  ['string', STRING],
  ['bytes', BYTES],
];

/** Functions on lists: slices, order, distinct elements. */
export const LISTS_LIBRARY: Library = {
  name: 'lists',
  functions: [
    declare(
      'slice',
      'Returns the elements from one index up to, but not including, another. An index outside the list is an error.',
      member('list_slice', [LIST, INT, INT], LIST, ['[1, 2, 3, 4].slice(1, 3)', '[2, 3]']),
    ),
    declare(
      'flatten',
      'Returns the list with inner lists replaced by their elements, one level deep or as deep as given.',
      member('list_flatten', [listOf(LIST)], LIST, ['[[1], [2, 3]].flatten()', '[1, 2, 3]']),
      member('list_flatten_int', [listOf(DYN), INT], listOf(DYN), ['[1, [2, [3, [4]]]].flatten(2)', '[1, 2, 3, [4]]']),
    ),
    declare(
      'sort',
      'Returns the list in ascending order. Its elements must be of one comparable type.',
      ...COMPARABLE.map(([name, type]) =>
        name === 'int'
          ? member('list_int_sort', [listOf(INT)], listOf(INT), ['[3, 2, 1].sort()', '[1, 2, 3]'])
          : member(`list_${name}_sort`, [listOf(type)], listOf(type)),
      ),
    ),
    declare(
      '@sortByAssociatedKeys',
      'Returns the list in ascending order of a list of keys; `sortBy` expands to it.',
      ...COMPARABLE.map(([name, type]) => member(`list_${name}_sortByAssociatedKeys`, [LIST, listOf(type)], LIST)),
    ),
    declare(
      'lists.range',
      'Returns the integers from 0 up to, but not including, a number, which must not be negative.',
      overload('lists_range', [INT], listOf(INT), ['lists.range(3)', '[0, 1, 2]']),
    ),
    declare(
      'reverse',
      'Returns the list in reverse order.',
      member('list_reverse', [LIST], LIST, ['[1, 2, 3].reverse()', '[3, 2, 1]']),
    ),
    declare(
      'distinct',
      'Returns the list without elements that are equal to an earlier one.',
      member('list_distinct', [LIST], LIST, ["[1, 'b', 1.0, 'b'].distinct()", "[1, 'b']"]),
    ),
    relation('hasAll', 'Returns true if the list contains every element of the other list.', [
      '[1, 2, 3].hasAll([2u, 3.0])',
      'true',
    ]),
    relation('hasAny', 'Returns true if the list contains any element of the other list.', ['[1].hasAny([])', 'false']),
    relation('hasExactly', 'Returns true if each list contains every element of the other.', [
      '[1].hasExactly([1, 1])',
      'true',
    ]),
    relation('hasOnly', 'Returns true if the other list contains every element of the list.', [
      '[1, 4].hasOnly([1, 2])',
      'false',
    ]),
  ],
  macros: [SORT_BY_MACRO],
  constants: [],
  implementations: LISTS_IMPLEMENTATIONS,
};

/** Relations between lists as sets, shared with the sets library. */
function relation(name: string, doc: string, example: Example): FunctionDecl {
  return declare(name, doc, since(5, member(`list_${name}_list`, [LIST, LIST], BOOL, example)));
}
