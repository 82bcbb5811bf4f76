import { admitsNull } from './nullable.ts';
import type { Type } from './type.ts';

/** Returns the type as the reference implementation prints it: `list(string)`, `map(string, list(int))`, `optional_type(int)`. */
export function formatType(type: Type): string {
  switch (type.kind) {
    case 'list':
      return `list(${formatType(type.element)})`;
    case 'map':
      return `map(${formatType(type.key)}, ${formatType(type.value)})`;
    case 'optional':
      return `optional_type(${formatType(type.value)})`;
    case 'wrapper':
      // The types of messages, timestamps, durations and optionals have null as a value anyway.
      return admitsNull(type.of) ? formatType(type.of) : `wrapper(${formatType(type.of)})`;
    case 'type':
      return type.of === undefined ? 'type' : `type(${formatType(type.of)})`;
    case 'object':
    case 'param':
      return type.name;
    case 'opaque':
      return type.params.length === 0 ? type.name : `${type.name}(${formatTypes(type.params)})`;
    case 'error':
      return '!error!';
    default:
      return type.kind;
  }
}

/** Returns types separated by commas. */
export function formatTypes(types: readonly Type[]): string {
  return types.map(formatType).join(', ');
}
