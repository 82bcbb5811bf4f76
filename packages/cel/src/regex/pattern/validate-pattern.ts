import { parsePattern } from './parse-pattern.ts';
import type { PatternFault } from './pattern-reader.ts';
import { isSurelyValid } from './surely-valid.ts';

/** Returns what is wrong with a regular expression in RE2 syntax; undefined if it is valid. */
export function validatePattern(source: string): PatternFault | undefined {
  if (isSurelyValid(source)) return undefined;
  const result = parsePattern(source);
  return 'fault' in result ? result.fault : undefined;
}
