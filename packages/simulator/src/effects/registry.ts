import { basicAuth } from './access/basic-auth.ts';
import { jwtValidation } from './access/jwt-validation.ts';
import { circuitBreaker, rateLimit } from './access/limits.ts';
import {
  aiGateway,
  coreRulesForRequests,
  coreRulesForResponses,
  forwardInternal,
  httpRequest,
  oauth,
  openidConnect,
  saml,
} from './access/opaque-actions.ts';
import { restrictIps } from './access/restrict-ips.ts';
import { terminateTls } from './access/terminate-tls.ts';
import { verifyWebhook } from './access/verify-webhook.ts';
import { closeConnection, customResponse, deny } from './messages/answers.ts';
import { requestBodyFindReplace, responseBodyFindReplace, sseFindReplace } from './messages/body-actions.ts';
import { compressResponse } from './messages/compress-response.ts';
import { addHeaders, removeHeaders } from './messages/header-actions.ts';
import { log } from './messages/log.ts';
import { setVars } from './messages/set-vars.ts';
import { redirect, urlRewrite } from './messages/url-actions.ts';
import type { PrepareAction } from './model/effect.ts';

/** What each action of the catalog does to traffic. */
export const EFFECTS: Readonly<Record<string, PrepareAction>> = {
  'add-headers': addHeaders,
  'ai-gateway': aiGateway,
  'basic-auth': basicAuth,
  'circuit-breaker': circuitBreaker,
  'close-connection': closeConnection,
  'compress-response': compressResponse,
  'custom-response': customResponse,
  deny,
  'forward-internal': forwardInternal,
  'http-request': httpRequest,
  'jwt-validation': jwtValidation,
  log,
  oauth,
  'openid-connect': openidConnect,
  'owasp-crs-request': coreRulesForRequests,
  'owasp-crs-response': coreRulesForResponses,
  'rate-limit': rateLimit,
  redirect,
  'remove-headers': removeHeaders,
  'request-body-find-replace': requestBodyFindReplace,
  'response-body-find-replace': responseBodyFindReplace,
  'restrict-ips': restrictIps,
  saml,
  'set-vars': setVars,
  'sse-find-replace': sseFindReplace,
  'terminate-tls': terminateTls,
  'url-rewrite': urlRewrite,
  'verify-webhook': verifyWebhook,
};
