import { expect, it } from 'vitest';
import { testRule, when } from '../../engine/test-rule.ts';
import { isPlaceholder, SECRET_LITERAL } from './secret-literal.ts';

/** Assembled here so that secret scanners do not report this file. */
const KEY = ['AKIA', 'QX4RT7YU2WZ9MNB3'].join('');

testRule(it, SECRET_LITERAL, {
  fires: {
    'for a key in a condition': {
      policy: when(`getReqHeader('X-Key') == [«'${KEY}'»]`),
      message:
        'policy contains an AWS access key in plain text; move it out of the policy, or insert it when publishing, and revoke this one',
    },
    'for a field meant for a secret': {
      policy: when('true', {
        phase: 'on_http_request',
        action: '{type: basic-auth, config: {credentials: ["«ada:correct-horse»"]}}',
      }),
      profile: 'modern',
      message:
        "policy contains the value of `credentials` in plain text; read it with `secrets.get('vault', 'name')`, and revoke this one",
    },
    'for a password in a URL': when('true', {
      action: '{type: redirect, config: {from: "^.*$", to: "«https://ada:sesame42@app.test/»"}}',
    }),
    'for live passwords, however common': {
      policy: when('true', {
        phase: 'on_http_request',
        action:
          '{type: basic-auth, config: {credentials: ["«admin:changeme»", "«demo:password1»", "«example:Kq7Zt4Xw9L»"]}}',
      }),
      profile: 'modern',
    },
    'for a password in a URL of an example domain': when('true', {
      action: '{type: redirect, config: {from: "^.*$", to: "«https://ada:sesame42@app.example.com/»"}}',
    }),
    'for a secret in a known format': {
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
    'for placeholders in place of passwords': {
      policy: when('true', {
        phase: 'on_http_request',
        action:
          '{type: basic-auth, config: {credentials: ["ada:$ADA_PASSWORD", "bob:<password>", "eve:YOUR_PASSWORD"]}}',
      }),
      profile: 'modern',
    },
    'for an interpolated secret': {
      policy: when('true', {
        phase: 'on_http_request',
        action: `{type: verify-webhook, config: {provider: github, secret: "\${secrets.get('a', 'b')}"}}`,
      }),
      profile: 'modern',
    },
    'for placeholders in a condition': when("getReqHeader('Authorization') == ['Bearer <your-token-of-16>']"),
    'for an authentication scheme': when("getReqHeader('Authorization').exists(a, a.startsWith('Bearer '))"),
  },
});

it.each([
  ...[
    '$CLIENT_SECRET',
    '${CLIENT_SECRET}',
    '$(secret)',
    '%SECRET%',
    '{{ client_secret }}',
    '{signing key}',
    '<your key>',
  ],
  ...[
    '[secret]',
    '__SECRET__',
    'YOUR_CLIENT_SECRET',
    'your-webhook-secret',
    'yourClientSecret',
    'xxx',
    'XXXXXXXX',
    '****',
  ],
  ...[
    'sk_live_xxxxxxxxxxxxxxxx',
    'abc...',
    'AKIAIOSFODNN7EXAMPLE',
    'REPLACE_WITH_YOUR_TOKEN',
    'insert token here',
    'ZOOM_WEBHOOK_SECRET',
    'your-256-bit-secret',
    '<<SECRET>>',
    'your-zoom-secret',
  ],
])('treats %s as a placeholder, even if it would work as a password', text => {
  expect(isPlaceholder(text, !text.includes('AKIA'))).toBe(true);
});

it.each(['changeme', 'change-me', 'my-secret', 'mysecret123', 'password', 'supersecret', 'client_secret', 'secret'])(
  'treats %s as a placeholder, except where it would work as a password',
  text => {
    expect([isPlaceholder(text, false), isPlaceholder(text, true)]).toEqual([true, false]);
  },
);

it.each([
  ...[
    'hunter2!',
    'correct-horse',
    'whsec_9fK2mQ7tX4bN8vR1',
    'GOCSPX-8uYt5Rr3WwQqZz',
    'a1b2c3d4e5f6',
    'yourself42x',
    'xX9-pass',
  ],
  ...['$up3rS3cr3t!', 'Tr0ub4dor&3', 'key-7f3b9c'],
])('treats %s as a secret', text => {
  expect([isPlaceholder(text, false), isPlaceholder(text, true)]).toEqual([false, false]);
});
