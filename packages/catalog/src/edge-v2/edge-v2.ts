import { EDGE_LIBRARIES, type Profile } from '../schema/profile.ts';
import { ACTIONS } from './actions.ts';
import { FUNCTIONS } from './functions.ts';
import { LIMITS } from './limits.ts';
import { EVERYWHERE, OBJECTS } from './objects.ts';
import { CONNECTION_VARIABLES, REQUEST_VARIABLES, RESPONSE_VARIABLES } from './variables.ts';

/** Version 2 of the edge, February to May 2024: rules in `inbound` and `outbound`, capitalized names. */
export const EDGE_V2 = {
  name: 'edge-v2',
  doc: 'Rules in `inbound` and `outbound`; variables such as `req.Headers` and `conn.ClientIP`.',
  endpoints: ['https-route', 'tls-edge', 'tcp-edge'],
  phases: ['inbound', 'outbound'],
  phaseFacts: {
    inbound: { doc: 'Traffic has arrived and has not been sent to the upstream.', endpoints: EVERYWHERE.endpoints },
    outbound: {
      doc: 'The upstream has responded and the response has not been sent to the client.',
      endpoints: EVERYWHERE.endpoints,
    },
  },
  documentKeys: ['enabled'],
  variables: [...CONNECTION_VARIABLES, ...REQUEST_VARIABLES, ...RESPONSE_VARIABLES],
  objects: OBJECTS,
  functions: FUNCTIONS,
  actions: ACTIONS,
  limits: LIMITS,
  libraryVersions: EDGE_LIBRARIES,
  headerNames: 'canonical',
  switches: {
    evaluationError: 'skip-rule',
    requestVariables: 'current-url',
    dollarsOfRequest: 'text',
    interpolationEscape: 'none',
    tlsVersionSpelling: 'TLS 1.3',
    responsePhaseAfterAnswer: 'skipped',
    routePrecedence: 'most-specific',
    moduleOrder: 'modules-first',
  },
} as const satisfies Profile;
