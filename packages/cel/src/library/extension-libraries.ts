import { BINDINGS_LIBRARY } from './bindings-library.ts';
import { BLOCK_LIBRARY } from './block-library.ts';
import { ENCODERS_LIBRARY } from './encoders-library.ts';
import type { Library } from './library.ts';
import { LISTS_LIBRARY } from './lists-library.ts';
import { MATH_LIBRARY } from './math-library.ts';
import { NETWORK_LIBRARY } from './network-library.ts';
import { OPTIONALS_LIBRARY } from './optionals-library.ts';
import { REGEX_LIBRARY } from './regex-library.ts';
import { SETS_LIBRARY } from './sets-library.ts';
import { STRINGS_LIBRARY } from './strings-library.ts';
import { TWO_VARIABLE_LIBRARY } from './two-variable-library.ts';

/** Every extension library; an environment has them all unless told otherwise. */
export const EXTENSION_LIBRARIES: readonly Library[] = [
  STRINGS_LIBRARY,
  MATH_LIBRARY,
  LISTS_LIBRARY,
  SETS_LIBRARY,
  ENCODERS_LIBRARY,
  BINDINGS_LIBRARY,
  OPTIONALS_LIBRARY,
  TWO_VARIABLE_LIBRARY,
  REGEX_LIBRARY,
  NETWORK_LIBRARY,
  BLOCK_LIBRARY,
];
