import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { NOT_ENFORCED } from './not-enforced.ts';

const HOOK = `
on_http_request:
  - actions:
      - type: verify-webhook
        config:
          provider: github
          secret: "\${secrets.get('hooks', 'github')}"
`;

testRule(it, NOT_ENFORCED, {
  fires: {
    'for a webhook, and suggests removing the key': {
      policy: `${HOOK}          «enforce: false»\n`,
      profile: 'modern',
      message:
        '`verify-webhook` denies nothing with `enforce: false`; remove it, or deny traffic in a later rule that reads the result',
      suggested: HOOK,
    },
    'for a firewall that lets pass what it fails to check': {
      policy: when('true', {
        phase: 'on_http_request',
        action: '{type: owasp-crs-request, config: {process_body: true, «on_error: continue»}}',
      }),
      profile: 'modern',
      message:
        '`owasp-crs-request` lets requests pass that it fails to check; remove `on_error`, or deny them in a later rule',
    },
    'for an IP restriction': {
      policy: when('true', { action: '{type: restrict-ips, config: {«enforce: false», allow: [203.0.113.0/24]}}' }),
    },
    'for an IP restriction in the profile edge-v2-snake': {
      policy: when('true', { action: '{type: restrict-ips, config: {allow: [203.0.113.0/24], «enforce: false»}}' }),
      profile: 'edge-v2-snake',
    },
    'for unverified client certificates': {
      policy: when('true', {
        phase: 'on_tcp_connect',
        action:
          '{type: terminate-tls, config: {mutual_tls_certificate_authorities: [ca_1], «mutual_tls_verification_strategy: require-any»}}',
      }),
      profile: 'modern',
      message:
        '`terminate-tls` accepts any client certificate; remove `mutual_tls_verification_strategy`, or deny unverified ones in a later rule',
    },
    'as info for a rate limit': {
      policy: when('true', {
        phase: 'on_http_request',
        action:
          '{type: rate-limit, config: {name: a, capacity: 9, rate: 60s, bucket_key: [conn.client_ip], «enforce: false»}}',
      }),
      profile: 'modern',
      severity: 'info',
    },
    'as info for a trial, whose result is logged': {
      policy: `${HOOK}          «enforce: false»\n      - type: log\n        config: { metadata: { ok: "\${actions.ngrok.verify_webhook.verified}" } }\n`,
      profile: 'modern',
      severity: 'info',
      message:
        '`verify-webhook` only logs its result: with `enforce: false` it denies nothing; remove it when the trial is over',
    },
    'as info for a firewall on trial': {
      policy: `
on_http_request:
  - actions:
      - type: owasp-crs-request
        config: { process_body: true, «on_error: continue» }
      - type: log
        config: { metadata: { why: "\${actions.ngrok.owasp_crs_request.error.message}" } }
`,
      profile: 'modern',
      severity: 'info',
      message:
        '`owasp-crs-request` only logs what it fails to check, and lets it pass; remove `on_error` when the trial is over',
    },
  },
  silent: {
    'when a later rule decides by the result': {
      policy: `${HOOK}          enforce: false\n  - expressions: ["!actions.ngrok.verify_webhook.verified"]\n    actions: [{ type: deny, config: { status_code: 401 } }]\n`,
      profile: 'modern',
    },
    'for a firewall that denies what it fails to check': {
      policy: when('true', {
        phase: 'on_http_request',
        action: '{type: owasp-crs-request, config: {on_error: halt}}',
      }),
      profile: 'modern',
    },
    'when it is enforced': { policy: `${HOOK}          enforce: true\n`, profile: 'modern' },
  },
});
