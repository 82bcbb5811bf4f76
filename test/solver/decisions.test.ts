import {
  Budget,
  decideElements,
  decideIntegers,
  decideLists,
  decideStrings,
  type Elements,
  type ElementsLiteral,
  Graph,
  INT64,
  type Intern,
  type IntLiteral,
  Language,
  type ListLiteral,
  partLanguage,
  patternLanguage,
  prefixLanguage,
  type Signal,
  type StringLiteral,
  search,
  suffixLanguage,
  type Theory,
  wordsLanguage,
} from '@tollgate/solver/engine';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs, seed } from '../support/runs.ts';

// Each decision procedure is compared with trying all values of a small world.

const CASES = runs(150, 20_000, 'TOLLGATE_DECISION_CASES');
const SEED = seed(20_261_125, 'TOLLGATE_DECISION_SEED');
const OPTIONS = { numRuns: CASES, seed: SEED };
const budget = () => new Budget(1_000_000);

/** Languages of one policy. */
function languages(): Intern {
  const known = new Map<string, Language>();
  return (key, make) => {
    const language = known.get(key) ?? new Language({ key, ...make() });
    known.set(key, language);
    return language;
  };
}

/** All strings of two characters up to a length. */
const SHORT_STRINGS: readonly string[] = Array.from({ length: 9 }, (_, length) =>
  Array.from({ length: 2 ** length }, (_, at) =>
    Array.from({ length }, (_, digit) => ((at >> digit) & 1 ? 'b' : 'a')).join(''),
  ),
).flat();

/** A product of 12 words alone has more states. */
const UNITS_FOR_WORDS = 20_000;

type Formula =
  | { readonly kind: 'atom'; readonly at: number }
  | { readonly kind: 'not'; readonly of: Formula }
  | { readonly kind: 'and' | 'or'; readonly of: readonly Formula[] };

const ATOMS = 6;
const { formula: FORMULA } = fc.letrec<{ formula: Formula }>(tie => ({
  formula: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.record({ kind: fc.constant('atom' as const), at: fc.nat(ATOMS - 1) }),
    fc.record({ kind: fc.constant('not' as const), of: tie('formula') }),
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      of: fc.array(tie('formula'), { minLength: 1, maxLength: 4 }),
    }),
  ),
}));

function signalOf(graph: Graph, atoms: readonly Signal[], formula: Formula): Signal {
  if (formula.kind === 'atom') return atoms[formula.at]!;
  if (formula.kind === 'not') return -signalOf(graph, atoms, formula.of);
  return graph[formula.kind](formula.of.map(one => signalOf(graph, atoms, one)));
}

function holds(formula: Formula, world: number): boolean {
  if (formula.kind === 'atom') return ((world >> formula.at) & 1) === 1;
  if (formula.kind === 'not') return !holds(formula.of, world);
  return formula.kind === 'and'
    ? formula.of.every(one => holds(one, world))
    : formula.of.some(one => holds(one, world));
}

const WORLDS = Array.from({ length: 2 ** ATOMS }, (_, world) => world);
/** A set of atoms that never hold together, and one of which one always does. */
const CONSTRAINTS = fc.array(fc.array(fc.tuple(fc.nat(ATOMS - 1), fc.boolean()), { minLength: 1, maxLength: 3 }), {
  maxLength: 3,
});

