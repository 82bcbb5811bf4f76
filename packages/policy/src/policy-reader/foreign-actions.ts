import { type ActionFact, type EvaluationContext, isAvailable, PROFILES, type Profile } from '@tollgate/catalog';
import { nearest } from '@tollgate/cel/tooling';

/** Names of actions elsewhere, with their equivalents in order of preference. */
const ROWS: readonly (readonly [words: string, ...types: string[]])[] = [
  ['block reject drop forbid refuse abort ban denied', 'deny', 'close-connection'],
  ['close disconnect reset tarpit', 'close-connection', 'deny'],
  ['respond response return reply answer static-response fixed-response direct-response synthetic', 'custom-response'],
  ['http-redirect redirect-to url-redirect return-301 return-302', 'redirect'],
  ['rewrite rewrite-url path-rewrite uri-rewrite rewrite-path replace-path strip-prefix', 'url-rewrite'],
  ['forward proxy proxy-pass reverse-proxy route upstream backend', 'forward-internal'],
  [
    'set-headers set-header add-header header headers add-request-headers add-response-headers request-headers response-headers more-set-headers',
    'add-headers',
  ],
  [
    'remove-header delete-header delete-headers del-header unset-header unset-headers hide-header drop-headers',
    'remove-headers',
  ],
  ['gzip compress compression brotli deflate', 'compress-response'],
  [
    'ip-restriction ip-restrictions ip-policy ip-filter allow-ips deny-ips block-ips ip-allow ip-deny ip-allowlist ip-blocklist ip-whitelist whitelist blacklist allowlist',
    'restrict-ips',
  ],
  ['ratelimit rate-limiting rate-limiter throttle throttling limit limit-req', 'rate-limit'],
  ['jwt jwt-auth verify-jwt validate-jwt jwt-verify auth-jwt', 'jwt-validation'],
  ['oidc openid open-id-connect openidconnect sso oidc-auth', 'openid-connect'],
  ['oauth2 google-oauth social-login', 'oauth'],
  ['webhook-verification webhook webhook-validation webhook-verify validate-webhook', 'verify-webhook'],
  ['circuitbreaker circuit-break breaker', 'circuit-breaker'],
  ['basicauth basic http-basic auth-basic http-auth authentication', 'basic-auth'],
  ['waf owasp owasp-crs modsecurity coraza', 'owasp-crs-request', 'owasp-crs-response'],
  ['tls-termination mutual-tls mtls terminate', 'terminate-tls'],
  ['logging access-log audit print', 'log'],
  [
    'find-replace replace-body body-replace sub-filter body-find-replace',
    'request-body-find-replace',
    'response-body-find-replace',
    'sse-find-replace',
  ],
  ['set set-var set-variable set-variables variables', 'set-vars'],
  ['fetch callout http-callout subrequest ext-auth external-auth forward-auth', 'http-request'],
];

const BY_WORD: ReadonlyMap<string, readonly string[]> = new Map(
  ROWS.flatMap(([words, ...types]) => words.split(' ').map(word => [word, types] as const)),
);

/** The action that an unknown type probably means. */
interface MeantAction {
  /** An action that is available in the phase. */
  readonly type?: string;
  /** Another profile that has the action. */
  readonly profile?: string;
  /** Its name in that profile. */
  readonly there?: string;
}

/** Finds the action that an unknown type probably means; suggests only actions available in the phase. */
export function meantAction(type: string, profile: Profile, place: EvaluationContext): MeantAction {
  const word = type
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[_\s]+/g, '-');
  const names = [word, ...(BY_WORD.get(word) ?? [])];
  const available = profile.actions.filter(fact => isAvailable(fact, place)).map(fact => fact.type);
  const found = names.find(name => available.includes(name)) ?? nearest(type, available);
  if (found !== undefined) return { type: found };
  for (const other of PROFILES) {
    const fact = other.actions.find((one: ActionFact) => names.includes(one.type));
    if (fact && other.name !== profile.name && !profile.actions.some(one => names.includes(one.type)))
      return { profile: other.name, there: fact.type };
  }
  return {};
}
