import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
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
    'where the identity is only logged': {
      ...oauth(
        '  - actions: [{ type: log, config: { metadata: { who: "${actions.ngrok.oauth.identity.email}" } } }]\n',
      ),
      message:
        'anyone with an account at `github` is let in; add a rule that compares `identity.email` and refuses the rest',
      severity: 'warning',
    },
    'where rules ask about something else': oauth(deny("conn.geo.country_code == 'KP'")),
    'where a rule only asks whether there is an identity': oauth(
      deny("!has(actions.ngrok.oauth.identity.email) || actions.ngrok.oauth.identity.email == ''"),
    ),
    'where a rule that decides nothing asks': oauth(
      `  - expressions: ["actions.ngrok.oauth.identity.email.endsWith('@example.com')"]\n    actions: [{ type: log }]\n`,
    ),
    'for an issuer that anybody has an account with': { ...oidc('https://accounts.google.com'), severity: 'warning' },
    'for an issuer of a single company, as a note': { ...oidc('https://login.example.com/'), severity: 'info' },
    'where the results of another action are asked for': oidc(
      'https://login.microsoftonline.com/common/v2.0',
      deny("conn.client_ip == '192.0.2.1'"),
    ),
  },
  silent: {
    'where a later rule compares the domain': oauth(
      deny("!(actions.ngrok.oauth.identity.email.endsWith('@example.com'))"),
      'oauth',
    ),
    'where those that may are forwarded': oauth(
      `  - expressions: ["actions.ngrok.oauth.identity.email in ['ada@example.com']"]\n    actions: [{ type: forward-internal, config: { url: https://a.internal } }]\n  - actions: [{ type: deny }]\n`,
      'oauth',
    ),
    'where the upstream is told who it is': oauth(
      '  - actions: [{ type: add-headers, config: { headers: { x-email: "${actions.ngrok.oauth.identity.email}" } } }]\n',
      'oauth',
    ),
  },
});
