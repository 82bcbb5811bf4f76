import {
  distinctList,
  firstOfList,
  flattenList,
  flattenListTo,
  lastOfList,
  rangeList,
  reverseList,
  sliceList,
} from '../collections/lists.ts';
import { containsSet, equivalentSets, intersectsSet, isSubset } from '../collections/sets.ts';
import { sortByKeys, sortByUintKeys, sortList, sortUintList } from '../collections/sort.ts';
import type { Implementation } from '../context/implementation.ts';
import { inContext, partial, total } from '../context/implementation-kinds.ts';

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
export const LISTS_IMPLEMENTATIONS: Readonly<Record<string, Implementation>> = {
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
