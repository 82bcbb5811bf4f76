import { EDGE_V2, variablesAt } from '@tollgate/catalog';
import { checkCondition, createPhaseEnvironments } from '@tollgate/policy';
import { Graph, type ReadingContext, readCondition, type Signal, Vocabulary } from '@tollgate/solver/engine';
import fc from 'fast-check';

const PLACE = { endpoint: 'https-route', phase: 'outbound' } as const;
const environment = createPhaseEnvironments(EDGE_V2, PLACE.endpoint).outbound;
const facts = new Map(variablesAt(EDGE_V2, PLACE).map(fact => [fact.path, fact]));

const WORD = fc.constantFrom('a', 'b', 'ab', 'ba', '/a', '/ab', 'admin', '/admin', '/admin/', 'x', '.php', '');
const PATTERN = fc.constantFrom(
  ...['^/a+$', 'a|b', '^(?:ab)*$', '[a-c]+x', '^/admin', '[.]php$', 'a.b', '^[^/]*$', 'b{2,3}', '^/[a-z]+/[0-9]*$'],
  ...['\\\\d+', '^.{3}$', 'x?y', '(?:a|bc)+', '^a', 'b$', '^(?:/[a-z]+){2,}$', 'a*b*', '^(?:a|b)*a(?:a|b)$', '[^a]b'],
);
const STRINGS = ['req.Path', 'req.Host', 'req.Method'];
const STRING = fc.constantFrom(...STRINGS);
const quoted = (text: string) => `'${text}'`;

const STRING_TEST = fc.oneof(
  fc.tuple(STRING, WORD).map(([value, word]) => `${value} == ${quoted(word)}`),
  fc
    .tuple(STRING, fc.array(WORD, { minLength: 1, maxLength: 3 }))
    .map(([value, words]) => `${value} in [${words.map(quoted).join()}]`),
  fc
    .tuple(STRING, fc.constantFrom('startsWith', 'endsWith', 'contains'), WORD)
    .map(([value, test, word]) => `${value}.${test}(${quoted(word)})`),
  fc.tuple(STRING, PATTERN).map(([value, pattern]) => `${value}.matches(${quoted(pattern)})`),
  fc
    .tuple(STRING, fc.constantFrom('<', '>='), WORD)
    .map(([value, operator, word]) => `${value} ${operator} ${quoted(word)}`),
);

const RELATION = fc.oneof(
  fc
    .tuple(STRING, fc.constantFrom('==', '!='), STRING)
    .map(([value, operator, other]) => `${value} ${operator} ${other}`),
  fc
    .tuple(fc.constantFrom('<', '<=', '==', '!=', '>'), fc.integer({ min: -3, max: 9 }))
    .map(([operator, offset]) => `req.ContentLength + ${offset} ${operator} res.ContentLength`),
);

const INTEGER_TEST = fc.oneof(
  fc
    .tuple(fc.constantFrom('<', '<=', '==', '!=', '>', '>='), fc.integer({ min: -5, max: 30 }))
    .map(([operator, bound]) => `req.ContentLength ${operator} ${bound}`),
  fc
    .tuple(fc.constantFrom('<', '<=', '==', '!=', '>', '>='), fc.integer({ min: -5, max: 30 }))
    .map(([operator, bound]) => `res.ContentLength ${operator} ${bound}`),
  fc
    .tuple(fc.integer({ min: 2, max: 7 }), fc.integer({ min: -6, max: 6 }))
    .map(([modulus, rest]) => `req.ContentLength % ${modulus} == ${rest}`),
  fc
    .tuple(fc.integer({ min: -3, max: 4 }), fc.integer({ min: -9, max: 30 }))
    .map(([factor, bound]) => `req.ContentLength * ${factor} - 3 > ${bound}`),
);

const TEST = fc.oneof({ arbitrary: STRING_TEST, weight: 3 }, INTEGER_TEST, RELATION);
const { formula } = fc.letrec<{ formula: string }>(tie => ({
  formula: fc.oneof(
    { depthSize: 'small' },
    TEST,
    TEST.map(one => `!(${one})`),
    fc
      .tuple(tie('formula'), fc.constantFrom('&&', '||'), tie('formula'))
      .map(([a, operator, b]) => `(${a} ${operator} ${b})`),
  ),
}));

/** Formulas that are asked to hold together, as CEL. */
export const QUESTION: fc.Arbitrary<readonly string[]> = fc.array(formula, { minLength: 3, maxLength: 6 });

/** Formulas as the solver reads them, over any values: what well-formed traffic has does not count. */
export function readQuestion(sources: readonly string[]): {
  readonly vocabulary: Vocabulary;
  readonly goals: readonly Signal[];
} {
  const vocabulary = new Vocabulary(new Graph());
  const reading: ReadingContext = {
    ...{ vocabulary, profile: EDGE_V2, facts, volatile: new Set<string>(), mappings: new Map() },
    knowsNames: true,
    universeOf: () => ({ preferred: [] }),
    versionOf: () => '',
  };
  const goals = sources.map(source => {
    const { typed, diagnostics } = checkCondition(source, { profile: EDGE_V2, place: PLACE, environment });
    if (typed === undefined) throw new Error(`${source}: ${diagnostics[0]?.message}`);
    return readCondition(typed, environment, reading).whenTrue;
  });
  return { vocabulary, goals };
}
