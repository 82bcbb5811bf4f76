import type { PolicyTemplate } from './policy-template.ts';

export const CANARY: PolicyTemplate = {
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
