import { BINDINGS_MACROS } from '../../syntax/macros/bindings-macros.ts';
import type { Library } from '../declarations/library.ts';

/** `cel.bind(name, value, expression)`. */
export const BINDINGS_LIBRARY: Library = { name: 'bindings', functions: [], macros: BINDINGS_MACROS, constants: [] };
