import type { PolicyTemplate } from './policy-template.ts';

export const REDIRECT: PolicyTemplate = {
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
