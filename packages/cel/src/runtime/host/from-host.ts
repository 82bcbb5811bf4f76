import { HOST_TYPE } from '../../values/errors.ts';
import { toInt64 } from '../../values/integer.ts';
import { timestampOfDate } from '../../values/timestamp.ts';
import type { NonValue, Value } from '../../values/value.ts';

/**
 * A value of the host, or an element of a list or map, read where its type is not known: tagged. An error when it is
 * nothing that CEL has. Lists and maps are not looked into.
 */
export function fromHost(value: unknown): Value | NonValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      // An int has but one zero.
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
