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
    'for a password that works as it stands, however common': {
      policy: when('true', {
        phase: 'on_http_request',
        action:
          '{type: basic-auth, config: {credentials: ["«admin:changeme»", "«demo:password1»", "«example:Kq7Zt4Xw9L»"]}}',
      }),
      profile: 'modern',
    },
    'for a password in the URL of an example': when('true', {
      action: '{type: redirect, config: {from: "^.*$", to: "«https://ada:sesame42@app.example.com/»"}}',
    }),
    'for secrets that look like ones': {
      policy: when('true', {
        phase: 'on_http_request',
        action: '{type: oauth, config: {provider: google, client_id: a, client_secret: «GOCSPX-8uYt5Rr3WwQqZz»}}',
      }),
      profile: 'modern',
    },
  },
  silent: {
    ...Object.fromEntries(
      [
        '$CLIENT_SECRET',
        '{signing key}',
        'YOUR_CLIENT_SECRET',
        '<your key>',
        'xxx',
        'changeme',
        'my-client-secret',
      ].map(secret => [
        `for the placeholder ${secret}`,
        {
          policy: when('true', {
            phase: 'on_http_request',
            action: `{type: oauth, config: {provider: google, client_id: a, client_secret: "${secret}"}}`,
          }),
          profile: 'modern' as const,
        },
      ]),
    ),
    'for users whose passwords are filled in': {
      policy: when('true', {
        phase: 'on_http_request',
        action:
          '{type: basic-auth, config: {credentials: ["ada:$ADA_PASSWORD", "bob:<password>", "eve:YOUR_PASSWORD"]}}',
      }),
      profile: 'modern',
    },
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
