import { durationToString } from '../../values/duration.ts';
import { kindOf } from '../../values/runtime-type.ts';
import { timestampToString } from '../../values/timestamp.ts';
import {
  type CelDouble,
  type CelUint,
  type Duration,
  type MapKey,
  NonValue,
  type Optional,
  type Timestamp,
  type TypeValue,
  type Value,
} from '../../values/value.ts';
import { fromHost } from './from-host.ts';
import { keysOf, lookUp, type MapValue, mapKeyOf } from './map.ts';

/**
 * Converts a value to plain JavaScript: numbers, or bigints for integers beyond 2^53; arrays; objects, or Maps if a key is not a string;
 * timestamps and durations as their CEL strings; a type as its name; an empty optional as undefined. Values of other library types, such as
 * addresses, are returned unchanged.
 */
export function toHost(value: Value): unknown {
  switch (kindOf(value)) {
    case 'uint':
      return (value as CelUint).value;
    case 'double':
      return typeof value === 'number' ? value : (value as CelDouble).value;
    case 'timestamp':
      return timestampToString(value as Timestamp);
    case 'duration':
      return durationToString(value as Duration);
    case 'type':
      return (value as TypeValue).name;
    case 'optional':
      return elementToHost((value as Optional).value);
    case 'list':
      return (value as readonly unknown[]).map(elementToHost);
    case 'map':
      return mapToHost(value as MapValue);
    default:
      return value;
  }
}

function elementToHost(element: unknown): unknown {
  if (element === undefined) return undefined;
  const value = fromHost(element);
  return value instanceof NonValue ? value : toHost(value);
}

function mapToHost(map: MapValue): unknown {
  const entries = keysOf(map).map((key): [MapKey, unknown] => {
    const mapKey = mapKeyOf(key)!;
    return [mapKey, elementToHost(lookUp(map, mapKey))];
  });
  return entries.every(([key]) => typeof key === 'string') ? Object.fromEntries(entries) : new Map(entries);
}
