import type { PolicyTemplate } from './policy-template.ts';

export const RATE_LIMIT: PolicyTemplate = {
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
