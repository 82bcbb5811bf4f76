import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Loads the pattern parser on demand, which takes 4 ms. */
export function patternParser(): typeof import('@eslint-community/regexpp') {
  return require('@eslint-community/regexpp');
}

/** Loads the backtracking analyser on demand, which takes 36 ms. Few patterns need it. */
export function backtrackingAnalyser(): typeof import('scslre') {
  return require('scslre');
}
