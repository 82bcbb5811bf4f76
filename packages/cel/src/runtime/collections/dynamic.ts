import { INDEX_OUT_OF_RANGE, NO_MATCHING_OVERLOAD } from '../../values/errors.ts';
import { kindOf } from '../../values/runtime-type.ts';
import type { NonValue, Value } from '../../values/value.ts';
import type { RunContext } from '../context/implementation.ts';
import { indexMap, inMap, type MapValue, mapKeyOf } from '../host/map.ts';
import { indexList, inList } from './list.ts';

/** `_[_]` of tagged values with dynamic types. Any integral number is a valid list index, including a uint or double. */
export function indexValue(container: Value, key: Value): Value | NonValue {
  const kind = kindOf(container);
  if (kind === 'map') return indexMap(container as MapValue, key);
  if (kind !== 'list') return NO_MATCHING_OVERLOAD;
  const index = mapKeyOf(key);
  if (typeof index === 'number' || typeof index === 'bigint') return indexList(container as readonly Value[], index);
  return kindOf(key) === 'double' ? INDEX_OUT_OF_RANGE : NO_MATCHING_OVERLOAD;
}

/** `in` of tagged values with dynamic types. */
export function inValue(context: RunContext, value: Value, container: Value): boolean | NonValue {
  const kind = kindOf(container);
  if (kind === 'map') return inMap(value, container as MapValue);
  return kind === 'list' ? inList(context, value, container as readonly Value[]) : NO_MATCHING_OVERLOAD;
}
