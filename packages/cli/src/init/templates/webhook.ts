import type { PolicyTemplate } from './policy-template.ts';

export const WEBHOOK: PolicyTemplate = {
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
