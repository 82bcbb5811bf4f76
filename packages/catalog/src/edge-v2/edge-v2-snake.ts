import { EDGE_LIBRARIES, type Profile, withLazyMembers } from '../schema/profile.ts';
import { EDGE_V2 } from './edge-v2.ts';
import { LIMITS } from './limits.ts';
import { SNAKE_FACTS } from './snake-facts.ts';

/** The profile of May to October 2024: the phases of edge-v2, names in snake case, interpolated expressions in `${}`. */
export const EDGE_V2_SNAKE: Profile = withLazyMembers<Profile, 'variables' | 'objects' | 'functions' | 'actions'>(
  {
    name: 'edge-v2-snake',
    doc: 'Rules in `inbound` and `outbound`; variables such as `req.headers` and `conn.client_ip`.',
    endpoints: EDGE_V2.endpoints,
    phases: EDGE_V2.phases,
    phaseFacts: EDGE_V2.phaseFacts,
    documentKeys: EDGE_V2.documentKeys,
    limits: LIMITS,
    libraryVersions: EDGE_LIBRARIES,
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
    variables: () => SNAKE_FACTS.variables(),
    objects: () => SNAKE_FACTS.objects(),
    functions: () => SNAKE_FACTS.functions(),
    actions: () => SNAKE_FACTS.actions(),
  },
);
