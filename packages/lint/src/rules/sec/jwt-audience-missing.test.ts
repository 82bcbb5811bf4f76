import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { JWT_AUDIENCE_MISSING } from './jwt-audience-missing.ts';

const jwt = (type: string, audience = '', rest = '') => `on_http_request:
  - actions:
      - type: ${type}
        config:
          issuer: { allow_list: [{ value: https://id.example.com/ }] }
${audience}          http: { tokens: [{ type: jwt, method: header, name: authorization, prefix: "Bearer " }] }
          jws: { allowed_algorithms: [RS256] }
${rest}`;

testRule(it, JWT_AUDIENCE_MISSING, {
  fires: {
    'when `audience` is null': {
      policy: jwt('«jwt-validation»', '          audience: null\n'),
      profile: 'modern',
      message:
        'tokens issued for any other service are accepted; list the audiences of this one in `audience.allow_list`',
    },
  },
  silent: {
    'when a rule checks the claim': {
      policy: jwt(
        'jwt-validation',
        '',
        `  - expressions: ["actions.ngrok.jwt_validation.tokens[0].payload['aud'] != 'api'"]\n    actions: [{ type: deny }]\n`,
      ),
      profile: 'modern',
    },
  },
});
