import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { IDENTITY_UNCHECKED } from './identity-unchecked.ts';

const oauth = (rest: string, type = '«oauth»') => ({
  policy: `on_http_request:
  - actions: [{ type: ${type}, config: { provider: github } }]
${rest}`,
  profile: 'modern' as const,
});
const oidc = (issuer: string, rest = '') => ({
  policy: `on_http_request:
  - actions: [{ type: «openid-connect», config: { issuer_url: "${issuer}", client_id: a, client_secret: "\${secrets.get('a', 'b')}" } }]
${rest}`,
  profile: 'modern' as const,
});
const deny = (condition: string) => `  - expressions: ["${condition}"]\n    actions: [{ type: deny }]\n`;

testRule(it, IDENTITY_UNCHECKED, {
  fires: {
    'when the identity is only logged': {
      ...oauth(
        '  - actions: [{ type: log, config: { metadata: { who: "${actions.ngrok.oauth.identity.email}" } } }]\n',
      ),
      message:
        'anyone with an account at `github` can sign in; add a rule that checks `identity.email` and denies everyone else',
      severity: 'warning',
    },
    'when rules test only other inputs': oauth(deny("conn.geo.country_code == 'KP'")),
    'when a rule only tests that there is an identity': oauth(
      deny("!has(actions.ngrok.oauth.identity.email) || actions.ngrok.oauth.identity.email == ''"),
    ),
    'when only a rule that logs tests the identity': oauth(
      `  - expressions: ["actions.ngrok.oauth.identity.email.endsWith('@example.com')"]\n    actions: [{ type: log }]\n`,
    ),
    'for a public issuer': { ...oidc('https://accounts.google.com'), severity: 'warning' },
    'as info for the issuer of a single company, if asked to': {
      ...oidc('https://login.example.com/'),
      options: { managed: true },
      severity: 'info',
    },
    'for a multi-tenant issuer': oidc(
      'https://login.microsoftonline.com/common/v2.0',
      deny("conn.client_ip == '192.0.2.1'"),
    ),
  },
  silent: {
    'for the issuer of a single company': {
      ...oidc('https://login.example.com/'),
      policy: oidc('https://login.example.com/').policy.replaceAll(/[«»]/g, ''),
    },
    'for an application that the provider may restrict to one organisation': {
      policy:
        "on_http_request:\n  - actions: [{ type: oauth, config: { provider: google, client_id: a, client_secret: \"${secrets.get('a', 'b')}\" } }]\n",
      profile: 'modern',
    },
    'when a later rule checks the domain': oauth(
      deny("!(actions.ngrok.oauth.identity.email.endsWith('@example.com'))"),
      'oauth',
    ),
    'when only expected identities are forwarded': oauth(
      `  - expressions: ["actions.ngrok.oauth.identity.email in ['ada@example.com']"]\n    actions: [{ type: forward-internal, config: { url: https://a.internal } }]\n  - actions: [{ type: deny }]\n`,
      'oauth',
    ),
    'when the identity is passed to the upstream': oauth(
      '  - actions: [{ type: add-headers, config: { headers: { x-email: "${actions.ngrok.oauth.identity.email}" } } }]\n',
      'oauth',
    ),
  },
});
