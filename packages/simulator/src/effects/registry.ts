import { customResponse, deny, log } from './answers.ts';
import type { PrepareAction } from './effect.ts';
import { addHeaders, removeHeaders } from './header-actions.ts';
import { jwtValidation } from './jwt-validation.ts';
import { compressResponse, rateLimit } from './opaque-actions.ts';
import { restrictIps } from './restrict-ips.ts';
import { redirect, urlRewrite } from './url-actions.ts';

/** What each action of the catalog does to traffic. */
export const EFFECTS: Readonly<Record<string, PrepareAction>> = {
  'add-headers': addHeaders,
  'compress-response': compressResponse,
  'custom-response': customResponse,
  deny,
  'jwt-validation': jwtValidation,
  log,
  'rate-limit': rateLimit,
  redirect,
  'remove-headers': removeHeaders,
  'restrict-ips': restrictIps,
  'url-rewrite': urlRewrite,
};
