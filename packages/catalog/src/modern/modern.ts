import { LIMITS } from '../edge-v2/limits.ts';
import { EDGE_LIBRARIES, type Profile, withLazyMembers } from '../schema/profile.ts';
import { EVERYWHERE, HTTP } from './availability.ts';
import { MODERN_FACTS } from './modern-facts.ts';

/** The profile since October 2024: phases named after events, names in snake case, interpolated expressions in `${}`. */
export const MODERN: Profile = withLazyMembers<Profile, 'variables' | 'objects' | 'functions' | 'actions'>(
  {
    name: 'modern',
    doc: 'Rules in `on_tcp_connect`, `on_http_request` and `on_http_response`; variables such as `req.headers` and `conn.client_ip`.',
    endpoints: EVERYWHERE.endpoints,
    phases: EVERYWHERE.phases,
    phaseFacts: {
      on_tcp_connect: {
        doc: 'A connection was established; neither TLS nor a request is known yet.',
        endpoints: ['http-endpoint', 'cloud-endpoint', 'tls-edge', 'tcp-edge', 'tls-endpoint', 'tcp-endpoint'],
      },
      on_http_request: {
        doc: 'A request has arrived and has not been sent to the upstream.',
        endpoints: HTTP.endpoints,
      },
      on_http_response: {
        doc: 'There is a response, which has not been sent to the client.',
        endpoints: HTTP.endpoints,
      },
      on_event_stream_message: {
        doc: 'A server-sent event has arrived from the upstream.',
        endpoints: HTTP.endpoints,
        since: '2026-07-01',
      },
    },
    documentKeys: [],
    limits: LIMITS,
    libraryVersions: EDGE_LIBRARIES,
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
    variables: () => MODERN_FACTS.variables(),
    objects: () => MODERN_FACTS.objects(),
    functions: () => MODERN_FACTS.functions(),
    actions: () => MODERN_FACTS.actions(),
  },
);
