import type { CallExpr, Expr, FunctionDecl } from '../ast/ast.ts';
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
} from '../ast/types.ts';
import {
  containsSet,
  distinctList,
  equivalentSets,
  firstOfList,
  flattenList,
  flattenListTo,
  intersectsSet,
  isSubset,
  lastOfList,
  rangeList,
  reverseList,
  sliceList,
  sortByKeys,
  sortByUintKeys,
  sortList,
  sortUintList,
} from '../runtime/collections.ts';
import { type Implementation, inContext, partial, total } from '../runtime/context.ts';
import type { Macro, MacroFactory } from '../syntax/macros.ts';
import { declare, type Example, type Library, member, overload, since } from './library.ts';

const SORTABLE = [
  'int',
  'uint',
  'double',
  'bool',
  'google.protobuf.Duration',
  'google.protobuf.Timestamp',
  'string',
  'bytes',
];

/** Implements the lists library, by overload id. */
const LISTS_IMPLEMENTATIONS: Readonly<Record<string, Implementation>> = {
  list_slice: partial(sliceList),
  list_flatten: { ...inContext(flattenList), mixed: flattenList },
  list_flatten_int: inContext(flattenListTo),
  list_reverse: total(reverseList),
  list_distinct: inContext(distinctList),
  lists_range: inContext(rangeList),
  list_first: partial(firstOfList),
  list_last: partial(lastOfList),
  ...Object.fromEntries(SORTABLE.map(type => [`list_${type}_sort`, inContext(sortList)])),
  ...Object.fromEntries(SORTABLE.map(type => [`list_${type}_sortByAssociatedKeys`, inContext(sortByKeys)])),
  list_hasAll_list: inContext(containsSet),
  list_hasAny_list: inContext(intersectsSet),
  list_hasExactly_list: inContext(equivalentSets),
  list_hasOnly_list: inContext(isSubset),
  list_uint_sort: inContext(sortUintList),
  list_uint_sortByAssociatedKeys: inContext(sortByUintKeys),
};

const INPUT = '@__sortBy_input__';
const ACCUMULATOR = '@result';

/**
 * `list.sortBy(e, key)` binds the list, so that it is evaluated once, and sorts it by the list of keys:
 * `input.@sortByAssociatedKeys(input.map(e, key))`.
 */
const SORT_BY_MACRO: Macro = {
  name: 'sortBy',
  member: true,
  argCount: 2,
  doc: 'Returns the list in ascending order of a key computed from each element.',
  expand: expandSortBy,
};

function expandSortBy(make: MacroFactory, call: CallExpr): Expr | undefined {
  const [variable, key] = call.args;
  if (call.target === undefined || variable === undefined || key === undefined) return undefined;
  if (variable.kind !== 'ident' || variable.name.startsWith('.')) {
    return make.error('syntax/invalid-macro', 'the first argument of `sortBy` must be a simple name', variable.range);
  }
  return make.comprehension({
    iterVar: '#unused',
    iterRange: make.list([]),
    accuVar: INPUT,
    accuInit: call.target,
    loopCondition: make.bool(false),
    loopStep: make.ident(INPUT),
    result: make.call('@sortByAssociatedKeys', [keysOf(make, variable.name, key)], make.ident(INPUT)),
  });
}

function keysOf(make: MacroFactory, variable: string, key: Expr): Expr {
  return make.comprehension({
    iterVar: variable,
    iterRange: make.ident(INPUT),
    accuVar: ACCUMULATOR,
    accuInit: make.list([]),
    loopCondition: make.bool(true),
    loopStep: make.call('_+_', [make.ident(ACCUMULATOR), make.list([key])]),
    result: make.ident(ACCUMULATOR),
  });
}

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

/** Implements the sets library, by overload id. */
const SETS_IMPLEMENTATIONS: Readonly<Record<string, Implementation>> = {
  list_sets_contains_list: inContext(containsSet),
  list_sets_equivalent_list: inContext(equivalentSets),
  list_sets_intersects_list: inContext(intersectsSet),
};

const SET = listOf(paramType('T'));

/** Lists as sets: order and repetition do not matter. */
export const SETS_LIBRARY: Library = {
  name: 'sets',
  functions: [
    onSets('contains', 'Returns true if the first list contains every element of the second.', [
      'sets.contains([1, 2], [2, 2])',
      'true',
    ]),
    onSets('equivalent', 'Returns true if each list contains every element of the other.', [
      'sets.equivalent([1, 2], [2, 1, 1])',
      'true',
    ]),
    onSets('intersects', 'Returns true if the first list contains any element of the second.', [
      'sets.intersects([1], [2])',
      'false',
    ]),
  ],
  macros: [],
  constants: [],
  implementations: SETS_IMPLEMENTATIONS,
};

function onSets(name: string, doc: string, example: Example): FunctionDecl {
  return declare(`sets.${name}`, doc, overload(`list_sets_${name}_list`, [SET, SET], BOOL, example));
}
