import { isObviouslyValid } from './obviously-valid.ts';
import { parsePattern } from './parse-pattern.ts';
import type { PatternFault } from './pattern-reader.ts';

/** Returns what is wrong with a regular expression in RE2 syntax; undefined if it is valid. */
export function validatePattern(source: string): PatternFault | undefined {
  if (isObviouslyValid(source)) return undefined;
  const result = parsePattern(source);
  return 'fault' in result ? result.fault : undefined;
}
