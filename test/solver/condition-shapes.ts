import fc from 'fast-check';

/** Builds a condition from atoms. */
type Shape = (atoms: readonly string[]) => string;

/** Random combinations of atoms, which are chosen by position. */
export const SHAPE: fc.Arbitrary<Shape> = fc.letrec<{ shape: Shape; atom: Shape; pair: Shape; rest: Shape }>(tie => ({
  shape: fc.oneof({ maxDepth: 3, depthSize: 'small' }, { arbitrary: tie('atom'), weight: 3 }, tie('pair'), tie('rest')),
  atom: fc.nat(1_000_000).map(at => atoms => `(${atoms[at % atoms.length]})`),
  pair: fc.tuple(fc.constantFrom('&&', '||'), tie('shape'), tie('shape')).map(
    ([operator, a, b]) =>
      atoms =>
        `(${a(atoms)} ${operator} ${b(atoms)})`,
  ),
  rest: fc
    .tuple(fc.constantFrom('!', '!', '?', '=='), tie('shape'), tie('shape'), tie('shape'))
    .map(([operator, a, b, c]) => atoms => {
      if (operator === '!') return `!${a(atoms)}`;
      return operator === '?' ? `(${a(atoms)} ? ${b(atoms)} : ${c(atoms)})` : `(${a(atoms)} == ${b(atoms)})`;
    }),
})).shape;
