import { HOST_TYPE } from '../../values/errors.ts';
import { toInt64 } from '../../values/integer.ts';
import { timestampOfDate } from '../../values/timestamp.ts';
import type { NonValue, Value } from '../../values/value.ts';

/**
 * Reads host data, or an element of a list or map, whose type is not known statically. Returns a tagged value, or an error if CEL has no
 * such value. Lists and maps are not inspected.
 */
export function fromHost(value: unknown): Value | NonValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      // There is no int -0.
      return value + 0;
    case 'bigint': {
      const integer = toInt64(value);
      return typeof integer === 'object' ? HOST_TYPE : integer;
    }
    case 'object':
      return value instanceof Date ? timestampOfDate(value) : (value as Value | NonValue);
    default:
      return HOST_TYPE;
  }
}
