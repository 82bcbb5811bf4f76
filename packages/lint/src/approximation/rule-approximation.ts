import type { Environment, TypedAst } from '@tollgate/cel';
import { Work } from '../primitives/work.ts';
import { OTHER_STRINGS } from '../solver/formula/simple-test.ts';
import { TRUE } from '../solver/formula/truth.ts';
import { type AbstractCondition, type Assignment, type Leaf, resultsOf } from './abstract-condition.ts';
import { approximate } from './approximate.ts';
import { assignmentFor, satisfyAll } from './satisfy.ts';

/** Rules that may cover the input of another one. */
export interface OtherRules {
  /** Returns at least the rules that may match under an assignment. */
  readonly mayHoldIn: (assignment: Assignment) => readonly RuleApproximation[];
}

/** The approximated conditions of a rule. True answers are certain; false proves nothing. */
export class RuleApproximation {
  readonly whole:
    | Extract<AbstractCondition, { readonly kind: 'all' }>
    | { readonly kind: 'all'; readonly parts: readonly AbstractCondition[] };
  #assignment: Assignment | undefined;
  #isSearched = false;
  readonly #work: Work;

  constructor(expressions: readonly TypedAst[], environment: Environment, work = new Work()) {
    this.#work = work;
    this.whole = { kind: 'all', parts: expressions.map(one => approximate(one, environment)) };
  }

  /** Returns true if every expression, and every operand in it, can be true and can be false. */
  isContingent(): boolean {
    return this.whole.parts.every(isContingent);
  }

  /** Returns true if some input matches. */
  canMatch(): boolean {
    return this.#match() !== undefined;
  }

  /** Returns true if some input matches this rule and none of the others. */
  hasUncoveredInput(others: OtherRules): boolean {
    const assignment = this.#match();
    return assignment !== undefined && hasUncovered(assignment, this.whole, others, this.#work);
  }

  /** Returns true if, for each alternative, some input matches by that alternative and matches no other rule. */
  everyAlternativeHasUncoveredInput(others: OtherRules): boolean {
    const alternatives = this.whole.parts.map(alternativesIn);
    return alternatives.every(found => found?.every(alternative => this.#escapesBy(alternative, others)));
  }

  #escapesBy(alternative: AbstractCondition, others: OtherRules): boolean {
    const condition: AbstractCondition = { kind: 'all', parts: [alternative, this.whole] };
    const assignment = assignmentFor([[condition, true]]);
    return assignment !== undefined && hasUncovered(assignment, condition, others, this.#work);
  }

  /** Returns true if some input does not match. */
  canFail(): boolean {
    return hasUncovered(NOTHING, EVERYTHING, { mayHoldIn: () => [this] }, this.#work);
  }

  /** Returns the paths of the inputs that the rule reads, possibly with duplicates; undefined if unknown. */
  paths(): readonly string[] | undefined {
    const found: string[] = [];
    return collectPaths(this.whole, found) ? found : undefined;
  }

  /** The result does not depend on the caller, so it is not charged again. */
  #match(): Assignment | undefined {
    if (!this.#isSearched) {
      this.#isSearched = true;
      this.#assignment = assignmentFor([[this.whole, true]]);
    }
    return this.#assignment;
  }
}

/** Returns true if some input matches none of the rules. */
export function leavesUncoveredInput(rules: readonly RuleApproximation[], work = new Work()): boolean {
  return hasUncovered(NOTHING, EVERYTHING, { mayHoldIn: () => rules }, work);
}

const NOTHING: Assignment = new Map();
const EVERYTHING: AbstractCondition = { kind: 'all', parts: [] };

function collectPaths(condition: AbstractCondition, found: string[]): boolean {
  switch (condition.kind) {
    case 'leaf':
      if (condition.path !== undefined) found.push(condition.path);
      return condition.path !== undefined;
    case 'not':
      return collectPaths(condition.part, found);
    case 'constant':
      return true;
    case 'unknown':
      return false;
    default:
      return condition.parts.every(part => collectPaths(part, found));
  }
}

/** Returns true if no other rule matches under the assignment, or under one derived from it that still satisfies the condition. */
function hasUncovered(assignment: Assignment, condition: AbstractCondition, others: OtherRules, work: Work): boolean {
  if (work.isSpent) return false;
  const holding = holdingIn(assignment, others, work);
  if (holding.length === 0) return true;
  const other: Assignment = new Map(assignment);
  work.spend(holding.length);
  const goals = holding.map(({ whole }) => [whole, false] as const);
  return satisfyAll(other, [[condition, true], ...goals]) && holdingIn(other, others, work).length === 0;
}

function holdingIn(assignment: Assignment, others: OtherRules, work: Work): readonly RuleApproximation[] {
  const found = others.mayHoldIn(assignment);
  work.spend(1 + found.length);
  return found.filter(({ whole }) => (resultsOf(assignment, whole) & TRUE) !== 0);
}

/** Returns the operands of `||` and the elements of `in` lists, at the root or in the operands of its `&&`; undefined if unknown. */
function alternativesIn(condition: AbstractCondition): readonly AbstractCondition[] | undefined {
  if (condition.kind === 'unknown') return undefined;
  if (condition.kind === 'any' || condition.kind === 'leaf') return operandsOf(condition);
  if (condition.kind !== 'all') return [];
  const found = condition.parts.map(alternativesIn);
  return found.includes(undefined) ? undefined : found.flatMap(one => one!);
}

function operandsOf(condition: AbstractCondition): readonly AbstractCondition[] {
  if (condition.kind === 'any')
    return condition.parts.flatMap(part => (part.kind === 'any' ? operandsOf(part) : split(part)));
  return split(condition).length > 1 ? split(condition) : [];
}

function split(condition: AbstractCondition): readonly AbstractCondition[] {
  if (condition.kind !== 'leaf' || condition.predicate.kind !== 'value' || condition.predicate.literals.length < 2)
    return [condition];
  const { predicate } = condition;
  return predicate.literals.map(literal => ({
    ...condition,
    predicate: { ...predicate, literals: [literal], set: undefined },
  }));
}

function isContingent(condition: AbstractCondition): boolean {
  return testsEachValueOnce(condition, []) || isProvablyContingent(condition);
}

function isProvablyContingent(condition: AbstractCondition): boolean {
  if (!assignmentFor([[condition, true]]) || !assignmentFor([[condition, false]])) return false;
  return condition.kind !== 'all' && condition.kind !== 'any' ? true : condition.parts.every(isProvablyContingent);
}

/** Returns true if each value is tested once and either result is possible: then every part can be true and can be false. */
function testsEachValueOnce(condition: AbstractCondition, keys: string[]): boolean {
  switch (condition.kind) {
    case 'leaf':
      return (
        isOpen(condition) &&
        isNew(condition.key, keys) &&
        (condition.requiredKey === undefined || isNew(condition.requiredKey, keys))
      );
    case 'not':
      return testsEachValueOnce(condition.part, keys);
    case 'all':
    case 'any':
      return condition.parts.every(part => testsEachValueOnce(part, keys));
    default:
      return false;
  }
}

function isOpen({ predicate }: Leaf): boolean {
  if (predicate.kind === 'pattern')
    return predicate.sample !== undefined && OTHER_STRINGS.some(text => !predicate.test(text));
  if (predicate.kind === 'size') return predicate.literals.every(size => Number(size) > 0);
  return predicate.kind !== 'address';
}

function isNew(key: string, keys: string[]): boolean {
  if (keys.includes(key)) return false;
  keys.push(key);
  return true;
}
