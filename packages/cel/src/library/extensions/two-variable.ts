import { TWO_VARIABLE_IMPLEMENTATIONS } from '../../runtime/implementations/two-variable.ts';
import { TWO_VARIABLE_MACROS } from '../../syntax/macros/two-variable-macros.ts';
import { mapOf, paramType } from '../../types/type.ts';
import { declare, overload } from '../declarations/declare.ts';
import type { Library } from '../declarations/library.ts';

const KEY = paramType('K');
const VALUE = paramType('V');
const MAP = mapOf(KEY, VALUE);

/**
 * Comprehensions over indices and elements, or keys and values: `all`, `exists`, `existsOne`, `transformList`, `transformMap`,
 * `transformMapEntry`.
 */
export const TWO_VARIABLE_LIBRARY: Library = {
  name: 'two-variable-comprehensions',
  functions: [
    declare(
      'cel.@mapInsert',
      'Returns the map with more entries; a duplicate key is an error. `transformMap` expands to it.',
      overload('@mapInsert_map_key_value', [MAP, KEY, VALUE], MAP),
      overload('@mapInsert_map_map', [MAP, MAP], MAP),
    ),
  ],
  macros: TWO_VARIABLE_MACROS,
  constants: [],
  implementations: TWO_VARIABLE_IMPLEMENTATIONS,
};
