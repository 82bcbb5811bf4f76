// The policies that `tollgate init` and `tollgate new policy` offer, with their tests.

import type { EndpointKind } from '@tollgate/catalog';

/** A policy for one task, with its tests: what `tollgate init` and `tollgate new policy` write. */
export interface PolicyTemplate {
  /** Used on the command line and as the name of its file. */
  readonly name: string;
  /** Completes the sentence "I want …". */
  readonly summary: string;
  readonly endpoint: EndpointKind;
  readonly policy: string;
  /** The test file without its first key, the path of the policy. */
  readonly tests: string;
}

/** The profile of all templates. */
export const TEMPLATE_PROFILE = 'modern';

/** The endpoint kind that policies of this profile have without settings. */
export const DEFAULT_ENDPOINT: EndpointKind = 'http-endpoint';

const BLOCK: PolicyTemplate = {
  name: 'block',
  summary: 'blocking of bots and countries',
  endpoint: 'http-endpoint',
  policy: `\
# Keeps out scanners, crawlers of language models, and countries that you do not serve.
on_http_request:
  - name: turn scanners away
    expressions:
      - req.url.path.matches('(?i)[.](php|env)$|^/([.]git|wp-admin|cgi-bin)(/|$)')
    actions:
      - type: deny
        config:
          status_code: 404

  - name: keep crawlers of language models out
    expressions:
      - req.url.path != '/robots.txt'
      - "'user-agent' in req.headers"
      - req.headers['user-agent'].exists(agent, agent.matches('(?i)(gptbot|claudebot|ccbot|bytespider)'))
    actions:
      - type: deny
        config:
          status_code: 403

  - name: serve some countries only
    expressions:
      - "!(conn.geo.country_code in ['US', 'CA', 'MX'])"
    actions:
      - type: custom-response
        config:
          status_code: 451
          headers:
            content-type: text/plain
          body: not available in your country
`,
  tests: `\
tests:
  - name: scanners find nothing
    request: { url: /wp-admin/setup.php }
    expect: { outcome: denied, status: 404 }

  - name: crawlers of language models are denied
    request: { url: /books, headers: { User-Agent: GPTBot/1.1 } }
    expect: { outcome: denied, status: 403 }

  - name: crawlers may read robots.txt
    request: { url: /robots.txt, headers: { User-Agent: GPTBot/1.1 } }
    expect:
      rules: { keep crawlers of language models out: not-matched }
`,
};

const RATE_LIMIT: PolicyTemplate = {
  name: 'rate-limit',
  summary: 'rate limits for each client',
  endpoint: 'http-endpoint',
  policy: `\
# Limits how often each client may call, more strictly where passwords can be guessed.
on_http_request:
  - name: limit attempts to log in
    expressions:
      - req.method == 'POST'
      - req.url.path == '/login'
    actions:
      - type: rate-limit
        config:
          name: login
          algorithm: sliding_window
          capacity: 5
          rate: 60s
          bucket_key:
            - conn.client_ip

  - name: limit each client
    actions:
      - type: rate-limit
        config:
          name: all-requests
          algorithm: sliding_window
          capacity: 300
          rate: 60s
          bucket_key:
            - conn.client_ip
`,
  tests: `\
now: 2026-01-01T00:00:00Z
tests:
  - name: five attempts to log in are allowed
    connection: { client_ip: 203.0.113.7 }
    request: { method: POST, url: /login }
    times: 5
    expect: { outcome: passed }

  - name: the sixth is refused
    connection: { client_ip: 203.0.113.7 }
    request: { method: POST, url: /login }
    times: 6
    expect: { outcome: refused, status: 429 }

  - name: pages have a limit of their own
    connection: { client_ip: 203.0.113.7 }
    request: { method: GET, url: /login }
    times: 6
    expect: { outcome: passed }
`,
};

