import { compileRe2 } from '../../regex/re2.ts';
import { inContext } from '../../runtime/context/implementation-kinds.ts';
import { matchesPattern } from '../../runtime/matching/matches.ts';
import type { Library } from '../declarations/library.ts';

/**
 * The RE2 engine for `matches`. Without it, patterns that V8 cannot run in linear time are `eval/no-pattern-engine`. Separate because the
 * engine is 47 kB compressed, and most patterns run on V8.
 */
export const RE2_LIBRARY: Library = {
  name: 're2',
  functions: [],
  macros: [],
  constants: [],
  implementations: { matches: inContext(matchesPattern), matches_string: inContext(matchesPattern) },
  patternEngine: compileRe2,
};
