import { COLLECTION_TOO_LARGE } from '../../values/errors.ts';
import { CelMap, type EvaluationError, type Value } from '../../values/value.ts';
import type { RunContext } from '../context/implementation.ts';
import { putEntries } from '../host/access.ts';
import { type MapValue, putEntry } from '../host/map.ts';

/** `cel.@mapInsert(map, key, value)` returns a new map. Evaluators that run the whole loop need not copy. */
export function insertEntry(context: RunContext, map: MapValue, key: Value, value: Value): CelMap | EvaluationError {
  const result = new CelMap();
  return putEntries(result, map) ?? putEntry(result, key, value) ?? bounded(context, result);
}

export function insertEntries(context: RunContext, map: MapValue, entries: MapValue): CelMap | EvaluationError {
  const result = new CelMap();
  return putEntries(result, map) ?? putEntries(result, entries) ?? bounded(context, result);
}

function bounded(context: RunContext, map: CelMap): CelMap | EvaluationError {
  return map.size > context.limits.maxCollectionSize ? COLLECTION_TOO_LARGE : map;
}
