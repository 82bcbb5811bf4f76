import { above, below, between, NOTHING, type RangeSet, union } from './range-set.ts';
import { ERROR, FALSE, INVALID, NAN, TRUE, type ValueSet } from './value-set.ts';

/** An expression that conditions test: `req.Method`, `int(res.StatusCode)`, or an opaque truth value. */
export interface Term {
  /** Equal for expressions with the same value in every evaluation. */
  readonly text: string;
  /** True if evaluating it never fails. */
  readonly isTotal: boolean;
  /** The steps from an input to the value, such as `['req', 'Headers', 'X', 0]`; undefined for computed values. */
  readonly access: Access | undefined;
  /** In order of creation. */
  readonly variables: Variable[];
}

/** Names, keys and indices that lead to a value. `isKey`: the presence of the last key counts, not its value. */
export interface Access {
  readonly steps: readonly (string | number)[];
  readonly isKey: boolean;
}

/** How conditions observe the value of a term. */
export type View =
  /** Whether it is true. */
  | { readonly kind: 'truth' }
  /** Its position among all ints, uints, doubles or strings. */
  | { readonly kind: 'int' | 'uint' | 'double' | 'text' }
  /** Its number of characters, elements or entries. */
  | { readonly kind: 'count' }
  /** The number or address that a string parses as. */
  | { readonly kind: 'as-int' | 'as-double' | 'as-address' }
  /** Whether a string contains another one, or matches a pattern. */
  | { readonly kind: 'prefix' | 'suffix' | 'part' | 'pattern'; readonly text: string; readonly test: StringTest };

type StringTest = (text: string) => boolean;

/** A view of a term: the solver's unknown. */
export interface Variable {
  /** Index in the vocabulary. */
  readonly index: number;
  readonly term: Term;
  readonly view: View;
  /** All possible results, failures included. */
  readonly universe: ValueSet;
}

/** The terms and variables shared by conditions. Only conditions read with the same vocabulary can be compared. */
export interface Vocabulary {
  readonly terms: Map<string, Term>;
  readonly variables: Variable[];
  /** Number of volatile expressions so far. */
  volatileCount: number;
}

/** Returns an empty vocabulary. */
export function createVocabulary(): Vocabulary {
  return { terms: new Map(), variables: [], volatileCount: 0 };
}

/** Returns the term for a canonical source, creating it on first use. */
export function termOf(vocabulary: Vocabulary, text: string, make: () => Pick<Term, 'isTotal' | 'access'>): Term {
  let term = vocabulary.terms.get(text);
  if (term === undefined) {
    term = { text, ...make(), variables: [] };
    vocabulary.terms.set(text, term);
  }
  return term;
}

export function variableOf(vocabulary: Vocabulary, term: Term, view: View): Variable {
  const known = term.variables.find(variable => isSameView(variable.view, view));
  if (known !== undefined) return known;
  const { flags, ranges } = UNIVERSES[view.kind];
  const universe = { flags: term.isTotal ? flags : flags | ERROR, ranges };
  const variable = { index: vocabulary.variables.length, term, view, universe };
  vocabulary.variables.push(variable);
  term.variables.push(variable);
  return variable;
}

function isSameView(a: View, b: View): boolean {
  return a.kind === b.kind && (!('text' in a) || !('text' in b) || a.text === b.text);
}

const LEAST_INT = -(2n ** 63n);
const INT_END = 2n ** 63n;
/** Offset of IPv6 addresses, which follow all IPv4 addresses. */
export const V6_START = 2n ** 40n;

const INTS = between(below(LEAST_INT), below(INT_END));
const DOUBLES = between(below(-Infinity), above(Infinity));
const STRINGS: RangeSet = { startsInside: false, cuts: [below('')] };
const ADDRESSES = union(between(below(0n), below(2n ** 32n)), between(below(V6_START), below(V6_START + 2n ** 128n)));
const TRUTH: ValueSet = { flags: TRUE | FALSE, ranges: NOTHING };

const UNIVERSES: Readonly<Record<View['kind'], ValueSet>> = {
  truth: TRUTH,
  int: { flags: 0, ranges: INTS },
  uint: { flags: 0, ranges: between(below(0n), below(2n ** 64n)) },
  count: { flags: 0, ranges: between(below(0n), below(INT_END)) },
  double: { flags: NAN, ranges: DOUBLES },
  text: { flags: 0, ranges: STRINGS },
  'as-int': { flags: INVALID, ranges: INTS },
  'as-double': { flags: INVALID | NAN, ranges: DOUBLES },
  'as-address': { flags: INVALID, ranges: ADDRESSES },
  prefix: TRUTH,
  suffix: TRUTH,
  part: TRUTH,
  pattern: TRUTH,
};
