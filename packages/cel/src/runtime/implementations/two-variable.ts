import { insertEntries, insertEntry } from '../collections/map-insert.ts';
import type { Implementation } from '../context/implementation.ts';
import { inContext } from '../context/implementation-kinds.ts';

/** Implements what the macros of two-variable comprehensions expand to, by overload id. */
export const TWO_VARIABLE_IMPLEMENTATIONS: Readonly<Record<string, Implementation>> = {
  '@mapInsert_map_key_value': inContext(insertEntry),
  '@mapInsert_map_map': inContext(insertEntries),
};
