import type { Library } from '../declarations/library.ts';
import { BINDINGS_LIBRARY } from './bindings.ts';
import { BLOCK_LIBRARY } from './block.ts';
import { ENCODERS_LIBRARY } from './encoders.ts';
import { LISTS_LIBRARY } from './lists.ts';
import { MATH_LIBRARY } from './math.ts';
import { NETWORK_LIBRARY } from './network.ts';
import { OPTIONALS_LIBRARY } from './optionals.ts';
import { RE2_LIBRARY } from './re2.ts';
import { REGEX_LIBRARY } from './regex.ts';
import { SETS_LIBRARY } from './sets.ts';
import { STRINGS_LIBRARY } from './strings.ts';
import { TWO_VARIABLE_LIBRARY } from './two-variable.ts';

/** All extension libraries. */
export const EXTENSION_LIBRARIES: readonly Library[] = [
  STRINGS_LIBRARY,
  MATH_LIBRARY,
  LISTS_LIBRARY,
  SETS_LIBRARY,
  ENCODERS_LIBRARY,
  BINDINGS_LIBRARY,
  OPTIONALS_LIBRARY,
  TWO_VARIABLE_LIBRARY,
  RE2_LIBRARY,
  REGEX_LIBRARY,
  NETWORK_LIBRARY,
  BLOCK_LIBRARY,
];
