import type { Diagnostic } from '@tollgate/diagnostics';
import type { Rule } from '@tollgate/policy';
import { isAnyWithin } from '../../primitives/sorted-ranges.ts';

/** Errors behind which a rule has fewer conditions, or fewer actions, than were written: `- !(a)`, `expression: a`. */
const LOSES_PARTS =
  /^(?:(?:yaml|json)\/|policy\/(?:wrong-type|unknown-key|missing-key|unquoted-expression|duplicate-key)$)/;

/** Tells whether less may have been read of a rule than was written, so that nothing follows from what it lacks. */
export function incompleteRules(analysis: readonly Diagnostic[]): (rule: Pick<Rule, 'range'>) => boolean {
  const places = analysis
    .filter(({ severity, code }) => severity === 'error' && LOSES_PARTS.test(code))
    .map(one => one.range)
    .toSorted((a, b) => a.start - b.start);
  if (places.length === 0) return () => false;
  return ({ range }) => isAnyWithin(places, range);
}
