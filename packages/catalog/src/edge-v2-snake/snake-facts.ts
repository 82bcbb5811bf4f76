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
import type { SnakeAvailability } from '../snake-case/snake-availability.ts';
import { stringFunctions } from '../snake-case/string-functions.ts';
import { tlsVariables } from '../snake-case/tls-variables.ts';
import { ACTIONS } from './actions.ts';

const AVAILABILITY: SnakeAvailability = {
  connection: EVERYWHERE,
  tls: { phases: EVERYWHERE.phases, endpoints: ['https-route', 'tls-edge'] },
  http: HTTP,
  response: HTTP_OUTBOUND,
};

/** Variables that were soon renamed. */
const EARLY_VARIABLES: readonly VariableFact[] = [
  {
    ...EVERYWHERE,
    path: 'conn.start_ts',
    type: 'timestamp',
    doc: 'The time at which the connection started.',
    example: { expression: 'conn.start_ts == conn.ts.start', value: 'true' },
    sample: '2026-03-02T10:15:30Z',
    deprecated: { use: 'conn.ts.start' },
    source: 'documented',
  },
  {
    ...EVERYWHERE,
    path: 'conn.end_ts',
    type: 'timestamp',
    doc: 'The time at which the connection ended.',
    example: { expression: 'has(conn.end_ts)', value: 'true' },
    sample: '2026-03-02T10:15:32Z',
    absent: { when: 'the connection has not ended' },
    deprecated: { use: undefined },
    source: 'documented',
  },
];

/** Results of actions, available since 2024-06-27. */
const RESULTS = withLazyMembers<Pick<Profile, 'variables'>, 'variables'>(
  {},
  {
    variables: () => {
      const types = ACTIONS.map(action => action.type);
      return resultVariables(AVAILABILITY, types).map(fact => ({ ...fact, since: '2024-06-27' }));
    },
  },
);

/** Variables whose type changed; both types are in use. */
const EARLY_TYPES: Readonly<Record<string, Partial<VariableFact>>> = {
  'conn.client_port': { alsoReadAs: 'string' },
  // First a cookie, later a list of cookies: only dyn allows field selection on both.
  'req.cookies': { type: 'map(string, dyn)' },
};

function asAtFirst(fact: VariableFact): VariableFact {
  return { ...fact, ...EARLY_TYPES[fact.path] };
}

/** The facts of the profile, in a file that the bundled command loads only for policies of this profile. */
export const SNAKE_FACTS = {
  variables: (): readonly VariableFact[] => [
    ...connectionVariables(AVAILABILITY).map(asAtFirst),
    ...EARLY_VARIABLES,
    ...tlsVariables(AVAILABILITY.tls),
    ...requestVariables(HTTP).map(asAtFirst),
    ...responseVariables(HTTP_OUTBOUND),
    ...RESULTS.variables,
  ],
  objects: (): readonly ObjectFact[] => [...SNAKE_OBJECTS, ...resultObjects(RESULTS.variables)],
  functions: (): readonly FunctionFact[] => [...messageFunctions(AVAILABILITY), ...stringFunctions(EVERYWHERE)],
  actions: (): readonly ActionFact[] => ACTIONS,
};
