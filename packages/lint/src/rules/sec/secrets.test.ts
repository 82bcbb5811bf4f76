import { expect, it } from 'vitest';
import { isPlaceholder } from './secrets.ts';

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
