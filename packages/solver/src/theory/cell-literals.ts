import type { Signal } from '../logic/formula.ts';
import {
  ADDRESS_LINE,
  ANY_INTEGER,
  ANY_STRING,
  complement,
  DOUBLES,
  INT64,
  type IntSet,
  intersect,
} from '../values/int-set.ts';
import { type CellAnswer, decideParts, type IntLiteral } from './integers.ts';
import type { ElementsLiteral, ListLiteral } from './lists.ts';
import type { StringLiteral } from './strings.ts';
import type { Meaning } from './vocabulary.ts';

/** A literal about a cell. */
export interface Stated {
  readonly meaning: Meaning;
  readonly isNegated: boolean;
}

/** Returns a literal as a statement about a string. */
export function stringLiteral({ meaning, isNegated }: Stated): StringLiteral {
  if (meaning.kind === 'language') return { kind: 'language', language: meaning.language, isNegated };
  const set = meaning.kind === 'addresses' ? meaning.set : [];
  return { kind: 'addresses', set: isNegated ? intersect(complement(set, ADDRESS_LINE), ANY_STRING) : set };
}

/** Returns a literal as a statement about an integer. */
export function intLiteral({ meaning, isNegated }: Stated): IntLiteral {
  if (meaning.kind === 'residue')
    return { kind: 'residue', modulus: meaning.modulus, residue: meaning.residue, isNegated };
  const set = meaning.kind === 'integers' ? meaning.set : [];
  return { kind: 'set', set: isNegated ? complement(set, ANY_INTEGER) : set };
}

/** All values of numbers, by the sort of their cells. */
export const INTEGERS = { int: [INT64], double: DOUBLES, time: [ANY_INTEGER] } as const;

/** Looks for a moment; tests of its parts follow those of where it is in time. */
export function decideMoment(stated: readonly Stated[], universe: IntSet = INTEGERS.time): CellAnswer<bigint> {
  const [parts, others] = [stated.map(partLiteral), stated.filter(({ meaning }) => meaning.kind !== 'part')];
  const bounds = others.map(one => intLiteral(one)).flatMap(one => (one.kind === 'set' ? [one.set] : []));
  const moments = bounds.reduce(intersect, universe);
  const tests = parts.filter(one => one !== undefined);
  const answer = decideParts(tests, moments, USUAL_MOMENT);
  if (answer.kind !== 'conflict') return answer;
  const own = answer.positions.map(at => parts.indexOf(tests[at]!));
  const isOfParts = answer.positions.length < tests.length;
  const rest = isOfParts ? [] : stated.flatMap(({ meaning }, at) => (meaning.kind === 'part' ? [] : [at]));
  return { kind: 'conflict', positions: [...own, ...rest].sort((a, b) => a - b) };
}

function partLiteral({ meaning, isNegated }: Stated) {
  return meaning.kind === 'part' ? { ...meaning, isNegated } : undefined;
}

/** Where moments are looked for first. */
export const USUAL_MOMENT = BigInt(Date.UTC(2026, 0, 1)) * 1_000_000n;

/** Returns a literal as a statement about a list of strings. */
export function listLiteral({ meaning, isNegated }: Stated): ListLiteral {
  switch (meaning.kind) {
    case 'element':
      return { kind: 'element', index: meaning.index, language: meaning.language, isNegated };
    case 'some':
      return { kind: 'some', language: meaning.language, isNegated };
    default: {
      const set = meaning.kind === 'size' ? meaning.set : [];
      return { kind: 'size', set: isNegated ? complement(set, [0n, INT64[1]]) : set };
    }
  }
}

/** Returns a literal as a statement about a list of objects. */
export function recordsLiteral({ meaning, isNegated }: Stated): ElementsLiteral<Signal> {
  switch (meaning.kind) {
    case 'record':
      return { kind: 'element', index: meaning.index, test: meaning.formula, isNegated };
    case 'some-record':
      return { kind: 'some', test: meaning.formula, isNegated };
    case 'first-record':
      return { kind: 'first', filter: meaning.filter, test: meaning.formula, isNegated };
    default: {
      const set = meaning.kind === 'size' ? meaning.set : [];
      return { kind: 'size', set: isNegated ? complement(set, [0n, INT64[1]]) : set };
    }
  }
}