const REDIRECT: PolicyTemplate = {
  name: 'redirect',
  summary: 'redirects and security headers',
  endpoint: 'http-endpoint',
  policy: `\
# Sends visitors to HTTPS and to the new places of pages, and sets headers that protect browsers.
on_http_request:
  - name: use HTTPS
    expressions:
      - req.url.scheme == 'http'
    actions:
      - type: redirect
        config:
          from: ^http://
          to: https://
          status_code: 301

  - name: redirect the old blog
    expressions:
      - req.url.path.startsWith('/blog/')
    actions:
      - type: redirect
        config:
          from: ^(https://[^/]+)/blog/
          to: $1/news/
          status_code: 301

on_http_response:
  - name: protect browsers
    actions:
      - type: add-headers
        config:
          headers:
            strict-transport-security: max-age=31536000
            x-content-type-options: nosniff
            referrer-policy: strict-origin-when-cross-origin
      - type: remove-headers
        config:
          headers:
            - server
`,
  tests: `\
tests:
  - name: plain HTTP is redirected
    request: { url: http://www.example.com/shop?x=1 }
    expect: { outcome: redirected, status: 301, location: https://www.example.com/shop?x=1 }

  - name: the old blog has moved
    request: { url: https://www.example.com/blog/tides }
    expect: { outcome: redirected, location: https://www.example.com/news/tides }

  - name: responses protect browsers
    request: { url: https://www.example.com/ }
    response: { status: 200, headers: { Server: nginx }, no_other_headers: true }
    expect:
      outcome: passed
      headers: { x-content-type-options: nosniff, server: null }
`,
};

const MAINTENANCE: PolicyTemplate = {
  name: 'maintenance',
  summary: 'a maintenance page',
  endpoint: 'http-endpoint',
  policy: `\
# Shows a maintenance page to everybody but the people who do the maintenance.
on_http_request:
  - name: show the maintenance page
    expressions:
      - "!inCidrRanges(conn.client_ip, ['203.0.113.0/24', '2001:db8:7::/48'])"
      - req.url.path != '/healthz'
    actions:
      - type: custom-response
        config:
          status_code: 503
          headers:
            content-type: text/html; charset=utf-8
            retry-after: "3600"
          body: <!doctype html><title>Maintenance</title><p>We are back within the hour.</p>
`,
  tests: `\
tests:
  - name: visitors see the maintenance page
    connection: { client_ip: 198.51.100.7 }
    request: { url: / }
    expect: { outcome: answered, status: 503, headers: { retry-after: "3600" } }

  - name: the office sees the site
    connection: { client_ip: 203.0.113.9 }
    request: { url: / }
    expect: { outcome: passed }

  - name: health checks work
    connection: { client_ip: 198.51.100.7 }
    request: { url: /healthz }
    expect: { outcome: passed }
`,
};

const CANARY: PolicyTemplate = {
  name: 'canary',
  summary: 'canary routing to a new version',
  endpoint: 'http-endpoint',
  policy: `\
# Sends a tenth of the traffic, and everybody who asks for it, to a new version.
on_http_request:
  - name: send those who ask for it to the new version
    expressions:
      - "'x-canary' in req.headers && req.headers['x-canary'] == ['always']"
    actions:
      - type: forward-internal
        config:
          url: https://canary.internal

  - name: send a tenth of the others to the new version
    expressions:
      - "!('x-canary' in req.headers)"
      - rand.double() < 0.1
    actions:
      - type: forward-internal
        config:
          url: https://canary.internal

  - name: send the rest to the current version
    actions:
      - type: forward-internal
        config:
          url: https://stable.internal
`,
  tests: `\
tests:
  - name: a header selects the new version
    request: { url: /, headers: { X-Canary: always } }
    expect:
      outcome: forwarded
      upstream: { asked: true }
      rules: { send those who ask for it to the new version: matched }

  - name: another value selects the current version
    request: { url: /, headers: { X-Canary: never } }
    expect:
      outcome: forwarded
      rules: { send the rest to the current version: matched }
`,
};

