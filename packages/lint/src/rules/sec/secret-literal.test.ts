import { it } from 'vitest';
import { testRule } from '../../testing/test-rule.ts';
import { when } from '../../testing/when.ts';
import { SECRET_LITERAL } from './secret-literal.ts';

/** Put together here, so that no scanner of repositories takes it for a key. */
const KEY = ['AKIA', 'QX4RT7YU2WZ9MNB3'].join('');

testRule(it, SECRET_LITERAL, {
  fires: {
    'for a key in a condition': {
      policy: when(`getReqHeader('X-Key') == [«'${KEY}'»]`),
      message:
        'this is an access key of AWS, in clear; keep it out of the policy, or fill it in when publishing, and replace the one that was written here',
    },
    'for fields that are for secrets': {
      policy: when('true', {
        phase: 'on_http_request',
        action: '{type: basic-auth, config: {credentials: ["«ada:correct-horse»"]}}',
      }),
      profile: 'modern',
      message:
        "this is the secret of `credentials`, in clear; read it with `secrets.get('vault', 'name')`, and replace the one that was written here",
    },
    'for a password in a URL': when('true', {
      action: '{type: redirect, config: {from: "^.*$", to: "«https://ada:sesame42@app.test/»"}}',
    }),
  },
  silent: {
    'for what is filled in': {
      policy: when('true', {
        phase: 'on_http_request',
        action: `{type: verify-webhook, config: {provider: github, secret: "\${secrets.get('a', 'b')}"}}`,
      }),
      profile: 'modern',
    },
    'for words about secrets, and for placeholders': when(
      "getReqHeader('Authorization') == ['Bearer <your-token-of-16>']",
    ),
    'for the scheme of a token': when("getReqHeader('Authorization').exists(a, a.startsWith('Bearer '))"),
  },
});
