import type { PolicyTemplate } from './policy-template.ts';

export const MAINTENANCE: PolicyTemplate = {
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
