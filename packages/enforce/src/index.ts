export type { DecisionFacts, DecisionRecord } from './decision-log.ts';
export {
  createEnforcer,
  type Enforced,
  EnforcedExchange,
  Enforcer,
  type EnforcerOptions,
  type EnforcerResult,
  type RequestStep,
} from './enforcer.ts';
export { DECIDED_ACTIONS, type Host, LOCATION_FIELDS, type Refusal } from './host.ts';
export {
  type Answer,
  changedFields,
  type ForwardedRequest,
  type HeaderChange,
  type HeaderChanges,
  type SentResponse,
} from './wire.ts';
