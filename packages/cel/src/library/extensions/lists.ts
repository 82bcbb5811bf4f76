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
      'The elements from one position up to but without another. Positions outside the list are errors.',
      member('list_slice', [LIST, INT, INT], LIST, ['[1, 2, 3, 4].slice(1, 3)', '[2, 3]']),
    ),
    declare(
      'flatten',
      'The list with the elements of the lists in it in their places, one level deep or as deep as given.',
      member('list_flatten', [listOf(LIST)], LIST, ['[[1], [2, 3]].flatten()', '[1, 2, 3]']),
      member('list_flatten_int', [listOf(DYN), INT], listOf(DYN), ['[1, [2, [3, [4]]]].flatten(2)', '[1, 2, 3, [4]]']),
    ),
    declare(
      'sort',
      'The list in ascending order. Its elements must be of one type that has an order.',
      ...COMPARABLE.map(([name, type]) =>
        name === 'int'
          ? member('list_int_sort', [listOf(INT)], listOf(INT), ['[3, 2, 1].sort()', '[1, 2, 3]'])
          : member(`list_${name}_sort`, [listOf(type)], listOf(type)),
      ),
    ),
    declare(
      '@sortByAssociatedKeys',
      'The list in the ascending order of keys given for its elements; what `sortBy` stands for.',
      ...COMPARABLE.map(([name, type]) => member(`list_${name}_sortByAssociatedKeys`, [LIST, listOf(type)], LIST)),
    ),
    declare(
      'lists.range',
      'The list of the integers from 0 up to but without a number, which must not be negative.',
      overload('lists_range', [INT], listOf(INT), ['lists.range(3)', '[0, 1, 2]']),
    ),
    declare(
      'reverse',
      'The list with its elements in reverse order.',
      member('list_reverse', [LIST], LIST, ['[1, 2, 3].reverse()', '[3, 2, 1]']),
    ),
    declare(
      'distinct',
      'The list without those elements that are equal to an earlier one.',
      member('list_distinct', [LIST], LIST, ["[1, 'b', 1.0, 'b'].distinct()", "[1, 'b']"]),
    ),
    relation('hasAll', 'Whether every element of the other list is in the list.', [
      '[1, 2, 3].hasAll([2u, 3.0])',
      'true',
    ]),
    relation('hasAny', 'Whether an element of the other list is in the list.', ['[1].hasAny([])', 'false']),
    relation('hasExactly', 'Whether every element of either list is in the other.', ['[1].hasExactly([1, 1])', 'true']),
    relation('hasOnly', 'Whether every element of the list is in the other list.', ['[1, 4].hasOnly([1, 2])', 'false']),
  ],
  macros: [SORT_BY_MACRO],
  constants: [],
  implementations: LISTS_IMPLEMENTATIONS,
};

/** Relations between lists as sets, shared with the sets library. */
function relation(name: string, doc: string, example: Example): FunctionDecl {
  return declare(name, doc, since(5, member(`list_${name}_list`, [LIST, LIST], BOOL, example)));
}
