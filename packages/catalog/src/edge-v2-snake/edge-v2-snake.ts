import { EVERYWHERE, HTTP, HTTP_OUTBOUND } from '../edge-v2/availability.ts';
import { EDGE_V2 } from '../edge-v2/edge-v2.ts';
import { LIMITS } from '../edge-v2/limits.ts';
import type { VariableFact } from '../fact.ts';
import { onDemand } from '../on-demand.ts';
import type { Profile } from '../profile.ts';
import { connectionVariables } from '../snake-case/connection-variables.ts';
import { messageFunctions } from '../snake-case/message-functions.ts';
import { SNAKE_OBJECTS } from '../snake-case/objects.ts';
import type { SnakePlaces } from '../snake-case/places.ts';
import { requestVariables } from '../snake-case/request-variables.ts';
import { responseVariables } from '../snake-case/response-variables.ts';
import { resultObjects, resultVariables } from '../snake-case/result-variables.ts';
import { textFunctions } from '../snake-case/text-functions.ts';
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
const RESULTS = onDemand<Pick<Profile, 'variables'>, 'variables'>(
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

/** From May to October 2024: the phases of edge-v2, names in snake case, expressions in `${}`. */
export const EDGE_V2_SNAKE: Profile = onDemand<Profile, 'variables' | 'objects' | 'functions'>(
  {
    name: 'edge-v2-snake',
    doc: 'Rules in `inbound` and `outbound`; variables as `req.headers`, `conn.client_ip`.',
    endpoints: EDGE_V2.endpoints,
    phases: EDGE_V2.phases,
    phaseFacts: EDGE_V2.phaseFacts,
    documentKeys: EDGE_V2.documentKeys,
    actions: ACTIONS,
    limits: LIMITS,
    headerNames: 'lower-case',
    switches: {
      evaluationError: 'skip-rule',
      requestVariables: 'current-url',
      dollarsOfRequest: 'text',
      interpolationEscape: '$${',
      tlsVersionSpelling: '1.3',
      responsePhaseAfterAnswer: 'skipped',
      routePrecedence: 'most-specific',
      moduleOrder: 'modules-first',
    },
  },
  {
    variables: () => [
      ...connectionVariables(PLACES).map(asAtFirst),
      ...EARLY_VARIABLES,
      ...tlsVariables(PLACES.tls),
      ...requestVariables(HTTP).map(asAtFirst),
      ...responseVariables(HTTP_OUTBOUND),
      ...RESULTS.variables,
    ],
    objects: () => [...SNAKE_OBJECTS, ...resultObjects(RESULTS.variables)],
    functions: () => [...messageFunctions(PLACES), ...textFunctions(EVERYWHERE)],
  },
);
