import { bodiesOf, proveBodies } from '../checker/body.ts';
import type { EnvironmentLibrary } from '../environment/environment.ts';
import { inlineBodies } from './inline-bodies.ts';

/** Support for functions with a body in CEL. Separate because most environments have none. */
export const FUNCTION_BODIES_LIBRARY: EnvironmentLibrary = {
  name: 'function-bodies',
  functions: [],
  macros: [],
  constants: [],
  bodyCompiler: { bodiesOf, proveBodies, inlineBodies },
};
