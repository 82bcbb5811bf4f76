import type { CidrRange } from '@tollgate/cel';
import { parseIp } from '@tollgate/cel/tooling';
import { type LiteralTest, matchesLiterals } from '../solver/formula/simple-test.ts';
import { ANY_RESULT, conjoin, disjoin, FAILS, FALSE, negate, TRUE } from '../solver/formula/truth.ts';

// Most rules are unrelated, which a single input proves. To find that input, conditions need not be translated into formulas: it is
// enough to know what most of their parts test. The rest may have any result.

/** The value of an input or a part of it: the size of a list, the result of an opaque test. */
export type AssignedValue = string | number | boolean;

/** A cheap over-approximation of a condition. */
export type AbstractCondition =
  | Leaf
  /** `whole` is the body of a function, which alternatives are not taken from. */
  | { readonly kind: 'all' | 'any' | 'whole'; readonly parts: readonly AbstractCondition[] }
  | { readonly kind: 'not'; readonly part: AbstractCondition }
  | { readonly kind: 'constant'; readonly holds: boolean }
  | { readonly kind: 'unknown' };

/** One test of one value. */
export interface Leaf {
  readonly kind: 'leaf';
  /** Equal for leaves that test the same value; values with different keys are independent. */
  readonly key: string;
  /** Path of the input that it reads; undefined if it may read several. */
  readonly path: string | undefined;
  /** Key of the leaf that tests whether the value exists; it fails if that one is not true. */
  readonly requiredKey: string | undefined;
  /** The value without an assignment: one that no condition mentions. */
  readonly defaultValue: AssignedValue;
  readonly predicate: Predicate;
  /** Other keys about the same list: if one of them is assigned, the result is unknown. */
  readonly conflictingKeys?: readonly string[];
}

type Predicate =
  | { readonly kind: 'truth' }
  | (LiteralTest & { readonly kind: 'value' | 'size' })
  | { readonly kind: 'address'; readonly within: CidrRange | undefined }
  | PatternPredicate;

/** Tests whether a string matches a regular expression. */
export interface PatternPredicate {
  readonly kind: 'pattern';
  readonly test: (text: string) => boolean;
  /** A string that matches; undefined if none was found. */
  readonly sample: string | undefined;
  /** Every match contains at least one of these, at its start or anywhere; undefined if unknown. */
  readonly literals: readonly PatternLiteral[] | undefined;
}

/** A prefix or a substring of matching strings. */
export interface PatternLiteral {
  readonly test: 'prefix' | 'part';
  readonly text: string;
}

/** Values that differ from the default of their leaf, by key. */
export type Assignment = Map<string, AssignedValue>;

/** Returns the results that a condition may have under an assignment. */
export function resultsOf(assignment: Assignment, condition: AbstractCondition): number {
  switch (condition.kind) {
    case 'leaf':
      return resultsOfLeaf(assignment, condition);
    case 'not':
      return negate(resultsOf(assignment, condition.part));
    case 'any': {
      let results = FALSE;
      for (const part of condition.parts) {
        results = disjoin(results, resultsOf(assignment, part));
        if (results === TRUE) break;
      }
      return results;
    }
    case 'constant':
      return condition.holds ? TRUE : FALSE;
    case 'unknown':
      return ANY_RESULT;
    default: {
      let results = TRUE;
      for (const part of condition.parts) {
        results = conjoin(results, resultsOf(assignment, part));
        if (results === FALSE) break;
      }
      return results;
    }
  }
}

function resultsOfLeaf(
  assignment: Assignment,
  { requiredKey, key, defaultValue, predicate, conflictingKeys }: Leaf,
): number {
  if (conflictingKeys?.some(one => assignment.has(one))) return ANY_RESULT;
  if (requiredKey !== undefined && assignment.get(requiredKey) !== true) return FAILS;
  return resultFor(predicate, assignment.get(key) ?? defaultValue);
}

/** Returns the result of a predicate for a value. */
export function resultFor(predicate: Predicate, value: AssignedValue): number {
  switch (predicate.kind) {
    case 'truth':
      return value === true ? TRUE : FALSE;
    case 'value':
      return matchesLiterals(predicate, value as string | number) !== predicate.isNegated ? TRUE : FALSE;
    case 'size': {
      const size = typeof value === 'string' ? [...value].length : (value as number);
      return matchesLiterals(predicate, size) !== predicate.isNegated ? TRUE : FALSE;
    }
    case 'address': {
      const ip = parseIp(String(value));
      if (predicate.within === undefined) return ip === undefined ? FALSE : TRUE;
      if (ip === undefined) return FAILS;
      return isWithin(ip.bytes, predicate.within) ? TRUE : FALSE;
    }
    case 'pattern':
      return predicate.test(String(value)) ? TRUE : FALSE;
  }
}

function isWithin(bytes: Uint8Array, { ip, prefixLength }: CidrRange): boolean {
  if (bytes.length !== ip.bytes.length) return false;
  for (let bit = 0; bit < prefixLength; bit += 8) {
    const mask = (0xff << Math.max(0, 8 - (prefixLength - bit))) & 0xff;
    if (((bytes[bit >> 3]! ^ ip.bytes[bit >> 3]!) & mask) !== 0) return false;
  }
  return true;
}
