import type { Term } from '../values/vocabulary.ts';
import type { CandidateValue } from './candidate-values.ts';

/** A test of a string or a number against literals. */
export interface LiteralTest {
  readonly test: 'equal' | 'prefix' | 'suffix' | 'part' | 'below' | 'above';
  /** The operand equals, starts with, ends with or contains one of these; orderings have one bound. */
  readonly literals: readonly (string | number)[];
  /** The literals of `equal` as a set, if there are many. */
  readonly set: ReadonlySet<string | number> | undefined;
  /** True if the test is negated: `!=`, `<=`. */
  readonly isNegated: boolean;
}

/** A test of an input against literals, the most common condition. Values can be tried without building its formula. */
export interface SimpleTest extends LiteralTest {
  readonly term: Term;
}

/** Returns whether the test is true for a value of its term; undefined for values of another type. */
export function passes(test: SimpleTest, value: CandidateValue): boolean | undefined {
  const isText = typeof test.literals[0] === 'string';
  if (isText ? typeof value !== 'string' : typeof value !== 'number' && typeof value !== 'bigint') return undefined;
  return matchesLiterals(test, value as string | number) !== test.isNegated;
}

/** Returns values that are likely to have the target result, the least specific first; strings extend the previous value. */
export function valuesToPass(
  { test, literals, isNegated }: LiteralTest,
  wanted: boolean,
  before: CandidateValue | undefined,
): readonly (string | number)[] {
  const [first] = literals as readonly [string | number];
  if (typeof first === 'number') return [first, first + 1, first - 1, OTHER_NUMBER];
  if (wanted === isNegated) return OTHER_STRINGS;
  const known = typeof before === 'string' ? before : OTHER_STRINGS[0];
  switch (test) {
    case 'equal':
      return literals.slice(0, MAX_TRIED);
    case 'prefix':
      return [first + known, first + OTHER_STRINGS[0], first];
    case 'suffix':
      return [known + first];
    default:
      return [known + first + OTHER_STRINGS[0]];
  }
}

/** Stand for all strings and numbers that no condition mentions. */
export const OTHER_STRINGS = ['~', '^'] as const;
const OTHER_NUMBER = 7919;

/** Literals of a list that are tried. */
const MAX_TRIED = 4;

/** Returns true if a value of the literals' type equals, starts with, ends with or contains one of them, regardless of negation. */
export function matchesLiterals({ test, literals, set }: LiteralTest, value: string | number): boolean {
  const [first] = literals as readonly [string];
  switch (test) {
    case 'equal':
      return set === undefined ? literals.includes(value) : set.has(value);
    case 'prefix':
      return String(value).startsWith(first);
    case 'suffix':
      return String(value).endsWith(first);
    case 'part':
      return String(value).includes(first);
    case 'below':
      return value < first;
    case 'above':
      return value > first;
  }
}
