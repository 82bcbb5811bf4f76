// Names of RFCs and registries: headers by purpose, methods.

/** Fields that frame the message or that the edge sets itself: setting them breaks the message. */
export const FRAMING_HEADERS: ReadonlySet<string> = new Set(['content-length', 'date']);

/** Fields that carry credentials. */
export const CREDENTIAL_HEADERS: ReadonlySet<string> = new Set([
  ...['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key', 'api-key', 'apikey', 'x-auth-token'],
  ...['x-access-token', 'x-amz-security-token', 'x-csrf-token', 'x-xsrf-token', 'x-vault-token', 'x-gitlab-token'],
  ...['private-token', 'x-goog-iap-jwt-assertion', 'cf-access-jwt-assertion', 'x-forwarded-access-token'],
]);

/** Query parameters that carry credentials (OAuth 2.0, signed URLs). */
export const CREDENTIAL_PARAMETERS: ReadonlySet<string> = new Set([
  ...[
    'access_token',
    'refresh_token',
    'id_token',
    'token',
    'auth_token',
    'api_key',
    'apikey',
    'api-key',
    'key',
    'secret',
  ],
  ...['client_secret', 'password', 'passwd', 'pwd', 'code', 'jwt', 'sig', 'signature', 'session', 'sessionid', 'sid'],
]);

/** Fields that state the address of the client, set by the client or a proxy. */
export const ADDRESS_HEADERS: ReadonlySet<string> = new Set([
  ...['x-forwarded-for', 'forwarded', 'x-real-ip', 'x-client-ip', 'client-ip', 'x-cluster-client-ip', 'true-client-ip'],
  ...[
    'cf-connecting-ip',
    'fastly-client-ip',
    'x-original-forwarded-for',
    'x-remote-ip',
    'x-remote-addr',
    'x-originating-ip',
  ],
]);

/** Fields in which a client describes itself, and can claim anything. */
export const SELF_DESCRIPTION_HEADERS: ReadonlySet<string> = new Set([
  'user-agent',
  'referer',
  'origin',
  'x-requested-with',
]);

/** Response fields that protect browsers, each with a pattern for values that disable the protection. */
export const SECURITY_HEADERS: ReadonlyMap<string, RegExp | undefined> = new Map([
  ['strict-transport-security', /^\s*max-age\s*=\s*"?0"?\s*(?:;|$)/i],
  [
    'content-security-policy',
    /(?:^|;)\s*(?:default|script)-src\s[^;]*(?:\*(?=[\s;]|$)|'unsafe-inline'|'unsafe-eval')/i,
  ],
  ['x-frame-options', /^\s*(?:allowall|allow-from\b)/i],
  ['x-content-type-options', /^(?!\s*nosniff\s*$)/i],
  ['referrer-policy', /^\s*unsafe-url\s*$/i],
  ['permissions-policy', undefined],
  ['cross-origin-opener-policy', /^\s*unsafe-none\s*$/i],
  ['cross-origin-resource-policy', undefined],
]);

/** Response fields that name the server software. */
export const VERSION_HEADERS: ReadonlySet<string> = new Set([
  ...['server', 'x-powered-by', 'x-aspnet-version', 'x-aspnetmvc-version', 'x-generator', 'x-runtime'],
]);

/** The IANA registry of HTTP methods, without `*`, as of November 2025. */
export const HTTP_METHODS: ReadonlySet<string> = new Set(
  [
    'ACL BASELINE-CONTROL BIND CHECKIN CHECKOUT CONNECT COPY DELETE GET HEAD LABEL LINK LOCK MERGE MKACTIVITY MKCALENDAR',
    'MKCOL MKREDIRECTREF MKWORKSPACE MOVE OPTIONS ORDERPATCH PATCH POST PRI PROPFIND PROPPATCH PUT REBIND REPORT QUERY',
    'SEARCH TRACE UNBIND UNCHECKOUT UNLINK UNLOCK UPDATE UPDATEREDIRECTREF VERSION-CONTROL',
  ].flatMap(line => line.split(' ')),
);
