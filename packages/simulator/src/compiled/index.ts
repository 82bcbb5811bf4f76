// What modules import that `tollgate compile --to module` writes: effects of actions by the names of their types, readers, and what runs them.

export { closeConnection, customResponse, deny } from '../actions/answers.ts';
export { basicAuth, jwtValidation, verdictKey } from '../actions/authentication.ts';
export { restrictIps } from '../actions/connection-actions.ts';
export { expressionText, partsOf, prepareExpressions, prepareText } from '../actions/fill-text.ts';
export { addHeaders, removeHeaders } from '../actions/header-actions.ts';
export { circuitBreaker, rateLimit } from '../actions/limits.ts';
export { plausibleToken, type TokenCheck } from '../actions/live-tokens.ts';
export { log, setVars } from '../actions/log.ts';
export { forwardInternal } from '../actions/opaque-actions.ts';
export { redirect, urlRewrite } from '../actions/url-actions.ts';
export { verifyLiveWebhook } from '../actions/webhook-signatures.ts';
export { conjunctionOfGroups } from '../conditions/condition-columns.ts';
export { isUnclear } from '../conditions/unclear-conditions.ts';
export { CAPITALISED, SNAKE_CASE } from '../exchange-state/dialect.ts';
export { withHost, withResults } from '../exchange-state/traffic-state.ts';
export { mayHaveEvents } from '../simulation/simulation.ts';
export { randomDraws } from '../simulation/tracing.ts';
export {
  CONNECTION_READERS,
  COOKIE_READERS,
  EDGE_V2_COOKIE_READERS,
  EDGE_V2_MESSAGE_READERS,
  EDGE_V2_READERS,
  EDGE_V2_TLS_READERS,
  LOCATION_READERS,
  MESSAGE_READERS,
  PARAMETER_READERS,
  requestHeaderReader,
  responseHeaderReader,
  resultReader,
  SNAKE_READERS,
  TIME_READERS,
  tableReader,
  tlsVersionReader,
  URL_READERS,
  USER_AGENT_READERS,
  unknownReader,
} from '../variables/variable-readers.ts';
export { beginCompiled, type CompiledPolicy, compiledAction, compiledPhase } from './runtime.ts';
