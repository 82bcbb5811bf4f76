import { parsePattern } from './parse-pattern.ts';
import type { PatternFault } from './pattern-reader.ts';
import { isSurelyValid } from './surely-valid.ts';

/** What is wrong with a regular expression, taken as RE2; undefined when it is right. */
export function validatePattern(source: string): PatternFault | undefined {
  if (isSurelyValid(source)) return undefined;
  const result = parsePattern(source);
  return 'fault' in result ? result.fault : undefined;
}
