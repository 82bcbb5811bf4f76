import { COLLECTION_TOO_LARGE } from './errors.ts';
import { fromHost } from './from-host.ts';
import type { RunContext } from './implementation.ts';
import { keysOf, lookUp, type MapValue, mapKeyOf, putEntry } from './map.ts';
import { CelMap, NonValue, type Value } from './value.ts';

/** `cel.@mapInsert(map, key, value)`: a new map. Evaluators that fold over it themselves need not copy. */
export function insertEntry(context: RunContext, map: MapValue, key: Value, value: Value): CelMap | NonValue {
  const result = copyOf(map);
  if (result instanceof NonValue) return result;
  return putEntry(result, key, value) ?? bounded(context, result);
}

export function insertEntries(context: RunContext, map: MapValue, entries: MapValue): CelMap | NonValue {
  const result = copyOf(map);
  if (result instanceof NonValue) return result;
  return putAll(result, entries) ?? bounded(context, result);
}

function copyOf(map: MapValue): CelMap | NonValue {
  const copy = new CelMap();
  return putAll(copy, map) ?? copy;
}

function putAll(map: CelMap, entries: MapValue): NonValue | undefined {
  for (const key of keysOf(entries)) {
    const value = fromHost(lookUp(entries, mapKeyOf(key)!));
    const error = value instanceof NonValue ? value : putEntry(map, key, value);
    if (error !== undefined) return error;
  }
  return undefined;
}

function bounded(context: RunContext, map: CelMap): CelMap | NonValue {
  return map.size > context.limits.maxCollectionSize ? COLLECTION_TOO_LARGE : map;
}
