import { Work } from '../../primitives/work.ts';
import type { Composite, Formula } from '../formula/formula.ts';
import { mayExist } from '../values/string-values.ts';
import { ERROR, isEmptySet, isWithin, meet, type ValueSet, withoutError } from '../values/value-set.ts';
import type { Term, Variable } from '../values/vocabulary.ts';

/** Possible values of variables that satisfy formulas; other variables are unconstrained. */
export type Model = ReadonlyMap<Variable, ValueSet>;

/** `open`: undecided within the bound on work. */
type Answer =
  | { readonly kind: 'unsatisfiable' }
  | { readonly kind: 'open' }
  /** Nothing contradicts the model, which does not prove that such an input exists. */
  | { readonly kind: 'model'; readonly model: Model };

/** Parts of formulas visited before the search gives up. */
const MAX_STEPS = 20_000;

/** Decides whether all formulas can hold together. */
export function solve(formulas: readonly Formula[], work = new Work()): Answer {
  const search: Search = { known: new Map(), stepsLeft: MAX_STEPS, work };
  const found = explore(search, formulas, []);
  work.spend(MAX_STEPS - search.stepsLeft);
  if (found === 'open' || work.isSpent) return { kind: 'open' };
  return found ? { kind: 'model', model: search.known } : { kind: 'unsatisfiable' };
}

interface Search {
  /** The current assumptions. */
  readonly known: Map<Variable, ValueSet>;
  stepsLeft: number;
  /** Additional costs of single steps. */
  readonly work: Work;
}

type SearchResult = boolean | 'open';

/** Assumes all formulas and searches the remaining alternatives. Undoes the assumptions unless it succeeds. */
function explore(search: Search, formulas: readonly Formula[], outer: Undo[]): SearchResult {
  const undo: Undo[] = [];
  const found = exploreFrom(search, formulas, undo);
  if (found === true) outer.push(...undo);
  else for (const step of undo.reverse()) restore(search, step);
  return found;
}

function exploreFrom(search: Search, formulas: readonly Formula[], undo: Undo[]): SearchResult {
  const alternatives: Composite[] = [];
  if (!assumeAll(search, formulas, { alternatives, undo })) return false;
  const open = reduce(search, alternatives, undo);
  if (open === undefined) return false;
  let found: SearchResult = true;
  for (const group of independentGroups(open, search.work)) {
    const one = search.stepsLeft < 0 || search.work.isSpent ? 'open' : choose(search, group, undo);
    if (one === false) return false;
    if (one === 'open') found = 'open';
  }
  return found;
}

/** Tries the parts of the shortest alternative in order. */
function choose(search: Search, group: readonly Composite[], undo: Undo[]): SearchResult {
  const [first, ...rest] = group.toSorted((a, b) => a.parts.length - b.parts.length);
  let isOpen = false;
  for (const part of first!.parts) {
    const found = explore(search, [part, ...rest], undo);
    if (found === true) return true;
    isOpen ||= found === 'open';
  }
  return isOpen ? 'open' : false;
}

/** Groups alternatives that share terms; groups can be decided independently. */
function independentGroups(alternatives: readonly Composite[], work: Work): readonly (readonly Composite[])[] {
  let groups: { readonly terms: Set<Term>; readonly members: Composite[] }[] = [];
  for (const one of alternatives) {
    work.spend(groups.length);
    const joined = { terms: new Set(one.terms), members: [one] };
    const apart: typeof groups = [];
    for (const group of groups) {
      if (![...one.terms].some(term => group.terms.has(term))) apart.push(group);
      else {
        joined.members.unshift(...group.members);
        for (const term of group.terms) joined.terms.add(term);
      }
    }
    groups = [...apart, joined];
  }
  return groups.map(group => group.members);
}

interface Undo {
  readonly variable: Variable;
  readonly before: ValueSet | undefined;
}

function restore({ known }: Search, { variable, before }: Undo): void {
  if (before === undefined) known.delete(variable);
  else known.set(variable, before);
}

