import { it } from 'vitest';
import { testRule } from '../../engine/test-rule.ts';
import { SINGLE_ERROR_STATUS } from './single-error-status.ts';

const PAGE =
  '{ type: custom-response, config: { status_code: 500, headers: { content-type: text/plain }, body: sorry } }';

const hiding = (...conditions: readonly string[]) =>
  ({
    policy: `on_http_response:\n${conditions.map(one => `  - expressions: ["${one}"]\n    actions: [${PAGE}]\n`).join('')}`,
    profile: 'modern',
  }) as const;

testRule(it, SINGLE_ERROR_STATUS, {
  fires: {
    'for a page instead of 500': {
      ...hiding('«res.status_code == 500»'),
      message: 'other server errors, such as 502 and 503, are not replaced; compare with `>= 500`',
    },
    'next to a page for 404': hiding('res.status_code == 404', '«res.status_code == 500»'),
  },
  silent: {
    'for a page of another status': hiding('res.status_code == 404'),
    'if another rule handles the others': hiding('res.status_code == 500', 'res.status_code > 500'),
    'if the same condition does': hiding('res.status_code == 500 || res.status_code == 502'),
    'for a rule that only logs': {
      policy:
        'on_http_response:\n  - expressions: ["res.status_code == 500"]\n    actions: [{ type: log, config: { metadata: { a: b } } }]\n',
      profile: 'modern',
    },
  },
});
