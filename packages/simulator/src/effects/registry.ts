import { basicAuth } from './access/basic-auth.ts';
import { jwtValidation } from './access/jwt-validation.ts';
import { LIMIT_EFFECTS } from './access/limits.ts';
import { OPAQUE_EFFECTS } from './access/opaque-actions.ts';
import { restrictIps } from './access/restrict-ips.ts';
import { terminateTls } from './access/terminate-tls.ts';
import { verifyWebhook } from './access/verify-webhook.ts';
import { ANSWER_EFFECTS } from './messages/answers.ts';
import { BODY_EFFECTS } from './messages/body-actions.ts';
import { compressResponse } from './messages/compress-response.ts';
import { HEADER_EFFECTS } from './messages/header-actions.ts';
import { log } from './messages/log.ts';
import { setVars } from './messages/set-vars.ts';
import { URL_EFFECTS } from './messages/url-actions.ts';
import type { Effects } from './model/effect.ts';

/** The effects of all actions in the catalog. */
export const EFFECTS: Effects = {
  ...ANSWER_EFFECTS,
  ...BODY_EFFECTS,
  ...HEADER_EFFECTS,
  ...LIMIT_EFFECTS,
  ...OPAQUE_EFFECTS,
  ...URL_EFFECTS,
  'basic-auth': basicAuth,
  'compress-response': compressResponse,
  'jwt-validation': jwtValidation,
  log,
  'restrict-ips': restrictIps,
  'set-vars': setVars,
  'terminate-tls': terminateTls,
  'verify-webhook': verifyWebhook,
};
