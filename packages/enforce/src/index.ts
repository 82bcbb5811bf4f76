export { MAX_BODY, needsBody } from './bodies.ts';
export type { CompiledModule } from './compiled.ts';
export { type DecisionFacts, type DecisionLog, type DecisionRecord, decisionLog } from './decision-log.ts';
export {
  createEnforcer,
  type Enforced,
  EnforcedExchange,
  Enforcer,
  type EnforcerOptions,
  type EnforcerResult,
  environmentsWithSecrets,
  type RequestStep,
  type Secrets,
} from './enforcer.ts';
export {
  ANY_HOST,
  DECIDED_ACTIONS,
  DECIDED_WITH_BODIES,
  DECIDED_WITH_TOKENS,
  type Host,
  hostProviding,
  LOCATION_FIELDS,
  type Refusal,
  refusalsOf,
} from './host.ts';
export type { TokenOptions, TokenValidation } from './tokens.ts';
export {
  type Answer,
  changedFields,
  type ForwardedRequest,
  type HeaderChange,
  type HeaderChanges,
  type SentResponse,
} from './wire.ts';
