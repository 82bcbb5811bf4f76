import type { EnvironmentLibrary } from './checker/environment.ts';
import { BINDINGS_LIBRARY, BLOCK_LIBRARY } from './library/bindings.ts';
import { ENCODERS_LIBRARY } from './library/encoders.ts';
import { LISTS_LIBRARY, SETS_LIBRARY } from './library/lists.ts';
import { MATH_LIBRARY } from './library/math.ts';
import { NETWORK_LIBRARY } from './library/network.ts';
import { OPTIONALS_LIBRARY } from './library/optionals.ts';
import { RE2_LIBRARY, REGEX_LIBRARY } from './library/regex.ts';
import { STRINGS_LIBRARY } from './library/strings.ts';
import { TWO_VARIABLE_LIBRARY } from './library/two-variable.ts';
import { FUNCTION_BODIES_LIBRARY } from './lowering/inline-bodies.ts';

/** All extension libraries. */
export const EXTENSION_LIBRARIES: readonly EnvironmentLibrary[] = [
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
  FUNCTION_BODIES_LIBRARY,
];