const API: PolicyTemplate = {
  name: 'api',
  summary: 'an API that requires a JSON Web Token, with CORS',
  endpoint: 'http-endpoint',
  policy: `\
# Lets browsers of one web application, and programs, call an API with a JSON Web Token.
on_http_request:
  - name: answer CORS preflights
    expressions:
      - req.method == 'OPTIONS'
      - "'origin' in req.headers && 'access-control-request-method' in req.headers"
    actions:
      - type: custom-response
        config:
          status_code: 204
          headers:
            access-control-allow-origin: https://app.example.com
            access-control-allow-methods: GET, POST, PUT, DELETE
            access-control-allow-headers: authorization, content-type
            access-control-max-age: "600"

  - name: require a token
    actions:
      - type: jwt-validation
        config:
          issuer:
            allow_list:
              - value: https://id.example.com/
          audience:
            allow_list:
              - value: https://api.example.com
          http:
            tokens:
              - type: jwt
                method: header
                name: Authorization
                prefix: "Bearer "
          jws:
            allowed_algorithms:
              - RS256
            keys:
              sources:
                additional_jkus:
                  - https://id.example.com/.well-known/jwks.json

on_http_response:
  - name: let the web application read responses
    expressions:
      - req.method != 'OPTIONS'
      - "'origin' in req.headers && req.headers['origin'] == ['https://app.example.com']"
    actions:
      - type: add-headers
        config:
          headers:
            access-control-allow-origin: https://app.example.com
            vary: origin
`,
  tests: `\
tests:
  - name: preflights need no token
    request:
      method: OPTIONS
      url: https://api.example.com/orders
      headers: { Origin: https://app.example.com, Access-Control-Request-Method: PUT }
    expect:
      outcome: answered
      status: 204
      headers: { access-control-allow-origin: https://app.example.com }
      rules: { require a token: not-reached }

  - name: all other requests are checked for a token
    request:
      method: GET
      url: https://api.example.com/orders
      headers: { Origin: https://app.example.com }
    expect:
      rules: { answer CORS preflights: not-matched, require a token: matched }
`,
};

const WEBHOOK: PolicyTemplate = {
  name: 'webhook',
  summary: 'webhooks with a verified signature',
  endpoint: 'http-endpoint',
  policy: `\
# Accepts webhooks only if GitHub has signed them.
on_http_request:
  - name: accept only POST
    expressions:
      - req.method != 'POST'
    actions:
      - type: deny
        config:
          status_code: 405

  - name: check the signature
    actions:
      - type: verify-webhook
        config:
          provider: github
          secret: \${secrets.get('webhooks', 'github')}
`,
  tests: `\
tests:
  - name: browsers are turned away
    request: { method: GET, url: /hooks/github }
    expect:
      outcome: denied
      status: 405
      rules: { check the signature: not-reached }

  - name: webhooks are checked
    request: { method: POST, url: /hooks/github }
    expect:
      rules: { accept only POST: not-matched, check the signature: matched }
`,
};

const TCP: PolicyTemplate = {
  name: 'tcp',
  summary: 'a TCP endpoint for some addresses only',
  endpoint: 'tcp-endpoint',
  policy: `\
# Lets only some networks open TCP connections, such as those of a database.
on_tcp_connect:
  - name: allow the office and the VPN
    actions:
      - type: restrict-ips
        config:
          enforce: true
          allow:
            - 203.0.113.0/24
            - 2001:db8:7::/48
`,
  tests: `\
endpoint: tcp-endpoint
tests:
  - name: the office connects
    connection: { client_ip: 203.0.113.9 }
    expect: { outcome: passed }

  - name: others do not
    connection: { client_ip: 198.51.100.7 }
    expect: { outcome: closed }
`,
};

/** All templates, in the order in which they are offered. */
export const POLICY_TEMPLATES: readonly PolicyTemplate[] = [
  API,
  RATE_LIMIT,
  BLOCK,
  CANARY,
  WEBHOOK,
  TCP,
  MAINTENANCE,
  REDIRECT,
];

/** The names of all templates. */
export const TEMPLATE_NAMES: readonly string[] = POLICY_TEMPLATES.map(({ name }) => name);
