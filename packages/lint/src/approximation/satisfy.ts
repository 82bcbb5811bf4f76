import type { CidrRange } from '@tollgate/cel';
import { OTHER_STRINGS, valuesToPass } from '../solver/formula/simple-test.ts';
import { FALSE, TRUE } from '../solver/formula/truth.ts';
import {
  type AbstractCondition,
  type AssignedValue,
  type Assignment,
  type Leaf,
  type PatternPredicate,
  resultFor,
  resultsOf,
} from './abstract-condition.ts';

/** A condition and the result that it shall have. */
type Goal = readonly [condition: AbstractCondition, wanted: boolean];

/** Returns an assignment that certainly reaches all goals; undefined if none was found, which proves nothing. */
export function assignmentFor(goals: readonly Goal[]): Assignment | undefined {
  const assignment: Assignment = new Map();
  return satisfyAll(assignment, goals) ? assignment : undefined;
}

/** Extends an assignment to reach all goals; returns false if the attempt fails. */
export function satisfyAll(assignment: Assignment, goals: readonly Goal[]): boolean {
  for (const [condition, wanted] of goals) if (!satisfy(assignment, condition, wanted)) return false;
  // A value chosen for one goal may have undone another.
  return goals.every(([condition, wanted]) => resultsOf(assignment, condition) === (wanted ? TRUE : FALSE));
}

function satisfy(assignment: Assignment, condition: AbstractCondition, wanted: boolean): boolean {
  switch (condition.kind) {
    case 'leaf':
      return satisfyLeaf(assignment, condition, wanted);
    case 'not':
      return satisfy(assignment, condition.part, !wanted);
    case 'constant':
      return condition.holds === wanted;
    case 'unknown':
      return false;
    default:
      return (condition.kind !== 'any') === wanted
        ? condition.parts.every(part => satisfy(assignment, part, wanted))
        : satisfyAny(assignment, condition.parts, wanted);
  }
}

/** Prefers a part that already has the wanted result; otherwise satisfies the first that it can. */
function satisfyAny(assignment: Assignment, parts: readonly AbstractCondition[], wanted: boolean): boolean {
  const outcome = wanted ? TRUE : FALSE;
  return (
    parts.some(part => resultsOf(assignment, part) === outcome) || parts.some(part => satisfy(assignment, part, wanted))
  );
}

function satisfyLeaf(assignment: Assignment, leaf: Leaf, wanted: boolean): boolean {
  const outcome = wanted ? TRUE : FALSE;
  if (leaf.requiredKey !== undefined) assignment.set(leaf.requiredKey, true);
  const before = assignment.get(leaf.key);
  if (resultFor(leaf.predicate, before ?? leaf.defaultValue) === outcome) {
    // Keeps the value from being changed later.
    assignment.set(leaf.key, before ?? leaf.defaultValue);
    return true;
  }
  const value = valuesFor(leaf, wanted, before).find(one => resultFor(leaf.predicate, one) === outcome);
  if (value === undefined) return false;
  assignment.set(leaf.key, value);
  return true;
}

/** The longest string that is generated. */
const MAX_SIZE = 256;

function valuesFor(
  { predicate, defaultValue }: Leaf,
  wanted: boolean,
  before: AssignedValue | undefined,
): readonly AssignedValue[] {
  switch (predicate.kind) {
    case 'truth':
      return [wanted];
    case 'value':
      return valuesToPass(predicate, wanted, before);
    case 'size': {
      const [first] = predicate.literals as readonly [number];
      const sizes = [first, first + 1, first - 1].filter(size => size >= 0);
      if (typeof defaultValue !== 'string') return sizes;
      return sizes.filter(size => size <= MAX_SIZE).map(size => '~'.repeat(size));
    }
    case 'address':
      return predicate.within && wanted ? [addressIn(predicate.within)] : ADDRESSES;
    case 'pattern':
      return wanted ? matching(predicate, before) : OTHER_STRINGS;
  }
}

/** Returns strings that match, also combined with the previous value. */
function matching({ sample }: PatternPredicate, before: AssignedValue | undefined): readonly string[] {
  if (sample === undefined) return typeof before === 'string' ? [before] : [];
  return typeof before === 'string' ? [sample, `${before}${sample}`, `${sample}${before}`] : [sample];
}

/** Documentation addresses, and a string that is not an address. */
const ADDRESSES = ['192.0.2.1', '198.51.100.1', '2001:db8::1', '~'] as const;

function addressIn({ ip: { bytes } }: CidrRange): string {
  if (bytes.length === 4) return bytes.join('.');
  return Array.from({ length: 8 }, (_, at) => ((bytes[2 * at]! << 8) | bytes[2 * at + 1]!).toString(16)).join(':');
}
