import {
  Budget,
  type Cell,
  Graph,
  type Meaning,
  prefixLanguage,
  type Signal,
  TrafficTheory,
  Vocabulary,
  wordsLanguage,
} from '@tollgate/solver/engine';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs, seed } from '../support/runs.ts';

// Literals about several values at once are compared with trying all values of a small world.

const CASES = runs(150, 5000, 'TOLLGATE_RELATION_CASES');
const SEED = seed(20_261_126, 'TOLLGATE_RELATION_SEED');
const OPTIONS = { numRuns: CASES, seed: SEED };

type Value = string | bigint | readonly string[];

/** A statement in both forms: as an atom of the solver, and as a test of the values of all cells. */
interface Statement {
  readonly meaning: (vocabulary: Vocabulary, cells: readonly Cell[]) => Meaning;
  readonly holds: (world: readonly Value[]) => boolean;
  readonly isNegated: boolean;
}

function isTrue({ holds, isNegated }: Statement, world: readonly Value[]): boolean {
  return holds(world) !== isNegated;
}

function checkAgainst(
  worlds: readonly (readonly Value[])[],
  { statements, cellsIn }: { statements: readonly Statement[]; cellsIn: (vocabulary: Vocabulary) => readonly Cell[] },
): string {
  const vocabulary = new Vocabulary(new Graph());
  const cells = cellsIn(vocabulary);
  const byLiteral = new Map<Signal, Statement>();
  for (const one of statements) {
    const atom = vocabulary.atom(one.meaning(vocabulary, cells));
    const literal = one.isNegated ? -atom : atom;
    // A search never asks about both.
    if (!byLiteral.has(-literal)) byLiteral.set(literal, one);
  }
  const literals = [...byLiteral.keys()];
  const budget = new Budget(1_000_000);
  const theory = new TrafficTheory(vocabulary);
  const answer = theory.check(literals, budget);
  const fits = (chosen: readonly Signal[]) =>
    worlds.some(world => chosen.every(literal => isTrue(byLiteral.get(literal)!, world)));
  if (answer.kind === 'conflict') {
    expect(answer.core.every(literal => byLiteral.has(literal))).toBe(true);
    expect(fits(answer.core)).toBe(false);
  }
  if (answer.kind === 'consistent') {
    expect(fits(literals)).toBe(true);
    const values = theory.valuesFor(literals, budget);
    const world = cells.map(cell => values.get(cell) as Value);
    for (const one of byLiteral.values()) {
      const read = one.meaning(vocabulary, cells);
      const isSet = [read.cell, ...('other' in read ? [cellOf(read.other)] : [])].every(cell => values.has(cell));
      if (isSet) expect({ literals, world, holds: isTrue(one, world) }).toEqual({ literals, world, holds: true });
    }
  }
  return answer.kind;
}

function cellOf(other: Cell | { readonly cell: Cell }): Cell {
  return 'cell' in other ? other.cell : other;
}

function countsOf(statements: fc.Arbitrary<Statement>, check: (all: readonly Statement[]) => string) {
  const counts: Record<string, number> = { consistent: 0, conflict: 0, unknown: 0 };
  const all = fc.array(statements, { minLength: 2, maxLength: 9 });
  fc.assert(
    fc.property(all, one => {
      const kind = check(one);
      counts[kind] = counts[kind]! + 1;
    }),
    OPTIONS,
  );
  return counts;
}

const INTEGERS = Array.from({ length: 11 }, (_, at) => BigInt(at - 5));

const SLOTS = [
  [0, undefined],
  [1, undefined],
  [2, 0],
  [2, 1],
] as const;
function read(world: readonly Value[], slot: number): string | undefined {
  const [cell, index] = SLOTS[slot]!;
  return index === undefined ? (world[cell] as string) : (world[cell] as readonly string[])[index];
}

function slotIn(cells: readonly Cell[], slot: number) {
  const [cell, index] = SLOTS[slot]!;
  return { cell: cells[cell]!, index };
}

const WORDS = fc.uniqueArray(fc.constantFrom<string>('a', 'b', 'c'), { minLength: 1, maxLength: 3 });
const SAME = fc.tuple(fc.nat(3), fc.nat(2), fc.boolean()).map(([a, step, isNegated]): Statement => {
  const [one, other] = [a, (a + step + 1) % 4].sort((x, y) => x - y) as [number, number];
  return {
    meaning: (_, cells) => ({ kind: 'same', ...slotIn(cells, one), other: slotIn(cells, other) }),
    holds: world => read(world, one) !== undefined && read(world, one) === read(world, other),
    isNegated,
  };
});
const STRING_STATEMENT: fc.Arbitrary<Statement> = fc.oneof(
  ...[SAME, SAME],
  fc.tuple(fc.nat(3), WORDS, fc.boolean()).map(([slot, texts, isNegated]): Statement => {
    const [, index] = SLOTS[slot]!;
    return {
      meaning: (vocabulary, cells) => {
        const language = wordsLanguage(vocabulary.language.bind(vocabulary), texts);
        const { cell } = slotIn(cells, slot);
        return index === undefined ? { kind: 'language', cell, language } : { kind: 'element', cell, index, language };
      },
      // What is said about an element holds for lists that are too short, negated or not.
      holds: world => texts.includes(read(world, slot) ?? (isNegated ? '' : texts[0]!)),
      isNegated,
    };
  }),
  fc.tuple(fc.nat(1), fc.constantFrom('a', ''), fc.boolean()).map(([cell, prefix, isNegated]) => ({
    meaning: (vocabulary: Vocabulary, cells: readonly Cell[]): Meaning => ({
      ...{ kind: 'language', cell: cells[cell]! },
      language: prefixLanguage(vocabulary.language.bind(vocabulary), prefix),
    }),
    holds: (world: readonly Value[]) => (world[cell] as string).startsWith(prefix),
    isNegated,
  })),
  fc.tuple(fc.nat(2), fc.boolean()).map(([size, isNegated]) => ({
    meaning: (_: Vocabulary, cells: readonly Cell[]): Meaning => ({
      ...{ kind: 'size', cell: cells[2]!, set: [[BigInt(size), 2n ** 63n - 1n]] },
    }),
    holds: (world: readonly Value[]) => (world[2] as readonly string[]).length >= size,
    isNegated,
  })),
  fc.tuple(WORDS, fc.boolean()).map(([texts, isNegated]) => ({
    meaning: (vocabulary: Vocabulary, cells: readonly Cell[]): Meaning => ({
      ...{ kind: 'some', cell: cells[2]! },
      language: wordsLanguage(vocabulary.language.bind(vocabulary), texts),
    }),
    holds: (world: readonly Value[]) => (world[2] as readonly string[]).some(one => texts.includes(one)),
    isNegated,
  })),
);

