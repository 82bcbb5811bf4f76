import type { EnvironmentLibrary } from '../environment/environment.ts';
import { BINDINGS_LIBRARY } from '../library/extensions/bindings.ts';
import { BLOCK_LIBRARY } from '../library/extensions/block.ts';
import { ENCODERS_LIBRARY } from '../library/extensions/encoders.ts';
import { LISTS_LIBRARY } from '../library/extensions/lists.ts';
import { MATH_LIBRARY } from '../library/extensions/math.ts';
import { NETWORK_LIBRARY } from '../library/extensions/network.ts';
import { OPTIONALS_LIBRARY } from '../library/extensions/optionals.ts';
import { RE2_LIBRARY } from '../library/extensions/re2.ts';
import { REGEX_LIBRARY } from '../library/extensions/regex.ts';
import { SETS_LIBRARY } from '../library/extensions/sets.ts';
import { STRINGS_LIBRARY } from '../library/extensions/strings.ts';
import { TWO_VARIABLE_LIBRARY } from '../library/extensions/two-variable.ts';

import { FUNCTION_BODIES_LIBRARY } from '../lowering/function-bodies.ts';

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
