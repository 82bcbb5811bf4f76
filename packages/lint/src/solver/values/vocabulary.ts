import { above, below, between, NOTHING, type RangeSet, union } from './range-set.ts';
import { ERROR, FALSE, INVALID, NAN, TRUE, type ValueSet } from './value-set.ts';

/** An expression of which conditions ask something: `req.Method`, `int(res.StatusCode)`, or one that is only true or false. */
export interface Term {
  /** Equal for expressions that have the same value in every evaluation. */
  readonly text: string;
  /** Evaluating it cannot fail. */
  readonly isTotal: boolean;
  /** Where its value stands among the inputs: `['req', 'Headers', 'X', 0]`; undefined when it is calculated. */
  readonly access: Access | undefined;
  /** In the order in which they came up. */
  readonly variables: Variable[];
}

/** Names, keys and positions that lead to a value; `isKey` when it is not the value that counts, but that there is one. */
export interface Access {
  readonly steps: readonly (string | number)[];
  readonly isKey: boolean;
}

/** What is asked of the value of a term. */
export type View =
  /** Whether it is true. */
  | { readonly kind: 'truth' }
  /** Where it stands among all ints, uints, doubles or texts. */
  | { readonly kind: 'int' | 'uint' | 'double' | 'text' }
  /** How many characters, elements or entries it has. */
  | { readonly kind: 'count' }
  /** Of a text, as which number or address it reads. */
  | { readonly kind: 'as-int' | 'as-double' | 'as-address' }
  /** Whether it has a part, or matches a pattern. */
  | { readonly kind: 'prefix' | 'suffix' | 'part' | 'pattern'; readonly text: string; readonly test: StringTest };

export type StringTest = (text: string) => boolean;

/** One question about one term: the solver's unknown. */
export interface Variable {
  /** Position among all of the vocabulary. */
  readonly index: number;
  readonly term: Term;
  readonly view: View;
  /** All that an evaluation may give. */
  readonly universe: ValueSet;
}

/** The terms and variables that conditions share. Conditions are comparable when they were read with the same one. */
export interface Vocabulary {
  readonly terms: Map<string, Term>;
  readonly variables: Variable[];
  /** Expressions that give something else each time, so far. */
  volatileCount: number;
}

/** An empty one. */
export function createVocabulary(): Vocabulary {
  return { terms: new Map(), variables: [], volatileCount: 0 };
}

/** The term of a text; made when it is new. */
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

export const LEAST_INT = -(2n ** 63n);
export const INT_END = 2n ** 63n;
/** Addresses of version 6 come after those of version 4, this much later. */
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