describe(`decisions (seed ${SEED})`, () => {
  it('of formulas under a theory agree with trying all worlds', () => {
    fc.assert(
      fc.property(fc.array(FORMULA, { minLength: 1, maxLength: 4 }), CONSTRAINTS, (goals, constraints) => {
        const graph = new Graph();
        const atoms = Array.from({ length: ATOMS }, () => graph.atom());
        const forbidden = constraints.map(all => all.map(([at, isTrue]) => (isTrue ? atoms[at]! : -atoms[at]!)));
        const theory: Theory = {
          check: literals => {
            const core = forbidden.find(all => all.every(literal => literals.includes(literal)));
            return core === undefined ? { kind: 'consistent' } : { kind: 'conflict', core };
          },
          lemmasAbout: () => [],
        };
        const isAllowed = (world: number) =>
          constraints.every(all => all.some(([at, isTrue]) => (((world >> at) & 1) === 1) !== isTrue));
        const signals = goals.map(goal => signalOf(graph, atoms, goal));
        const result = search(graph, signals, theory, budget());
        // The theory sees only the literals that matter: a world may extend them in a forbidden way, but then another one must not.
        const fits = (chosen: readonly Formula[]) =>
          WORLDS.some(world => isAllowed(world) && chosen.every(goal => holds(goal, world)));
        if (result.kind === 'impossible') {
          expect(fits(goals)).toBe(false);
          const needed = goals.filter((_, at) => result.needed.includes(signals[at]!));
          if (!result.needed.includes(-1) && constraints.length === 0) expect(fits(needed)).toBe(false);
        } else {
          const { literals } = result as Extract<typeof result, { kind: 'found' }>;
          const matching = WORLDS.filter(world =>
            atoms.every((atom, at) => {
              const isTrue = ((world >> at) & 1) === 1;
              return literals.includes(isTrue ? atom : -atom) || !literals.some(one => Math.abs(one) === atom);
            }),
          );
          expect(matching.length).toBeGreaterThan(0);
          expect(matching.every(world => goals.every(goal => holds(goal, world)))).toBe(true);
        }
      }),
      OPTIONS,
    );
  });

  it('of strings agree with trying all short ones', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 3 });
    const literal = fc.record({
      make: fc.constantFrom(
        ...[partLanguage, partLanguage, partLanguage, prefixLanguage, suffixLanguage],
        (intern: Intern, one: string) => patternLanguage(intern, one)!,
        (intern: Intern, one: string) => wordsLanguage(intern, [one, `${one}ab`]),
      ),
      text,
      isNegated: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(literal, { minLength: 2, maxLength: 9 }), all => {
        const literals = all.map(
          ({ make, text: one, isNegated }): StringLiteral => ({
            ...{ kind: 'language', language: make(languages(), one), isNegated },
          }),
        );
        const fits = (some: readonly StringLiteral[], one: string) =>
          some.every(other => other.kind === 'language' && other.language.test(one) !== other.isNegated);
        const answer = decideStrings(literals, { preferred: [] }, budget());
        expect(answer.kind).not.toBe('unknown');
        if (answer.kind === 'value') expect(fits(literals, answer.value)).toBe(true);
        if (answer.kind !== 'conflict') return;
        const core = answer.positions.map(at => literals[at]!);
        expect(SHORT_STRINGS.filter(one => fits(core, one))).toEqual([]);
      }),
      OPTIONS,
    );
  });

  it('of strings that must contain many words do not cost a product of all of them', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '/', '-'), minLength: 3, maxLength: 9 });
    const words = fc.uniqueArray(word, { minLength: 30, maxLength: 60 });
    fc.assert(
      fc.property(words, fc.boolean(), (all, areNegated) => {
        const intern = languages();
        const literals = all.map((one, at): StringLiteral => {
          const language = at % 3 === 0 ? patternLanguage(intern, `${one}[0-9]`)! : partLanguage(intern, one);
          return { kind: 'language', language, isNegated: areNegated && at % 7 === 0 };
        });
        const answer = decideStrings(literals, { preferred: [] }, new Budget(UNITS_FOR_WORDS));
        // What is excluded may be a part of what is wanted.
        expect(answer.kind).not.toBe('unknown');
      }),
      { numRuns: CASES / 10, seed: SEED },
    );
  });

  it('of integers agree with trying all small ones', () => {
    const range = fc
      .tuple(fc.integer({ min: -12, max: 12 }), fc.nat(6))
      .map(([first, size]) => [BigInt(first), BigInt(first + size)] as const);
    const LITERAL: fc.Arbitrary<IntLiteral> = fc.oneof(
      range.map(one => ({ kind: 'set' as const, set: [one] })),
      range.map(([first, last]) => ({
        kind: 'set' as const,
        set: [[-30n, first - 1n] as const, [last + 1n, 30n] as const],
      })),
      fc.tuple(fc.integer({ min: 2, max: 4 }), fc.nat(3), fc.boolean()).map(([modulus, residue, isNegated]) => ({
        kind: 'residue' as const,
        modulus: BigInt(modulus),
        residue: BigInt(residue % modulus),
        isNegated,
      })),
    );
    const accepts = (literal: IntLiteral, value: bigint) =>
      literal.kind === 'set'
        ? literal.set.some(([first, last]) => first <= value && value <= last)
        : (value % literal.modulus === literal.residue) !== literal.isNegated;
    const all = Array.from({ length: 61 }, (_, at) => BigInt(at - 30));
    fc.assert(
      fc.property(fc.array(LITERAL, { maxLength: 6 }), literals => {
        const answer = decideIntegers(literals, [[-30n, 30n]], []);
        const isPossible = (some: readonly IntLiteral[]) => all.some(value => some.every(one => accepts(one, value)));
        if (answer.kind === 'value') expect(literals.every(one => accepts(one, answer.value))).toBe(true);
        else expect(isPossible(literals)).toBe(false);
        if (answer.kind === 'conflict') expect(isPossible(answer.positions.map(at => literals[at]!))).toBe(false);
      }),
      OPTIONS,
    );
  });

  it('of lists whose first elements are tested agree with trying all short ones', () => {
    type Test = readonly number[];
    const universe = [0, 1, 2, 3];
    const elements: Elements<number, Test> = {
      negated: test => universe.filter(one => !test.includes(one)),
      isTrue: (test, value) => test.includes(value),
      decide: tests => {
        const value = universe.find(one => tests.every(test => test.includes(one)));
        if (value !== undefined) return { kind: 'value', value };
        return { kind: 'conflict', positions: tests.map((_, at) => at) };
      },
    };
    const TEST = fc.subarray(universe);
    const isNegated = fc.boolean();
    const LITERAL: fc.Arbitrary<ElementsLiteral<Test>> = fc.oneof(
      fc.constantFrom([0n, 0n], [1n, INT64[1]], [2n, 2n], [0n, 2n]).map(range => ({
        kind: 'size' as const,
        set: [range as readonly [bigint, bigint]],
      })),
      fc.record({ kind: fc.constant('element' as const), index: fc.nat(1), test: TEST, isNegated }),
      fc.record({ kind: fc.constant('some' as const), test: TEST, isNegated }),
      fc.record({ kind: fc.constant('first' as const), filter: TEST, test: TEST, isNegated }),
    );
    const lists = [0, 1, 2, 3, 4].reduce<readonly (readonly number[])[][]>(
      all => [...all, all.length === 0 ? [[]] : all.at(-1)!.flatMap(list => universe.map(one => [...list, one]))],
      [],
    );
    const passes = (literal: ElementsLiteral<Test>, list: readonly number[]): boolean => {
      switch (literal.kind) {
        case 'size':
          return literal.set.some(([first, last]) => first <= list.length && list.length <= last);
        case 'some':
          return list.some(one => literal.test.includes(one)) !== literal.isNegated;
        case 'element': {
          const element = list[literal.index];
          return element === undefined || literal.test.includes(element) !== literal.isNegated;
        }
        case 'first': {
          const kept = list.find(one => literal.filter.includes(one));
          return (kept !== undefined && literal.test.includes(kept)) !== literal.isNegated;
        }
      }
    };
    const isPossible = (some: readonly ElementsLiteral<Test>[]) =>
      lists.flat().some(list => some.every(one => passes(one, list)));
    fc.assert(
      fc.property(fc.array(LITERAL, { maxLength: 4 }), literals => {
        const answer = decideElements(literals, elements);
        if (answer.kind === 'value') expect(literals.every(one => passes(one, answer.value))).toBe(true);
        else
          expect({ kind: answer.kind, isPossible: isPossible(literals) }).toEqual({
            kind: 'conflict',
            isPossible: false,
          });
        if (answer.kind === 'conflict') expect(isPossible(answer.positions.map(at => literals[at]!))).toBe(false);
      }),
      OPTIONS,
    );
  });

  it('of lists agree with trying all short ones', () => {
    const languages = new Map<string, Language>();
    const intern: Intern = (key, make) => {
      const known = languages.get(key) ?? new Language({ key, ...make() });
      languages.set(key, known);
      return known;
    };
    const LANGUAGE = fc
      .constantFrom('^a$', '^b$', '^[ab]$', '^[^a]?$', 'b', '^$')
      .map(pattern => patternLanguage(intern, pattern)!);
    const LITERAL: fc.Arbitrary<ListLiteral> = fc.oneof(
      fc.constantFrom([0n, 0n], [1n, INT64[1]], [2n, 2n], [0n, 1n], [3n, INT64[1]]).map(range => ({
        kind: 'size' as const,
        set: [range as readonly [bigint, bigint]],
      })),
      fc.record({
        kind: fc.constant('element' as const),
        index: fc.nat(1),
        language: LANGUAGE,
        isNegated: fc.boolean(),
      }),
      fc.record({ kind: fc.constant('some' as const), language: LANGUAGE, isNegated: fc.boolean() }),
    );
    const values = ['', 'a', 'b', 'c', 'ab'];
    const lists = [0, 1, 2, 3, 4].reduce<readonly (readonly string[])[][]>(
      all => [...all, all.length === 0 ? [[]] : all.at(-1)!.flatMap(list => values.map(value => [...list, value]))],
      [],
    );
    const accepts = (literal: ListLiteral, list: readonly string[]) => {
      if (literal.kind === 'size')
        return literal.set.some(([first, last]) => first <= list.length && list.length <= last);
      if (literal.kind === 'some') return list.some(one => literal.language.test(one)) !== literal.isNegated;
      const element = list[literal.index];
      return element === undefined || literal.language.test(element) !== literal.isNegated;
    };
    const isPossible = (some: readonly ListLiteral[]) =>
      lists.flat().some(list => some.every(one => accepts(one, list)));
    fc.assert(
      fc.property(fc.array(LITERAL, { maxLength: 5 }), literals => {
        const answer = decideLists(literals, { preferred: [] }, budget());
        if (answer.kind === 'value') expect(literals.every(one => accepts(one, answer.value))).toBe(true);
        else
          expect({ kind: answer.kind, isPossible: isPossible(literals) }).toEqual({
            kind: 'conflict',
            isPossible: false,
          });
        if (answer.kind === 'conflict') expect(isPossible(answer.positions.map(at => literals[at]!))).toBe(false);
      }),
      OPTIONS,
    );
  });
});
