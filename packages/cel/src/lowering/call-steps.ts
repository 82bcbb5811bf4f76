import type { Overload } from '../ast/declaration.ts';
import type { Type } from '../types/type.ts';

/** Returns true if a call of these overloads creates a value whose size counts. */
export function createsSized(overloads: readonly Overload[]): boolean {
  return overloads.some(({ id, result }) => !CONSTANT_TIME.has(id) && SIZED.has(result.kind));
}

/** Returns true if a call of these overloads reads a whole operand, which counts inside loops. */
export function readsWhole(overloads: readonly Overload[], operand: number): boolean {
  return overloads.some(({ id, params }) => !CONSTANT_TIME.has(id) && SIZED.has(params[operand]?.kind ?? 'dyn'));
}

/** Returns true if values of the type have no size limit. */
export function isSized(type: Type): boolean {
  return SIZED.has(type.kind);
}

const SIZED: ReadonlySet<Type['kind']> = new Set([
  'string',
  'bytes',
  'list',
  'map',
  'optional',
  'dyn',
  'param',
  'error',
]);

/** Overloads that read only part of their operands and create nothing. */
const CONSTANT_TIME: ReadonlySet<string> = new Set([
  ...['size_list', 'list_size', 'size_map', 'map_size', 'size_bytes', 'bytes_size', 'list_first', 'list_last'],
  ...['index_list', 'index_map', 'in_map', 'to_dyn', 'type', 'string_to_string', 'bytes_to_bytes'],
  ...['optional_of', 'optional_ofNonZeroValue', 'optional_none', 'optional_hasValue', 'optional_value'],
  ...['optional_or_optional', 'optional_orValue_value', 'select_optional_field', 'list_optindex_optional_int'],
  ...['optional_list_optindex_optional_int', 'map_optindex_optional_value', 'optional_map_optindex_optional_value'],
  ...['optional_list_index_int', 'optional_map_index_value'],
]);