describe(`relations (seed ${SEED})`, () => {
  it('of integers agree with trying all small ones', () => {
    const at = fc.nat(2);
    const set = fc.array(fc.tuple(fc.integer({ min: -5, max: 5 }), fc.nat(3)), { minLength: 1, maxLength: 2 });
    const statement: fc.Arbitrary<Statement> = fc.oneof(
      fc.tuple(at, set, fc.boolean()).map(([cell, ranges, isNegated]) => {
        const [[a, size], ...rest] = ranges as [[number, number], ...[number, number][]];
        const last = rest[0] === undefined ? a + size : a + size + 2;
        const own = [
          [BigInt(a), BigInt(a + size)] as const,
          ...(rest.length > 0 ? [[BigInt(last), BigInt(last)] as const] : []),
        ];
        return {
          meaning: (_: Vocabulary, cells: readonly Cell[]): Meaning => ({
            kind: 'integers',
            cell: cells[cell]!,
            set: own,
          }),
          holds: (world: readonly Value[]) =>
            own.some(([low, high]) => low <= (world[cell] as bigint) && (world[cell] as bigint) <= high),
          isNegated,
        };
      }),
      fc.tuple(at, fc.boolean()).map(([cell, isNegated]) => ({
        meaning: (_: Vocabulary, cells: readonly Cell[]): Meaning => ({
          ...{ kind: 'residue', cell: cells[cell]!, modulus: 2n, residue: 1n },
        }),
        holds: (world: readonly Value[]) => (world[cell] as bigint) % 2n === 1n,
        isNegated,
      })),
      ...[0, 1].map(() =>
        fc.tuple(at, fc.nat(1), fc.integer({ min: -4, max: 4 }), fc.boolean()).map(([a, step, most, isNegated]) => {
          const b = (a + step + 1) % 3;
          return {
            meaning: (_: Vocabulary, cells: readonly Cell[]): Meaning => ({
              ...{ kind: 'difference', cell: cells[a]!, other: cells[b]!, most: BigInt(most) },
            }),
            holds: (world: readonly Value[]) => (world[a] as bigint) - (world[b] as bigint) <= BigInt(most),
            isNegated,
          };
        }),
      ),
    );
    const worlds = INTEGERS.flatMap(a => INTEGERS.flatMap(b => INTEGERS.map(c => [a, b, c])));
    const cellsIn = (vocabulary: Vocabulary) =>
      [0, 1, 2].map(at =>
        vocabulary.cell(`${at}`, () => ({
          ...{ sort: 'int', steps: [`${at}`], role: undefined, version: '' },
          universe: { integers: [[-5n, 5n]], preferred: ['0'] },
        })),
      );
    const counts = countsOf(statement, statements => checkAgainst(worlds, { statements, cellsIn }));
    expect(counts.unknown).toBe(0);
    expect(counts.conflict).toBeGreaterThan(CASES / 10);
    expect(counts.consistent).toBeGreaterThan(CASES / 10);
  });

  it('of strings and elements of lists agree with trying all small ones', () => {
    // Any other string is like one of the last ones, of which there are as many as places.
    const texts = ['a', 'b', 'c', 'aa', 'd', 'e', 'f', 'g'];
    const lists = [[], ...texts.map(one => [one]), ...texts.flatMap(one => texts.map(other => [one, other]))];
    const longer = [
      ...lists,
      ...lists.filter(one => one.length === 2).flatMap(one => ['a', 'b', 'c', 'd'].map(last => [...one, last])),
    ];
    const worlds = texts.flatMap(a => texts.flatMap(b => longer.map(list => [a, b, list])));
    const cellsIn = (vocabulary: Vocabulary) =>
      (['string', 'string', 'list'] as const).map((sort, at) =>
        vocabulary.cell(`${at}`, () => ({
          ...{ sort, steps: [`${at}`], role: undefined, version: '', universe: { preferred: ['a'] } },
        })),
      );
    const counts = countsOf(STRING_STATEMENT, statements => checkAgainst(worlds, { statements, cellsIn }));
    expect(counts.unknown).toBeLessThan(CASES / 10);
    expect(counts.conflict).toBeGreaterThan(CASES / 10);
    expect(counts.consistent).toBeGreaterThan(CASES / 10);
  });
});
