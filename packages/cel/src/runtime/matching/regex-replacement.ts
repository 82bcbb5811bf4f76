import { EvaluationError } from '../../values/value.ts';
import type { Match } from './regex-match.ts';

/** `\0` to `\9`, `\\`, and other backslashes. A dollar sign is literal. */
const ESCAPE = /\\(?:([0-9])|(\\)|())/g;

/**
 * Returns a function that expands the replacement for a match, with the syntax of the reference implementation: a backslash and a digit
 * refer to a group, and two backslashes are one. Any other backslash, or a group that the pattern does not have, is an error.
 *
 * @param groupCount of the pattern
 */
export function replacementOf(template: string, groupCount: number): ((match: Match) => string) | EvaluationError {
  const pieces: (string | number)[] = [];
  let end = 0;
  for (const match of template.matchAll(ESCAPE)) {
    const [reference, digit, backslash] = match;
    if (digit === undefined && backslash === undefined) return INVALID_ESCAPE;
    if (digit !== undefined && Number(digit) > groupCount) return unknownGroup(reference);
    pieces.push(template.slice(end, match.index), backslash ?? Number(digit));
    end = match.index + reference.length;
  }
  pieces.push(template.slice(end));
  return match => pieces.map(piece => (typeof piece === 'string' ? piece : (match.group(piece) ?? ''))).join('');
}

const INVALID_ESCAPE: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'regex/invalid-replacement',
  'a backslash in the replacement must be followed by a digit or another backslash',
);

function unknownGroup(reference: string): EvaluationError {
  return new EvaluationError('regex/unknown-group', `the pattern has no group for \`${reference}\` in the replacement`);
}
