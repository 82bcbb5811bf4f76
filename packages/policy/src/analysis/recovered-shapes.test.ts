import { EDGE_V2, MODERN, type Profile } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { expect, it } from 'vitest';
import { applyEdits } from '../document/edits.ts';
import { analyzePolicy } from './analyze-policy.ts';

function analyzed(text: string, profile: Profile) {
  return analyzePolicy(new SourceText('p.yaml', text), { profile, endpoint: profile.endpoints[0]! }).diagnostics;
}

/** The text after the safe fixes of all that is wrong with it, round after round, until nothing is. */
function fixed(text: string, profile: Profile): string {
  const found = analyzed(text, profile).filter(one => one.severity === 'error');
  if (found.length === 0) return text;
  const edits = found.flatMap(one => one.fixes?.find(fix => fix.applicability === 'safe')?.edits ?? []);
  expect(edits).not.toEqual([]);
  return fixed(applyEdits(text, edits), profile);
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
    'a rule, with a string on several lines',
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
  ['a key with a wrong sign', EDGE_V2, 'inbuond: [{actoins: [{tpe: deny}]}]', 'inbound: [{actions: [{type: deny}]}]'],
  [
    'a string that begins with a tag',
    EDGE_V2,
    `inbound:\n  - expressions:\n      - !('X' in req.Headers)\n    actions: [{type: deny}]\n`,
    `inbound:\n  - expressions:\n      - '!(''X'' in req.Headers)'\n    actions: [{type: deny}]\n`,
  ],
  [
    'names in another case',
    EDGE_V2,
    `inbound: [{expressions: ["req.method == 'A' && conn.geo.countryCode == 'DE'"], actions: [{type: deny}]}]`,
    `inbound: [{expressions: ["req.Method == 'A' && conn.Geo.CountryCode == 'DE'"], actions: [{type: deny}]}]`,
  ],
  [
    'membership in a string and a part of a map',
    EDGE_V2,
    `inbound: [{expressions: ["!('a' in req.URL) && !req.Headers.contains('X')"], actions: [{type: deny}]}]`,
    `inbound: [{expressions: ["!(req.URL.contains('a')) && !('X' in req.Headers)"], actions: [{type: deny}]}]`,
  ],
])('fixes %s', (_, profile, text, wanted) => {
  expect(fixed(text, profile)).toBe(wanted);
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
    ['`content` must be a string, found a map'],
  ],
  [
    'a map in JSON instead of a string',
    EDGE_V2,
    '{"inbound": [{"actions": [{"type": "custom-response", "config": {"content": {"a": 1}}}]}]}',
    ['`content` must be a string, found a map'],
  ],
  [
    'an expression inside of `${…}`',
    MODERN,
    'on_http_request: [{expressions: ["${true}"], actions: [{type: deny}]}]',
    ['`${…}` around an expression, which is needed only inside strings; remove `${` and `}`'],
  ],
  [
    'a header that is compared as if it had one value',
    EDGE_V2,
    `inbound: [{expressions: ["req.Headers['X'] == 'b'", "'b' != req.Headers['X']", "req.Headers['X'].contains('b')"], actions: [{type: deny}]}]`,
    [
      "`==` compares values of one type, found list(string) and string; write `'X' in req.Headers && 'b' in req.Headers['X']`",
      "`!=` compares values of one type, found string and list(string); write `!('X' in req.Headers && 'b' in req.Headers['X'])`",
      "no overload of `contains` takes (list(string), string); expected string.contains(string); write `'X' in req.Headers && req.Headers['X'].exists(v, v.contains('b'))`",
    ],
  ],
])('reports %s', (_, profile, text, messages) => {
  expect(analyzed(text, profile).map(one => one.message)).toEqual(messages);
});
