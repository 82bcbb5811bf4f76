import { it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { LOG_SENSITIVE } from './log-sensitive.ts';

testRule(it, LOG_SENSITIVE, {
  fires: {
    'for all headers, and for cookies': {
      policy: when('true', {
        phase: 'on_http_request',
        action: `{type: log, config: {metadata: {h: "\${json.encode(«req.headers»)}", n: [{c: "\${«req.cookies['a'][0].value»}"}]}}}`,
      }),
      profile: 'modern',
      message:
        '`req.headers` contains all headers, including `Authorization` and `Cookie`; do not log it, or log a digest',
    },
    'for tokens in query parameters': {
      policy: when('true', {
        action: `{type: log, config: {metadata: {t: "\${«getQueryParam('access_token')[0]»}"}}}`,
      }),
      profile: 'edge-v2-snake',
    },
  },
  silent: {
    'for other headers and tests of presence': {
      policy: when('true', {
        phase: 'on_http_request',
        action: `{type: log, config: {metadata: {h: "\${req.headers['accept'][0]} \${hasReqHeader('authorization')}"}}}`,
      }),
      profile: 'modern',
    },
    'for headers sent to the upstream': {
      policy: when('true', {
        phase: 'on_http_request',
        action: `{type: add-headers, config: {headers: {x-auth: "\${getReqHeader('authorization')[0]}"}}}`,
      }),
      profile: 'modern',
    },
  },
});
