import { expect, it } from 'vitest';
import { detectProfile } from './detect-profile.ts';

it.each([
  ['on_http_request: []', 'modern', 'on_http_request'],
  ['{"on_tcp_connect":[]}', 'modern', 'on_tcp_connect'],
  ['a: 1\n"on_http_response" : null', 'modern', 'on_http_response'],
  ['policy: {enabled: true, on_http_request: []}', 'modern', 'on_http_request'],
  ["inbound: [{expressions: ['conn.client_ip == x']}]", 'edge-v2-snake', 'conn.client_ip'],
  ["inbound: [{expressions: ['conn.ClientIP == x', 'req.method', 'req.Method']}]", 'edge-v2', 'conn.ClientIP'],
  ["inbound: [{name: on_http_request, expressions: ['true']}]", 'edge-v2', undefined],
  ['', 'edge-v2', undefined],
])('detects the profile from keys and names: %s', (document, name, evidence) => {
  const { profile, evidence: range } = detectProfile(document);
  expect(profile.name).toBe(name);
  expect(range && document.slice(range.start, range.end)).toBe(evidence);
});
