import { LIMITS } from '../edge-v2/limits.ts';
import type { FunctionFact } from '../fact.ts';
import { onDemand } from '../on-demand.ts';
import type { Profile } from '../profile.ts';
import { connectionVariables } from '../snake-case/connection-variables.ts';
import { messageFunctions } from '../snake-case/message-functions.ts';
import { requestVariables } from '../snake-case/request-variables.ts';
import { responseVariables } from '../snake-case/response-variables.ts';
import { textFunctions } from '../snake-case/text-functions.ts';
import { tlsVariables } from '../snake-case/tls-variables.ts';
import { ACTIONS } from './actions.ts';
import { ADDRESS_VARIABLES } from './address-variables.ts';
import { EVERYWHERE, HTTP, PLACES, RESPONSE } from './availability.ts';
import { EDGE_VARIABLES } from './edge-variables.ts';
import { modernObjects } from './objects.ts';
import { RESULTS } from './result-variables.ts';

const SECRETS: readonly FunctionFact[] = [
  {
    ...EVERYWHERE,
    name: 'secrets.get',
    overloadId: 'secrets_get_string_string',
    params: [
      { name: 'vault', type: 'string' },
      { name: 'name', type: 'string' },
    ],
    result: 'string',
    opaque: 'secrets are kept at the edge',
    doc: 'A secret out of a vault.',
    examples: [],
    source: 'documented',
  },
];

/** The language since October 2024: phases by what happens, names in snake case, expressions in `${}`. */
export const MODERN: Profile = onDemand<Profile, 'variables' | 'objects' | 'functions'>(
  {
    name: 'modern',
    doc: 'Rules in `on_tcp_connect`, `on_http_request` and `on_http_response`; variables as `req.headers`, `conn.client_ip`.',
    endpoints: EVERYWHERE.endpoints,
    phases: EVERYWHERE.phases,
    phaseFacts: {
      on_tcp_connect: {
        doc: 'A connection was made; of TLS and of a request nothing is known yet.',
        endpoints: ['http-endpoint', 'tls-edge', 'tcp-edge', 'tls-endpoint', 'tcp-endpoint'],
      },
      on_http_request: { doc: 'A request has come, before the upstream is asked.', endpoints: HTTP.endpoints },
      on_http_response: { doc: 'There is a response, before the client gets it.', endpoints: HTTP.endpoints },
      on_event_stream_message: {
        doc: 'An event of a stream of server-sent events has come from the upstream.',
        endpoints: HTTP.endpoints,
        since: '2026-07-01',
      },
    },
    documentKeys: [],
    actions: ACTIONS,
    limits: LIMITS,
    headerNames: 'lower-case',
    switches: {
      evaluationError: 'skip-rule',
      requestVariables: 'current-url',
      dollarsOfRequest: 'text',
      interpolationEscape: '$${',
      tlsVersionSpelling: '1.3',
      responsePhaseAfterAnswer: 'run',
      routePrecedence: 'most-specific',
      moduleOrder: 'modules-first',
    },
  },
  {
    variables: () => [
      ...connectionVariables(PLACES),
      ...ADDRESS_VARIABLES,
      ...tlsVariables(PLACES.tls),
      ...EDGE_VARIABLES,
      ...requestVariables(HTTP),
      ...responseVariables(RESPONSE),
      ...RESULTS.variables,
    ],
    objects: () => modernObjects(),
    functions: () => [...messageFunctions(PLACES), ...textFunctions(EVERYWHERE), ...SECRETS],
  },
);
