// Mistakes as people make them in policies of the modern profile, each with the code that should name it by default and the same policy as it
// should have been.

/** A mistake, and the policy without it. */
export interface RealisticMistake {
  readonly title: string;
  /** The code of the finding that names the mistake. */
  readonly code: string;
  readonly wrong: string;
  /** The same intent; no finding of that code. */
  readonly right: string;
}

const PASSWORD = `basic-auth, config: { credentials: ["\${secrets.get('staff', 'login')}"] }`;
const JWT = `jwt-validation
        config:
          issuer: { allow_list: [{ value: https://id.example.com/ }] }
          audience: { allow_list: [{ value: https://api.example.com }] }
          http: { tokens: [{ type: jwt, method: header, name: Authorization, prefix: "Bearer " }] }
          jws:
            allowed_algorithms: [RS256]
            keys: { sources: { additional_jkus: [https://id.example.com/keys.json] } }`;

/** A policy of one rule in the request phase. */
function rule(condition: string, action = 'deny'): string {
  return `on_http_request:\n  - expressions:\n      - ${JSON.stringify(condition)}\n    actions:\n      - { type: ${action} }\n`;
}

/** A policy that denies all but what the condition lets through. */
function allowed(condition: string): string {
  return rule(`!(${condition})`);
}

export const REALISTIC_MISTAKES: readonly RealisticMistake[] = [
  {
    title: 'a path that servers reach in other spellings',
    code: 'url/path-spellings',
    wrong: rule("req.url.path.startsWith('/admin/')"),
    right: `on_http_request:
  - expressions: ["req.url.raw_path.matches('//|/[.]|;|%|[A-Z]')"]
    actions: [{ type: deny, config: { status_code: 400 } }]
  - expressions: ["req.url.path.startsWith('/admin/')"]
    actions: [{ type: deny }]
`,
  },
  {
    title: 'the first of several parameters',
    code: 'header/duplicate-values',
    wrong: rule("'debug' in req.url.query_params && req.url.query_params['debug'][0] == 'true'"),
    right: rule("'debug' in req.url.query_params && req.url.query_params['debug'].exists(v, v == 'true')"),
  },
  {
    title: 'an identity header that the client can send, too',
    code: 'header/spoofable-identity',
    wrong: `on_http_request:
  - actions:
      - { type: openid-connect, config: { issuer_url: https://id.example.com, client_id: a, client_secret: "\${secrets.get('id', 'a')}" } }
      - type: add-headers
        config: { headers: { x-user-email: "\${actions.ngrok.oidc.identity.email}" } }
`,
    right: `on_http_request:
  - actions:
      - { type: openid-connect, config: { issuer_url: https://id.example.com, client_id: a, client_secret: "\${secrets.get('id', 'a')}" } }
      - { type: remove-headers, config: { headers: [x-user-email] } }
      - type: add-headers
        config: { headers: { x-user-email: "\${actions.ngrok.oidc.identity.email}" } }
`,
  },
  {
    title: 'a host in capitals',
    code: 'http/host-case',
    wrong: rule("req.host == 'Admin.example.com'"),
    right: rule("req.host.lowerAscii() == 'admin.example.com'"),
  },
  {
    title: 'a host as in the browser, with its scheme',
    code: 'url/impossible-text',
    wrong: rule("req.url.host == 'https://admin.example.com'"),
    right: rule("req.url.host == 'admin.example.com'"),
  },
  {
    title: 'a denied host that the header `Host` may name with a port',
    code: 'http/host-port',
    wrong: rule("req.host == 'admin.example.com'"),
    right: rule("req.url.host == 'admin.example.com'"),
  },
  {
    title: 'sign-in that is skipped for paths that end like a style sheet',
    code: 'sec/check-exempted',
    wrong: rule("!req.url.path.endsWith('.css')", PASSWORD),
    right: rule("!req.url.path.startsWith('/assets/')", PASSWORD),
  },
  {
    title: 'sign-in that is skipped for paths that contain a word',
    code: 'sec/check-exempted',
    wrong: rule("!req.url.path.contains('/health')", PASSWORD),
    right: rule("req.url.path != '/health'", PASSWORD),
  },
  {
    title: 'CORS preflight behind a check of tokens, which a preflight never carries',
    code: 'sec/preflight-denied',
    wrong: `on_http_request:
  - actions:
      - type: ${JWT}
on_http_response:
  - actions:
      - type: add-headers
        config: { headers: { access-control-allow-origin: https://app.example.com, access-control-allow-headers: authorization } }
`,
    right: `on_http_request:
  - expressions: ["req.method != 'OPTIONS'"]
    actions:
      - type: ${JWT}
on_http_response:
  - actions:
      - type: add-headers
        config: { headers: { access-control-allow-origin: https://app.example.com, access-control-allow-headers: authorization } }
`,
  },
  {
    title: 'pages of signed-in users that shared caches may keep',
    code: 'header/private-made-public',
    wrong: `on_http_request:
  - actions: [{ type: oauth, config: { provider: google, client_id: a, client_secret: "\${secrets.get('g', 'a')}" } }]
on_http_response:
  - actions: [{ type: add-headers, config: { headers: { cache-control: "public, max-age=3600" } } }]
`,
    right: `on_http_request:
  - actions: [{ type: oauth, config: { provider: google, client_id: a, client_secret: "\${secrets.get('g', 'a')}" } }]
on_http_response:
  - expressions: ["req.url.path.startsWith('/static/')"]
    actions: [{ type: add-headers, config: { headers: { cache-control: "public, max-age=3600" } } }]
  - expressions: ["!req.url.path.startsWith('/static/')"]
    actions: [{ type: add-headers, config: { headers: { cache-control: "private, max-age=60" } } }]
`,
  },
  {
    title: 'an upstream that the client chooses',
    code: 'sec/client-chosen-upstream',
    wrong: `on_http_request:
  - expressions: ["'x-service' in req.headers"]
    actions: [{ type: forward-internal, config: { url: "https://\${req.headers['x-service'][0]}.internal" } }]
`,
    right: `on_http_request:
  - expressions: ["'x-service' in req.headers && req.headers['x-service'].all(v, v in ['orders', 'users'])"]
    actions: [{ type: forward-internal, config: { url: "https://\${req.headers['x-service'][0]}.internal" } }]
`,
  },
  {
    title: 'a firewall that lets pass what it cannot check',
    code: 'sec/not-enforced',
    wrong: 'on_http_request:\n  - actions: [{ type: owasp-crs-request, config: { on_error: continue } }]\n',
    right: 'on_http_request:\n  - actions: [{ type: owasp-crs-request, config: { on_error: halt } }]\n',
  },
  {
    title: 'an allow-list by a prefix without a slash',
    code: 'url/prefix-boundary',
    wrong: allowed("req.url.path.startsWith('/public')"),
    right: allowed("req.url.path.startsWith('/public/')"),
  },
  {
    title: 'a pattern for a prefix that takes other paths',
    code: 'url/prefix-boundary',
    wrong: rule("req.url.path.matches('^/app')", PASSWORD),
    right: rule("req.url.path.matches('^/app(/|$)')", PASSWORD),
  },
  {
    title: 'a pattern that matches anywhere in the path',
    code: 'regex/unanchored-path',
    wrong: rule("req.url.path.matches('/admin')", PASSWORD),
    right: rule("req.url.path.matches('^/admin(/|$)')", PASSWORD),
  },
  {
    title: '`/admin/` guarded, and `/admin` not',
    code: 'url/normalisation-bypass',
    wrong: rule("req.url.path.startsWith('/admin/')", PASSWORD),
    right: rule("req.url.path == '/admin' || req.url.path.startsWith('/admin/')", PASSWORD),
  },
  {
    title: 'a page guarded, and not with a slash at its end',
    code: 'url/normalisation-bypass',
    wrong: rule("req.url.path == '/metrics'"),
    right: rule("req.url.path in ['/metrics', '/metrics/']"),
  },
  {
    title: '`all` over a filtered list, which may be empty',
    code: 'logic/empty-all',
    wrong: allowed("'x-teams' in req.headers && req.headers['x-teams'].filter(v, v != '').all(v, v == 'admins')"),
    right: allowed("'x-teams' in req.headers && req.headers['x-teams'].exists(v, v == 'admins')"),
  },
  {
    title: 'an encoded sequence sought in the decoded path',
    code: 'url/impossible-text',
    wrong: rule("req.url.path.contains('%2e%2e')"),
    right: rule("req.url.raw_path.lowerAscii().contains('%2e%2e')"),
  },
  {
    title: 'a rewrite of a prefix that takes other names',
    code: 'url/rewrite-boundary',
    wrong: 'on_http_request:\n  - actions: [{ type: url-rewrite, config: { from: "/static(.*)", to: "/files$1" } }]\n',
    right:
      'on_http_request:\n  - actions: [{ type: url-rewrite, config: { from: "^(https?://[^/]+)/static(/.*)?$", to: "$1/files$2" } }]\n',
  },
  {
    title: 'only one status of many hidden',
    code: 'http/single-error-status',
    wrong: `on_http_response:
  - expressions: ["res.status_code == 500"]
    actions: [{ type: custom-response, config: { status_code: 500, headers: { content-type: text/plain }, body: sorry } }]
`,
    right: `on_http_response:
  - expressions: ["res.status_code >= 500"]
    actions: [{ type: custom-response, config: { status_code: 500, headers: { content-type: text/plain }, body: sorry } }]
`,
  },
  {
    title: 'a whole user agent compared with a name',
    code: 'header/user-agent-equality',
    wrong: rule("req.user_agent == 'curl'"),
    right: rule("req.user_agent.contains('curl/')"),
  },
  {
    title: 'the address that the client states',
    code: 'header/trusts-client-ip-header',
    wrong: rule("'x-forwarded-for' in req.headers && !req.headers['x-forwarded-for'][0].startsWith('203.0.113.')"),
    right: rule("!conn.client_ip.startsWith('203.0.113.')"),
  },
  {
    title: 'two methods that cannot both be',
    code: 'logic/contradiction-across-list',
    wrong: `on_http_request:
  - expressions: ["req.method == 'PUT'", "req.method == 'DELETE'"]
    actions: [{ type: deny }]
`,
    right: rule("req.method in ['PUT', 'DELETE']"),
  },
  {
    title: 'neither of two, written with `or`',
    code: 'logic/negated-or',
    wrong: rule("req.method != 'GET' || req.method != 'HEAD'"),
    right: rule("req.method != 'GET' && req.method != 'HEAD'"),
  },
  {
    title: 'a method in lower case',
    code: 'http/method-case',
    wrong: rule("req.method == 'post'"),
    right: rule("req.method == 'POST'"),
  },
  {
    title: 'a domain that other domains end with, too',
    code: 'sec/suffix-boundary',
    wrong: `on_http_request:
  - actions: [{ type: oauth, config: { provider: google, client_id: a, client_secret: "\${secrets.get('g', 'a')}" } }]
  - expressions: ["!actions.ngrok.oauth.identity.email.endsWith('example.com')"]
    actions: [{ type: deny }]
`,
    right: `on_http_request:
  - actions: [{ type: oauth, config: { provider: google, client_id: a, client_secret: "\${secrets.get('g', 'a')}" } }]
  - expressions: ["!actions.ngrok.oauth.identity.email.endsWith('@example.com')"]
    actions: [{ type: deny }]
`,
  },
  {
    title: 'a sign-in that anyone passes',
    code: 'sec/identity-unchecked',
    wrong: 'on_http_request:\n  - actions: [{ type: oauth, config: { provider: google } }]\n',
    right: `on_http_request:
  - actions: [{ type: oauth, config: { provider: google, client_id: a, client_secret: "\${secrets.get('g', 'a')}" } }]
  - expressions: ["!actions.ngrok.oauth.identity.email.endsWith('@example.com')"]
    actions: [{ type: deny }]
`,
  },
  {
    title: 'a token that is checked only if there is one',
    code: 'sec/check-skipped',
    wrong: `on_http_request:
  - expressions: ["'authorization' in req.headers"]
    actions:
      - type: ${JWT}
`,
    right: `on_http_request:
  - actions:
      - type: ${JWT}
`,
  },
  {
    title: 'a redirect to where a parameter says',
    code: 'url/open-redirect',
    wrong: `on_http_request:
  - expressions: ["'next' in req.url.query_params"]
    actions: [{ type: redirect, config: { to: "\${req.url.query_params['next'][0]}" } }]
`,
    right: `on_http_request:
  - expressions: ["req.url.path == '/old'"]
    actions: [{ type: redirect, config: { to: "https://app.example.com/new" } }]
`,
  },
  {
    title: 'any origin, with credentials',
    code: 'header/cors-reflect-origin',
    wrong: `on_http_response:
  - expressions: ["'origin' in req.headers"]
    actions:
      - type: add-headers
        config:
          headers: { access-control-allow-origin: "\${req.headers['origin'][0]}", access-control-allow-credentials: "true" }
`,
    right: `on_http_response:
  - expressions: ["'origin' in req.headers && req.headers['origin'][0] == 'https://app.example.com'"]
    actions:
      - type: add-headers
        config:
          headers: { access-control-allow-origin: https://app.example.com, access-control-allow-credentials: "true", vary: Origin }
`,
  },
  {
    title: 'a limit for each value that the client makes up',
    code: 'rate/client-controlled-key',
    wrong: `on_http_request:
  - actions:
      - type: rate-limit
        config: { name: api, algorithm: sliding_window, capacity: 30, rate: 60s, bucket_key: ["req.headers['x-client-id']"] }
`,
    right: `on_http_request:
  - actions:
      - type: rate-limit
        config: { name: api, algorithm: sliding_window, capacity: 30, rate: 60s, bucket_key: [conn.client_ip] }
`,
  },
  {
    title: 'a rule behind one that ends all traffic',
    code: 'logic/catch-all-not-last',
    wrong: `on_http_request:
  - actions: [{ type: forward-internal, config: { url: https://shop.internal } }]
  - expressions: ["req.url.path == '/api'"]
    actions: [{ type: forward-internal, config: { url: https://api.internal } }]
`,
    right: `on_http_request:
  - expressions: ["req.url.path == '/api'"]
    actions: [{ type: forward-internal, config: { url: https://api.internal } }]
  - actions: [{ type: forward-internal, config: { url: https://shop.internal } }]
`,
  },
  {
    title: 'a range that starts after it ends',
    code: 'logic/impossible-range',
    wrong: `on_http_response:
  - expressions: ["res.status_code < 200 && res.status_code >= 300"]
    actions: [{ type: log, config: { metadata: { kind: error } } }]
`,
    right: `on_http_response:
  - expressions: ["res.status_code < 200 || res.status_code >= 300"]
    actions: [{ type: log, config: { metadata: { kind: error } } }]
`,
  },
];
