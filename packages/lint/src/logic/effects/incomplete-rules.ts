import type { Diagnostic } from '@tollgate/diagnostics';
import type { Rule } from '@tollgate/policy';
import { isAnyWithin } from '../../primitives/sorted-ranges.ts';

/** Errors that make the analysis drop conditions or actions of a rule: `- !(a)`, `expression: a`. */
const LOSES_PARTS =
  /^(?:(?:yaml|json)\/|policy\/(?:wrong-type|unknown-key|missing-key|unquoted-expression|duplicate-key)$)/;

/** Returns a predicate for rules that may have lost parts in the analysis, so that nothing follows from what they lack. */
export function incompleteRules(analysis: readonly Diagnostic[]): (rule: Pick<Rule, 'range'>) => boolean {
  const places = analysis
    .filter(({ severity, code }) => severity === 'error' && LOSES_PARTS.test(code))
    .map(one => one.range)
    .toSorted((a, b) => a.start - b.start);
  if (places.length === 0) return () => false;
  return ({ range }) => isAnyWithin(places, range);
}
