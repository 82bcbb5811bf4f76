import { EDGE_V2, MODERN, type Profile } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { expect, it } from 'vitest';
import { analyzePolicy } from '../analyze-policy.ts';
import { applyEdits } from '../migrate/apply-edits.ts';

function analyzed(text: string, profile: Profile) {
  return analyzePolicy(new SourceText('p.yaml', text), { profile, endpoint: profile.endpoints[0]! }).diagnostics;
}

/** The text after the safe fixes of all that is wrong with it, which is nothing any more. */
function mended(text: string, profile: Profile): string {
  const fixes = analyzed(text, profile).map(one => one.fixes?.find(fix => fix.applicability === 'safe'));
  const fixed = applyEdits(
    text,
    fixes.flatMap(fix => fix?.edits ?? []),
  );
  expect(analyzed(fixed, profile).filter(one => one.severity === 'error')).toEqual([]);
  return fixed;
}

it.each<[string, Profile, string, string]>([
  ['a map in braces', EDGE_V2, 'inbound: [{actions: {type: deny}}]', 'inbound: [{actions: [{type: deny}]}]'],
  [
    'maps in lines, inside of each other',
    EDGE_V2,
    'inbound:\n  - actions:\n      type: deny\n      config:\n        status_code: 404\n    name: a\n',
    'inbound:\n  - actions:\n      - type: deny\n        config:\n          status_code: 404\n    name: a\n',
  ],
  [
    'a rule, with a text in lines',
    EDGE_V2,
    'inbound:\n  expressions:\n    - |-\n      req.Method ==\n        "PUT"\n  actions: [{type: deny}]\n',
    'inbound:\n  - expressions:\n      - |-\n        req.Method ==\n          "PUT"\n    actions: [{type: deny}]\n',
  ],
  [
    'a condition',
    EDGE_V2,
    `inbound: [{expressions: "req.Method == 'PUT'", actions: [{type: deny}]}]`,
    `inbound: [{expressions: ["req.Method == 'PUT'"], actions: [{type: deny}]}]`,
  ],
  [
    'a condition without quotes',
    EDGE_V2,
    `inbound:\n  - expressions: req.Method == 'PUT'\n    actions: [{type: deny}]\n`,
    `inbound:\n  - expressions: ["req.Method == 'PUT'"]\n    actions: [{type: deny}]\n`,
  ],
  [
    'an expression inside of `${…}`',
    MODERN,
    `on_http_request: [{expressions: ["\${ req.method == 'PUT' }"], actions: [{type: rate-limit, config: {name: a, algorithm: sliding_window, capacity: 5, rate: 60s, bucket_key: ["\${conn.client_ip}"]}}]}]`,
    `on_http_request: [{expressions: [" req.method == 'PUT' "], actions: [{type: rate-limit, config: {name: a, algorithm: sliding_window, capacity: 5, rate: 60s, bucket_key: ["conn.client_ip"]}}]}]`,
  ],
])('mends %s', (_, profile, text, wanted) => {
  expect(mended(text, profile)).toBe(wanted);
});

it.each<[string, Profile, string, readonly string[]]>([
  [
    'a phase of another profile',
    MODERN,
    'inbound: []\non_http_request: []',
    [
      '`inbound` is a phase of the profile `edge-v2`, and this policy is read as `modern`, which has `on_tcp_connect`, `on_http_request`, `on_http_response` and `on_event_stream_message`',
    ],
  ],
  [
    'a body in JSON without quotes',
    EDGE_V2,
    'inbound: [{actions: [{type: custom-response, config: {content: {"a": 1}}}]}]',
    ['`content` must be a text, found a map; put quotes around it'],
  ],
  [
    'a map in JSON where a text should be',
    EDGE_V2,
    '{"inbound": [{"actions": [{"type": "custom-response", "config": {"content": {"a": 1}}}]}]}',
    ['`content` must be a text, found a map'],
  ],
  [
    'an expression inside of `${…}`',
    MODERN,
    'on_http_request: [{expressions: ["${true}"], actions: [{type: deny}]}]',
    ['this is an expression already, and `${…}` is for those inside of texts; leave `${` and `}` out'],
  ],
])('says what is wrong with %s', (_, profile, text, messages) => {
  expect(analyzed(text, profile).map(one => one.message)).toEqual(messages);
});
