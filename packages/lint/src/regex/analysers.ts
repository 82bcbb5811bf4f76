import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The parser of patterns: 4 ms, which a run over policies without a pattern does not pay. */
export function patternParser(): typeof import('@eslint-community/regexpp') {
  return require('@eslint-community/regexpp');
}

/** The analyser of backtracking: 36 ms, which only patterns pay that may need it. */
export function backtrackingAnalyser(): typeof import('scslre') {
  return require('scslre');
}
