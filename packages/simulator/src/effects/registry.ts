import { closeConnection, customResponse, deny } from './answers.ts';
import { basicAuth } from './basic-auth.ts';
import { requestBodyFindReplace, responseBodyFindReplace, sseFindReplace } from './body-actions.ts';
import { compressResponse } from './compress-response.ts';
import type { PrepareAction } from './effect.ts';
import { addHeaders, removeHeaders } from './header-actions.ts';
import { jwtValidation } from './jwt-validation.ts';
import { circuitBreaker, rateLimit } from './limits.ts';
import { log } from './log.ts';
import {
  aiGateway,
  coreRulesForRequests,
  coreRulesForResponses,
  forwardInternal,
  httpRequest,
  oauth,
  openidConnect,
  saml,
} from './opaque-actions.ts';
import { restrictIps } from './restrict-ips.ts';
import { setVars } from './set-vars.ts';
import { terminateTls } from './terminate-tls.ts';
import { redirect, urlRewrite } from './url-actions.ts';
import { verifyWebhook } from './verify-webhook.ts';

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
