import { MODERN } from '@tollgate/catalog';
import { checkCondition, createPhaseEnvironments } from '@tollgate/policy';
import { ConditionQuestions, SolverSession } from '@tollgate/solver/conditions';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs, seed } from '../support/runs.ts';

// What the solver says about the order of several strings that vary is compared with trying all small ones.

const SEED = seed(20_261_131, 'TOLLGATE_ORDER_SEED');

const STRINGS = ['req.method', 'req.host', "req.url.query_params['a'][0]", "req.url.query_params['b'][0]"];
/** A parameter may be absent, which fails. */
const VALUES = ['', '0', '1', 'a', 'a1', 'b', 'ba', 'bb', 'c', 'd'];
const WORLDS: readonly (readonly (string | undefined)[])[] = STRINGS.reduce<readonly (string | undefined)[][]>(
  (worlds, text) => {
    const values = text.includes('[') ? [undefined, ...VALUES] : VALUES;
    return worlds.flatMap(world => values.map(value => [...world, value]));
  },
  [[]],
);

interface Literal {
  readonly source: string;
  readonly holds: (world: readonly (string | undefined)[]) => boolean;
}

const OPERATORS: Readonly<Record<string, (a: string, b: string) => boolean>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
};

const OPERATOR = fc.constantFrom('<', '<', '<=', '>', '>=', '==', '!=');
const LITERAL: fc.Arbitrary<Literal> = fc
  .tuple(fc.nat(3), OPERATOR, fc.oneof(fc.nat(3), fc.nat(3), fc.constantFrom('a', 'b', 'bb')))
  .map(([one, operator, other]) => ({
    source: `${STRINGS[one]} ${operator} ${typeof other === 'string' ? `'${other}'` : STRINGS[other]}`,
    holds: world => {
      const [a, b] = [world[one], typeof other === 'string' ? other : world[other]];
      return a !== undefined && b !== undefined && OPERATORS[operator]!(a, b);
    },
  }));

it(`says of the order of strings what all small ones show (seed ${SEED})`, () => {
  const endpoint = 'http-endpoint';
  const phase = 'on_http_request';
  const environments = createPhaseEnvironments(MODERN, endpoint);
  const context = { profile: MODERN, endpoint, environments } as const;
  const counts = { impossible: 0, open: 0 };
  fc.assert(
    fc.property(fc.array(LITERAL, { minLength: 2, maxLength: 5 }), literals => {
      const questions = new ConditionQuestions(new SolverSession(context, { traffic: 'any' }), phase);
      const source = literals.map(one => one.source).join(' && ');
      const { typed } = checkCondition(source, {
        profile: MODERN,
        place: { endpoint, phase },
        environment: environments[phase],
      });
      const isImpossible = questions.isUnsatisfiable(questions.read(typed!));
      const world = WORLDS.find(one => literals.every(literal => literal.holds(one)));
      if (isImpossible) expect({ source, world }).toEqual({ source, world: undefined });
      if (world === undefined) counts[isImpossible ? 'impossible' : 'open']++;
    }),
    { numRuns: runs(150, 20_000, 'TOLLGATE_ORDER_CASES'), seed: SEED },
  );
  // Few literals leave so little between two strings that small ones do not show that there is something.
  expect(counts.open).toBeLessThan(counts.impossible / 20);
});