interface Assumptions {
  readonly alternatives: Composite[];
  readonly undo: Undo[];
}

/** Returns false if the formulas contradict each other or an assumption. */
function assumeAll(search: Search, formulas: readonly Formula[], assumptions: Assumptions): boolean {
  // An aborted search is never taken as an answer.
  return formulas.every(formula => search.work.isSpent || assumeOne(search, formula, assumptions));
}

function assumeOne(search: Search, formula: Formula, assumptions: Assumptions): boolean {
  search.stepsLeft--;
  switch (formula.kind) {
    case 'constant':
      return formula.holds;
    case 'claim':
      return assume(search, formula, assumptions.undo);
    case 'and':
      return assumeAll(search, formula.parts, assumptions);
    case 'or':
      assumptions.alternatives.push(formula);
      return true;
  }
}

function assume({ known, work }: Search, { variable, values }: Claim, undo: Undo[]): boolean {
  const before = known.get(variable);
  const after = meet(before ?? variable.universe, values);
  if (isEmptySet(after)) return false;
  known.set(variable, after);
  undo.push({ variable, before });
  work.spend(variable.term.variables.length);
  return mayHold(variable.term, known);
}

type Claim = Extract<Formula, { readonly kind: 'claim' }>;

/** Returns true if one value of the term, or a failure, may satisfy all assumptions about it. */
function mayHold({ variables }: Term, known: Search['known']): boolean {
  if (variables.length === 1) return true;
  const views = variables.flatMap(variable => {
    const values = known.get(variable);
    return values === undefined ? [] : [{ view: variable.view, values }];
  });
  if (views.length === 1 || views.every(({ values }) => (values.flags & ERROR) !== 0)) return true;
  const withValues = views.map(({ view, values }) => ({ view, values: withoutError(values) }));
  return !withValues.some(({ values }) => isEmptySet(values)) && mayExist(withValues);
}

/**
 * Drops alternatives that already hold and parts that no longer can; assumes parts that are left alone. Undefined if an alternative has no
 * part left.
 */
function reduce(search: Search, alternatives: readonly Composite[], undo: Undo[]): readonly Composite[] | undefined {
  let pending = alternatives;
  for (;;) {
    const next: Composite[] = [];
    let isChanged = false;
    for (const one of pending) {
      const parts = partsLeft(search, one);
      if (parts === undefined) continue;
      if (parts.length === 0) return undefined;
      if (parts.length > 1) next.push(parts.length === one.parts.length ? one : { ...one, parts });
      else if (assumeAll(search, parts, { alternatives: next, undo })) isChanged = true;
      else return undefined;
    }
    if (!isChanged || search.stepsLeft < 0 || search.work.isSpent) return next;
    pending = next;
  }
}

/** Returns undefined if one of the parts already holds. */
function partsLeft(search: Search, { parts }: Composite): readonly Formula[] | undefined {
  const left: Formula[] = [];
  for (const part of parts) {
    search.stepsLeft--;
    const status = statusOf(search, part);
    if (status === 'holds') return undefined;
    if (status === 'possible') left.push(part);
  }
  return left;
}

/** A shallow check: whatever needs a search is `possible`. */
function statusOf(search: Search, formula: Formula): 'holds' | 'impossible' | 'possible' {
  switch (formula.kind) {
    case 'constant':
      return formula.holds ? 'holds' : 'impossible';
    case 'claim': {
      const known = search.known.get(formula.variable) ?? formula.variable.universe;
      if (isWithin(known, formula.values)) return 'holds';
      return isEmptySet(meet(known, formula.values)) ? 'impossible' : 'possible';
    }
    case 'and': {
      search.stepsLeft -= formula.parts.length;
      const statuses = formula.parts.map(part => statusOf(search, part));
      if (statuses.includes('impossible')) return 'impossible';
      return statuses.every(status => status === 'holds') ? 'holds' : 'possible';
    }
    case 'or':
      return 'possible';
  }
}
