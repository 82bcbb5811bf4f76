import { parsePattern } from './parse-pattern.ts';
import type { PatternFault } from './pattern-reader.ts';

/** What is wrong with a regular expression, taken as RE2; undefined when it is right. */
export function validatePattern(source: string): PatternFault | undefined {
  const result = parsePattern(source);
  return 'fault' in result ? result.fault : undefined;
}
