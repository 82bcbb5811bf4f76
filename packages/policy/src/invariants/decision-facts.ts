import {
  type EndpointKind,
  type EvaluationContext,
  extendProfile,
  type Phase,
  type Profile,
  phasesAt,
} from '@tollgate/catalog';
import type { ExpressionContext } from '../expression/check-expression.ts';
import { createPhaseEnvironments } from '../expression/phase-environment.ts';
import { OUTCOMES } from '../testing/tests-shape.ts';

/** What an invariant can say about the decision, in addition to the variables of requests. */
export const DECISION_VARIABLES = [
  {
    path: 'decision.reachesUpstream',
    type: 'bool',
    doc: 'Whether the upstream receives the request.',
  },
  {
    path: 'decision.outcome',
    type: 'string',
    doc: `How the request ends: ${Object.keys(OUTCOMES)
      .map(one => `\`${one}\``)
      .join(', ')}.`,
  },
  {
    path: 'decision.status',
    type: 'int',
    doc: 'Status code that the client receives; 0 if the connection is closed without a response.',
  },
  { path: 'decision.action', type: 'string', doc: 'Action that caused the outcome; empty for traffic that passes.' },
  { path: 'decision.actions', type: 'list(string)', doc: 'Types of all actions that run, in order.' },
  {
    path: 'decision.rules',
    type: 'list(string)',
    doc: 'Rules that match, in order: phase and number of each, as in `inbound 2`.',
  },
  { path: 'decision.names', type: 'list(string)', doc: 'Names of the rules that match and have one.' },
  {
    path: 'decision.failed',
    type: 'list(string)',
    doc: 'Rules that are skipped because an expression fails, as in `decision.rules`.',
  },
] as const;

/** In order of preference. */
const REQUEST_PHASES: readonly Phase[] = ['inbound', 'on_http_request', 'on_tcp_connect'];

/**
 * Returns the context in which expressions of invariants are checked and evaluated: the variables of requests as received, and the decision.
 */
export function invariantContext(profile: Profile, endpoint: EndpointKind): ExpressionContext {
  const extended = extendProfile(profile, { variables: DECISION_VARIABLES });
  const phases = phasesAt(profile, endpoint);
  const phase = REQUEST_PHASES.find(one => phases.includes(one)) ?? phases[0]!;
  const place: EvaluationContext = { endpoint, phase };
  return { profile: extended, place, environment: createPhaseEnvironments(extended, endpoint)[phase] };
}
