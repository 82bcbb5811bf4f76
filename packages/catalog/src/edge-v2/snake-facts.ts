import type { ActionFact, ConfigField, ConfigType, Interpolation } from '../schema/action-fact.ts';
import type { FunctionFact, ObjectFact, Sample, VariableFact } from '../schema/fact.ts';
import { type Profile, withLazyMembers } from '../schema/profile.ts';
import { connectionVariables, tlsVariables } from '../snake-case/connection-variables.ts';
import { messageFunctions, stringFunctions } from '../snake-case/functions.ts';
import { requestVariables, responseVariables } from '../snake-case/message-variables.ts';
import { SNAKE_OBJECTS, type SnakeAvailability } from '../snake-case/objects.ts';
import { resultObjects, resultVariables } from '../snake-case/result-variables.ts';
import { ACTIONS as EDGE_V2_ACTIONS } from './actions.ts';
import { ALL_INBOUND, EVERYWHERE, HTTP, HTTP_OUTBOUND } from './objects.ts';

/** Fields without interpolation in edge-v2 that have it here, by action. */
const FILLED_IN: Readonly<Record<string, readonly string[]>> = {
  'custom-response': ['content', 'headers'],
  log: ['metadata'],
};

const EXAMPLES: Readonly<Record<string, Sample>> = {
  'add-headers': { headers: { 'x-client-country': '${conn.geo.country_code}' } },
  'rate-limit': {
    name: 'per-client',
    algorithm: 'sliding_window',
    capacity: 100,
    rate: '60s',
    bucket_key: ['conn.client_ip', "getReqHeader('x-api-key')"],
  },
};

const FORMAT: ConfigField = {
  name: 'format',
  type: { kind: 'string' },
  default: 'ngrok',
  doc: 'The syntax for parts of the request in `to`; `ngrok` means variables such as `$args`.',
  deprecated: { use: undefined },
};

/** The actions of edge-v2 with interpolated expressions, and those that were introduced before the phases were renamed. */
const ACTIONS: readonly ActionFact[] = [
  ...EDGE_V2_ACTIONS.map(withExpressions),
  {
    ...ALL_INBOUND,
    type: 'forward-internal',
    doc: 'Forwards the traffic to an internal endpoint of the same account.',
    terminates: 'always',
    changes: [],
    outcome: 'the response of the internal endpoint',
    config: [
      {
        name: 'url',
        type: { kind: 'string', nonEmpty: true },
        required: true,
        interpolation: 'expressions',
        doc: 'The URL of the internal endpoint.',
      },
      {
        name: 'binding',
        type: { kind: 'choice', values: ['internal'] },
        default: 'internal',
        doc: 'Always `internal`.',
      },
    ],
    example: { url: 'https://users.internal', binding: 'internal' },
    since: '2024-09-01',
    source: 'documented',
  },
];

function withExpressions(fact: ActionFact): ActionFact {
  const fields = fact.config.map(field => adaptField(field, FILLED_IN[fact.type] ?? []));
  const config = ['url-rewrite', 'redirect'].includes(fact.type) ? [...fields, FORMAT] : fields;
  return { ...fact, config, example: EXAMPLES[fact.type] ?? fact.example };
}

function adaptField(field: ConfigField, filledIn: readonly string[]): ConfigField {
  const type: ConfigType =
    field.name === 'bucket_key' ? { kind: 'list', min: 1, max: 10, of: { kind: 'expression' } } : field.type;
  const interpolation = filledIn.includes(field.name) ? 'expressions' : newInterpolation(field.interpolation);
  return { ...field, type, ...(interpolation && { interpolation }) };
}

function newInterpolation(before: Interpolation | undefined): Interpolation | undefined {
  if (before === 'captures-and-request') return 'captures-request-and-expressions';
  return before && 'expressions';
}

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
