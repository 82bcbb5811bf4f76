import type { Macro } from '../syntax/macro.ts';
import type { Library } from './library.ts';

const BINDINGS_MACROS: readonly Macro[] = [];

/** `cel.bind(name, value, expression)`. */
export const BINDINGS_LIBRARY: Library = { name: 'bindings', functions: [], macros: BINDINGS_MACROS, constants: [] };
