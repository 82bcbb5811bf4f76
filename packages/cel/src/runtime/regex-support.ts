// What compiled policies import in addition to the runtime if a pattern needs the RE2 engine or is not constant. A separate entry point, so
// that other policies do not load that engine.

export { compileRe2 } from '../regex/re2.ts';
export { extractMatch, extractMatches, matchesPattern, replaceMatches, replaceMatchesUpTo } from './regex-functions.ts';
