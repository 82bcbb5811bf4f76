// What compiled policies import beside the runtime when they have patterns that only the RE2 engine runs, or that are not
// constants: an entry of its own, so that no others load that engine.

export { compileRe2 } from '../regex/re2.ts';
export { matchesText } from './matching/matches.ts';
export { extractMatch, extractMatches, replaceMatches, replaceMatchesUpTo } from './matching/regex-functions.ts';
