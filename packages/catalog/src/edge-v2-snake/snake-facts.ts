import { EVERYWHERE, HTTP, HTTP_OUTBOUND } from '../edge-v2/availability.ts';
import type { ActionFact } from '../schema/action-fact.ts';
import type { FunctionFact, ObjectFact, VariableFact } from '../schema/fact.ts';
import { withLazyMembers } from '../schema/lazy-members.ts';
import type { Profile } from '../schema/profile.ts';
import { connectionVariables } from '../snake-case/connection-variables.ts';
import { messageFunctions } from '../snake-case/message-functions.ts';
import { SNAKE_OBJECTS } from '../snake-case/objects.ts';
import { requestVariables } from '../snake-case/request-variables.ts';
import { responseVariables } from '../snake-case/response-variables.ts';
import { resultObjects, resultVariables } from '../snake-case/result-variables.ts';
import type { SnakePlaces } from '../snake-case/snake-availability.ts';
import { textFunctions } from '../snake-case/string-functions.ts';
import { tlsVariables } from '../snake-case/tls-variables.ts';
import { ACTIONS } from './actions.ts';

const PLACES: SnakePlaces = {
  connection: EVERYWHERE,
  tls: { phases: EVERYWHERE.phases, endpoints: ['https-route', 'tls-edge'] },
  http: HTTP,
  response: HTTP_OUTBOUND,
};

/** Names that soon became others. */
const EARLY_VARIABLES: readonly VariableFact[] = [
  {
    ...EVERYWHERE,
    path: 'conn.start_ts',
    type: 'timestamp',
    doc: 'When the connection began.',
    example: { expression: 'conn.start_ts == conn.ts.start', value: 'true' },
    sample: '2026-03-02T10:15:30Z',
    deprecated: { use: 'conn.ts.start' },
    source: 'documented',
  },
  {
    ...EVERYWHERE,
    path: 'conn.end_ts',
    type: 'timestamp',
    doc: 'When the connection ended.',
    example: { expression: 'has(conn.end_ts)', value: 'true' },
    sample: '2026-03-02T10:15:32Z',
    absent: { when: 'it has not ended' },
    deprecated: { use: undefined },
    source: 'documented',
  },
];

/** What actions leave behind, since 2024-06-27. */
const RESULTS = withLazyMembers<Pick<Profile, 'variables'>, 'variables'>(
  {},
  {
    variables: () => {
      const types = ACTIONS.map(action => action.type);
      return resultVariables(PLACES, types).map(fact => ({ ...fact, since: '2024-06-27' }));
    },
  },
);

/** Types that were others at first: of these names both readings are in use. */
const EARLY_TYPES: Readonly<Record<string, Partial<VariableFact>>> = {
  'conn.client_port': { alsoReadAs: 'string' },
  // A cookie at first, a list of them later: no type but dyn lets both be selected from.
  'req.cookies': { type: 'map(string, dyn)' },
};

function asAtFirst(fact: VariableFact): VariableFact {
  return { ...fact, ...EARLY_TYPES[fact.path] };
}

/** The facts of the profile, apart from it: the published command loads this file when it looks at a policy of the profile. */
export const SNAKE_FACTS = {
  variables: (): readonly VariableFact[] => [
    ...connectionVariables(PLACES).map(asAtFirst),
    ...EARLY_VARIABLES,
    ...tlsVariables(PLACES.tls),
    ...requestVariables(HTTP).map(asAtFirst),
    ...responseVariables(HTTP_OUTBOUND),
    ...RESULTS.variables,
  ],
  objects: (): readonly ObjectFact[] => [...SNAKE_OBJECTS, ...resultObjects(RESULTS.variables)],
  functions: (): readonly FunctionFact[] => [...messageFunctions(PLACES), ...textFunctions(EVERYWHERE)],
  actions: (): readonly ActionFact[] => ACTIONS,
};
