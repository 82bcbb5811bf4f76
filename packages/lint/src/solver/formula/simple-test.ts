import type { Term } from '../values/vocabulary.ts';
import type { CandidateValue } from './candidate-values.ts';

/** What is asked of a text or a number that is held against literals. */
export interface LiteralTest {
  readonly test: 'equal' | 'prefix' | 'suffix' | 'part' | 'below' | 'above';
  /** Texts or numbers, one of which the input is to be, begin with, and so on; one bound of those that are in order. */
  readonly literals: readonly (string | number)[];
  /** Of `equal`, all of them, where there are many. */
  readonly set: ReadonlySet<string | number> | undefined;
  /** It is true where the input is not so: `!=`, `<=`. */
  readonly isNegated: boolean;
}

/** An input held against literals, as most conditions are made of: what it asks can be tried without writer out what it means. */
export interface SimpleTest extends LiteralTest {
  readonly term: Term;
}

/** Whether the test is true of a value of its term; undefined for a value of another type. */
export function passes(test: SimpleTest, value: CandidateValue): boolean | undefined {
  const isText = typeof test.literals[0] === 'string';
  if (isText ? typeof value !== 'string' : typeof value !== 'number' && typeof value !== 'bigint') return undefined;
  return matchesLiterals(test, value as string | number) !== test.isNegated;
}

/** Values of which one most likely is as wanted, those first that fulfil little else; built on what was tried before. */
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

/** In the place of all texts and numbers that no condition asks for. */
export const OTHER_STRINGS = ['~', '^'] as const;
const OTHER_NUMBER = 7919;

/** Values of a list that are tried. */
const MAX_TRIED = 4;

/** Whether a value of the type of the literals is one of them, begins with it, and so on, negated or not. */
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
